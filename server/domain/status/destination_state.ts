import type * as v from "valibot";
import type { DESTINATION_STATE } from "./status_schema.ts";

/**
 * Relation of the folder at the destination's path to the one that was used before. `known`: it is that one, or none
 * was used. `gone`: it is not there. `unmarked`: it lacks the mark that was left in the other. `other`: it carries
 * another's mark. `accepted`: it is to be used in any case.
 */
export type DestinationState = v.InferOutput<typeof DESTINATION_STATE>;

/** True when there is something to accept: nothing is written there before. */
export function isAcceptable(standing: DestinationState): boolean {
  return standing !== "known" && standing !== "accepted";
}

/**
 * Reason why a run cannot use the recordings folder, in words that say what to do, and the reason that history counts.
 */
export type Refusal = readonly [message: string, reason: "disk" | "unknown"];

/** Says why a run may not write there; null for the known one. */
export function refusalOf(standing: DestinationState): Refusal | null {
  switch (standing) {
    case "known":
    case "accepted":
      return null;
    case "gone":
      return ["the recordings folder is gone; is its disk mounted?", "disk"];
    case "unmarked":
      return [
        `the recordings folder is not the one used before; is its disk mounted? The file .dashdock/id is missing there. ${REMEDY}`,
        "disk",
      ];
    case "other":
      return [
        `the recordings folder is not the one used before; is the right disk mounted? Its .dashdock/id is another one. ${REMEDY}`,
        "disk",
      ];
  }
}
const REMEDY = "If it is the one to use from now on, choose it on the dashboard";

/** Says why a run ends in a folder that a newer program has used: this program would misread the files there. */
export function newerFormat(found: number, known: number): Refusal {
  const what = `the recordings folder is of version ${found}, newer than version ${known} that this program reads`;
  return [`${what}; use the program version that wrote it`, "unknown"];
}

/** Says why a run ends when the folder cannot be read, by the system's code. */
export function unreadable(code: string): Refusal {
  if (code === "ENOENT") return ["the recordings folder is gone; is its disk mounted?", "unknown"];
  if (code === "ENOTDIR") return ["the destination is not a folder", "unknown"];
  return [`the recordings folder cannot be read (${code}); check its disk and its permissions`, "disk"];
}
