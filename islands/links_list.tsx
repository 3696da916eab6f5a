/** @jsxImportSource preact */

import { useSignal } from "@preact/signals";
import { sharedCameras, sharedLength, sharedTimes } from "../server/domain/shares/share_text.ts";
import { counted } from "../server/domain/text/format.ts";
import { ZoneTime } from "../server/domain/text/zone_time.ts";
import { send, sentenceOfError } from "./browser/client.ts";
import { showToast } from "./browser/toast.ts";
import type { EndedLink, Link, Links, LinksProps } from "./links/links_props.ts";
import { Dialog, useOpenDialog } from "./parts/dialog.tsx";
import { Icon, type IconName } from "./parts/icon.tsx";
import { ChangeButton } from "./parts/may_change.tsx";
import { Note } from "./parts/note.tsx";
import { Shot } from "./parts/shot.tsx";

interface ReadAt {
  readonly now: number;
  readonly zone: ZoneTime;
}

/** The links for people outside: what each shows, how often it was opened, and when it ends. */
export default function LinksList(props: LinksProps) {
  const links = useSignal(props.links);
  const asked = useSignal<readonly Link[]>([]);
  const readAt = { now: props.now, zone: ZoneTime.from(props.zone) };
  const { shares, ended } = links.value;
  const revoke = async (some: readonly Link[]) => {
    try {
      for (const { id } of some) await send(`DELETE /api/shares/${id}`);
      showToast(
        document,
        "fine",
        some.length === 1 ? "The link has ended." : `${counted(some.length, "link")} have ended.`,
      );
    } catch (error) {
      showToast(document, "failed", sentenceOfError(error));
    }
    links.value = await send<Links>("GET /api/shares").catch(() => links.value);
  };
  const row = (link: Link | EndedLink) => (
    <Row
      key={link.id}
      link={link}
      picture={props.pictures[link.id] ?? null}
      readAt={readAt}
      revoke={() => {
        asked.value = [link];
      }}
    />
  );
  return (
    <>
      <p class="lk-intro">
        A link shows a part of a trip to everyone who has it, and ends by itself. It keeps no recording from being
        deleted.
      </p>
      {!props.isOn && (
        <Note level="attention" title="Links are switched off">
          <p>
            No link opens, and none can be made. <a href="/settings#share">Switch links on</a>
          </p>
        </Note>
      )}
      {props.isOn && props.isOpen && (
        <Note level="attention" title="Dashdock asks for no sign-in">
          <p>
            People who get a link can open everything else here, too. <a href="/settings#auth">Choose a sign-in</a>
          </p>
        </Note>
      )}
      <section class="section">
        <div class="section-head">
          <h2>{headOf(shares.length, props.isOn)}</h2>
          {shares.length > 1 && (
            <ChangeButton
              class="b b-danger needs-script"
              type="button"
              aria-haspopup="dialog"
              onClick={() => {
                asked.value = shares;
              }}
            >
              Revoke all…
            </ChangeButton>
          )}
        </div>
        {shares.length > 0 && <ul class="links">{shares.map(row)}</ul>}
        <p class="says">
          {shares.length > 0
            ? "The address of a link is shown once, when it is made. Lost? Make a new link in the viewer."
            : "Make a link in the viewer: press S, mark a part, and choose “Others”."}
        </p>
      </section>
      {ended.length > 0 && (
        <section class="section">
          <div class="section-head">
            <h2>Ended</h2>
          </div>
          <ul class="links">{ended.map(row)}</ul>
          <p class="says">Ended links leave this list after 30 days. Others only see “This link is not valid”.</p>
        </section>
      )}
      {asked.value.length > 0 && (
        <Question
          links={asked.value}
          closed={() => {
            asked.value = [];
          }}
          revoke={revoke}
        />
      )}
    </>
  );
}

function headOf(count: number, isOn: boolean): string {
  if (count === 0) return "No links";
  return isOn ? `${counted(count, "link")} ${count === 1 ? "works" : "work"} now` : counted(count, "link");
}

interface RowProps {
  readonly link: Link | EndedLink;
  readonly picture: string | null;
  readonly readAt: ReadAt;
  readonly revoke: () => void;
}

function Row({ link, picture, readAt, revoke }: RowProps) {
  const isOver = "ended_at" in link;
  const times = sharedTimes(spanOf(link), readAt.zone.wall(readAt.now).year, readAt.zone.format);
  return (
    <li class={isOver ? "is-over" : undefined} data-link={link.id}>
      <Shot thumb={picture} type="N" />
      <p>
        <b>{times}</b>{" "}
        <span class="small soft">
          {[sharedLength(spanOf(link), readAt.zone), link.note ?? ""].filter((part) => part !== "").join(" · ")}
        </span>
      </p>
      <div class="lk-facts">
        <Fact icon="i-camera" name={sharedCameras(link.directions)} />
        <Fact icon={link.place ? "i-place" : "i-nogps"} name={link.place ? "Place" : "No place"} tells={link.place} />
        {link.sound ? <Fact icon="i-volume" name="Sound" tells /> : <Fact icon="i-mute" name="No sound" />}
        {link.has_password && <Fact icon="i-key" name="Password" />}
        {link.download && <Fact icon="i-download" name="Download" />}
      </div>
      <p class="lk-n">
        {link.views === 0 ? <b>{isOver ? "Never opened" : "Not opened yet"}</b> : <b>{counted(link.views, "view")}</b>}
        {link.last_view !== null && `, last ${readAt.zone.moment(Date.parse(link.last_view), readAt.now)}`}
        <br />
        {isOver ? endedWords(link, readAt) : endWords(link, readAt)}
        {link.recordings.there === 0 && (
          <>
            <br />
            Its recordings are not there
          </>
        )}
      </p>
      <div class="lk-do">
        {!isOver && (
          <>
            <a class="b b-quiet" href={`/links/${link.id}`} aria-label={`See what they see of ${times}`}>
              <Icon name="i-eye" />
              See
            </a>
            <ChangeButton
              class="b b-quiet needs-script"
              type="button"
              aria-haspopup="dialog"
              aria-label={`Revoke ${times}…`}
              onClick={revoke}
            >
              Revoke…
            </ChangeButton>
          </>
        )}
      </div>
    </li>
  );
}

function Fact({
  icon,
  name,
  tells = false,
}: {
  readonly icon: IconName;
  readonly name: string;
  readonly tells?: boolean;
}) {
  return (
    <span class={tells ? "badge is-attention" : "badge"}>
      <Icon name={icon} />
      {name}
    </span>
  );
}

function spanOf({ starts_at, ends_at }: Link) {
  return { starts: Date.parse(`${starts_at}Z`) / 1000, ends: Date.parse(`${ends_at}Z`) / 1000 };
}

function endWords({ expires_at }: Link, { zone, now }: ReadAt) {
  const end = Date.parse(expires_at);
  const days = zone.dayNumber(end) - zone.dayNumber(now);
  if (days > 1)
    return (
      <>
        Ends in <b>{counted(days, "day")}</b>, {zone.moment(end, now)}
      </>
    );
  return (
    <>
      Ends <b>{days === 1 ? "tomorrow" : "today"}</b>, {zone.clock(end)}
    </>
  );
}

function endedWords({ revoked, ended_at }: EndedLink, { zone, now }: ReadAt): string {
  return `${revoked ? "Revoked" : "Ended"} ${zone.moment(Date.parse(ended_at), now)}`;
}

interface QuestionProps {
  readonly links: readonly Link[];
  readonly closed: () => void;
  readonly revoke: (links: readonly Link[]) => Promise<void>;
}

function Question({ links, closed, revoke }: QuestionProps) {
  const dialog = useOpenDialog(closed);
  const isOne = links.length === 1;
  return (
    <Dialog
      name="revoke"
      title={isOne ? "Revoke this link?" : `Revoke ${counted(links.length, "link")}?`}
      dialogRef={dialog}
    >
      <p>{isOne ? "It" : "They"} will not open any more, also for people who watch now. This cannot be undone.</p>
      <div class="row">
        <button class="b" type="submit">
          Keep
        </button>
        <button class="b b-danger" type="submit" onClick={() => void revoke(links)}>
          {isOne ? "Revoke the link" : `Revoke ${counted(links.length, "link")}`}
        </button>
      </div>
    </Dialog>
  );
}
