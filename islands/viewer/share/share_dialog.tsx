/** @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { render } from "preact";
import {
  LONGEST_LINK_PASSWORD,
  LONGEST_SHARE_NOTE,
  SHORTEST_LINK_PASSWORD,
  USUAL_DAYS,
} from "../../../server/domain/shares/share.ts";
import type { MadeShare } from "../../../server/domain/shares/share_schema.ts";
import { sharedCameras } from "../../../server/domain/shares/share_text.ts";
import { counted } from "../../../server/domain/text/format.ts";
import { ZoneTime } from "../../../server/domain/text/zone_time.ts";
import type { ExportWanted } from "../../../server/domain/viewer/export_choice.ts";
import { cameraName, camerasInOrder } from "../../../server/domain/viewer/viewer_address.ts";
import { Refusal, send, sentenceOfError } from "../../browser/client.ts";
import { copyText } from "../../browser/copy_text.ts";
import { useOpenDialog } from "../../parts/dialog.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Note } from "../../parts/note.tsx";

interface ShareDialogProps {
  readonly wanted: ExportWanted;
  /** Times of the part, and its length: `Fri 20 Nov, 08:22:30 to 08:26:30 · 4 min`. */
  readonly about: string;
  /** Letters of the cameras that have recordings of it. */
  readonly directions: readonly string[];
  readonly closed: () => void;
}

const DAYS: readonly number[] = [1, USUAL_DAYS, 30, 90];

/** Opens the dialog that makes a link. It stands beside the viewer, whose pictures are dark in both themes. */
export function showShare(page: Document, opener: HTMLElement, wanted: Omit<ShareDialogProps, "closed">): void {
  const place = page.createElement("div");
  page.body.append(place);
  const closed = () => {
    render(null, place);
    place.remove();
    opener.focus();
  };
  render(<ShareDialog {...wanted} closed={closed} />, place);
}

/** Makes a link by which people without a sign-in see a part of a trip. */
function ShareDialog({ wanted, about, directions, closed }: ShareDialogProps) {
  const dialog = useOpenDialog(closed);
  const made = useSignal<MadeShare | null>(null);
  const letters = camerasInOrder(directions);
  return (
    <dialog class="dialog share" data-modal="share" aria-labelledby="share-title" ref={dialog}>
      <div class="dialog-body">
        <div class="dialog-head">
          <h2 id="share-title">{made.value === null ? "Share by a link" : "The link is ready"}</h2>
          <button class="b b-icon" type="button" aria-label="Close" onClick={() => dialog.current?.close()}>
            <Icon name="i-close" />
          </button>
        </div>
        {made.value === null ? (
          <Form
            wanted={wanted}
            about={about}
            letters={letters}
            made={(link) => {
              made.value = link;
            }}
          />
        ) : (
          <Ready link={made.value} done={() => dialog.current?.close()} />
        )}
      </div>
    </dialog>
  );
}

interface FormProps extends Pick<ShareDialogProps, "wanted" | "about"> {
  readonly letters: readonly string[];
  readonly made: (link: MadeShare) => void;
}

function Form({ wanted, about, letters, made }: FormProps) {
  const days = useSignal(USUAL_DAYS);
  const without = useSignal<readonly string[]>([]);
  const place = useSignal(false);
  const sound = useSignal(false);
  const download = useSignal(false);
  const password = useSignal("");
  const note = useSignal("");
  const isBusy = useSignal(false);
  const problem = useSignal<{ readonly words: string; readonly isOff: boolean } | null>(null);
  const chosen = letters.filter((letter) => !without.value.includes(letter));
  const make = async () => {
    isBusy.value = true;
    problem.value = null;
    try {
      made(
        await send<MadeShare>("POST /api/shares", {
          span: spanOf(wanted),
          directions: chosen.join(""),
          days: days.value,
          place: place.value,
          sound: sound.value,
          download: download.value,
          ...(password.value !== "" && { password: password.value }),
          ...(note.value.trim() !== "" && { note: note.value.trim() }),
        }),
      );
    } catch (error) {
      problem.value = {
        words: sentenceOfError(error),
        isOff: error instanceof Refusal && error.code === "SHARING_OFF",
      };
    }
    isBusy.value = false;
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy.value) void make();
      }}
    >
      <p>
        {about} · {sharedCameras(chosen.join(""))}
      </p>
      <p class="label" id="share-days">
        Ends after
      </p>
      <div class="seg share-days" role="group" aria-labelledby="share-days">
        {DAYS.map((count) => (
          <button
            key={count}
            type="button"
            aria-pressed={days.value === count}
            onClick={() => {
              days.value = count;
            }}
          >
            {counted(count, "day")}
          </button>
        ))}
      </div>
      {letters.length > 1 && (
        <>
          <p class="label" id="share-cameras">
            Cameras
          </p>
          <div class="share-cameras" role="group" aria-labelledby="share-cameras">
            {letters.map((letter) => (
              <button
                key={letter}
                class="chip"
                type="button"
                aria-pressed={chosen.includes(letter)}
                // One stays.
                disabled={chosen.length === 1 && chosen[0] === letter}
                onClick={() => {
                  without.value = chosen.includes(letter)
                    ? [...without.value, letter]
                    : without.value.filter((one) => one !== letter);
                }}
              >
                {cameraName(letter)}
              </button>
            ))}
          </div>
        </>
      )}
      <ul class="switches">
        <Switch
          name="Without the place"
          words="No map, no speed and no coordinates"
          isOn={!place.value}
          set={(isOn) => (place.value = !isOn)}
        />
        <Switch
          name="Without the sound"
          words="Nothing that was said in the car"
          isOn={!sound.value}
          set={(isOn) => (sound.value = !isOn)}
        />
        <Switch
          name="With a download"
          words="One video for each camera"
          isOn={download.value}
          set={(isOn) => (download.value = isOn)}
        />
      </ul>
      <div class="share-fields">
        <label>
          Password <span class="small soft">optional</span>
          <input
            class="in"
            name="link-password"
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            minLength={SHORTEST_LINK_PASSWORD}
            maxLength={LONGEST_LINK_PASSWORD}
            value={password.value}
            onInput={(event) => (password.value = event.currentTarget.value)}
          />
        </label>
        <label>
          Note <span class="small soft">only you see it</span>
          <input
            class="in"
            name="link-note"
            maxLength={LONGEST_SHARE_NOTE}
            value={note.value}
            onInput={(event) => (note.value = event.currentTarget.value)}
          />
        </label>
      </div>
      {place.value ? (
        <Note level="attention" title="The link shows where you drove">
          <p>The first and last 500 m of the trip are left out.</p>
        </Note>
      ) : (
        <Note level="attention" title="The picture itself can tell the place">
          <p>Signs, houses and the camera’s own stamp stay in the video.</p>
        </Note>
      )}
      <div role="alert">
        {problem.value !== null && (
          <p class="error">
            <Icon name="s-failed" />
            <span>
              {problem.value.words} {problem.value.isOff && <a href="/settings#share">Open the settings</a>}
            </span>
          </p>
        )}
      </div>
      <div class="row">
        <button class="b b-primary" type="submit" aria-busy={isBusy.value}>
          <Icon name="i-link" />
          Make the link
        </button>
      </div>
    </form>
  );
}

interface SwitchProps {
  readonly name: string;
  readonly words: string;
  readonly isOn: boolean;
  readonly set: (isOn: boolean) => void;
}

function Switch({ name, words, isOn, set }: SwitchProps) {
  return (
    <li>
      <label class="check">
        <span>
          {name}
          <span class="small soft">{words}</span>
        </span>
        <input
          class="switch"
          type="checkbox"
          role="switch"
          checked={isOn}
          onInput={(event) => set(event.currentTarget.checked)}
        />
      </label>
    </li>
  );
}

/** The address, which is told this once. */
function Ready({ link, done }: { readonly link: MadeShare; readonly done: () => void }) {
  const copied = useSignal<string | null>(null);
  const problem = useSignal<string | null>(null);
  const zone = ZoneTime.from(document.querySelector<HTMLElement>("[data-clock]")?.dataset["clock"] ?? "UTC");
  const end = Date.parse(link.expires_at);
  return (
    <>
      <p>Everyone who has this address can watch, and see nothing else. It is shown only now.</p>
      <p class="codeline share-address">
        <code>{link.url}</code>
        <button
          class="b b-primary"
          type="button"
          onClick={async () => {
            copied.value = (await copyText(document, link.url)) ? "Copied." : "Select the address and copy it.";
          }}
        >
          <Icon name="i-copy" />
          Copy
        </button>
      </p>
      <p class="says" role="status">
        {copied.value ?? (
          <>
            Ends <b>{`${zone.day(end, 0)}, ${zone.clock(end)} ${zone.name(end)}`}</b>. The receiver must be able to
            reach this address.
          </>
        )}
      </p>
      {problem.value !== null && (
        <p class="error" role="alert">
          <Icon name="s-failed" />
          {problem.value}
        </p>
      )}
      <div class="row share-end">
        <a class="b b-quiet" href={`/links/${link.id}`} target="_blank" rel="noopener">
          <Icon name="i-eye" />
          See what they see
        </a>
        <button
          class="b b-danger"
          type="button"
          onClick={async () => {
            try {
              await send(`DELETE /api/shares/${link.id}`);
              done();
            } catch (error) {
              problem.value = sentenceOfError(error);
            }
          }}
        >
          End the link
        </button>
        <button class="b" type="button" onClick={done}>
          Done
        </button>
      </div>
    </>
  );
}

/** The span as the API takes it. */
function spanOf(wanted: ExportWanted) {
  if (wanted.kind !== "range") return wanted.kind === "clip" ? { key: wanted.key } : { trip: wanted.key };
  const { from, to, fromSeconds, toSeconds } = wanted;
  return {
    from,
    to,
    from_seconds: fromSeconds,
    ...(Number.isFinite(toSeconds) && { to_seconds: toSeconds }),
  };
}
