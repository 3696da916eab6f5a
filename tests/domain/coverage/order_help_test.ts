import { expect, test } from "bun:test";
import { type BroughtRecording, type LostRecording, savedByOrder } from "../../../server/domain/coverage/order_help.ts";

/** Seen at 10, gone at 100. */
const LOST: LostRecording = { ending: 0, size: 100, firstSeen: 10, missingSince: 100 };
/** Came home at 50, and the camera still has it. */
const BROUGHT: BroughtRecording = { ending: 0, size: 100, homeAt: 50, lastSeen: null };

const cases: [what: string, lost: LostRecording[], brought: BroughtRecording[], saved: number][] = [
  ["nothing came home", [LOST], [], 0],
  ["another one came that could have waited", [LOST], [BROUGHT], 1],
  ["the other one was on the card until then", [LOST], [{ ...BROUGHT, lastSeen: 100 }], 1],
  ["the other one was overwritten before", [LOST], [{ ...BROUGHT, lastSeen: 90 }], 0],
  ["the other one came before this one was there", [LOST], [{ ...BROUGHT, homeAt: 10 }], 0],
  ["the other one came when this one was gone", [LOST], [{ ...BROUGHT, homeAt: 100 }], 0],
  ["the other one was smaller", [LOST], [{ ...BROUGHT, size: 99 }], 0],
  ["one came for two that were lost", [LOST, LOST], [BROUGHT], 1],
  ["a small one fits where a large one does not", [{ ...LOST, size: 300 }, LOST], [BROUGHT], 1],
  ["sizes are not known", [{ ...LOST, size: null }], [{ ...BROUGHT, size: null }], 0],
  ["the size of the lost one is not known", [{ ...LOST, size: null }], [BROUGHT], 1],
  [
    "the size is that of its direction",
    [{ ...LOST, ending: 1, size: null }],
    [
      { ...BROUGHT, size: 90 },
      { ...BROUGHT, ending: 1, size: 200, homeAt: 5 },
    ],
    0,
  ],
];
for (const [what, lost, brought, saved] of cases)
  test(`${saved} would have come home when ${what}`, () => {
    expect(savedByOrder(lost, brought)).toBe(saved);
  });
