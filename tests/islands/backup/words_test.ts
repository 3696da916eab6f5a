import { describe, expect, test } from "bun:test";
import { changesInWords } from "../../../islands/backup/restore_dialog.tsx";
import { replacedInWords } from "../../../islands/backup/support_file.tsx";
import { untilRestarted } from "../../../islands/backup/until_restarted.ts";

const SECTIONS = { viewer: "Viewer", sync: "Downloading" };
const NOTHING = { runs: 0, recordings_in_ledger: 0, kept: 0, keys: 0, settings: [] };

describe("changesInWords()", () => {
  test("names the sections as the page does, and counts what is here", () => {
    expect(
      changesInWords(
        {
          would_replace: {
            runs: 1204,
            recordings_in_ledger: 1,
            kept: 3,
            keys: 1,
            settings: ["viewer", "sync", "later"],
          },
          returning_keys: ["Script"],
        },
        SECTIONS,
      ).map((line) => line.replaceAll("\u00a0", " ").replaceAll("\u202f", " ")),
    ).toEqual([
      "Settings change: Viewer, Downloading, later.",
      "The history is replaced, here with 1 204 runs.",
      "The list of what became of each recording is replaced, here with 1 recording.",
      "1 key for programs is replaced.",
      "The key “Script”, which is not here now, works again. Revoke it afterwards if it should not.",
      "Kept recordings of the backup are added to the 3 here.",
    ]);
  });

  test("says when there is nothing to lose", () => {
    expect(changesInWords({ would_replace: NOTHING }, SECTIONS)).toEqual([
      "No setting changes.",
      "The history is replaced, here with 0\u00a0runs.",
      "The list of what became of each recording is replaced, here with 0\u00a0recordings.",
      "Keys for programs of the backup are added.",
      "Kept recordings of the backup are added.",
    ]);
  });
});

describe("replacedInWords()", () => {
  const none = { secret: 0, address: 0, network: 0, place: 0, name: 0, time: 0 };
  const rows: readonly (readonly [kinds: Partial<typeof none>, words: string])[] = [
    [{}, "nothing private"],
    [{ secret: 1 }, "1 secret replaced"],
    [{ secret: 6, address: 3 }, "6 secrets and 3 addresses replaced"],
    [
      { address: 1, network: 2, place: 1, name: 1, time: 2 },
      "1 address, 2 network names, 1 place, 1 name and 2 times of recordings replaced",
    ],
  ];
  for (const [kinds, words] of rows)
    test(`says ${words}`, () => {
      expect(replacedInWords({ ...none, ...kinds }).replaceAll("\u00a0", " ")).toBe(words);
    });
});

describe("untilRestarted()", () => {
  test("waits while the service is closed, starts, or is still the one of before", async () => {
    const answers: (() => Response)[] = [
      () => Response.json({ boot_id: "before" }),
      () => {
        throw new TypeError("refused");
      },
      () => new Response(null, { status: 503 }),
      () => Response.json({ boot_id: "after" }),
    ];
    await untilRestarted(async () => (answers.shift() ?? (() => new Response()))(), "before", 0);
    expect(answers).toEqual([]);
  });

  test("ends where a sign-in is asked for", async () => {
    let asked = 0;
    await untilRestarted(async () => new Response(null, { status: ++asked === 2 ? 401 : 503 }), "before", 0);
    expect(asked).toBe(2);
  });
});
