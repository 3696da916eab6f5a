/** @jsxImportSource preact */

import { ACTION_PLACES, GUIDE_PLACES } from "../../server/domain/guide/places.ts";
import type { DeletionNote } from "../../server/domain/retention/deletion.ts";
import { isAcceptable } from "../../server/domain/status/destination_state.ts";
import type { Overview } from "../../server/domain/status/overview.ts";
import { whileHere } from "../../server/domain/status/plan_summary.ts";
import { driveInWords } from "../../server/domain/sync/drive_text.ts";
import type { Snapshot } from "../../server/domain/sync/job_progress.ts";
import { filesInWords, sentenceOf } from "../../server/domain/sync/job_text.ts";
import { LONGER_WORDS } from "../../server/domain/sync/time_left.ts";
import { agoInWords } from "../../server/domain/text/format.ts";
import type { ZoneTime } from "../../server/domain/text/zone_time.ts";
import { Answers, DeletionNotes } from "../deletions/answers.tsx";
import { ActionLink } from "../parts/action_link.tsx";
import type { Polled } from "../parts/cell.tsx";
import { Icon } from "../parts/icon.tsx";
import { More } from "../parts/more.tsx";
import { Note } from "../parts/note.tsx";
import { Time } from "../parts/time.tsx";
import type { Acting } from "./acting.ts";
import { ActionButton } from "./action_button.tsx";
import { Countdown } from "./countdown.tsx";
import { Resting } from "./status_resting.tsx";
import { Current, Running } from "./status_running.tsx";

export interface StatusProps extends Polled, Acting {
  readonly snapshot: Snapshot;
  readonly overview: Overview;
  /** Zone of the times in the card. */
  readonly zone: ZoneTime;
  /** Failure of the last action, as a sentence. */
  readonly problem?: string | null;
}

/** The state in one sentence, and under it figures: of the job while it runs, else of what is safe. */
export function StatusCard(props: StatusProps) {
  const { snapshot, overview, zone, poll, problem, act, pending } = props;
  const acting = { act, pending };
  const isRunning = snapshot.state === "running";
  const here =
    isRunning && snapshot.phase === "downloading" && overview.plan
      ? whileHere(overview.plan, { ...overview, zone })
      : null;
  const level = isRunning ? (here?.mood ?? "busy") : overview.mood;
  const isSaid = ({ sentence }: DeletionNote) => !isRunning && sentence === overview.sentence;
  const said = overview.deletion_notes.find(isSaid);
  const isHeld = overview.retention.held !== null;
  const more = isRunning ? filesInWords(snapshot) : overview.more;
  const polled = poll && { "data-poll": poll.path, "data-every": poll.every };
  return (
    <section class={`hero is-${level}`} id="status-card" aria-label="Sync" {...polled}>
      <div class="hero-head">
        <Icon name={`s-${level}`} />
        <p class="sentence">{isRunning ? (here?.sentence ?? sentenceOf(snapshot)) : overview.sentence}</p>
        <p>
          {isRunning
            ? (here?.detail ?? <Began snapshot={snapshot} overview={overview} zone={zone} />)
            : overview.detail || "\u00a0"}
        </p>
        {/* On wide screens its line is there in every state: nothing moves when there is more to say. */}
        {more !== "" ? <More text={more} /> : <p class="more">{"\u00a0"}</p>}
        {said && (
          <div class="row hero-answers">
            <Answers note={said} isMain isHeld={isHeld} {...acting} />
          </div>
        )}
        <Buttons
          overview={overview}
          isRunning={isRunning}
          isAsked={said?.about === "held" || said?.about === "marks"}
          {...acting}
        />
        {problem && (
          <p class="error hero-problem" role="alert" data-action-error>
            <Icon name="s-failed" />
            {problem}
          </p>
        )}
      </div>
      <DeletionNotes notes={overview.deletion_notes.filter((note) => !isSaid(note))} isHeld={isHeld} {...acting} />
      {[...overview.unusable_settings, ...overview.access_notes].map(({ section, sentence }) => (
        <Note key={sentence} level="attention" title={sentence}>
          <div class="row">
            {section !== null && <a href={`/settings#${section}`}>Set it in Settings</a>}
            <a href={section === "auth" ? GUIDE_PLACES.access : GUIDE_PLACES.settings}>Help</a>
          </div>
        </Note>
      ))}
      {overview.notify_notes.map((sentence) => (
        <Note key={sentence} level="attention" title={sentence}>
          <div class="row">
            <a href="/settings#notify">See what came back</a>
          </div>
        </Note>
      ))}
      {here && overview.plan ? (
        <>
          <Countdown snapshot={snapshot} overview={overview} plan={overview.plan} zone={zone} />
          <Current file={snapshot.current_file} phase={snapshot.phase} />
        </>
      ) : isRunning ? (
        <Running snapshot={snapshot} overview={overview} zone={zone} />
      ) : (
        // Without a camera there is nothing to read: its address comes first.
        // And without its folder, what is known of that stands in a card below.
        overview.address !== "" &&
        overview.recordings !== null && <Resting snapshot={snapshot} overview={overview} zone={zone} />
      )}
    </section>
  );
}

function Began({ snapshot, overview: { now }, zone }: Pick<StatusProps, "snapshot" | "overview" | "zone">) {
  const at = snapshot.started_at_wall * 1000;
  const isAsked = snapshot.phase === "listing";
  const { eta_grew: grew, recordings } = snapshot;
  const drive = recordings?.drive;
  return (
    <>
      {isAsked ? "Waiting for its answer." : drive ? driveInWords(drive, zone.format) : "The camera is at home."}{" "}
      Started{" "}
      <Time at={at} zone={zone}>
        {zone.clock(at)}, {agoInWords((now - at) / 1000)}
      </Time>
      .{grew !== null && ` ${LONGER_WORDS[grew]}`}
    </>
  );
}

type ButtonsProps = Pick<StatusProps, "overview" | "act" | "pending"> & {
  readonly isRunning: boolean;
  /** The sentence is a question, and its answers come first. */
  readonly isAsked: boolean;
};

function Buttons({ overview, isRunning, isAsked, ...acting }: ButtonsProps) {
  const { paused, address, mood: level, destination, action } = overview;
  const solves = isRunning ? null : action;
  const isGone = !isRunning && isAcceptable(destination);
  return (
    <div class="hero-do">
      {solves && <ActionLink action={solves} look={isAsked ? "" : "b-primary"} />}
      {isRunning ? (
        <ActionButton action="stop" icon="i-stop" label="Stop" look="b-danger" {...acting} />
      ) : (
        // Without a camera there is nothing to sync with, and without its folder nowhere to bring anything.
        address !== "" &&
        !isGone && (
          <ActionButton
            action="sync-now"
            icon="i-sync"
            label={level === "failed" ? "Try again" : "Sync now"}
            look={isAsked || solves ? "" : "b-primary"}
            {...acting}
          />
        )
      )}
      {isGone && (
        <>
          <ActionButton action="check-folder" icon="i-sync" label="Check again" look="b-primary" {...acting} />
          <ActionButton
            action="accept-destination"
            icon="i-disk"
            label={level === "failed" ? "Start with a new folder…" : "Use this folder…"}
            {...acting}
          />
        </>
      )}
      {/* Without a camera there is nothing to pause. */}
      {address !== "" &&
        (paused ? (
          <ActionButton action="resume" icon="i-play" label="Resume schedule" {...acting} />
        ) : (
          <ActionButton action="pause" icon="i-pause" label="Pause schedule" {...acting} />
        ))}
      {solves && (
        <a class="b b-quiet" href={ACTION_PLACES[solves.kind]}>
          Help
        </a>
      )}
    </div>
  );
}
