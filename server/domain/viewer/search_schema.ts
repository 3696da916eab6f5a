import * as v from "valibot";
import { addressText, ofCamera } from "../answers/answer_fields.ts";

/** Groups of what is found, in the order in which they are shown. */
export const SEARCH_GROUPS = ["time", "place", "kind", "note"] as const;
export type SearchGroup = (typeof SEARCH_GROUPS)[number];

export const SEARCH = v.object({
  results: v.array(
    v.object({
      group: v.pipe(v.picklist(SEARCH_GROUPS), v.description("By what it was found")),
      title: v.pipe(v.string(), v.description("A time, a place, a kind; of a note when it was recorded, and the note")),
      detail: v.pipe(v.string(), v.description("More about it, such as how many clips it has; may be empty")),
      href: v.pipe(addressText, v.description("The viewer's address of it")),
      camera: ofCamera,
    }),
  ),
});
export type Search = v.InferOutput<typeof SEARCH>;
export type SearchResult = Search["results"][number];
