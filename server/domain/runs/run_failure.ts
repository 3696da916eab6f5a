import { asSentence } from "../text/format.ts";
import { mainReason } from "./failure_slots.ts";
import { type ActionFacts, type FailureAction, type FailureWords, failureWords } from "./failure_text.ts";
import type { LeftOut, Run } from "./run.ts";
import type { NotBrought } from "./run_detail.ts";
import { runEnding } from "./run_ending.ts";
import { runPath } from "./run_id.ts";
import { failedFiles, failedInWords, LEFT_OUT, NOT_FETCHED } from "./run_text.ts";

/** Returns the words for a run that failed, or only left some files behind; null when nothing went wrong. */
export function runFailure(run: Run, facts: ActionFacts): FailureWords | null {
  const files = failedFiles(run);
  if (!run.success) {
    const ending = runEnding(run);
    if (ending === "stopped" || ending === "interrupted")
      return failureWords({ cause: run.cause === "shutdown" ? "shutdown" : ending, reason: "unknown" }, facts);
    const words = failureWords({ cause: run.cause, reason: mainReason(run.failures), message: run.message }, facts);
    // The camera was there and gave its list: asking it again does not explain the files it did not send.
    const isOfFiles = files > 0 && run.recordingsSeen > 0 && !run.dryRun && ending !== "away";
    return isOfFiles && words.action?.kind === "check-camera" ? { ...words, action: showFiles(run) } : words;
  }
  if (files === 0 || run.dryRun) return null;
  return {
    sentence: `${failedInWords(run)} could not be brought home`,
    hint: `${asSentence(failureWords({ reason: mainReason(run.failures) }, facts).sentence)} Each is tried again.`,
    more: "",
    action: showFiles(run),
  };
}

/** The list of the files that failed in a run, with Retry. */
export function showFiles(run: Pick<Run, "ts">): FailureAction {
  return { kind: "show-files", label: "Show the files", href: `${runPath(run)}#failed-files` };
}

/**
 * Counts by rule the part of the camera's list that did not come, in a run that got as far as a list. Rules that took
 * none are left out.
 */
export function notBrought({ leftOut, counts }: Run): NotBrought[] {
  const rules = Object.entries(LEFT_OUT) as [keyof LeftOut, string][];
  const files = Object.entries(NOT_FETCHED) as [keyof typeof NOT_FETCHED, string][];
  return [
    ...rules.map(([rule, words]) => ({ rule, of: "recordings" as const, count: leftOut?.[rule] ?? 0, words })),
    ...files.map(([rule, words]) => ({ rule, of: "files" as const, count: counts?.[rule] ?? 0, words })),
  ].filter(({ count }) => count > 0);
}
