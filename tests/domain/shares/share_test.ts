import { expect, test } from "bun:test";
import { endOf, holds, isListed } from "../../../server/domain/shares/share.ts";

const DAY = 86_400_000;
const link = (revoked: number | null = null, ended: number | null = null) => ({
  made: 100 * DAY,
  expires: 107 * DAY,
  revoked,
  ended,
});

for (const [name, share, now, end, opens, listed] of [
  ["that is new", link(), 100 * DAY, null, true, true],
  ["on its last day", link(), 107 * DAY - 1, null, true, true],
  ["whose time is over", link(), 107 * DAY, 107 * DAY, false, true],
  ["that was revoked", link(103 * DAY), 104 * DAY, 103 * DAY, false, true],
  ["that was revoked, and whose time is over", link(103 * DAY), 120 * DAY, 103 * DAY, false, true],
  ["that ended 30 days ago", link(), 137 * DAY, 107 * DAY, false, false],
  ["that was revoked 30 days ago", link(103 * DAY), 133 * DAY, 103 * DAY, false, false],
  ["that was seen to have ended, when the clock is set back", link(null, 107 * DAY), 101 * DAY, 107 * DAY, false, true],
  ["whose clock was set back a little", link(), 100 * DAY - 60_000, null, true, true],
  ["whose clock was set back far", link(), 0, null, false, true],
] as const)
  test(`a link ${name} ${opens ? "opens" : "does not open"}`, () => {
    expect([endOf(share, now), holds(share, now), isListed(share, now)]).toEqual([end, opens, listed]);
  });
