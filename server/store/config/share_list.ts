import * as v from "valibot";
import type { Clock } from "../../clock.ts";
import { holds, isListed, type Share } from "../../domain/shares/share.ts";
import type { Log } from "../../log.ts";
import { Topic } from "../../topic.ts";
import { jsonFormat, RememberedFile } from "../remembered_file.ts";
import { ListFile } from "./list_file.ts";

const PLACE = v.object({ lat: v.number(), lon: v.number() });
const ENTRY = v.object({
  id: v.string(),
  token: v.string(),
  password: v.nullable(v.string()),
  note: v.nullable(v.string()),
  made: v.number(),
  expires: v.number(),
  revoked: v.nullable(v.number()),
  ended: v.optional(v.nullable(v.number()), null),
  views: v.number(),
  viewed: v.nullable(v.number()),
  hidden: v.array(PLACE),
  radius: v.number(),
  camera: v.string(),
  span: v.record(v.string(), v.union([v.string(), v.number()])),
  keys: v.pipe(v.array(v.string()), v.minLength(1)),
  videos: v.optional(v.nullable(v.array(v.string())), null),
  sizes: v.optional(v.nullable(v.array(v.array(v.number()))), null),
  from: v.number(),
  to: v.nullable(v.number()),
  starts: v.number(),
  ends: v.number(),
  directions: v.string(),
  place: v.boolean(),
  sound: v.boolean(),
  download: v.boolean(),
});
const FORMAT = jsonFormat(v.object({ shares: v.array(ENTRY) }));

/** Openings are written no more often than that; a restart may forget the last ones. */
const SAVED_EVERY_MS = 60_000;

interface Shares {
  readonly shares: readonly Share[];
}

/** The links for people outside. Only digests of their tokens and hashes of their passwords are on the disk. */
export class ShareList {
  readonly #clock: Clock;
  readonly #file: ListFile<Shares>;
  /** By id, in the order in which they were made. */
  readonly #shares: Map<string, Share>;
  readonly #ended = new Topic<string | null>(null);

  private constructor(clock: Clock, file: RememberedFile<Shares>, shares: readonly Share[]) {
    this.#clock = clock;
    this.#shares = new Map(shares.map((share) => [share.id, share]));
    const content = (): Shares => ({ shares: [...this.#shares.values()] });
    this.#file = new ListFile({ file, clock, content, savedEveryMs: SAVED_EVERY_MS });
  }

  /** Reads the file; one that cannot be used counts as empty, and all links with it as ended. */
  static async open({ path, clock, log }: { path: string; clock: Clock; log: Log }): Promise<ShareList> {
    const file = new RememberedFile<Shares>({
      path,
      log,
      logger: "http",
      format: FORMAT,
      loss: "all shared links have ended",
      unwritten: "links that were made or revoked may be as they were after a restart",
    });
    return new ShareList(clock, file, (await file.read())?.shares ?? []);
  }

  /** Those that are listed, the newest first. */
  get all(): readonly Share[] {
    const now = this.#now();
    return [...this.#shares.values()].filter((share) => isListed(share, now)).reverse();
  }

  /** The link of this id, also one that has ended; null when there is none. */
  get(id: string): Share | null {
    const now = this.#now();
    const share = this.#shares.get(id);
    return share && isListed(share, now) ? share : null;
  }

  /** The link that a token opens; null for one that was never given out, has ended or was revoked. */
  opened(token: string): Share | null {
    const digest = digestOf(token);
    const now = this.#now();
    for (const share of this.#shares.values()) if (share.token === digest) return holds(share, now) ? share : null;
    return null;
  }

  /** @returns false when it could not be written: there is no such link then */
  async add(share: Share): Promise<boolean> {
    this.#shares.set(share.id, share);
    this.#forget();
    if (await this.#file.save()) return true;
    this.#shares.delete(share.id);
    return false;
  }

  /** Ends a link at once. @returns false when a restart may forget that */
  async revoke(id: string): Promise<boolean> {
    const share = this.#shares.get(id);
    if (share === undefined) return true;
    if (share.revoked === null) this.#shares.set(id, { ...share, revoked: this.#clock.now() });
    this.#ended.set(id);
    return await this.#file.save();
  }

  /** Counts that the page of a link was opened. */
  countView(id: string): void {
    const share = this.#shares.get(id);
    if (share === undefined) return;
    this.#shares.set(id, { ...share, views: share.views + 1, viewed: this.#clock.now() });
    this.#file.saveSoon();
  }

  /** Calls `listener` when a link was revoked; returns the way to stop it. */
  onEnd(listener: () => void): () => void {
    return this.#ended.subscribe(listener);
  }

  /** Resolves when everything is on the disk. */
  async close(): Promise<void> {
    await this.#file.close();
  }

  /** The time; links that have ended by it are noted as such, and stay ended whatever the clock tells later. */
  #now(): number {
    const now = this.#clock.now();
    let hasEnded = false;
    for (const share of this.#shares.values()) {
      if (share.ended !== null || share.revoked !== null || share.expires > now) continue;
      this.#shares.set(share.id, { ...share, ended: share.expires });
      hasEnded = true;
    }
    if (hasEnded) void this.#file.save();
    return now;
  }

  #forget(): void {
    const now = this.#clock.now();
    for (const share of this.#shares.values()) if (!isListed(share, now)) this.#shares.delete(share.id);
  }
}

/** The digest by which a token is found; from 192 random bits it leads back to none. */
export function digestOf(token: string): string {
  return new Bun.CryptoHasher("sha256").update(token).digest("base64url");
}
