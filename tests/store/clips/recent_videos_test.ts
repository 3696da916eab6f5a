import { expect, test } from "bun:test";
import { systemClock } from "../../../server/clock.ts";
import { RecentVideos } from "../../../server/store/clips/recent_videos.ts";
import { Shelf } from "../../support/app/viewer.ts";

test("what a caller did not wait for is told when it has been read, once", async () => {
  using shelf = new Shelf();
  for (const clock of ["101500", "101600", "101700"]) shelf.put(`20260607_${clock}_NF.mp4`);
  const told = Promise.withResolvers<void>();
  const all = await shelf.segments.all();
  let times = 0;
  const hurried = { ...systemClock, sleep: async () => {} };
  const late = () => {
    times++;
    told.resolve();
  };
  const recent = new RecentVideos({ root: shelf.root, clock: hurried, late });
  await recent.follow(1, all);
  await recent.follow(1, all);
  expect(recent.latest(3, 1, () => true)).toEqual([]);
  await told.promise;
  expect(recent.latest(3, 1, () => true)).toHaveLength(3);
  await recent.follow(1, all);
  expect(times).toBe(1);
});

test("what lies there is looked for again only when the library has changed", async () => {
  using shelf = new Shelf();
  for (const clock of ["101500", "101600"]) shelf.put(`20260607_${clock}_NF.mp4`);
  const recent = new RecentVideos({ root: shelf.root, clock: systemClock, late: () => {} });
  await recent.follow(1, await shelf.segments.all());
  const asked: string[] = [];
  const isThere = ({ name }: { readonly name: string }) => {
    asked.push(name);
    return name !== "20260607_101600_NF.mp4" || asked.length < 3;
  };
  expect(recent.latest(3, 1, isThere)).toHaveLength(2);
  expect(recent.latest(3, 1, isThere)).toHaveLength(2);
  expect(asked).toHaveLength(2);
  expect(recent.latest(3, 2, isThere).map(({ name }) => name)).toEqual(["20260607_101500_NF.mp4"]);
});
