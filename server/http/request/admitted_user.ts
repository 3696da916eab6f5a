import type { Settings } from "../../domain/settings/settings.ts";

/** Session of a browser that has signed in. */
export interface Session {
  readonly id: string;
  /** The name at sign-in. */
  readonly user: string;
  /** When it began, in epoch milliseconds. */
  readonly issued: number;
}

export interface User {
  readonly name: string;
  readonly mode: Settings["auth"]["mode"];
}

/** User who was let in, with the session if the mode has sessions. */
export interface Admission {
  readonly user: User;
  readonly session: Session | null;
}
