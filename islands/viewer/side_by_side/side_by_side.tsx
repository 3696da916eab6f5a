/** @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { formatBytes } from "../../../server/domain/text/format.ts";
import type { TimeFormat } from "../../../server/domain/text/time_format.ts";
import type { SpeedUnit } from "../../../server/domain/viewer/distance_text.ts";
import type { ExportWanted } from "../../../server/domain/viewer/export_choice.ts";
import { timeLeft } from "../../../server/domain/viewer/side_text.ts";
import type { Making, SideBySideMaking } from "./making.ts";
import { browserRefusal, REFUSALS } from "./refusals.ts";

interface Props {
  readonly wanted: ExportWanted;
  /** Letters of the cameras; all that there are when left out. */
  readonly directions?: string;
  /** Address of the script that makes videos. */
  readonly script: string;
  readonly speedUnit: SpeedUnit;
  readonly format: TimeFormat;
}

const PARTS = [
  ["hasSpeed", "Speed"],
  ["hasMap", "Map"],
  ["hasSound", "Sound"],
] as const;

const IDLE: Making = { kind: "idle" };

/** One video of all cameras, made in this browser: choices, progress, and how it went. */
export function SideBySide({ wanted, directions, script, speedUnit, format }: Props) {
  const refusal = useSignal<string | null>(null);
  const making = useSignal<SideBySideMaking | null>(null);
  const parts = useSignal({ hasSpeed: true, hasMap: true, hasSound: true });
  useEffect(() => {
    refusal.value = browserRefusal(globalThis);
    return () => {
      making.peek()?.cancel();
      making.peek()?.forget();
    };
  }, []);
  const start = async () => {
    try {
      const { SideBySideMaking: Opened } = await import("./making.ts");
      making.value ??= new Opened({ script, unit: speedUnit, format });
    } catch {
      refusal.value = REFUSALS.noScript;
      return;
    }
    await making.value.start({ wanted, directions, ...parts.value });
  };
  const state = making.value?.state.value ?? IDLE;
  const isBusy = state.kind === "asking" || state.kind === "making";
  return (
    <div class="side-by-side" role="group" aria-label="All cameras in one video">
      {!isBusy && (
        <>
          <div class="row">
            {PARTS.map(([part, name]) => (
              <label key={part} class="check">
                <input
                  type="checkbox"
                  checked={parts.value[part]}
                  disabled={refusal.value !== null}
                  onChange={({ currentTarget }) => {
                    parts.value = { ...parts.value, [part]: currentTarget.checked };
                  }}
                />
                {name}
              </label>
            ))}
          </div>
          <button
            class="b"
            type="button"
            disabled={refusal.value !== null}
            aria-describedby="side-by-side-why"
            onClick={() => void start()}
          >
            Make one video
          </button>
        </>
      )}
      <p class="small soft" id="side-by-side-why">
        {refusal.value ??
          "All cameras in one picture, with date and time. This browser makes it, so it takes a while and is not the original."}
      </p>
      <div role="status">
        <Progress state={state} cancel={() => making.value?.cancel()} />
      </div>
    </div>
  );
}

function Progress({ state, cancel }: { readonly state: Making; readonly cancel: () => void }) {
  if (state.kind === "failed") return <p class="error">{state.sentence}</p>;
  if (state.kind === "made")
    return (
      <>
        {state.address === null ? (
          <p>
            Saved as <b>{state.name}</b>, {formatBytes(state.bytes)}.
          </p>
        ) : (
          <a class="b b-main" href={state.address} download={state.name}>
            Save the video ({formatBytes(state.bytes)})
          </a>
        )}
        {state.notes.map((note) => (
          <p key={note} class="small">
            {note}
          </p>
        ))}
      </>
    );
  if (state.kind !== "making") return null;
  const { progress, seconds } = state;
  const share = progress === null ? null : Math.floor((100 * progress.done) / progress.seconds);
  const told =
    progress === null ? ["Starting"] : [`${share} %`, formatBytes(progress.bytes), timeLeft(progress, seconds)];
  return (
    <>
      <progress class="gauge" {...(share !== null && { max: 100, value: share })} aria-label="Making one video" />
      <div class="row">
        <span class="small">{told.filter((part) => part !== "").join(" · ")}</span>
        <button class="b" type="button" onClick={cancel}>
          Cancel
        </button>
      </div>
      <p class="small soft">Keep this page open.</p>
    </>
  );
}
