import * as v from "valibot";
import type { App } from "../app.ts";
import { AppError } from "../domain/answers/errors.ts";
import { answerOfCard } from "../domain/card/card_answer.ts";
import { CARD, GIVEN_UP } from "../domain/card/card_schema.ts";
import { CARD_ANSWERS } from "../domain/coverage/recording_state.ts";
import { momentNumber } from "../domain/recordings/moment_number.ts";
import { groupOf } from "../domain/recordings/recording_name.ts";
import type { CardReading } from "../engine/card/card.ts";
import { refusedAs } from "../http/request/read_request.ts";
import { endpoint } from "./endpoint.ts";
import { KEYS } from "./recording_keys.ts";
import { requireSaved } from "./unsaved.ts";

type Parts = Pick<App, "card" | "clock" | "zone" | "log">;

export const currentCard = endpoint({
  summary: "The camera’s card: what is on it, whether it may be formatted, and signs that it is dying",
  shape: CARD,
  returns: "As far as it is known",
  answer: async (_asked, app: Parts) => answered(await (await app.card()).read(), app),
  all: (answers) => ({ cameras: answers.map(({ camera, answer }) => ({ camera, ...answer })) }),
});

const SEND_ANSWER = "Send answer: formatted, other_card or lost";
const ANSWER = v.pipe(
  v.picklist(CARD_ANSWERS, SEND_ANSWER),
  v.description("What happened to the card whose recordings had not come home"),
  refusedAs("VALIDATION_ERROR", "answer"),
);

export const answerQuestion = endpoint({
  summary: "Says what happened to a card that has lost its recordings, or that another one has taken the place of",
  description:
    "`formatted`: its recordings count as deleted. `other_card`: they are still to come. `lost`: they count as lost. An answer cannot be changed later.",
  body: v.message(v.object({ answer: ANSWER }), SEND_ANSWER),
  shape: v.object({ answered: v.literal(true) }),
  returns: "The recordings have that answer",
  errors: ["NOTHING_ASKED", "LEDGER_UNUSABLE"],
  async answer({ body, context: { user } }, { card }: Pick<App, "card">) {
    const by = user === null || user.mode === "none" ? null : user.name;
    const answered = await (await card()).answer(body.answer, by);
    if (!answered) throw new AppError("NOTHING_ASKED", "Nothing is asked about the card");
    return { answered: true } as const;
  },
});

export const giveUp = endpoint({
  summary: "Gives up recordings that the camera cannot read: the card does not wait for them any more",
  description: "Syncs go on trying them. Recordings that can be read are left out.",
  body: KEYS,
  shape: GIVEN_UP,
  returns: "They are given up",
  errors: ["STORAGE_FULL"],
  async answer({ body }, app: Parts) {
    const card = await app.card();
    const { content } = await card.read();
    const unreadable = new Set(content?.names.unreadable.map(groupOf));
    const moments = body.keys.filter((key) => unreadable.has(key)).map(momentNumber);
    await card.giveUp(moments);
    if (moments.length > 0) app.log.info("card", `Recordings given up: ${moments.length}`);
    requireSaved(card.isSaved);
    return { given_up: card.givenUp };
  },
});

export const waitAgain = endpoint({
  summary: "Waits again for recordings that were given up",
  body: KEYS,
  shape: GIVEN_UP,
  returns: "They are waited for",
  errors: ["STORAGE_FULL"],
  async answer({ body }, app: Parts) {
    const card = await app.card();
    await card.waitAgain(body.keys.map(momentNumber));
    requireSaved(card.isSaved);
    return { given_up: card.givenUp };
  },
});

function answered(reading: CardReading, { clock, zone }: Parts) {
  return answerOfCard(reading, { now: clock.now(), zone });
}
