/** Days that a link holds: the shortest and longest that can be chosen, and the usual. */
export const FEWEST_DAYS = 1;
export const MOST_DAYS = 90;
export const USUAL_DAYS = 7;
/** Days for which a link that has ended is still listed. */
export const LISTED_DAYS = 30;
/** Links that hold at the same time. */
export const MOST_SHARES = 500;
/** Recordings of one link: more than a day of driving. */
export const MOST_SHARED = 1000;
export const SHORTEST_LINK_PASSWORD = 4;
export const LONGEST_LINK_PASSWORD = 256;
export const LONGEST_SHARE_NOTE = 200;
export const DAY_MS = 86_400_000;
/** A clock that is set back a little ends no link; one that was set back far must not revive those that ended. */
const MOST_BACK_MS = 300_000;

/** Span as it was asked for, with keys that carry the id of a further camera. */
export type SharedSpan = Readonly<Record<string, string | number>>;

/** The content of a link. It names recordings, so that nothing that comes later is shown. */
export interface Shared {
  readonly camera: string;
  readonly span: SharedSpan;
  /** Bare keys of its recordings, by time; at least one. */
  readonly keys: readonly string[];
  /**
   * Letters of the directions that each of them had a video of when the link was made: a video that comes home later is
   * not shown. Null for links that were made before this was noted.
   */
  readonly videos: readonly string[] | null;
  /**
   * Bytes of each of these videos when the link was made: another video under the name of one that has gone is not
   * shown. Null for links that were made before this was noted.
   */
  readonly sizes: readonly (readonly number[])[] | null;
  /** Seconds into the first of them at which it begins. */
  readonly from: number;
  /** Seconds into the last at which it ends; null for its end. */
  readonly to: number | null;
  /** Camera wall time of both ends, as `secondsOf`. */
  readonly starts: number;
  readonly ends: number;
  /** Letters of the directions. */
  readonly directions: string;
  readonly place: boolean;
  readonly sound: boolean;
  readonly download: boolean;
}

/** A link for people outside. Times are epoch milliseconds. */
export interface Share extends Shared {
  readonly id: string;
  /** Digest of the token, which nobody but the link's owner has. */
  readonly token: string;
  /** Argon2id; null without a password. */
  readonly password: string | null;
  readonly note: string | null;
  readonly made: number;
  readonly expires: number;
  readonly revoked: number | null;
  /** When it had ended by itself, once that was seen: a clock that is set back does not open it again. */
  readonly ended: number | null;
  readonly views: number;
  readonly viewed: number | null;
  /** Ends of the trips as they were when the link was made, and metres around them that are not shown. */
  readonly hidden: readonly { readonly lat: number; readonly lon: number }[];
  readonly radius: number;
}

type Ending = Pick<Share, "revoked" | "ended" | "expires">;

/** When a link has ended, by hand or by itself; null while it holds. */
export function endOf({ revoked, ended, expires }: Ending, now: number): number | null {
  return revoked ?? ended ?? (expires <= now ? expires : null);
}

/** True while a link may be opened. */
export function holds(share: Ending & Pick<Share, "made">, now: number): boolean {
  return endOf(share, now) === null && now >= share.made - MOST_BACK_MS;
}

/** True while a link is listed. */
export function isListed(share: Ending, now: number): boolean {
  const end = endOf(share, now);
  return end === null || now - end < LISTED_DAYS * DAY_MS;
}
