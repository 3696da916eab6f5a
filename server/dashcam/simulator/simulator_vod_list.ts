import type { ArmedFault } from "./simulator_faults.ts";
import { IMPOSSIBLE, LEAVING, noListing } from "./simulator_listing.ts";

/** The list a newer camera prints: names of videos, in the order given. */
export function vodList(names: readonly string[]): string {
  return JSON.stringify({ filelist: names.map((filename) => ({ filename })) });
}

/** Entries of which no recording's name can be read, one of each kind. */
const JUNK: readonly unknown[] = [
  {},
  null,
  7,
  "20261121_101500_NF.mp4",
  { filename: "" },
  { filename: 20261121 },
  { filename: ["20261121_101500_NF.mp4"] },
  { name: "20261121_101500_NF.mp4" },
  { filename: "readme.txt" },
  { filename: "20261121_101500_N.gps" },
];
const OTHER_SHAPE = '{"resultcode":"BC_ERR_BUSY","message":"The camera is busy."}';

/** The list's bytes as this fault leaves them. */
export function misshapenVodList(fault: ArmedFault, list: Uint8Array): Uint8Array {
  const encode = (text: string) => new TextEncoder().encode(text);
  const text = new TextDecoder().decode(list);
  const entries: unknown[] = JSON.parse(text).filelist;
  const listed = (all: readonly unknown[]) => encode(JSON.stringify({ filelist: all }));
  const added = (names: readonly string[]) => listed([...entries, ...names.map((filename) => ({ filename }))]);
  switch (fault.name) {
    case "list-json":
      return encode(String(fault.value ?? OTHER_SHAPE));
    case "list-empty":
      return listed([]);
    case "list-cut":
      return encode(text.slice(0, Math.max(4, text.length - 20)));
    case "list-lf":
      return encode(`${JSON.stringify({ filelist: entries }, null, 2)}\n`);
    case "list-traversal":
      return added(LEAVING);
    case "list-impossible-dates":
      return added(IMPOSSIBLE);
    case "list-not-utf8":
      return added(["20261121_10?500_NF.mp4", "?"]).map((byte) => (byte === 0x3f ? 0xff : byte));
    case "list-duplicates":
      return listed(entries.flatMap((entry) => [entry, entry]));
    case "list-junk":
      return listed([...entries, ...JUNK]);
    default:
      return noListing(fault.name) ?? list;
  }
}
