import { describe, expect, test } from "bun:test";
import {
  ExpectedSizes,
  type LearnedSizes,
  listedSizes,
  MOST_CLASSES,
  sizeClassOf,
} from "../../../server/domain/sync/expected_sizes.ts";

const MB = 1_000_000;

type Files = readonly (readonly [sizeClass: string, megabytes: number])[];

/** Sizes known after these files. */
function learned(...files: Files): ExpectedSizes {
  const sizes = new ExpectedSizes();
  for (const [of, size] of files) sizes.learn(of, size * MB);
  return sizes;
}

describe("a file's class", () => {
  const rows = [
    ["20260607_101500_NF.mp4", "mp4", "NF"],
    ["20260607_101500_PR.mp4", "mp4", "PR"],
    ["20260607_101500_NFL.mp4", "mp4", "NF"],
    ["20260607_101500_NFS.mp4", "mp4", "NFS"],
    ["20260607_101500_NS.mp4", "mp4", "NS"],
    ["20260607_101500_NF.thm", "thm", "thm"],
    ["20260607_101500_N.gps", "gps", "gps"],
    ["20260607_101500_N.3gf", "3gf", "3gf"],
  ] as const;
  test.each(rows)("of %s as %s is %s", (name, kind, of) => {
    expect(sizeClassOf(name, kind)).toBe(of);
  });
});

describe("what is expected of a file", () => {
  const rows: [name: string, of: string, known: ExpectedSizes, megabytes: number | null][] = [
    ["is unknown before anything came", "NF", learned(), null],
    ["is the size of those of its type and direction", "NF", learned(["NF", 100], ["NR", 40], ["PF", 10]), 100],
    ["else of its direction, of any type", "EF", learned(["NF", 100], ["NR", 40], ["PF", 10]), 55],
    ["else of any video of the camera", "NI", learned(["NF", 100], ["NR", 40]), 70],
    ["for a low-resolution copy is that of other copies", "NRS", learned(["NF", 100], ["NFS", 8]), 8],
    ["for a low-resolution copy is at most that of a recording", "NRS", learned(["NF", 100]), 100],
    ["for a recording is never that of a copy", "NR", learned(["NFS", 8]), null],
    ["for a companion goes by its kind", "gps", learned(["NF", 100], ["gps", 0.02]), 0.02],
    ["for a companion is not that of another kind", "3gf", learned(["NF", 100], ["gps", 0.02]), null],
  ];
  test.each(rows)("%s", (_name, of, known, megabytes) => {
    expect(known.of(of)).toBe(megabytes === null ? null : megabytes * MB);
  });

  test("is that of another camera as long as nothing is known of this one, the last one first", () => {
    const of = (...files: Files): LearnedSizes => learned(...files).learned;
    const sizes = new ExpectedSizes(null, [of(["PF", 30]), of(["NF", 90], ["gps", 0.01])]);
    expect([sizes.of("PF"), sizes.of("NF"), sizes.of("gps")]).toEqual([30 * MB, 30 * MB, 10_000]);
    sizes.learn("NR", 50 * MB);
    expect(sizes.of("NF")).toBe(50 * MB);
  });

  test("is known again from what was kept", () => {
    const before = learned(["NF", 100], ["NF", 110], ["gps", 0.02]);
    const after = new ExpectedSizes(JSON.parse(JSON.stringify(before.learned)));
    expect(["NF", "PF", "gps"].map((of) => after.of(of))).toEqual(["NF", "PF", "gps"].map((of) => before.of(of)));
  });
});

describe("a mean", () => {
  test.each([
    ["a higher", 80, 320],
    ["a lower", 120, 30],
    ["a little higher", 80, 100],
    ["a far higher", 10, 200],
  ])("is right again ten files after %s resolution was chosen", (_name, before, after) => {
    const sizes = learned(...Array.from({ length: 30 }, () => ["NF", before] as const));
    for (let file = 0; file < 10; file++) sizes.learn("NF", after * MB);
    expect(Math.abs((sizes.of("NF") ?? 0) - after * MB)).toBeLessThan(after * MB * 0.25);
  });

  test("of files that differ stays between them", () => {
    const sizes = learned(...Array.from({ length: 40 }, (_, at) => ["NF", at % 2 ? 90 : 110] as const));
    expect(sizes.of("NF")).toBeGreaterThan(90 * MB);
    expect(sizes.of("NF")).toBeLessThan(110 * MB);
  });

  test("is moved little by one file that is far off, once it is settled", () => {
    const sizes = learned(...Array.from({ length: 10 }, () => ["NF", 100] as const));
    sizes.learn("NF", 9000 * MB);
    expect(sizes.of("NF")).toBe(175 * MB);
  });

  test.each([
    ["NF", 0],
    ["NF", -5],
    ["NF", 500],
    ["NF", 1e14],
    ["NF", Number.NaN],
    ["gps", 0],
    ["gps", 1e9],
  ])("learns nothing from a file of class %s with %d bytes", (of, bytes) => {
    const sizes = new ExpectedSizes();
    sizes.learn(of, bytes);
    expect([sizes.of(of), sizes.version]).toEqual([null, 0]);
  });

  test("of names of nonsense is kept for so many classes only", () => {
    const sizes = new ExpectedSizes();
    for (let at = 0; at < 500; at++) sizes.learn(`N${String.fromCharCode(65 + at)}`, MB);
    expect(Object.keys(sizes.learned.sizes)).toHaveLength(MOST_CLASSES);
  });
});

test("how fast runs were follows the last ones", () => {
  const sizes = new ExpectedSizes();
  expect(sizes.pace).toBeNull();
  sizes.learnPace({ bytesPerSecond: 4 * MB, companionSeconds: null });
  sizes.learnPace({ bytesPerSecond: 8 * MB, companionSeconds: 0.1 });
  sizes.learnPace(null);
  expect(sizes.pace).toEqual({ bytesPerSecond: 6 * MB, companionSeconds: 0.1 });
});

describe("sizes that the list tells", () => {
  const [FIRST, SECOND, THIRD] = [1, 2, 3].map((minute) => `20260607_10150${minute}_NF.mp4`) as [
    string,
    string,
    string,
  ];
  const of = (...sizes: (number | null)[]) => [
    ...listedSizes(sizes.map((size, at) => ({ name: [FIRST, SECOND, THIRD][at] ?? "", size }))),
  ];

  test("are taken where it tells them", () => {
    expect(of(100 * MB, null, 90 * MB)).toEqual([
      [FIRST, 100 * MB],
      [THIRD, 90 * MB],
    ]);
  });
  test("are none when all are the same, which is a constant", () => expect(of(2 * MB, 2 * MB, 2 * MB)).toEqual([]));
  test("are none of what cannot be", () => expect(of(0, 1e15, 12)).toEqual([]));
  test("are none of a newer camera's list, which has no sizes", () => expect(of(null, null, null)).toEqual([]));
});
