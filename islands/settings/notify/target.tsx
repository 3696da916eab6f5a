/** @jsxImportSource preact */
import { type Signal, useSignal } from "@preact/signals";
import type { NotifyState, NotifyTest } from "../../../server/domain/notify/notify_schema.ts";
import { cameBack, failedWord, LEARNS } from "../../../server/domain/notify/told_text.ts";
import { shownTarget, TARGET_KINDS, targetKind, targetName } from "../../../server/domain/settings/notify_address.ts";
import { ZoneTime } from "../../../server/domain/text/zone_time.ts";
import { send, sentenceOfError } from "../../browser/client.ts";
import { Icon } from "../../parts/icon.tsx";
import { State } from "../../parts/state.tsx";
import type { PartProps } from "../later_place.tsx";
import { refresh } from "./use_notify_state.ts";

type Known = NotifyState["targets"][number];

interface TargetProps extends PartProps {
  /** Its address, as it stands in the form. */
  readonly line: string;
  /** Facts about it; null for one that is not saved yet. */
  readonly known: Known | null;
  readonly state: Signal<NotifyState>;
  /** Puts another address in its place; an empty one takes it away. */
  readonly replace: (line: string) => void;
}

/** Outcome of a press on Test. */
type Tested =
  | { readonly is: "asking" }
  | { readonly is: "told"; readonly told: NotifyTest }
  | { readonly is: "trouble"; readonly words: string };

/** One service: its name, how the last message went, a test, and its address to change. */
export function Target({ line, known, state, shared, drawn, replace }: TargetProps) {
  const tested = useSignal<Tested | null>(null);
  const isOpen = useSignal(false);
  const kind = targetKind(line);
  const name = targetName(line);
  const test = async (id: string) => {
    tested.value = { is: "asking" };
    try {
      tested.value = { is: "told", told: await send<NotifyTest>("POST /api/notify/test", { id }) };
    } catch (error) {
      tested.value = { is: "trouble", words: sentenceOfError(error) };
    }
    await refresh(state);
  };
  return (
    <li>
      <div class="tg-head">
        <Icon name={kind === "generic" ? "i-link" : "i-bell"} />
        <div>
          <p>
            <b>{name}</b> {kind !== null && <span class="badge">{TARGET_KINDS[kind]}</span>}
          </p>
          <p class="mono small soft">{withDots(shownTarget(line))}</p>
        </div>
        <div class="tg-end">
          <Last known={known} shared={shared} drawn={drawn} />
          <div class="row">
            <button
              class="b"
              type="button"
              data-action="test-target"
              disabled={known === null || tested.value?.is === "asking"}
              aria-busy={tested.value?.is === "asking" || undefined}
              aria-label={`Test ${name}`}
              onClick={() => known && void test(known.id)}
            >
              Test
            </button>
            <button
              class="b b-icon"
              type="button"
              title={`Change ${name}`}
              aria-label={`Change ${name}`}
              aria-expanded={isOpen.value}
              onClick={() => {
                isOpen.value = !isOpen.value;
              }}
            >
              <Icon name="i-edit" />
            </button>
          </div>
        </div>
      </div>
      <Answer known={known} tested={tested.value} />
      {isOpen.value && (
        <div class="tg-edit">
          <input
            class="in mono"
            type="text"
            inputMode="url"
            aria-label={`Address of ${name}`}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            value={line}
            onChange={(event) => replace(event.currentTarget.value.trim())}
          />
          <button
            class="b b-quiet"
            type="button"
            onClick={() => {
              isOpen.value = false;
              replace("");
            }}
          >
            <Icon name="i-trash" />
            Remove
          </button>
          {kind !== null && <p class="says">{LEARNS[kind]}</p>}
          {line.includes("***") && <p class="says">*** stands for what is secret. It stays as it is saved.</p>}
        </div>
      )}
    </li>
  );
}

/** The name stands above it. */
function withDots(address: string): string {
  return address.replace(/#.*$/s, "").replaceAll("***", "••••");
}

/** Result of the last message. */
function Last({ known, shared, drawn }: Pick<TargetProps, "known"> & PartProps) {
  if (known === null) return <span class="small quiet">Not saved yet</span>;
  const { last } = known;
  if (last === null) return <span class="small quiet">Not told anything yet</span>;
  if (!last.ok) return <State level="failed" word={failedWord(last.status)} />;
  return <State level="fine" word={`Told ${timeInWords(last.at, { shared, drawn })}`} />;
}

/** `at 07:43`, or the day and the time. */
export function timeInWords(at: string, { shared: { runs, format }, drawn }: PartProps): string {
  const schedule = runs.value;
  const zone = new ZoneTime(schedule.valid ? schedule.time_zone : "UTC", format);
  const ms = Date.parse(at);
  const now = Math.max(drawn.now, ms);
  return zone.dayNumber(ms) === zone.dayNumber(now) ? `at ${zone.clock(ms)}` : zone.moment(ms, now);
}

/** The answer to the test, or from a message that was not taken. */
function Answer({ known, tested }: { readonly known: Known | null; readonly tested: Tested | null }) {
  if (tested?.is === "asking") return <Said words="The test is on its way…" isFailed={false} />;
  if (tested?.is === "trouble") return <Said words={tested.words} isFailed={true} />;
  if (tested?.is === "told") {
    const { ok, status, answer, milliseconds } = tested.told;
    if (ok) return <Said words={`The test was taken, with ${status} in ${milliseconds} ms.`} isFailed={false} />;
    return (
      <Said
        words={`The test was ${status === null ? "not answered" : "refused"}. What came back:`}
        isFailed={true}
        raw={cameBack(status, answer, milliseconds)}
      />
    );
  }
  const last = known?.last ?? null;
  if (last === null || last.ok) return null;
  return (
    <Said
      words={`The last message was ${last.status === null ? "not answered" : "refused"}. What came back:`}
      isFailed={true}
      raw={cameBack(last.status, last.answer)}
    />
  );
}

interface SaidProps {
  readonly words: string;
  readonly isFailed: boolean;
  readonly raw?: string;
}

function Said({ words, isFailed, raw }: SaidProps) {
  return (
    <div class="tg-err" role="status">
      <p class={isFailed ? "error" : "says"}>
        {isFailed && <Icon name="s-failed" />}
        {words}
      </p>
      {raw !== undefined && <pre class="tg-raw">{raw}</pre>}
    </div>
  );
}
