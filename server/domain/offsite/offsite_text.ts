import type { StatusLevel } from "../answers/status_level.ts";
import { clipName } from "../recordings/camera_clock.ts";
import { DIRECTIONS, TYPES } from "../recordings/recording_codes.ts";
import { parseRecording } from "../recordings/recording_name.ts";
import { counted, formatBytes, formatBytesOf } from "../text/format.ts";
import type { TimeFormat } from "../text/time_format.ts";
import type { OffsiteFile, OffsiteState } from "./offsite_schema.ts";

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
    return {
      level: "failed",
      title: `Nothing could be sent since ${times.since}`,
      text: `${problem.sentence} ${title}.`,
    };
  if (problem !== null) {
    const name = problem.key === null ? "" : `${problem.key}: `;
    return { level: "attention", title, text: `${name}${problem.sentence} ${last}` };
  }
  if (state.state === "sending") return { level: "busy", title, text: "Recordings are being sent." };
  if (state.state === "waiting") {
    const isKnown = waiting.bytes > 0;
    const text = isKnown
      ? "They are sent in the hours that are set, and after a sync."
      : "Looking for recordings to send…";
    return { level: "waiting", title, text: `${text} ${last}` };
  }
  return { level: "fine", title, text: last };
}

/** A video that waits, or that was refused, as a line of the list. */
export interface OffsiteLine {
  readonly level: StatusLevel;
  readonly name: string;
  readonly amount: string;
  readonly text: string;
  /** Percent of it that is there, while it is on its way. */
  readonly percent: number | null;
}

/** @param from beginning of the hours, such as `01:00` */
export function offsiteLine(
  { name, bytes, state, sent, sentence }: OffsiteFile,
  { thisYear, format, from }: { readonly thisYear: number; readonly format: TimeFormat; readonly from: string },
): OffsiteLine {
  const recording = parseRecording(name);
  const type = TYPES[recording?.type as keyof typeof TYPES] ?? recording?.type;
  const direction = DIRECTIONS[recording?.direction as keyof typeof DIRECTIONS] ?? recording?.direction;
  const title =
    recording === null ? name : `${clipName(recording.key, thisYear, format)} · ${type}, ${direction?.toLowerCase()}`;
  const line = { name: title, amount: formatBytes(bytes), percent: null };
  switch (state) {
    case "sending":
      return {
        level: "busy",
        name: title,
        amount: formatBytesOf(sent, bytes),
        text: "On its way",
        percent: bytes === 0 ? 0 : Math.floor((sent / bytes) * 100),
      };
    case "next":
      return { ...line, level: "waiting", text: "Next" };
    case "hours":
      return { ...line, level: "waiting", text: `From ${from} on` };
    case "refused":
      return { ...line, level: "failed", text: `Refused: ${sentence ?? ""}` };
  }
}
