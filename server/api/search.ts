import * as v from "valibot";
import type { App } from "../app.ts";
import { orNull } from "../domain/answers/answer_fields.ts";
import { SEARCH, SEARCH_GROUPS, type SearchResult } from "../domain/viewer/search_schema.ts";
import { kindsFound, searchAll } from "../engine/viewer/search.ts";
import { endpoint, limit } from "./endpoint.ts";

/** Characters of a question that count. */
const MOST_CHARACTERS = 200;

export const search = endpoint({
  summary: "Times, places, kinds of clips and notes by what was typed so far",
  description: "Nothing that is looked for is written down, or leaves this machine.",
  query: v.object({
    q: orNull(v.string(), "What to look for, such as `tue 17:40`, `yesterday evening`, `braking` or words of a note"),
    limit: limit(20, 500),
  }),
  shape: SEARCH,
  returns: "By group, the newest of each first",
  async answer({ query }, app: App) {
    return { results: await searchAll(app, questionOf(query), query.limit) };
  },
  async all(answers, { query }, apps) {
    const found: SearchResult[] = answers.flatMap(({ answer }) =>
      answer.results.filter(({ group }) => group !== "kind"),
    );
    found.push(...(await kindsFound(apps, questionOf(query), null)));
    const dateOf = ({ href }: SearchResult) => /[0-9]{8}_[0-9]{6}/.exec(href)?.[0] ?? "";
    found.sort(
      (one, other) =>
        SEARCH_GROUPS.indexOf(one.group) - SEARCH_GROUPS.indexOf(other.group) ||
        (dateOf(one) < dateOf(other) ? 1 : dateOf(one) > dateOf(other) ? -1 : 0),
    );
    return { results: found.slice(0, query.limit) };
  },
});

function questionOf({ q }: { readonly q: string | null }): string {
  return (q ?? "").slice(0, MOST_CHARACTERS);
}
