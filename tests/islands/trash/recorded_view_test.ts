import { describe, expect, test } from "bun:test";
import { isChosen } from "../../../islands/trash/choice.ts";
import { RecordedView } from "../../../islands/trash/recorded_view.ts";
import { Trash } from "../../../islands/trash/trash.ts";
import { byRecordedDay } from "../../../server/domain/retention/trash_days.ts";
import { contentsOf, trashed } from "../../support/app/trash.ts";
import { DomPage } from "../../support/browser/dom.ts";

const DAYS = ["20261102", "20261103", "20261104"];
const CLIPS = DAYS.flatMap((day) => ["080000_N", "080100_E", "080200_N"].map((rest) => trashed(`${day}_${rest}`)));
const dateOf = (day: string) => `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`;
const [FIRST = "", SECOND = "", THIRD = ""] = DAYS.map(dateOf);

/** A trash whose clips come when they are asked for. */
function scene() {
  const dom = new DomPage('<div id="toasts"></div>', { path: "/trash" });
  const asked: string[] = [];
  const heads = byRecordedDay(CLIPS).map((day) => ({ ...day, recordings: [] }));
  const ask = async (path: string) => {
    asked.push(path);
    return Response.json({ days: [{ date: "2026-11-20", recordings: CLIPS }] });
  };
  const trash = new Trash(contentsOf(heads, { isRecorded: true }), { page: dom.page, ask });
  const view = new RecordedView(trash);
  const chosen = () =>
    CLIPS.map(({ key }) => key)
      .filter((key) => isChosen(trash.choice.value, dateOf(key.slice(0, 8)), key))
      .map((key) => key.slice(6, 13));
  return { trash, view, asked, chosen, [Symbol.asyncDispose]: () => dom[Symbol.asyncDispose]() };
}

describe("a trash of thousands", () => {
  test("chooses days before its clips are there, as a range, and reads them once", async () => {
    await using it = scene();
    it.view.chooseDay(FIRST, true, false);
    it.view.chooseDay(THIRD, true, true);
    expect(it.view.days.value.map((day) => it.view.partOf(day))).toEqual(["all", "all", "all"]);
    expect(it.asked).toEqual([]);
    await Promise.all([it.trash.load(), it.view.toggleOpen(SECOND)]);
    await it.trash.load();
    expect(it.asked).toEqual(["/api/trash"]);
    expect(it.chosen()).toHaveLength(9);
    it.view.chooseDay(SECOND, false, false);
    expect(it.chosen()).toEqual(["02_0800", "02_0801", "02_0802", "04_0800", "04_0801", "04_0802"]);
  });

  test("that is read while something is done shows what is left, not what was there before", async () => {
    await using it = scene();
    const reading = it.trash.load();
    await it.trash.workOnAll("delete");
    await reading;
    expect(it.trash.contents.value).toMatchObject({ totals: { entries: 0 }, days: [] });
  });

  test("chooses of a day only what the filter shows, and counts the day as part then", async () => {
    await using it = scene();
    await it.trash.load();
    it.view.toggleKind("event");
    it.view.chooseDay(FIRST, true, false);
    it.view.chooseDay(SECOND, true, true);
    expect(it.chosen()).toEqual(["02_0801", "03_0801"]);
    expect(it.view.days.value.map((day) => it.view.partOf(day))).toEqual(["all", "all", "none"]);
    it.view.toggleKind("event");
    expect(it.view.days.value.map((day) => it.view.partOf(day))).toEqual(["some", "some", "none"]);
  });

  test("chooses what was recorded between two times", async () => {
    await using it = scene();
    await it.trash.load();
    it.view.chooseBetween("2026-11-02T08:02", "2026-11-03T08:01");
    expect(it.chosen()).toEqual(["02_0802", "03_0800", "03_0801"]);
    it.view.chooseBetween("2026-11-05T00:00", "2026-11-06T00:00");
    expect(it.chosen()).toHaveLength(3);
  });

  test("a range of rows reaches over what is shown only", async () => {
    await using it = scene();
    await it.view.toggleOpen(FIRST);
    await it.view.toggleOpen(THIRD);
    it.trash.choose(FIRST, "20261102_080200_N", true, false);
    it.trash.choose(THIRD, "20261104_080000_N", true, true);
    expect(it.chosen()).toEqual(["02_0802", "04_0800"]);
    it.view.toggleKind("normal");
    it.trash.choose(FIRST, "20261102_080000_N", true, true);
    expect(it.chosen()).toEqual(["02_0800", "02_0802", "04_0800"]);
  });
});
