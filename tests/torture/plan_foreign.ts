import type { Dice } from "./dice.ts";
import type { PlannedVideo } from "./plan_card.ts";

/** Something in the destination that is not the program's: it must be there at the end as it was at the beginning. */
export type PlannedForeign =
  | { kind: "file"; path: string; bytes: number }
  /** The user's own copy of a file of the card, of which the camera's bytes are the content. */
  | { kind: "copy"; path: string; of: string }
  | { kind: "folder"; path: string }
  /** A link to a folder outside, in which files lie too. */
  | { kind: "link"; path: string };

/** A recording that no camera here ever has. */
const NOWHERE = "20110203_040506";

/** Names of which some begin or end like ours, and some are only odd. */
const ODD: readonly string[] = [
  "notes.txt",
  ".hidden",
  "Grüße – ☃ 旅行.txt",
  "a b/c  d/e'f\"g.txt",
  "-rf",
  "IMG_0001.JPG",
  "2026-06-07/holiday.jpg",
  "2026/plan.pdf",
  "2026-06/.picasa.ini",
  `${NOWHERE}_NF.MP4`,
  `${NOWHERE}_NF.mp4.bak`,
  `${NOWHERE}_NF.mp4.failed.txt`,
  `.${NOWHERE}_NF.mp4.swp`,
  `${NOWHERE}_NF (1).mp4`,
  `Keep/${NOWHERE}_NF.mp4`,
  `Keep/${NOWHERE}_N.gps`,
  `.Trash-1000/files/${NOWHERE}_NR.mp4`,
  "@eaDir/20260607_101500_NF.mp4/SYNOVIDEO_VIDEO.jpg",
  "line\nbreak.txt",
  "lost+found/#1234",
];
const FOLDERS: readonly string[] = ["empty", `${NOWHERE}_NR.mp4`, ".Trash-1000/info"];

/** Other files in the destination before the first visit, beside a card that begins with these videos. */
export function planForeign(dice: Dice, card: readonly PlannedVideo[]): PlannedForeign[] {
  const foreign: PlannedForeign[] = dice.some(ODD, 9).map((path) => ({
    kind: "file",
    path,
    bytes: dice.chance(0.2) ? 0 : dice.spread(1, 5000),
  }));
  for (const path of dice.some(FOLDERS, 2)) foreign.push({ kind: "folder", path });
  if (dice.chance(0.3)) foreign.push({ kind: "link", path: dice.pick(["link", "Keep-elsewhere", "2011-02-03"]) });
  // The only beginning of a recording that no camera has any more.
  if (dice.chance(0.3)) foreign.push({ kind: "file", path: `.${NOWHERE}_EF.mp4`, bytes: dice.spread(1, 50_000) });
  for (const { name, bytes } of dice.some(card, dice.chance(0.4) ? 2 : 0)) {
    const folder = dice.pick(["Keep", "Keep/our summer 2026", "copies of mine", ".", "2026-06-07"]);
    const path = folder === "." ? name : `${folder}/${name}`;
    if (bytes > 0 && dice.chance(0.5)) foreign.push({ kind: "copy", path, of: name });
    else foreign.push({ kind: "file", path, bytes: dice.spread(1, 50_000) });
  }
  return foreign;
}
