import { AppError } from "../../domain/answers/errors.ts";
import type { Share } from "../../domain/shares/share.ts";
import type { SettingsSource } from "../../store/config/settings_source.ts";
import type { ShareList } from "../../store/config/share_list.ts";
import type { Caller } from "../request/request_context.ts";
import { isSame, sign } from "../request/sessions.ts";

const LINK_COOKIE = "dashdock_link";
const TOKEN = /^[\w-]{32}$/;
const TOKEN_BYTES = 24;

interface Parts {
  readonly settings: SettingsSource;
  readonly shares: ShareList;
}

/** A new token of a link: 192 random bits. */
export function newToken(): string {
  return crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)).toBase64({ alphabet: "base64url" });
}

/** The address of a link's page below the service's own. */
export function linkPath(token: string): string {
  return `/s/${token}`;
}

/**
 * The link that a token opens, whether or not its password was given. One that never was, that has ended and
 * that was revoked are refused alike. @throws AppError SHARE_NOT_FOUND
 */
export function linkOf(token: string, { settings, shares }: Parts): Share {
  const share = settings.current.share.enabled && TOKEN.test(token) ? shares.opened(token) : null;
  if (share === null) throw noSuchLink();
  return share;
}

/** True when a link has no password, or this browser has given it. */
export function isUnlocked(context: Caller, share: Share, { settings }: Parts): boolean {
  if (share.password === null) return true;
  const key = keyOf(share, settings);
  return context.cookies(LINK_COOKIE).some((cookie) => isSame(cookie, key));
}

/** Remembers in this browser that the password of a link was given; its cookie is sent to this link alone. */
export function unlock(context: Caller, token: string, app: Parts): void {
  context.setCookie(LINK_COOKIE, keyOf(linkOf(token, app), app.settings), undefined, linkPath(token));
}

/**
 * The link that a request may see, for its parts. An answer that takes its time ends when the link does.
 * @throws AppError SHARE_NOT_FOUND, SHARE_LOCKED
 */
export function openedLink(context: Caller, token: string, app: Parts): Share {
  const share = linkOf(token, app);
  if (!isUnlocked(context, share, app))
    throw new AppError("SHARE_LOCKED", "Open the link itself, and type its password.");
  context.holdsWhile(() => app.settings.current.share.enabled && app.shares.opened(token) !== null);
  return share;
}

/** The one refusal of what a link does not show. */
export function noSuchLink(): AppError {
  return new AppError("SHARE_NOT_FOUND", "It may have ended. Ask the person who sent it for a new one.");
}

/** Another password, or another secret of the service, ends it. */
function keyOf({ id, password }: Share, settings: SettingsSource): string {
  return sign(settings.current.auth.session_secret, "link", `${id} ${password ?? ""}`);
}
