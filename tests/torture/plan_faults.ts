import type { Fault, FaultName } from "../../server/dashcam/simulator/simulator_faults.ts";
import type { Dice } from "./dice.ts";

/**
 * Target of a fault: one or all videos, one or all files of recordings, those that are asked for by a path of their
 * own, the listing, metadata, or any request.
 */
type Aim = "videos" | "files" | "paths" | "list" | "metadata" | "everything";

/** Use of a fault here, or the reason against it. */
type Use = { on: Aim; with?: (dice: Dice, bytes: number) => Partial<Fault> } | { not: string };

const ABSENT = "for an hour the companion is taken to be absent: ";
const NO_SIGN = "nothing tells it from the truth: ";

/** Bytes of the body until it happens. */
const somewhere = (dice: Dice, bytes: number) => ({ after: dice.whole(0, Math.max(1, bytes - 1)) });
/** Never within the boxes before the pictures: cut there, a video looks like a shorter whole one. */
const inPictures = (dice: Dice, bytes: number) => ({ after: dice.whole(300, Math.max(300, bytes - 2)) });

/**
 * Every fault the simulated camera has. A companion has no structure that proves it whole, and one that the camera says
 * it does not have is not asked for again for an hour, so faults that need one of both are shown to videos only.
 */
export const USES: Readonly<Record<FaultName, Use>> = {
  "error-500": { on: "files", with: (dice) => ({ value: dice.pick([500, 500, 502, 503]) }) },
  "not-found": { on: "videos" },
  forbidden: { on: "videos" },
  "empty-204": { on: "videos" },
  "cut-short": { on: "files", with: somewhere },
  reset: { on: "files", with: somewhere },
  "closed-without-answer": { on: "everything" },
  "reset-without-answer": { on: "everything" },
  "over-long": { on: "files", with: (dice) => ({ value: dice.spread(1, 100_000) }) },
  "longer-than-promised": { on: "videos", with: (dice) => ({ value: dice.spread(1, 1500) }) },
  "shorter-than-promised": { on: "files", with: (dice) => ({ value: dice.spread(1, 100_000) }) },
  stall: { on: "files", with: somewhere },
  drip: { on: "files", with: (dice, bytes) => ({ ...somewhere(dice, bytes), value: dice.spread(20, 5000) }) },
  "never-answers": { on: "everything" },
  "ignores-range": { on: "videos" },
  "wrong-range": { on: "videos", with: (dice, bytes) => (dice.chance(0.5) ? {} : { value: dice.whole(0, bytes) }) },
  "range-416": { on: "videos" },
  "no-content-range": { on: "videos" },
  "unknown-total": { on: "videos" },
  "range-status": { on: "videos", with: (dice) => ({ value: dice.pick([400, 403, 404, 405, 500, 501, 204]) }) },
  "range-hang-up": { on: "videos" },
  "range-reset": { on: "videos" },
  "range-empty": { on: "videos" },
  "range-empty-206": { on: "videos" },
  "unasked-206": { on: "videos", with: (dice) => (dice.chance(0.5) ? {} : { value: "with-range" }) },
  "no-length": { on: "files" },
  "no-length-cut": { on: "videos", with: inPictures },
  // `fetch` tells a reset of a body without a length as its end.
  "no-length-reset": { on: "videos", with: inPictures },
  "garbled-length": { on: "files" },
  endless: { not: "it goes on to the largest video, which is a gigabyte at least: endless_videos_test.ts shows it" },
  chunked: { on: "files" },
  "chunked-cut": { on: "files", with: somewhere },
  "http-1.0": { on: "files" },
  "not-http": { on: "files" },
  redirect: { on: "files" },
  "gzip-claimed": { on: "files" },
  // A line of text may be what a GPS file holds, as far as its type tells.
  "text-200": { on: "videos" },
  // This answer means "none" for metadata.
  "json-200": { on: "paths" },
  "json-untyped": { on: "videos" },
  "html-200": { on: "files" },
  "html-untyped": { on: "files" },
  "xml-200": { on: "files" },
  "absurd-length": { on: "files", with: (dice, bytes) => (dice.chance(0.5) ? {} : somewhere(dice, bytes)) },
  "cut-every": { on: "videos", with: (dice, bytes) => ({ value: dice.whole(Math.ceil(bytes / 8), bytes) }) },
  "cut-at-once": { on: "videos", with: (dice, bytes) => ({ value: dice.whole(Math.ceil(bytes / 8), bytes) }) },
  silence: { on: "files", with: (dice, bytes) => ({ ...somewhere(dice, bytes), value: dice.whole(20, 400) }) },
  "etag-changes": { on: "videos" },
  "everything-status": { on: "everything", with: (dice) => ({ value: dice.pick([503, 401, 302, 500, 429]) }) },
  "list-garbage": { on: "list" },
  "list-html": { on: "list" },
  "list-json": { on: "list" },
  "list-empty": { on: "list" },
  "list-blank": { on: "list" },
  "list-cut": { on: "list" },
  "list-lf": { on: "list" },
  "list-no-final-newline": { on: "list" },
  "list-real-sizes": { on: "list" },
  "list-traversal": { on: "list" },
  "list-impossible-dates": { on: "list" },
  "list-not-utf8": { on: "list" },
  "list-duplicates": { on: "list" },
  "list-junk": { on: "list" },
  "list-500": { on: "list" },
  "list-stall": { on: "list", with: (dice) => ({ after: dice.whole(0, 300) }) },
  "list-drip": { on: "list", with: (dice) => ({ value: dice.spread(100, 5000) }) },
  "metadata-no-json": { on: "metadata" },
  "metadata-shape": { on: "metadata" },
  "metadata-code": { not: `${ABSENT}any other code says so` },
  "metadata-cut": { on: "metadata" },
  "metadata-no-base64": { on: "metadata" },
  "metadata-empty": { not: `${ABSENT}there is nothing in the answer` },
  "metadata-other-bytes": { on: "metadata" },
  "metadata-too-long": {
    on: "metadata",
    with: (dice) => (dice.chance(0.5) ? {} : { value: dice.spread(1, 20_000_000) }),
  },
  growing: { on: "videos", with: (dice) => ({ times: dice.whole(1, 6) }) },
  paused: { on: "videos", with: inPictures },
  preallocated: { not: `${NO_SIGN}it is shown by \`Visit.preallocated\`, which keeps it from becoming a whole file` },
  "other-content": { not: `${NO_SIGN}the card itself is changed instead, by the change \`replace\`` },
  vanishing: { on: "videos", with: () => ({ times: 1 }) },
  "goes-away": {
    on: "videos",
    with: (dice, bytes) => ({ value: dice.whole(0, 3), ...(dice.chance(0.5) ? {} : somewhere(dice, bytes)) }),
  },
  sleeps: { on: "everything" },
};

// Paths of recordings in both interfaces.
const RECORDED = "^/(Record/)?[0-9]{8}_";
const COMPANIONS = "\\.(thm|gps|3gf)$";
const METADATA = "^/vodMetadata";

/** A fault as data: what it is aimed at is the source of a regular expression, null for all it can strike. */
export interface PlannedFault extends Omit<Fault, "match"> {
  match: string | null;
}

const NAMES = Object.entries(USES).flatMap(([name, use]) => ("on" in use ? [[name as FaultName, use] as const] : []));

/** Up to four faults for a visit, for videos of these names and sizes. */
export function planFaults(dice: Dice, videos: readonly { name: string; bytes: number }[]): PlannedFault[] {
  if (videos.length === 0) return [];
  return Array.from({ length: dice.pick([0, 1, 1, 1, 2, 2, 3, 4]) }, () => planFault(dice, videos));
}

function planFault(dice: Dice, videos: readonly { name: string; bytes: number }[]): PlannedFault {
  const [name, use] = dice.pick(NAMES);
  const victim = dice.pick(videos);
  const more = use.with?.(dice, Math.max(1000, victim.bytes)) ?? {};
  const often = dice.chance(0.5) ? {} : { times: dice.whole(1, 6) };
  return { name, match: matchOf(dice, use.on, victim.name), ...often, ...more } as PlannedFault;
}

function matchOf(dice: Dice, on: Aim, victim: string): string | null {
  // A name has no character of a meaning but the dot, which finds itself.
  const moment = victim.slice(0, victim.indexOf(".") - 1);
  switch (on) {
    case "list":
    case "metadata":
      return null;
    case "videos":
      return dice.chance(0.6) ? `/${victim}$` : "\\.mp4$";
    case "files":
    case "paths":
      return dice.pick([
        `/${victim}$`,
        `/${moment}`,
        "\\.mp4$",
        RECORDED,
        COMPANIONS,
        ...(on === "files" ? [METADATA] : []),
      ]);
    case "everything":
      return dice.pick([null, RECORDED, METADATA, "(\\.cgi|/vodList|/accessible)$", `/${victim}$`]);
  }
}
