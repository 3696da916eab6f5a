import * as v from "valibot";
import { AppError } from "../domain/answers/errors.ts";
import { CARD_ANSWERS } from "../domain/coverage/recording_state.ts";
import { refusedAs } from "../http/request/read_request.ts";
import { endpoint } from "./endpoint.ts";

const ANSWER = v.pipe(
  v.picklist(CARD_ANSWERS, "Send answer: formatted, other_card or lost"),
  v.description("What happened to the card whose recordings had not come home"),
  refusedAs("VALIDATION_ERROR", "answer"),
);

export const answer = endpoint({
  summary: "Says what happened to a card that has lost its recordings, or that another one has taken the place of",
  description:
    "`formatted`: its recordings count as deleted. `other_card`: they are still to come. `lost`: they count as lost. An answer cannot be changed later.",
  body: v.object({ answer: ANSWER }),
  shape: v.object({ answered: v.literal(true) }),
  returns: "The recordings have that answer",
  errors: ["NOTHING_ASKED", "LEDGER_UNUSABLE"],
  async answer({ body, context: { user } }, { ledger }) {
    const by = user === null || user.mode === "none" ? null : user.name;
    if (!(await ledger.answer(body.answer, by))) throw new AppError("NOTHING_ASKED", "Nothing is asked about the card");
    return { answered: true } as const;
  },
});
