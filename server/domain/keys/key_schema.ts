import * as v from "valibot";
import { moment, orNull, text } from "../answers/answer_fields.ts";
import { type AccessKey, SCOPES } from "./access_key.ts";

const KEY_FACTS = {
  id: text("Names the key to its owner; it opens nothing"),
  name: v.string(),
  scope: v.picklist(SCOPES),
};

export const MADE_KEY = v.object({
  ...KEY_FACTS,
  key: text("The key itself; it is told this once"),
  made_at: moment,
});

export type MadeKey = v.InferOutput<typeof MADE_KEY>;

export const KEYS = v.object({
  keys: v.array(
    v.object({
      ...KEY_FACTS,
      hint: text("First characters of the key"),
      made_at: moment,
      last_used: orNull(moment, "Null when it was never used"),
      last_from: orNull(v.string(), "Address from which it was used last"),
    }),
  ),
});

/** A key as the list of keys tells it. */
export type ListedKey = v.InferOutput<typeof KEYS>["keys"][number];

/** Facts about a key that may be told. */
export function listedKey({ id, name, scope, hint, made, used, from }: AccessKey): ListedKey {
  return {
    id,
    name,
    scope,
    hint,
    made_at: new Date(made).toISOString(),
    last_used: used === null ? null : new Date(used).toISOString(),
    last_from: from,
  };
}
