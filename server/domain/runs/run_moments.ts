import { counted, formatCount } from "../text/format.ts";
import type { FailureCause } from "./failure_cause.ts";
import type { Run } from "./run.ts";
import { workOfRun } from "./run_causes.ts";
import type { ErrorSpan, RunMoment, RunNotes } from "./run_detail.ts";
import { runEnding } from "./run_ending.ts";

const STARTED: Readonly<Record<NonNullable<Run["trigger"]>, string>> = {
  schedule: "Started by the schedule",
  arrival: "Started as the camera came",
  first: "Started with the first start",
  hand: "Started by hand",
  retry: "Started to try files again",
  command: "Started on the command line",
};

const OF_THE_DISK: readonly (FailureCause | undefined)[] = ["disk-full", "disk-limit", "quota", "no-room"];

/**
 * Lists the moments of a run, in their order.
 * @param sentence why it failed; null when it did not
 */
export function momentsOfRun(run: Run, notes: Pick<RunNotes, "listed_at" | "errors">, sentence: string | null) {
  // Words beside a time have no full stop.
  const failure = sentence?.replace(/\.$/, "") ?? null;
  const ended = Math.round(run.ts * 1000);
  const moments: RunMoment[] = [
    {
      at: Math.round(ended - run.durationSeconds * 1000),
      what: "started",
      title: run.trigger === undefined ? "Started" : STARTED[run.trigger],
      words: "",
    },
  ];
  if (notes.listed_at !== null)
    moments.push({ at: notes.listed_at, what: "listed", title: "List read", words: listInWords(run) });
  moments.push(...errorMoments(notes.errors));
  if (!run.success && OF_THE_DISK.includes(run.cause))
    moments.push({
      at: ended,
      what: "full",
      title: run.cause === "disk-limit" ? "Disk limit reached" : "Disk full",
      words: failure ?? "",
    });
  if (run.cause === "shutdown")
    moments.push({
      at: ended,
      what: "told-to-stop",
      title: "Dashdock was told to stop",
      words: "By the system, not by a user",
    });
  moments.push({ at: ended, what: "ended", ...endInWords(run, failure) });
  return moments;
}

function listInWords(run: Run): string {
  const { planned = 0, left_out: leftOut = 0 } = workOfRun(run) ?? {};
  const fresh = planned + leftOut;
  return `${counted(run.recordingsSeen, "recording")}, ${fresh === 0 ? "none" : formatCount(fresh)} of them new`;
}

function errorMoments(errors: readonly ErrorSpan[]): RunMoment[] {
  const all = errors.reduce((sum, { count }) => sum + count, 0);
  const byTime = errors.flatMap(({ first, last }) => [first, last]).toSorted((one, other) => one.at - other.at);
  const first = byTime[0];
  const last = byTime.at(-1);
  if (first === undefined || last === undefined) return [];
  const before = first.after === 0 ? "before any recording came" : `after ${counted(first.after, "recording")}`;
  const moments: RunMoment[] = [
    { at: first.at, what: "first-error", title: "First error", words: `${stemOf(first.name)}, ${before}` },
  ];
  if (all > 1)
    moments.push({
      at: last.at,
      what: "last-error",
      title: "Last error",
      words:
        errors.length === 1
          ? `The same error, ${formatCount(all)} in all`
          : `${formatCount(all)} of ${errors.length} kinds`,
    });
  return moments;
}

function endInWords(run: Run, failure: string | null): Pick<RunMoment, "title" | "words"> {
  if (run.cause === "shutdown") return { title: "Ended in order", words: "Recordings downloaded so far are kept" };
  switch (runEnding(run)) {
    case "completed":
      return { title: "Ended", words: "" };
    case "away":
      return {
        title: "Ended",
        words: run.recordingsSeen > 0 ? "The camera left" : (failure ?? "The camera did not answer"),
      };
    case "stopped":
      return { title: "Stopped by a user", words: "Recordings downloaded so far are kept" };
    case "interrupted":
      return { title: "Cut off", words: "Dashdock ended without notice" };
    default:
      return { title: "Ended", words: OF_THE_DISK.includes(run.cause) ? "" : (failure ?? "") };
  }
}

/** A video by its recording, another file by its name. */
function stemOf(name: string): string {
  return name.replace(/\.mp4$/, "");
}
