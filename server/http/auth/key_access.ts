import { AppError } from "../../domain/answers/errors.ts";
import { type AccessKey, isKeyText } from "../../domain/keys/access_key.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import type { Admission } from "../request/admitted_user.ts";
import type { HttpApp } from "../request/http_app.ts";
import type { Caller } from "../request/request_context.ts";
import { WRONG_GUESS_MS } from "./guess_count.ts";
import { proxyUser } from "./proxy_user.ts";
import { SLOW_MS } from "./sign_in_throttle.ts";

export type KeyParts = Pick<HttpApp, "clock" | "keys" | "settings" | "throttle">;

/**
 * Returns the key that a request brings, in `Authorization: Bearer` or `X-API-Key`; null without one. Two that differ
 * come back joined, which is no key. A proxy that signs people in may send a token of its own, which counts for nothing.
 */
export function keyGiven(context: Caller, auth: Settings["auth"]): string | null {
  const { headers } = context.request;
  const named = headers.get("x-api-key")?.trim();
  const bearer = bearerOf(context);
  const isProxys = bearer !== null && !isKeyText(bearer) && auth.mode === "proxy" && proxyUser(context, auth) !== null;
  const given = new Set([named, isProxys ? null : bearer].filter((text) => typeof text === "string"));
  return given.size === 0 ? null : [...given].join(" ");
}

/** The token of `Authorization: Bearer`; null without that header. */
export function bearerOf({ request: { headers } }: Caller): string | null {
  const [, token] = /^bearer(?:[ \t]+(.*))?$/is.exec(headers.get("authorization")?.trim() ?? "") ?? [null, null];
  if (token === null) return null;
  return token?.trim() ?? "";
}

/**
 * Finds the key that a program sent. Unknown ones count as wrong passwords do, and are answered late. A right one does
 * not end the count: who has a key could guess passwords for ever.
 * @throws AppError AUTH_REQUIRED, RATE_LIMITED
 */
export async function admittedByKey(context: Caller, given: string, app: KeyParts): Promise<Admission> {
  const { address } = context;
  app.throttle.check(address);
  const key = app.keys.find(given);
  if (key !== null) {
    app.keys.touch(key.id, address);
    return admissionOf(key, app.settings.current.auth.mode);
  }
  const giveBack = app.throttle.wait(null);
  try {
    app.throttle.begin(address);
    await app.clock.sleep(giveBack === null ? WRONG_GUESS_MS : SLOW_MS);
  } finally {
    giveBack?.();
  }
  throw new AppError("AUTH_REQUIRED", "This key is not known. It may have been revoked.");
}

function admissionOf({ id, name, scope }: AccessKey, mode: Settings["auth"]["mode"]): Admission {
  return { user: { name, mode, role: "key", scope }, session: null, key: id };
}
