import { expect, test } from "bun:test";
import { momentKey, momentNumber } from "../../../server/domain/recordings/moment_number.ts";
import { endingOf, nameOf } from "../../../server/domain/recordings/recording_name.ts";
import { CameraListBuilder } from "../../../server/domain/sync/camera_list.ts";
import { checksOf } from "../../../server/engine/card/card_checks.ts";
import type { CheckedFile } from "../../../server/store/destination/sums_rows.ts";

const BASE = "20260607_101500_N";

/**
 * Files that lie in the folder `a`, and those of which checksums were taken, in `a` unless another folder stands
 * before.
 */
interface Facts {
  readonly home: readonly string[];
  readonly checked?: readonly string[];
  readonly damaged?: readonly string[];
  readonly empty?: readonly string[];
}

/** For each video: is it taken, and is it damaged? */
async function checked(videos: readonly string[], { home, checked: taken = home, damaged = [], empty = [] }: Facts) {
  const builder = new CameraListBuilder({ address: "a", destination: "b" }, videos.length);
  for (const name of videos) if (!builder.add(name, 0)) throw new Error(`${name} is refused`);
  const there = new Set(home);
  const files: CheckedFile[] = taken.map((path) => {
    const [folder, name] = path.includes("/") ? (path.split("/") as [string, string]) : (["a", path] as const);
    const id = { moment: momentNumber(name), ending: endingOf(name), folder };
    return { ...id, size: empty.includes(name) ? 0 : 1000, isDamaged: damaged.includes(name) };
  });
  const checks = await checksOf(builder.list(), {
    between: (from, to) => files.filter(({ moment }) => moment >= from && moment <= to),
    library: {
      hasIn: (name, folder) => folder === "a" && there.has(name),
      names: { hasAt: (moment, ending) => there.has(nameOf(momentKey(moment), ending)) },
    },
  });
  return videos.map((_, place) => [checks.isTaken(place), checks.isDamaged(place)]);
}

const [FRONT, REAR, GPS, THUMBNAIL] = [`${BASE}F.mp4`, `${BASE}R.mp4`, `${BASE}.gps`, `${BASE}R.thm`];
const ALL = [FRONT, REAR, GPS, THUMBNAIL];
const [YES, NO, BAD] = [
  [true, false],
  [false, false],
  [false, true],
];

test.each([
  ["all are", { home: ALL }, [YES, YES]],
  ["none is", { home: ALL, checked: [] }, [NO, NO]],
  ["one is", { home: ALL, checked: [FRONT, GPS, THUMBNAIL] }, [YES, NO]],
  ["a file that both directions share is not", { home: ALL, checked: [FRONT, REAR, THUMBNAIL] }, [NO, NO]],
  ["the thumbnail of one is not", { home: ALL, checked: [FRONT, REAR, GPS] }, [YES, NO]],
  ["there are no files beside the videos", { home: [FRONT, REAR] }, [YES, YES]],
  ["one is damaged", { home: ALL, damaged: [REAR] }, [YES, BAD]],
  ["a file that both share is damaged", { home: ALL, damaged: [GPS] }, [BAD, BAD]],
  ["one is empty", { home: ALL, empty: [REAR] }, [YES, NO]],
  ["an empty file beside them is no harm", { home: ALL, empty: [GPS] }, [YES, YES]],
  ["one was moved away since", { home: ALL, checked: [FRONT, GPS, THUMBNAIL, `b/${REAR}`] }, [YES, NO]],
  ["one is gone since", { home: [FRONT, GPS, THUMBNAIL], checked: ALL }, [YES, NO]],
] as const)("the checksums of recordings are taken: %s", async (_what, facts, found) => {
  expect(await checked([FRONT, REAR], facts)).toEqual(found.map((bits) => [...bits]));
});

test("a long list is looked up in parts that do not part a moment", async () => {
  const videos = Array.from({ length: 1500 }, (_, at) => {
    const minute = Math.floor(at / 3);
    const time = `${String(Math.floor(minute / 60)).padStart(2, "0")}${String(minute % 60).padStart(2, "0")}00`;
    return `20260607_${time}_N${"FIR".charAt(at % 3)}.mp4`;
  });
  const lacking = new Set(videos.filter((_, at) => at % 7 === 0));
  const found = await checked(videos, { home: videos, checked: videos.filter((name) => !lacking.has(name)) });
  expect(found).toEqual(videos.map((name) => [!lacking.has(name), false]));
});
