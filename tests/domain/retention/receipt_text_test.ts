import { describe, expect, test } from "bun:test";
import type { DeletionReceipt, HeldDeletion } from "../../../server/domain/retention/deletion.ts";
import { receiptInWords, undoneInWords } from "../../../server/domain/retention/receipt_text.ts";
import { confirmationInWords } from "../../../server/domain/status/deletion_notes.ts";
import { ZoneTime } from "../../../server/domain/text/zone_time.ts";
import { nothingDeleted } from "../../support/app/deletion.ts";

/** 07:51 on Saturday in Sydney. */
const NOW = Date.parse("2026-11-20T20:51:00Z");
const ZONE = new ZoneTime("Australia/Sydney");
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, " ");

describe("a receipt in words", () => {
  const receipt: DeletionReceipt = {
    id: "1",
    at: "2026-11-20T16:00:00Z",
    recordings: 12,
    bytes: 1_300_000_000,
    cause: "age",
    by: null,
    oldest: "2026-11-06",
    newest: "2026-11-08",
    until: "2026-11-27T16:00:00Z",
  };
  const rows: [changes: Partial<DeletionReceipt>, words: string][] = [
    [{}, "Moved 12 old recordings, 6 to 8 Nov, 1.3 GB, to the trash at 03:00."],
    [{ cause: "room" }, "Moved 12 recordings, 6 to 8 Nov, 1.3 GB, to the trash at 03:00 to make room."],
    [{ until: null }, "Deleted 12 old recordings, 6 to 8 Nov, 1.3 GB, for good at 03:00."],
    [
      { until: null, cause: "room", recordings: 1, newest: "2026-11-06" },
      "Deleted 1 recording, 6 Nov, 1.3 GB, for good at 03:00 to make room.",
    ],
    [
      { at: "2026-11-19T16:00:00Z", oldest: "2024-01-03" },
      "Moved 12 old recordings, 3 Jan 2024 to 8 Nov 2026, 1.3 GB, to the trash yesterday at 03:00.",
    ],
    [
      { at: "2026-11-16T16:00:00Z", recordings: 16_911 },
      "Moved 16 911 old recordings, 6 to 8 Nov, 1.3 GB, to the trash on Tue 17 Nov at 03:00.",
    ],
    [{ cause: "hand", by: "admin" }, "Moved 12 recordings, 6 to 8 Nov, 1.3 GB, to the trash at 03:00 by hand."],
  ];
  for (const [changes, words] of rows)
    test(words, () => expect(plain(receiptInWords({ ...receipt, ...changes }, NOW, ZONE))).toBe(words));

  test("that was undone", () => {
    expect([0, 1, 1200].map(undoneInWords).map(plain)).toEqual([
      "Nothing of it is in the trash any more.",
      "1 recording is restored. Rules leave it alone for at least a week, and until you change them.",
      "1 200 recordings are restored. Rules leave them alone for at least a week, and until you change them.",
    ]);
  });
});

describe("what is said before held recordings may be deleted", () => {
  const held: HeldDeletion = {
    reason: "adopted",
    recordings: 16_911,
    bytes: 1.4e12,
    oldest: "2024-01-03",
    newest: "2026-11-06",
    since: "2026-11-20T17:00:00Z",
  };
  const rows: [name: string, changes: Partial<HeldDeletion>, days: number, next: number | null, words: string[]][] = [
    [
      "with a trash",
      {},
      7,
      540_000,
      [
        "1.4 TB, from 3 Jan 2024 to 6 Nov 2026. They go to the trash with the next run, 08:00, and can be restored for 7 days. After that they are deleted for good.",
      ],
    ],
    [
      "without a trash and with no run planned",
      { recordings: 1, bytes: null },
      0,
      null,
      ["From 3 Jan 2024 to 6 Nov 2026. There is no trash: it is deleted for good with the next scheduled run."],
    ],
    [
      "while the clock is in doubt",
      { reason: "clock" },
      1,
      86_400_000,
      [
        "Only if it is 21 Nov 2026, 07:51 AEDT now: that is what the clock says.",
        "1.4 TB, from 3 Jan 2024 to 6 Nov 2026. They go to the trash with the next run, tomorrow 07:51, and can be restored for 1 day. After that they are deleted for good.",
      ],
    ],
  ];
  for (const [name, changes, days, next, words] of rows)
    test(name, () => {
      const said = confirmationInWords(
        { ...held, ...changes },
        {
          now: NOW,
          zone: ZONE,
          address: "192.168.1.64",
          paused: false,
          next_at: next === null ? null : NOW + next,
          retention: { ...nothingDeleted(), trash: { recordings: 0, bytes: 0, days } },
        },
      );
      expect(said.map(plain)).toEqual(words);
    });
});
