/** @jsxImportSource preact */
import { isAcceptable } from "../../server/domain/destination.ts";
import { agoInWords, formatClock } from "../../server/domain/format.ts";
import { sentenceOf } from "../../server/domain/job_words.ts";
import type { Overview } from "../../server/domain/overview.ts";
import type { Snapshot } from "../../server/domain/progress.ts";
import type { Polled } from "../parts/cell.tsx";
import { Icon, type IconName } from "../parts/icon.tsx";
import { Note } from "../parts/note.tsx";
import { Time } from "../parts/time.tsx";
import { Resting } from "./status_resting.tsx";
import { Running } from "./status_running.tsx";

/** What somebody can make the job or its schedule do. */
export type Action = "sync-now" | "stop" | "pause" | "resume" | "accept-destination";

/** How an action is doing: which one is on its way, and what went wrong with the last. */
export interface Acting {
  readonly act?: (action: Action) => void;
  readonly pending?: Action | null;
  readonly problem?: string | null;
}

export interface StatusProps extends Polled, Acting {
  readonly snapshot: Snapshot;
  readonly overview: Overview;
}

/** The one sentence, and under it how far things are: the job while it runs, else what is safe. */
export function StatusCard(props: StatusProps) {
  const { snapshot, overview, poll, problem } = props;
  const isRunning = snapshot.state === "running";
  const mood = isRunning ? "busy" : overview.mood;
  const polled = poll && { "data-poll": poll.path, "data-every": poll.every };
  return (
    <section class={`hero is-${mood}`} id="status-card" aria-label="Sync" {...polled}>
      <div class="hero-head">
        <Icon name={`s-${mood}`} />
        <p class="sentence">{isRunning ? sentenceOf(snapshot) : overview.sentence}</p>
        <p>{isRunning ? <Began snapshot={snapshot} overview={overview} /> : overview.detail || "\u00a0"}</p>
        <Buttons {...props} isRunning={isRunning} />
        {problem && (
          <p class="error hero-problem" role="alert" data-action-error>
            <Icon name="s-failed" />
            {problem}
          </p>
        )}
      </div>
      {overview.unusable_settings.map(({ section, sentence }) => (
        <Note key={sentence} mood="attention" title={sentence}>
          <a href={`/settings#${section}`}>Set it in Settings</a>
        </Note>
      ))}
      {isRunning ? (
        <Running snapshot={snapshot} overview={overview} />
      ) : (
        // Without a camera there is nothing to read: its address comes first.
        overview.address !== "" && <Resting snapshot={snapshot} overview={overview} />
      )}
    </section>
  );
}

function Began({ snapshot, overview: { now, time_zone } }: Pick<StatusProps, "snapshot" | "overview">) {
  const at = snapshot.started_at_wall * 1000;
  return (
    <>
      The camera is at home. Started{" "}
      <Time at={at} zone={time_zone}>
        {formatClock(at, time_zone)}, {agoInWords((now - at) / 1000)}
      </Time>
      .
    </>
  );
}

function Buttons({
  overview: { paused, address, mood, destination },
  isRunning,
  act,
  pending,
}: StatusProps & { readonly isRunning: boolean }) {
  const button = (action: Action, icon: IconName, label: string, look: string) => (
    <button
      class={`b ${look}`.trim()}
      type="button"
      data-action={action}
      aria-busy={pending === action || undefined}
      disabled={address === "" && action === "sync-now"}
      onClick={act && (() => pending === null && act(action))}
    >
      <Icon name={icon} />
      {label}
    </button>
  );
  return (
    <div class="hero-do">
      {isRunning
        ? button("stop", "i-stop", "Stop", "b-danger")
        : button("sync-now", "i-sync", mood === "failed" ? "Try again" : "Sync now", "b-primary")}
      {!isRunning &&
        isAcceptable(destination) &&
        button("accept-destination", "i-disk", destination === "gone" ? "Make it anew" : "Use this folder", "")}
      {paused ? button("resume", "i-play", "Resume schedule", "") : button("pause", "i-pause", "Pause schedule", "")}
    </div>
  );
}
