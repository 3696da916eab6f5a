import { expect, test } from "bun:test";
import { cardHealth, CARD_SIGNS, FEWEST_RECORDINGS, type CardSign } from "../../../server/domain/card/card_signs.ts";
import { foundInWords, limitInWords } from "../../../server/domain/card/card_text.ts";
import { healthView } from "../../../server/domain/card/health_view.ts";
import { ZoneTime } from "../../../server/domain/text/zone_time.ts";
import { healthyHistories, sickHistories } from "../../support/camera/card_histories.ts";
import { recordOf } from "../../support/camera/card_record.ts";

const ZONE = new ZoneTime("UTC");

function shown(history: Parameters<typeof recordOf>[0] & { readonly now: number }) {
  const { record, lengthOf } = recordOf(history);
  return healthView(cardHealth(record, lengthOf), { now: history.now, zone: ZONE });
}

test.each(sickHistories().map((history) => [history.name, history] as const))(
  "a sign stands first, with since when and from what on: %s",
  (_name, history) => {
    const { sentence, signs, level, word } = shown(history);
    const [first, ...others] = signs;
    expect([sentence, word, level === "fine"]).toEqual(["One sign of wear", "One sign", false]);
    expect(first?.sign).toBe(history.sign as CardSign);
    expect(first?.says).toMatch(/^Since /);
    expect(first?.says).toContain(limitInWords(history.sign as CardSign));
    expect(others.every((sign) => sign.level === "fine" || sign.level === "waiting")).toBe(true);
    expect(signs).toHaveLength(CARD_SIGNS.length);
  },
);

test("a healthy card has six signs with figures, each with its limit", () => {
  const [history] = healthyHistories();
  if (history === undefined) throw new Error("there is one");
  const { level, word, sentence, from, signs } = shown(history);
  expect([level, word, sentence]).toEqual(["fine", "Healthy", "No sign of wear"]);
  expect(from).toMatch(/^from [0-9\u202f]+\u00a0recordings since /);
  for (const { sign, says, figure, unit } of signs) {
    expect(says).toContain(limitInWords(sign));
    expect(`${figure} ${unit}`).not.toMatch(/NaN|undefined|Infinity/);
  }
});

test("the rate is drawn within its picture, with the line below which it is a sign", () => {
  const history = sickHistories().find(({ sign }) => sign === "falling_rate");
  if (history === undefined) throw new Error("there is one");
  const { curve } = shown(history);
  const points = [...(curve?.points.matchAll(/[ML](-?[0-9.]+) (-?[0-9.]+)/g) ?? [])].map(([, x, y]) => [
    Number(x),
    Number(y),
  ]);
  expect(points.length).toBeGreaterThan(5);
  for (const [x = -1, y = -1] of points) expect(x >= 0 && x <= 1000 && y >= 0 && y <= 100).toBe(true);
  expect([points[0]?.[0], points.at(-1)?.[0]]).toEqual([0, 1000]);
  // It falls: the last point lies below the line, the first above.
  expect(points[0]?.[1]).toBeLessThan(curve?.limit ?? 0);
  expect(points.at(-1)?.[1]).toBeGreaterThan(curve?.limit ?? 100);
});

test("nothing is claimed of few recordings, and the page says from how many on", () => {
  const view = healthView(
    cardHealth({ videos: [], rates: [] }, () => null),
    { now: 0, zone: ZONE },
  );
  expect(view).toMatchObject({ level: "waiting", word: "Not known yet", signs: [], curve: null });
  expect(view.from).toContain(`${FEWEST_RECORDINGS}\u00a0recordings`);
});

test("what was found is told for each sign", () => {
  for (const sign of CARD_SIGNS) {
    const said = foundInWords({ sign, isReached: true, since: 0, cases: 60, of: 240 });
    expect(said).toEndWith(limitInWords(sign));
    expect(said).toMatch(/60/);
  }
});
