import { formatBytes } from "../text/format.ts";

/** A limit that deleting everything it may delete would not reach, and bytes that fill it and stay. */
export type UnreachableLimit = {
  /** Protected by a mark, or by the event beside them. */
  readonly kept: number;
  readonly ownFolders: number;
  /** Recordings of which neither age nor place lets a rule delete them, such as those of an unset clock. */
  readonly undated: number;
} & (
  | { readonly limit: "max_gb"; readonly bytes: number }
  /** `others`: bytes on the disk that are no recordings and not in the trash. */
  | { readonly limit: "max_percent"; readonly percent: number; readonly others: number }
);

/** Says which limit takes nothing, and why, as sentences without the last full stop. */
export function unreachableInWords(limit: UnreachableLimit): string {
  const of = limit.limit === "max_gb" ? formatBytes(limit.bytes) : `${limit.percent} % of the disk`;
  return `Nothing is deleted for the limit of ${of}: it cannot be reached. ${fillersInWords(limit)}`;
}

/** Names the recordings and files that stay, with their sizes. */
function fillersInWords(limit: UnreachableLimit): string {
  const amounts: readonly (readonly [bytes: number, what: string])[] = [
    [limit.kept, "kept recordings"],
    [limit.ownFolders, "recordings in folders of your own"],
    [limit.undated, "recordings that no rule deletes"],
    [limit.limit === "max_percent" ? limit.others : 0, "other files"],
  ];
  const parts = amounts.filter(([bytes]) => bytes > 0).map(([bytes, what]) => `${formatBytes(bytes)} of ${what}`);
  const last = parts.pop();
  if (last === undefined) return "No recording may be deleted";
  return `${parts.length === 0 ? last : `${parts.join(", ")} and ${last}`} stay`;
}
