import type { CardRecord, RunRate, SeenVideo } from "../../../server/domain/card/card_record.ts";
import type { LengthOf } from "../../../server/domain/card/card_signs.ts";
import { momentNumber } from "../../../server/domain/recordings/moment_number.ts";
import { endingOf } from "../../../server/domain/recordings/recording_name.ts";
import type { CardHistory } from "./card_histories.ts";

/** A history of a card as it is remembered, and the lengths of its clips as far as they came home. */
export function recordOf({ recordings }: Pick<CardHistory, "recordings">): { record: CardRecord; lengthOf: LengthOf } {
  const videos: SeenVideo[] = [];
  const rates: RunRate[] = [];
  const lengths = new Map<number, number>();
  for (const [seenAt, fetched] of Map.groupBy(recordings, ({ fetchedAt }) => fetchedAt)) {
    // A list that is new has only what is new, by name.
    const sorted = fetched.toSorted((one, other) => (one.name < other.name ? -1 : 1));
    for (const { name, answer, seconds } of sorted) {
      const moment = momentNumber(name);
      videos.push({
        moment,
        ending: endingOf(name),
        seenAt,
        isOld: false,
        answer,
        errors: answer === "error" ? 1 : 0,
      });
      if (answer === "whole") lengths.set(moment, seconds);
    }
    const came = fetched.flatMap(({ rate }) => rate ?? []).sort((one, other) => one - other);
    const rate = came[came.length >> 1];
    if (rate !== undefined) rates.push({ at: seenAt, rate });
  }
  return { record: { videos, rates }, lengthOf: (moment) => lengths.get(moment) ?? null };
}
