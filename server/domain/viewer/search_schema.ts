import * as v from "valibot";
import { addressText, ofCamera } from "../answers/answer_fields.ts";

export const SEARCH = v.object({
  results: v.array(
    v.object({
      group: v.pipe(v.picklist(["note"]), v.description("By what it was found")),
      title: v.pipe(v.string(), v.description("When it was recorded, and the note")),
      href: v.pipe(addressText, v.description("The viewer's address of the clip")),
      camera: ofCamera,
    }),
  ),
});
export type Search = v.InferOutput<typeof SEARCH>;
