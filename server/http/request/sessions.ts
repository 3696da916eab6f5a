import type { Clock } from "../../clock.ts";
import { browserName } from "../../domain/text/browser_name.ts";
import type { KnownSession, KnownSessions } from "../../store/config/known_sessions.ts";
import type { SessionRevocations } from "../../store/config/session_revocations.ts";
import type { SettingsSource } from "../../store/config/settings_source.ts";
import { Topic } from "../../topic.ts";
import type { Session } from "./admitted_user.ts";
import type { Caller } from "./request_context.ts";

export const SESSION_COOKIE = "dashdock_session";
/** A clock that is set back a little must not sign people out, one that was years ahead must not keep them in. */
const MOST_AHEAD_MS = 300_000;

export interface SessionParts {
  readonly clock: Clock;
  readonly settings: SettingsSource;
  readonly revocations: SessionRevocations;
  readonly known: KnownSessions;
  /** From sign-in to the end, however active the person is. */
  readonly lifetimeHours: number;
}

/**
 * Sessions of signed-in users, kept in a signed cookie. The cookie names the password by a fingerprint, so a new
 * password ends all sessions; one of the account to watch only ends its own. It is signed with the session secret, so a new secret does as well. One that was signed
 * out is remembered until it would have ended.
 */
export class Sessions {
  readonly #clock: Clock;
  readonly #settings: SettingsSource;
  readonly #revocations: SessionRevocations;
  readonly #known: KnownSessions;
  readonly #lifetimeMs: number;
  readonly #ended = new Topic<string | null>(null);

  constructor({ clock, settings, revocations, known, lifetimeHours }: SessionParts) {
    this.#clock = clock;
    this.#settings = settings;
    this.#revocations = revocations;
    this.#known = known;
    this.#lifetimeMs = lifetimeHours * 3_600_000;
  }

  /** The session a request brings, or null when there is none that still holds. */
  of(context: Caller): Session | null {
    for (const cookie of context.cookies(SESSION_COOKIE)) {
      const session = this.#read(cookie);
      if (session) {
        if (!this.#known.touch(session.id, context.address)) this.#note(context, session);
        return session;
      }
    }
    return null;
  }

  /** Begins a session: the answer to this request carries its cookie. */
  begin(context: Caller, user: string, role: Session["role"]): Session {
    const session = { id: crypto.randomUUID(), user, role, issued: this.#clock.now() };
    this.#give(context, session);
    return session;
  }

  /** Gives the request's session the fingerprint of the password that holds now, so that a change does not end it. */
  renew(context: Caller): void {
    if (context.session) this.#give(context, context.session);
  }

  /** Ends the request's session: its cookie is worth nothing from now on, wherever a copy of it may be. */
  async end(context: Caller): Promise<void> {
    const session = this.of(context);
    context.clearCookie(SESSION_COOKIE);
    if (!session) return;
    const saved = this.#revocations.add({
      id: session.id,
      issued: session.issued,
      until: session.issued + this.#lifetimeMs,
    });
    this.#ended.set(session.id);
    await saved;
  }

  /** The browsers that are signed in, the one that was here last first. */
  get all(): readonly KnownSession[] {
    this.#known.keep((session) => this.#holds(session));
    return this.#known.all;
  }

  /** Ends the session of another browser, wherever a copy of its cookie may be. @returns false when there is none */
  async endOne(id: string): Promise<boolean> {
    const session = this.all.find((one) => one.id === id);
    if (!session) return false;
    const saved = this.#revocations.add({ id, issued: session.issued, until: session.issued + this.#lifetimeMs });
    this.#ended.set(id);
    await saved;
    return true;
  }

  /** Calls `listener` when a session was ended; returns the way to stop it. */
  onEnd(listener: () => void): () => void {
    return this.#ended.subscribe(listener);
  }

  #note(context: Caller, { id, issued, role }: Session): void {
    const { name, isPhone } = browserName(context.request.headers.get("user-agent"));
    const password = this.#fingerprint(role);
    this.#known.note({ id, issued, password, role, browser: name, is_phone: isPhone, address: context.address });
  }

  #holds({ id, issued, password, role }: KnownSession): boolean {
    const isOver = this.#clock.now() - issued >= this.#lifetimeMs;
    return !isOver && isSame(password, this.#fingerprint(role)) && !this.#revocations.has(id, issued);
  }

  #give(context: Caller, session: Session): void {
    this.#note(context, session);
    const payload = Buffer.from(JSON.stringify({ ...session, password: this.#fingerprint(session.role) })).toString(
      "base64url",
    );
    const left = session.issued + this.#lifetimeMs - this.#clock.now();
    context.setCookie(SESSION_COOKIE, `${payload}.${this.#sign(payload)}`, left / 1000);
  }

  #read(cookie: string): Session | null {
    const [payload = "", signature = "", ...rest] = cookie.split(".");
    if (rest.length > 0 || !isSame(signature, this.#sign(payload))) return null;
    // Only this service can have written what the signature covers.
    const written: Omit<Session, "role"> & Partial<Pick<Session, "role">> & { password: string } = JSON.parse(
      Buffer.from(payload, "base64url").toString(),
    );
    // Cookies of before there were roles are the admin's.
    const { id, user, issued, password, role = "admin" } = written;
    const age = this.#clock.now() - issued;
    if (age >= this.#lifetimeMs || age < -MOST_AHEAD_MS) return null;
    if (!isSame(password, this.#fingerprint(role)) || this.#revocations.has(id, issued)) return null;
    return { id, user, role, issued };
  }

  #sign(payload: string): string {
    return sign(this.#settings.current.auth.session_secret, "session", payload);
  }

  #fingerprint(role: Session["role"]): string {
    const { session_secret, password_hash, viewer_username, viewer_password_hash } = this.#settings.current.auth;
    if (role === "viewer") {
      // A new password of the admin ends all sessions, these too.
      const account = `${viewer_username}\0${viewer_password_hash}\0${password_hash}`;
      return sign(session_secret, "viewer", account).slice(0, 22);
    }
    return sign(session_secret, "password", password_hash).slice(0, 22);
  }
}

/** An HMAC of `text`; one made for a purpose is worth nothing for another. */
export function sign(secret: string, purpose: string, text: string): string {
  return new Bun.CryptoHasher("sha256", secret).update(`${purpose}\0${text}`).digest("base64url");
}

/** Compares in a time that does not depend on where two texts differ. */
export function isSame(one: string, other: string): boolean {
  const digest = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest();
  return crypto.timingSafeEqual(digest(one), digest(other));
}
