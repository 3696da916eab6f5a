import * as v from "valibot";
import type { App } from "../app.ts";
import { orNull } from "../domain/answers/answer_fields.ts";
import { MOST_SEARCH_CHARACTERS } from "../domain/viewer/search_length.ts";
import { SEARCH, SEARCH_GROUPS, type SearchResult } from "../domain/viewer/search_schema.ts";
import { momentsFound, placesFound } from "../engine/places/found_places.ts";
import { clipsFound, kindsFound } from "../engine/viewer/search.ts";
import { maySeePlaces } from "../http/auth/may_see_places.ts";
import type { Caller } from "../http/request/request_context.ts";
import { asksForAll } from "./cameras_asked.ts";
import { endpoint, limit } from "./endpoint.ts";

export const search = endpoint({
  summary: "Times, places, kinds of clips and notes by what was typed so far",
  description:
    "Nothing that is looked for is written down, or leaves this machine. Places and moments are for people, and for keys with the scope `recordings`.",
  query: v.object({
    q: orNull(v.string(), "What to look for, such as `tue 17:40`, `yesterday evening`, `braking` or words of a note"),
    limit: limit(20, 500),
  }),
  shape: SEARCH,
  returns: "By group, the newest of each first",
  async answer({ context, query }, app: App) {
    const typed = questionOf(query);
    const found = await clipsFound(app, typed, query.limit);
    if (maySeePlaces(context)) found.push(...(await momentsFound(app, typed)));
    const of = app.cameras.all.length > 1 ? app.camera.id : null;
    if (!asksForAll(context)) found.push(...(await foundOfAll([app], typed, { context, of })));
    return { results: inGroups(found).slice(0, query.limit) };
  },
  async all(answers, { context, query }, apps) {
    const found: SearchResult[] = answers.flatMap(({ answer }) => answer.results);
    const dateOf = ({ href }: SearchResult) => /[0-9]{8}_[0-9]{6}/.exec(href)?.[0] ?? "";
    const newest = found.toSorted((one, other) => {
      const [here, there] = [dateOf(one), dateOf(other)];
      return here < there ? 1 : here > there ? -1 : 0;
    });
    newest.push(...(await foundOfAll(apps, questionOf(query), { context, of: null })));
    return { results: inGroups(newest).slice(0, query.limit) };
  },
});

/** Finds what cameras have together. @param asked with the camera that it is of; null for all */
async function foundOfAll(
  apps: readonly App[],
  typed: string,
  { context, of }: { readonly context: Caller; readonly of: string | null },
): Promise<Omit<SearchResult, "camera">[]> {
  const places = maySeePlaces(context) ? await placesFound(apps, typed, of) : [];
  return [...places, ...(await kindsFound(apps, typed, of))];
}

function inGroups<T extends { readonly group: SearchResult["group"] }>(found: readonly T[]): T[] {
  return SEARCH_GROUPS.flatMap((group) => found.filter((one) => one.group === group));
}

function questionOf({ q }: { readonly q: string | null }): string {
  return (q ?? "").slice(0, MOST_SEARCH_CHARACTERS);
}
