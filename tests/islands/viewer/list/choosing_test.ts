import { describe, expect, test } from "bun:test";
import { Choosing } from "../../../../islands/viewer/list/choosing.ts";
import { keyOf } from "../../../../server/domain/viewer/viewer_address.ts";
import { filled, KEYS, OLDER } from "../../../support/app/recording_list.ts";

const chosen = (choosing: Choosing) => choosing.chosen.map(keyOf);

describe("choosing several", () => {
  test("one by one, in the order of the list", () => {
    const choosing = new Choosing(filled());
    choosing.toggle(OLDER[1], false);
    choosing.toggle(KEYS[2], false);
    expect(chosen(choosing)).toEqual([KEYS[2], OLDER[1]]);
    choosing.toggle(KEYS[2], false);
    expect(chosen(choosing)).toEqual([OLDER[1]]);
  });

  test("a range, in either direction and over the ends of days", () => {
    const choosing = new Choosing(filled());
    choosing.toggle(OLDER[0], false);
    choosing.toggle(KEYS[2], true);
    expect(chosen(choosing)).toEqual([KEYS[2], KEYS[3], OLDER[0]]);
    choosing.toggle(KEYS[3], true);
    expect(chosen(choosing)).toEqual([OLDER[0]]);
  });

  test("a range has no rows of a closed day", () => {
    const list = filled();
    list.toggleDay("2026-06-06");
    const choosing = new Choosing(list);
    choosing.toggle(KEYS[2], false);
    choosing.toggle(OLDER[0], true);
    expect(chosen(choosing)).toEqual([KEYS[2], OLDER[0]]);
  });

  test("a trip as a whole, and none of it", () => {
    const choosing = new Choosing(filled());
    const trip = [KEYS[0], KEYS[1]];
    choosing.toggle(KEYS[1], false);
    expect(choosing.partOfKeys(trip)).toBe("some");
    choosing.toggleKeys(trip);
    expect([choosing.partOfKeys(trip), chosen(choosing)]).toEqual(["all", trip]);
    choosing.toggleKeys(trip);
    expect([choosing.partOfKeys(trip), chosen(choosing)]).toEqual(["none", []]);
  });

  test("a range that begins at a row that is gone is one row", () => {
    const list = filled();
    const choosing = new Choosing(list);
    choosing.toggle(KEYS[0], false);
    list.drop([KEYS[0]]);
    choosing.toggle(KEYS[3], true);
    expect(chosen(choosing)).toEqual([KEYS[3]]);
  });

  test("a whole day, and none of it", async () => {
    const choosing = new Choosing(filled());
    expect(choosing.partOf("2026-06-07")).toBe("none");
    choosing.toggle(KEYS[1], false);
    expect(choosing.partOf("2026-06-07")).toBe("some");
    await choosing.toggleDay("2026-06-07");
    expect(chosen(choosing)).toEqual([...KEYS]);
    expect(choosing.partOf("2026-06-07")).toBe("all");
    await choosing.toggleDay("2026-06-07");
    expect(chosen(choosing)).toEqual([]);
  });

  test("days as a range, which stay closed", async () => {
    const list = filled();
    const newest = list.days.value[0]?.date ?? "";
    const oldest = list.days.value.at(-1)?.date ?? "";
    for (const date of list.open.value) list.toggleDay(date);
    const choosing = new Choosing(list);
    await choosing.toggleDay(newest);
    await choosing.toggleDay(oldest, true);
    expect(chosen(choosing)).toEqual([...KEYS, ...OLDER]);
    expect(list.open.value).toEqual([newest]);
    // From the last one back: all of them become as that one.
    await choosing.toggleDay(newest, true);
    expect(chosen(choosing)).toEqual([]);
  });

  test("a range of days that begins nowhere is one day", async () => {
    const choosing = new Choosing(filled());
    await choosing.toggleDay("2026-06-07", true);
    expect(chosen(choosing)).toEqual([...KEYS]);
  });

  test("what is not in the list is not chosen: what was deleted meanwhile", () => {
    const list = filled();
    const choosing = new Choosing(list);
    for (const key of KEYS) choosing.toggle(key, false);
    list.drop([KEYS[0]]);
    expect(chosen(choosing)).toEqual(KEYS.slice(1));
  });

  test("ends with nothing chosen", () => {
    const choosing = new Choosing(filled());
    choosing.turn(true);
    choosing.toggle(KEYS[0], false);
    choosing.turn(false);
    expect([choosing.isOn.value, chosen(choosing)]).toEqual([false, []]);
  });
});
