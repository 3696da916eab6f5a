import { expect, test } from "bun:test";
import { CARD_PLACES, type PlaceFacts, partsOf, placeOf } from "../../../server/domain/card/card_place.ts";
import { listedIn } from "../../../server/domain/card/safe_to_format.ts";

const FACTS: PlaceFacts = { isChecked: true, isDamaged: false, isFailing: false, isEmpty: false, isGivenUp: false };

test.each([
  ["home", {}, "home"],
  ["home", { isChecked: false }, "not_checked"],
  ["home", { isFailing: true, isGivenUp: true }, "home"],
  ["home", { isDamaged: true }, "coming"],
  ["home", { isDamaged: true, isChecked: false }, "coming"],
  ["home", { isDamaged: true, isFailing: true }, "unreadable"],
  ["waiting", {}, "coming"],
  ["waiting", { isFailing: true }, "unreadable"],
  ["waiting", { isFailing: true, isGivenUp: true }, "given_up"],
  ["waiting", { isGivenUp: true }, "coming"],
  ["growing", { isGivenUp: true }, "coming"],
  ["unknown", { isGivenUp: true }, "unknown"],
  ["gone", { isEmpty: true }, null],
  ["gone", {}, "unreadable"],
  ["gone", { isGivenUp: true }, "given_up"],
  ["retention", {}, "retention"],
  ["selection", { isFailing: true }, "selection"],
  ["deleted", {}, "deleted"],
  ["unwanted", {}, "unwanted"],
] as const)("a recording that is %s with %p belongs to %p", (standing, facts, place) => {
  expect(placeOf(standing, { ...FACTS, ...facts })).toBe(place);
});

test("each place counts once in the parts of the card", () => {
  for (const place of CARD_PLACES) expect(listedIn(partsOf({ [place]: 3 }))).toBe(3);
  expect(listedIn(partsOf({}))).toBe(0);
});
