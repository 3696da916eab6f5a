import type { Scope } from "../../domain/keys/access_key.ts";
import type { Settings } from "../../domain/settings/settings.ts";

/** `admin` may do everything, `viewer` may look and save; `key` is a program, whose scope says what it may. */
export type Role = "admin" | "viewer" | "key";

/** Session of a browser that has signed in. */
export interface Session {
  readonly id: string;
  /** The name at sign-in. */
  readonly user: string;
  /** A key has no session. */
  readonly role: Exclude<Role, "key">;
  /** When it began, in epoch milliseconds. */
  readonly issued: number;
}

export interface User {
  readonly name: string;
  readonly mode: Settings["auth"]["mode"];
  readonly role: Role;
  /** Scope of the key; null for people. */
  readonly scope: Scope | null;
}

/** User who was let in, with the session if the mode has sessions, or the id of the key. */
export interface Admission {
  readonly user: User;
  readonly session: Session | null;
  readonly key: string | null;
}
