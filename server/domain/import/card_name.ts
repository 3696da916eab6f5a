import { parseArtifact, type RecordingName } from "../recordings/recording_name.ts";

/** Text that is neither empty nor hidden, as `20260607_101500_NF.mp4`, in any case. */
const LIKE_ARTIFACT = /^([0-9]{8}_[0-9]{6}_[a-z]{1,3}(?:\.[0-9]{1,2})?)\.(mp4|thm|3gf|gps)$/i;

/** A file of a card by its name: that of a recording as it is called at home, or why it has none. */
export type CardName =
  | { readonly kind: "artifact"; readonly name: RecordingName }
  | { readonly kind: "impossible" | "foreign" };

/**
 * Reads the name of a file on a card. Card readers and copying programs change its case, so any case is taken; at home
 * it has the camera's own.
 */
export function readCardName(fileName: string): CardName {
  const [, stem = "", ending = ""] = LIKE_ARTIFACT.exec(fileName) ?? [];
  if (stem === "") return FOREIGN;
  const read = `${stem.toUpperCase()}.${ending.toLowerCase()}`;
  const name = parseArtifact(read);
  if (name !== null) return { kind: "artifact", name };
  // With a date that can be, it would be one.
  return parseArtifact(`20000101_000000${read.slice("YYYYMMDD_HHMMSS".length)}`) === null ? FOREIGN : IMPOSSIBLE;
}

const FOREIGN: CardName = { kind: "foreign" };
const IMPOSSIBLE: CardName = { kind: "impossible" };
