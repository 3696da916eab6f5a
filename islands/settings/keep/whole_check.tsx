/** @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { VerifyState } from "../../../server/domain/checksums/verify_schema.ts";
import { checkDetail, checkHeadline, DAMAGE_SENTENCES } from "../../../server/domain/checksums/verify_text.ts";
import { draftInWords } from "../../../server/domain/settings/form_problems.ts";
import { counted } from "../../../server/domain/text/format.ts";
import { send, sentenceOfError } from "../../browser/client.ts";
import { type Refresher, refreshWhileVisible } from "../../browser/refresh_while_visible.ts";
import { Icon } from "../../parts/icon.tsx";
import { FieldProblem } from "../../parts/note.tsx";
import { State } from "../../parts/state.tsx";
import { hasWords, isFound } from "../entry.ts";
import { describe } from "../input.ts";
import { LengthControl, type LengthUnit } from "../length_control.tsx";
import { Setting } from "../setting.tsx";
import type { KeepState } from "./shared.ts";

const UNITS: readonly LengthUnit[] = [
  { text: "", words: "days", hasNumber: true },
  { text: "0", words: "Never", hasNumber: false },
];

/** Time between two looks at a check that runs. */
const EVERY_MS = 1000;
/** Files that are named on the page. */
const MOST_NAMED = 20;
const WORDS = "check every file recordings whole damaged missing checksums verify";

type Act = "" | "/stop" | "/accept";

/** Says if the recordings are still whole: how often that is looked at, and a check of all of them. */
export function WholeCheck({ keep, drawn }: { readonly keep: KeepState; readonly drawn: VerifyState }) {
  const days = keep.at("retention", "scrub_days");
  const query = keep.query.value;
  return (
    <section
      class="group"
      id="whole"
      aria-labelledby="whole-title"
      hidden={!isFound(days, query) && !hasWords(WORDS, query)}
    >
      <h3 id="whole-title">Are the recordings still whole?</h3>
      <p>
        Every file has a checksum from when it came home. A file that a failing disk has changed is found by it, and
        downloaded again while the camera still has it.
      </p>
      <Setting
        entry={days}
        query={query}
        change={keep.change}
        control={
          <LengthControl
            entry={days}
            units={UNITS}
            name="Check recordings every"
            describedBy={describe(days, true)}
            change={keep.change}
          />
        }
        says={
          <p class="says" id={`${days.id}-says`}>
            {draftInWords(days.field, days.draft.value)}
          </p>
        }
      />
      <CheckNow keep={keep} drawn={drawn} />
    </section>
  );
}

/** The check of all recordings: its button, how far it is, and what it has found. */
function CheckNow({ keep, drawn }: { readonly keep: KeepState; readonly drawn: VerifyState }) {
  const state = useSignal(drawn);
  const trouble = useSignal<string | null>(null);
  const isAsking = useSignal(false);
  const refresher = useRef<Refresher | null>(null);
  /** The next question is planned before an answer is shown: a start must have been noted by then. */
  const isFollowed = useRef(drawn.running);
  useEffect(() => {
    const mine = refreshWhileVisible<VerifyState>({
      page: document,
      everyMs: () => (isFollowed.current ? EVERY_MS : null),
      onReturn: true,
      ask: (signal) => send<VerifyState>("GET /api/library/verify", undefined, signal),
      show(now) {
        state.value = now;
        isFollowed.current = now.running;
      },
    });
    refresher.current = mine;
    return () => mine.stop();
  }, []);
  const act = async (what: Act) => {
    isAsking.value = true;
    trouble.value = null;
    isFollowed.current = true;
    try {
      await send(`POST /api/library/verify${what}`);
    } catch (error) {
      trouble.value = sentenceOfError(error);
    }
    await refresher.current?.refresh();
    isAsking.value = false;
  };
  const { running, checked, total, damaged, damaged_files: all, problem } = state.value;
  const { level, text } = checkHeadline(state.value);
  const runs = keep.runs.value;
  const detail = runs.valid ? checkDetail(state.value, runs.now, runs.time_zone, keep.format) : "";
  const missing = damaged.filter(({ why }) => why === "missing").length;
  return (
    <div class="field" data-check={running ? "running" : "resting"} hidden={!hasWords(WORDS, keep.query.value)}>
      <div class="field-name">
        <span class="lab">All recordings at once</span>
        <p>Reads every file. That can take hours, and waits while a sync goes on.</p>
      </div>
      <div class="whole">
        <p role="status">
          <State level={level} word={text} />
        </p>
        {detail !== "" && <p class="small soft fig">{detail}</p>}
        {running && (
          <progress
            class="gauge gauge-thin"
            aria-label="Files read"
            {...(total > 0 && { max: total, value: checked })}
          />
        )}
        <div class="row">
          {running ? (
            <button
              class="b"
              type="button"
              data-action="stop-check"
              disabled={isAsking.value}
              onClick={() => void act("/stop")}
            >
              <Icon name="i-stop" />
              Stop
            </button>
          ) : (
            <button
              class="b"
              type="button"
              data-action="check-all"
              disabled={isAsking.value}
              onClick={() => void act("")}
            >
              <Icon name="i-check" />
              Check every file
            </button>
          )}
          {!running && missing > 0 && (
            <button class="b b-quiet" type="button" disabled={isAsking.value} onClick={() => void act("/accept")}>
              {missing === 1 ? "Forget the missing file" : "Forget the missing files"}
            </button>
          )}
        </div>
        {trouble.value !== null && <FieldProblem id="check-problem" text={trouble.value} />}
        {problem !== null && <p class="says warns">{problem}</p>}
        {all > 0 && <BadFiles state={state.value} />}
      </div>
    </div>
  );
}

function BadFiles({ state: { damaged, damaged_files: all } }: { readonly state: VerifyState }) {
  const named = damaged.slice(0, MOST_NAMED);
  return (
    <details class="fold">
      <summary>{counted(all, "file")}, and what is wrong</summary>
      <ul class="rows">
        {named.map(({ path, why }) => (
          <li key={path} class={why === "missing" ? "is-attention" : "is-failed"}>
            <Icon name={why === "missing" ? "s-attention" : "s-failed"} />
            <b>
              <code>{path}</code>
            </b>
            <span class="small">{DAMAGE_SENTENCES[why]}</span>
          </li>
        ))}
      </ul>
      {all > named.length && (
        <p class="small soft">
          The log names all {counted(all, "file")}, as <code>dashdock verify</code> does.
        </p>
      )}
    </details>
  );
}
