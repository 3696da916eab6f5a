import * as v from "valibot";
import type { App } from "../app.ts";
import { orNull } from "../domain/answers/answer_fields.ts";
import { clipName } from "../domain/recordings/camera_clock.ts";
import { SEARCH } from "../domain/viewer/search_schema.ts";
import { viewerPath } from "../domain/viewer/viewer_address.ts";
import { foundNotes } from "../engine/viewer/found_notes.ts";
import { endpoint, limit } from "./endpoint.ts";

/** Characters of a question that count. */
const MOST_CHARACTERS = 200;

export const search = endpoint({
  summary: "Clips whose note has all of these words",
  query: v.object({
    q: orNull(v.string(), "What to look for; capitals and accents do not count"),
    limit: limit(20, 500),
  }),
  shape: SEARCH,
  returns: "Newest first",
  async answer({ query }, app: Pick<App, "retention" | "viewed" | "zone" | "clock">) {
    const found = await foundNotes(app, (query.q ?? "").slice(0, MOST_CHARACTERS), query.limit);
    const { zone } = app;
    const { year } = zone.wall(app.clock.now());
    return {
      results: found.map(({ key, note }) => {
        return { group: "note" as const, title: `${clipName(key, year, zone.format)}: ${note}`, href: viewerPath(key) };
      }),
    };
  },
  all(answers, { query }) {
    const dated = answers.flatMap(({ answer }) => answer.results);
    const dateOf = ({ href }: (typeof dated)[number]) => /[0-9]{8}_[0-9]{6}/.exec(href)?.[0] ?? "";
    const newest = dated.toSorted((one, other) => (dateOf(one) < dateOf(other) ? 1 : -1));
    return { results: newest.slice(0, query.limit) };
  },
});
