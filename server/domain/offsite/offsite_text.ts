import type { StatusLevel } from "../answers/status_level.ts";
import { counted } from "../text/format.ts";
import type { OffsiteState } from "./offsite_schema.ts";

/** The copies in the bucket, as the settings page tells them. */
export interface OffsiteWords {
  readonly level: StatusLevel;
  readonly title: string;
  readonly text: string;
}

/**
 * @param times `last` and the `since` of the problem in words; empty for none
 * @returns null while it is switched off
 */
export function offsiteInWords(
  state: OffsiteState,
  times: { readonly last: string; readonly since: string },
): OffsiteWords | null {
  if (state.state === "off") return null;
  const { sent, waiting, refused, problem } = state;
  const last = times.last === "" ? "Nothing was sent yet." : `Last sent ${times.last}.`;
  const isAre = (count: number) => (count === 1 ? "is" : "are");
  const title = [
    `${counted(sent.recordings, "recording")} ${isAre(sent.recordings)} there`,
    ...(refused.recordings > 0 ? [`${refused.recordings} ${refused.recordings === 1 ? "was" : "were"} refused`] : []),
    ...(waiting.recordings > 0 ? [`${waiting.recordings} ${waiting.recordings === 1 ? "waits" : "wait"}`] : []),
  ].join(", ");
  if (state.state === "problem" && problem !== null)
    return { level: "failed", title: `Nothing is sent since ${times.since}`, text: `${problem.sentence} ${title}.` };
  if (problem !== null) {
    const name = problem.key === null ? "" : `${problem.key}: `;
    return { level: "attention", title, text: `${name}${problem.sentence} ${last}` };
  }
  if (state.state === "sending") return { level: "busy", title, text: "Recordings are being sent." };
  if (state.state === "waiting") {
    const text = waiting.bytes === 0 ? "Looking for recordings to send…" : "They are sent in the hours that are set.";
    return { level: "waiting", title, text: `${text} ${last}` };
  }
  return { level: "fine", title, text: last };
}
