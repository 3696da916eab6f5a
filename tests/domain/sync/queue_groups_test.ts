import { expect, test } from "bun:test";
import { queueHead } from "../../../server/domain/sync/queue_groups.ts";
import type { QueueItem, QueueReason } from "../../../server/domain/sync/queue_schema.ts";

/** An item of `20261121_081100_EF`, with its reason. */
function item(name: string, why: QueueReason, bytes: number | null = 100): QueueItem {
  return { key: name.slice(0, 17), direction: name.slice(17), bytes, why };
}

const inShort = (items: readonly QueueItem[], most = 5, mostItems = 400) =>
  queueHead(items, most, mostItems).groups.map(
    ({ why, from, to, types, directions, recordings, bytes }) =>
      `${why} ${from.slice(6, 13)}-${to.slice(6, 13)} ${types.join("")} ${directions.join("")} ${recordings} ${bytes}`,
  );

test("recordings of a drive are one group, forwards and backwards, front before rear", () => {
  const names = ["20261121_081000_NR", "20261121_081000_NF", "20261121_081100_NF", "20261121_083900_NF"];
  const items = names.map((name) => item(name, "driving"));
  expect(inShort(items)).toEqual(["driving 21_0810-21_0839 N FR 4 400"]);
  expect(inShort(items.toReversed())).toEqual(["driving 21_0810-21_0839 N FR 4 400"]);
});

test("another reason, another drive, parking between drives and another kind of event begin a group", () => {
  expect(
    inShort([
      item("20261117_075800_MF", "asked"),
      item("20261121_081100_EF", "event"),
      item("20261121_081200_MF", "event"),
      item("20261121_081300_NF", "driving"),
      item("20261121_071200_NF", "driving"),
    ]),
  ).toEqual([
    "asked 17_0758-17_0758 M F 1 100",
    "event 21_0811-21_0811 E F 1 100",
    "event 21_0812-21_0812 M F 1 100",
    "driving 21_0813-21_0813 N F 1 100",
    "driving 21_0712-21_0712 N F 1 100",
  ]);
  const order = ["20261121_081000_NF", "20261121_081100_PF", "20261121_081200_NF"].map((name) => item(name, "order"));
  expect(inShort(order)).toHaveLength(3);
});

test("a night of parking is one group, and what is at risk is one, whatever it is", () => {
  const night = ["20261120_221000_PF", "20261121_020000_PF", "20261121_054000_PF"];
  expect(inShort(night.map((name) => item(name, "parking")))).toEqual(["parking 20_2210-21_0540 P F 3 300"]);
  const risk = ["20261116_173000_NF", "20261116_173100_EF", "20261116_200000_PF"];
  expect(inShort(risk.map((name) => item(name, "at_risk")))).toEqual(["at_risk 16_1730-16_2000 NEP F 3 300"]);
});

test("an unknown size makes the sum unknown, and no more is looked at than was said", () => {
  const names = Array.from({ length: 10 }, (_, at) => `20261121_0${at}0000_NF`);
  const items = names.map((name, at) => item(name, "driving", at === 1 ? null : 100));
  expect(queueHead(items, 3, 400)).toMatchObject({ recordings: 3, bytes: null });
  expect(queueHead(items, 5, 1)).toMatchObject({ recordings: 1, bytes: 100, groups: [{ recordings: 1 }] });
  expect(queueHead([], 5, 400)).toEqual({ groups: [], recordings: 0, bytes: 0 });
  let asked = 0;
  const endless = (function* () {
    for (;;) {
      asked++;
      yield item("20261121_080000_NF", "order");
    }
  })();
  expect(queueHead(endless, 5, 400).recordings).toBe(400);
  expect(asked).toBe(401);
});
