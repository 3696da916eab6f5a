import { expect, test } from "bun:test";
import { questionView } from "../../../server/domain/coverage/question_text.ts";
import { ZoneTime } from "../../../server/domain/text/zone_time.ts";

const now = Date.parse("2026-11-21T07:51:00Z");
const at = { now, zone: new ZoneTime("UTC") };
const plain = (text: string) => text.replaceAll("\u00a0", " ");

test("a question about the card says what depends on it, with the likely answer first", () => {
  const view = questionView({ since: now - 600_000, likely: "formatted", recordings: 212 }, at);
  expect([view.title, plain(view.says)]).toEqual([
    "Did you format the card?",
    "Since Sat 21 Nov, 07:41 the camera lists nothing of what it had before. 212 recordings had not come home. Nothing of that counts as lost until you answer.",
  ]);
  expect(view.answers.map(({ answer, isLikely, consequence }) => [answer, isLikely, plain(consequence)])).toEqual([
    ["formatted", true, "212 recordings count as deleted with the card."],
    ["other_card", false, "212 recordings stay on the other card, and come home when that is back."],
    ["lost", false, "212 recordings count as lost."],
  ]);
});

test("a question about another card is about one recording as well", () => {
  const view = questionView({ since: now, likely: "other_card", recordings: 1 }, at);
  expect(view.title).toBe("Is another card in the camera?");
  expect(view.answers.map(({ answer, consequence }) => [answer, plain(consequence)])).toEqual([
    ["other_card", "1 recording stays on the other card, and comes home when that is back."],
    ["formatted", "1 recording counts as deleted with the card."],
    ["lost", "1 recording counts as lost."],
  ]);
});
