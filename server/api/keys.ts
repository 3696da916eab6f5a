import * as v from "valibot";
import type { App } from "../app.ts";
import { AppError } from "../domain/answers/errors.ts";
import { LONGEST_KEY_NAME, MOST_KEYS, SCOPES } from "../domain/keys/access_key.ts";
import { KEYS, listedKey, MADE_KEY } from "../domain/keys/key_schema.ts";
import { refusedAs } from "../http/request/read_request.ts";
import { noContent } from "../http/request/respond.ts";
import { endpoint, responseEndpoint } from "./endpoint.ts";

const LOGGER = "auth";
const NO_NAME = `The name must have 1 to ${LONGEST_KEY_NAME} characters`;
const NO_SCOPE = `The scope must be one of ${SCOPES.join(", ")}`;

type Parts = Pick<App, "keys" | "log">;

const ASKED = v.pipe(
  v.strictObject(
    {
      name: v.pipe(v.string(NO_NAME), v.regex(/\S/, NO_NAME), v.maxLength(LONGEST_KEY_NAME, NO_NAME)),
      scope: v.picklist(SCOPES, NO_SCOPE),
    },
    ({ expected }) => (expected === "never" ? "There is no such field" : "A key needs a name and a scope"),
  ),
  refusedAs("VALIDATION_ERROR"),
);

export const listKeys = endpoint({
  summary: "The keys of programs, the newest first",
  description: "Never the keys themselves: each is told once, when it is made.",
  shape: KEYS,
  returns: "The keys",
  answer: (_, { keys }: Parts) => ({ keys: keys.all.map(listedKey) }),
});

export const makeKey = endpoint({
  summary: "Makes a key for a program",
  description:
    "It is sent as `Authorization: Bearer KEY` or as `X-API-Key: KEY`. It is told this once: only a digest of it is kept.",
  body: ASKED,
  shape: MADE_KEY,
  status: 201,
  returns: "The key",
  errors: ["KEY_NOT_SAVED", "VALIDATION_ERROR"],
  async answer({ context, body: { name, scope } }, { keys, log }: Parts) {
    if (keys.all.length >= MOST_KEYS) {
      const message = `There are ${MOST_KEYS} keys already. Revoke one first.`;
      throw new AppError("VALIDATION_ERROR", message, { field_errors: [{ path: "name", message }] });
    }
    const made = await keys.make(name.trim(), scope);
    if (made === null) throw notSaved("The key could not be saved, so there is none.");
    log.info(LOGGER, `A key with the scope ${scope} was made from ${context.address}`);
    const { key, text } = made;
    return { id: key.id, name: key.name, scope, key: text, made_at: new Date(key.made).toISOString() };
  },
});

export const revokeKey = responseEndpoint({
  summary: "Revokes a key at once; its live views and downloads end too",
  params: v.object({ id: v.pipe(v.string(), v.description("As the list has it"), refusedAs("KEY_NOT_FOUND")) }),
  answers: { 204: { description: "It is revoked" } },
  errors: ["KEY_NOT_FOUND", "KEY_NOT_SAVED"],
  async respond({ context, params: { id } }, { keys, log }: Parts) {
    if (!keys.has(id)) throw new AppError("KEY_NOT_FOUND", "There is no such key.");
    const isSaved = await keys.revoke(id);
    log.info(LOGGER, `A key was revoked from ${context.address}`);
    if (!isSaved) throw notSaved("The key is revoked, but that could not be saved: it may hold again after a restart.");
    return noContent();
  },
});

function notSaved(message: string): AppError {
  return new AppError("KEY_NOT_SAVED", message);
}
