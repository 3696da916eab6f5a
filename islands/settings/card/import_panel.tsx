/** @jsxImportSource preact */
import type { ImportState } from "../../../server/domain/import/import_schema.ts";
import { importHeadline, importPace, levelOfLeft, namesOfLeft } from "../../../server/domain/import/import_text.ts";
import { counted, formatCount } from "../../../server/domain/text/format.ts";
import { Icon } from "../../parts/icon.tsx";
import { Reading } from "../../parts/reading.tsx";

interface ImportPanelProps {
  readonly state: ImportState;
  readonly isStopping: boolean;
  readonly stop: () => void;
}

/** An import: how far it is, what came, and what was left with its reason. */
export function ImportPanel({ state, isStopping, stop }: ImportPanelProps) {
  const isRunning = state.state === "running";
  const pace = importPace(state);
  const left = state.left.reduce((sum, { files }) => sum + files, 0);
  return (
    <div class="prog" data-import={state.state}>
      <div class="prog-head">
        <div>
          <p class="big" role="status">
            {importHeadline(state)}
          </p>
          <p class="soft">
            {pace === "" ? null : `${pace} · `}
            From <code>{state.path === "" ? "the folder itself" : state.path}</code>
          </p>
        </div>
        {isRunning && (
          <button class="b" type="button" data-action="stop-import" aria-busy={isStopping || undefined} onClick={stop}>
            <Icon name="i-stop" />
            Stop
          </button>
        )}
      </div>
      {isRunning && <progress class="gauge" aria-label="Import" {...progressOf(state)} />}
      <dl class="readings">
        <Reading name="Recordings imported">{formatCount(state.recordings_imported)}</Reading>
        <Reading name="Files already at home">{formatCount(state.files_present)}</Reading>
        <Reading name="Files left">{formatCount(left)}</Reading>
      </dl>
      {left > 0 && (
        <details class="fold" open={!isRunning}>
          <summary>{counted(left, "file")} left, and why</summary>
          <ul class="rows">
            {state.left.toSorted(byLevel).map(({ cause, sentence, files, first }) => (
              <li key={cause} class={`is-${levelOfLeft(cause)}`}>
                <Icon name={`s-${levelOfLeft(cause)}`} />
                <b>{sentence}</b>
                <span class="fig">{formatCount(files)}</span>
                <span class="small">{namesOfLeft({ files, first })}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

/** Files that can be mended stand first. */
function byLevel(one: Left, other: Left): number {
  const isLast = ({ cause }: Left) => Number(levelOfLeft(cause) === "waiting");
  return isLast(one) - isLast(other);
}
type Left = ImportState["left"][number];

/** Nothing while it is unknown how much there is to do. */
function progressOf({ step, files_to_compare: all, files_compared: done, ...bytes }: ImportState) {
  const { bytes_expected: expected, bytes_downloaded_total: value } = bytes;
  if (step === "comparing") return { max: all, value: done };
  return step === "copying" && expected !== null && expected > 0 ? { max: expected, value } : {};
}
