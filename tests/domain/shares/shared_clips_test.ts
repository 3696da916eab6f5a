import { describe, expect, test } from "bun:test";
import {
  clipBeside,
  clipsOfFilms,
  eventAfter,
  eventsOf,
  type NamedFilm,
  type SharedClip,
} from "../../../server/domain/shares/shared_clips.ts";

const place = (key: string, at: number, time: number) => ({ key: `20261120_${key}`, at, time });

describe("the recordings of a link", () => {
  const rows: readonly (readonly [what: string, films: readonly NamedFilm[], clips: readonly (number | string)[][]])[] =
    [
      [
        "are those of its films, within the span",
        [{ seconds: 21, places: [place("080000_N", 0, -1), place("080010_E", 10, 9), place("080020_P", 20, 19)] }],
        [
          [0, 9, "N"],
          [9, 19, "E"],
          [19, 20, "P"],
        ],
      ],
      [
        "are as long as the longest of their films",
        [
          { seconds: 8, places: [place("080000_N", 0, 0)] },
          { seconds: 9.5, places: [place("080000_N", 0, 0.5)] },
        ],
        [[0, 10, "N"]],
      ],
      [
        "have a gap where nothing can be shown",
        [{ seconds: 10, places: [place("080000_N", 0, 0), place("080010_N", 5, 15)] }],
        [
          [0, 5, "N"],
          [15, 20, "N"],
        ],
      ],
      [
        "are there when one camera alone has them",
        [
          { seconds: 5, places: [place("080010_N", 0, 10)] },
          { seconds: 5, places: [place("080000_M", 0, 0)] },
        ],
        [
          [0, 5, "M"],
          [10, 15, "N"],
        ],
      ],
      ["are none when they lie outside", [{ seconds: 5, places: [place("080000_N", 0, 30)] }], []],
      ["are none without a film", [], []],
    ];
  for (const [what, films, clips] of rows)
    test(what, () => {
      const found = clipsOfFilms(films, 20);
      expect(found.map(({ from, to, type }) => [from, to, type])).toEqual(clips.map((clip) => [...clip] as never));
      expect(JSON.stringify(found)).not.toContain("2026");
    });
});

const CLIPS: readonly SharedClip[] = [
  { from: 0, to: 10, type: "N" },
  { from: 10, to: 20, type: "E" },
  { from: 20, to: 30, type: "N" },
  { from: 30, to: 40, type: "E" },
];
const isEvent = (type: string) => type === "E";

describe("the events of a link", () => {
  test("begin with their clip where no force is shared", () => {
    expect(eventsOf(CLIPS, [], isEvent).map(({ strongest, begins }) => [strongest, begins])).toEqual([
      [null, 10],
      [null, 30],
    ]);
    expect(eventsOf(CLIPS.slice(0, 1), [], isEvent)).toEqual([]);
  });

  test("begin shortly before their strongest moment, and not before their clip", () => {
    const found = eventsOf(
      CLIPS,
      [
        [9.8, 3],
        [15, 0.4],
        [16, 0.9],
        [20, 2],
        [31, 0.5],
      ],
      isEvent,
    );
    expect(found.map(({ strongest, begins }) => [strongest, begins])).toEqual([
      [16, 13],
      [31, 30],
    ]);
  });

  const events = eventsOf(CLIPS, [], isEvent);
  for (const [time, begins] of [
    [0, 10],
    [9.4, 10],
    [9.6, 30],
    [10, 30],
    [30, 10],
    [40, 10],
  ] as const)
    test(`the next one at ${time} s begins at ${begins} s`, () => {
      expect(eventAfter(events, time)?.begins).toBe(begins);
    });

  test("may be none", () => {
    expect(eventAfter([], 0)).toBeNull();
  });
});

for (const [time, before, after] of [
  [0, 0, 10],
  [9.7, 0, 20],
  [11, 0, 20],
  [12.1, 10, 20],
  [35, 30, null],
] as const)
  test(`at ${time} s the clips beside begin at ${before} s and ${after} s`, () => {
    expect([clipBeside(CLIPS, time, -1), clipBeside(CLIPS, time, 1)]).toEqual([before, after]);
    expect(clipBeside([], time, 1)).toBeNull();
  });
