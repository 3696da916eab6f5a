import * as v from "valibot";
import type { Clock } from "../../clock.ts";
import { type AccessKey, hintOf, isKeyText, keyText, SCOPES, type Scope } from "../../domain/keys/access_key.ts";
import type { Log } from "../../log.ts";
import { Topic } from "../../topic.ts";
import { jsonFormat, RememberedFile } from "../remembered_file.ts";
import { ListFile } from "./list_file.ts";

const ENTRY = v.object({
  id: v.string(),
  name: v.string(),
  scope: v.picklist(SCOPES),
  digest: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  hint: v.string(),
  made: v.number(),
  used: v.nullable(v.number()),
  from: v.nullable(v.string()),
});
const FORMAT = jsonFormat(v.object({ keys: v.array(ENTRY) }));

/** Uses are written no more often than that; a restart may forget the last ones. */
const SAVED_EVERY_MS = 600_000;

interface Keys {
  readonly keys: readonly AccessKey[];
}

/** The keys of programs. Only digests of them are on the disk: from 256 random bits a digest leads back to none. */
export class KeyList {
  readonly #clock: Clock;
  readonly #file: ListFile<Keys>;
  /** By id, in the order in which they were made. */
  readonly #keys: Map<string, AccessKey>;
  readonly #ended = new Topic<string | null>(null);

  private constructor(clock: Clock, file: RememberedFile<Keys>, keys: readonly AccessKey[]) {
    this.#clock = clock;
    this.#keys = new Map(keys.map((key) => [key.id, key]));
    const content = (): Keys => ({ keys: [...this.#keys.values()] });
    this.#file = new ListFile({ file, clock, content, savedEveryMs: SAVED_EVERY_MS });
  }

  /** Reads the file; one that cannot be used counts as empty, and all keys with it as revoked. */
  static async open({ path, clock, log }: { path: string; clock: Clock; log: Log }): Promise<KeyList> {
    const file = new RememberedFile<Keys>({
      path,
      log,
      logger: "auth",
      format: FORMAT,
      loss: "all keys of programs are revoked",
      unwritten: "keys that were made or revoked may be as they were after a restart",
    });
    return new KeyList(clock, file, (await file.read())?.keys ?? []);
  }

  /** All keys, the newest first. */
  get all(): readonly AccessKey[] {
    return [...this.#keys.values()].reverse();
  }

  has(id: string): boolean {
    return this.#keys.has(id);
  }

  /** Finds the key that a program sent; null when it is none of ours. The time it takes tells nothing of a key. */
  find(text: string): AccessKey | null {
    // A longer text is not even read: it may be as long as headers can be.
    if (!isKeyText(text)) return null;
    const digest = Buffer.from(digestOf(text), "hex");
    let found: AccessKey | null = null;
    for (const key of this.#keys.values())
      if (crypto.timingSafeEqual(digest, Buffer.from(key.digest, "hex"))) found = key;
    return found;
  }

  /** Makes a key. @returns null when it could not be written: there is no such key then */
  async make(name: string, scope: Scope): Promise<{ readonly key: AccessKey; readonly text: string } | null> {
    const text = keyText(crypto.getRandomValues(new Uint8Array(32)));
    const key: AccessKey = {
      id: crypto.randomUUID(),
      name,
      scope,
      digest: digestOf(text),
      hint: hintOf(text),
      made: this.#clock.now(),
      used: null,
      from: null,
    };
    this.#keys.set(key.id, key);
    if (await this.#file.save()) return { key, text };
    this.#keys.delete(key.id);
    return null;
  }

  /** Ends a key at once. @returns false when a restart may revive it */
  async revoke(id: string): Promise<boolean> {
    if (!this.#keys.delete(id)) return true;
    this.#ended.set(id);
    return await this.#file.save();
  }

  /** Notes that a key was used just now. It is written later: most requests write nothing. */
  touch(id: string, address: string): void {
    const key = this.#keys.get(id);
    if (key === undefined) return;
    this.#keys.set(id, { ...key, used: this.#clock.now(), from: address });
    this.#file.saveSoon();
  }

  /** Calls `listener` when a key was revoked; returns the way to stop it. */
  onEnd(listener: () => void): () => void {
    return this.#ended.subscribe(listener);
  }

  /** Resolves when everything is on the disk. */
  async close(): Promise<void> {
    await this.#file.close();
  }
}

function digestOf(text: string): string {
  return new Bun.CryptoHasher("sha256").update(text).digest("hex");
}
