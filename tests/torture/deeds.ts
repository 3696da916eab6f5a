import { statSync } from "node:fs";
import type { DeletingBook } from "./deleting_book.ts";
import type { Deed, RetentionChange } from "./deleting_plan.ts";
import { keepDays } from "./keep_days.ts";
import type { Scene } from "./scene.ts";
import type { ServiceTalk } from "./service_talk.ts";

/** Gone, refused because it is kept, nothing held: what a person may hear. */
const FINE = [200, 404, 409];

/** Actions of a user at the service, written down in the book before and after. */
export class Deeds {
  readonly #scene: Scene;
  readonly #book: DeletingBook;
  readonly #talk: ServiceTalk;
  #syncs: Promise<unknown> = Promise.resolve();
  /** Actions and answers, for the log of a round that went wrong. */
  story = "";

  constructor(scene: Scene, book: DeletingBook, talk: ServiceTalk) {
    this.#scene = scene;
    this.#book = book;
    this.#talk = talk;
  }

  async ready(): Promise<void> {
    await this.#talk.ready();
  }

  /** Resolves when the syncs have ended that were started. */
  async over(): Promise<void> {
    await this.#syncs;
  }

  async do(deed: Deed): Promise<void> {
    this.story += `* ${JSON.stringify(deed).slice(0, 200)}`;
    const said = await this.#do(deed);
    this.story += ` → ${said}\n`;
  }

  /** The keys of everything that the service says is in the trash. */
  async trashKeys(): Promise<string[]> {
    const { body } = await this.#talk.ask("GET", "/api/trash");
    const days = body["days"] as { recordings: { key: string }[] }[];
    return days.flatMap(({ recordings }) => recordings.map(({ key }) => key));
  }

  async #do(deed: Deed): Promise<string> {
    switch (deed.does) {
      case "sync":
        return await this.#sync(deed.waits);
      case "retention":
        return await this.#change(deed.change);
      case "delete":
        return await this.#delete(pick(this.#atHome(), deed.picks));
      case "restore":
        return await this.#restore(deed.what, deed.picks);
      case "purge": {
        const keys = deed.picks && pick(this.#inTrash(), deed.picks);
        this.#book.purgeSent(keys);
        return await this.#ask("DELETE", "/api/trash", keys === null ? undefined : { keys });
      }
      case "keep":
      case "unkeep": {
        const [key] = pick(this.#atHome(), [deed.pick]);
        return key === undefined ? "nothing at home" : await this.#mark(key, deed.does === "keep");
      }
      case "confirm":
        return await this.#ask("POST", "/api/retention/confirm");
      case "look":
        await this.#ask("GET", "/api/retention");
        return await this.#ask("GET", "/api/trash?limit=20");
    }
  }

  async #sync(waits: boolean): Promise<string> {
    // Two at once are refused.
    await this.#syncs;
    const run = this.#talk.sync();
    run.catch(() => {});
    this.#syncs = run;
    return waits ? await run : "begun";
  }

  async #change({ cut, share, ...rest }: RetentionChange): Promise<string> {
    const body = {
      ...(cut !== undefined && { keep: cut === null ? "" : `${keepDays(cut)}d` }),
      ...(share !== undefined && { max_gb: share === null ? null : Math.max(1, share * this.#bytes()) / 1e9 }),
      ...rest,
    };
    if (Object.keys(body).length === 0) return "nothing to change";
    if (rest.trash_days !== undefined) this.#book.trashDaysSent(rest.trash_days);
    await this.#talk.patch({ section: "retention", body });
    if (rest.trash_days !== undefined) this.#book.trashDaysAnswered(rest.trash_days);
    return JSON.stringify(body);
  }

  async #delete(keys: readonly string[]): Promise<string> {
    const [first] = keys;
    if (first === undefined) return "nothing at home";
    this.#book.deletionSent(keys);
    if (keys.length === 1) {
      const { status, body } = await this.#talk.ask("DELETE", `/api/recordings/${first}`);
      if (status === 200) this.#book.deletionAnswered(keys);
      return fine(status, body);
    }
    const { status, body } = await this.#talk.ask("DELETE", "/api/recordings", { keys });
    if (status === 200) this.#book.deletionAnswered(body["deleted"] as string[]);
    return fine(status, body);
  }

  async #restore(what: "keys" | "all" | "deletion", picks: readonly number[]): Promise<string> {
    if (what === "keys") {
      const keys = pick(this.#inTrash(), picks);
      this.#book.restoringSent(keys);
      return await this.#ask("POST", "/api/trash/restore", { keys });
    }
    // A pass that runs meanwhile may put anything there.
    this.#book.restoringSent([...this.#inTrash(), ...this.#atHome()]);
    if (what === "all") return await this.#ask("POST", "/api/trash/restore", { all: true });
    const { body } = await this.#talk.ask("GET", "/api/retention");
    const deletion = (body["last"] as { id: string } | null)?.id ?? "none";
    return await this.#ask("POST", "/api/trash/restore", { deletion });
  }

  async #mark(key: string, isKept: boolean): Promise<string> {
    this.#book.markSent(key);
    const note = isKept ? { note: "torture" } : undefined;
    const { status, body } = await this.#talk.ask(isKept ? "PUT" : "DELETE", `/api/recordings/${key}/keep`, note);
    if (status === 200) this.#book.markAnswered(key, isKept);
    return fine(status, body);
  }

  async #ask(method: string, path: string, sent?: unknown): Promise<string> {
    const { status, body } = await this.#talk.ask(method, path, sent);
    return fine(status, body);
  }

  #atHome(): string[] {
    return [...this.#book.now().home.keys()].sort();
  }

  #inTrash(): string[] {
    return [...this.#book.now().trash.keys()].sort();
  }

  #bytes(): number {
    let sum = 0;
    for (const places of this.#book.now().home.values())
      for (const [folder, names] of places)
        for (const name of names)
          if (name.endsWith(".mp4"))
            sum += statSync(this.#scene.at(`${folder}/${name}`), { throwIfNoEntry: false })?.size ?? 0;
    return sum;
  }
}

function pick(keys: readonly string[], picks: readonly number[]): string[] {
  return [...new Set(picks.flatMap((share) => keys[Math.floor(share * keys.length)] ?? []))];
}

function fine(status: number, body: Record<string, unknown>): string {
  const text = `${status} ${JSON.stringify(body)}`.slice(0, 300);
  if (!FINE.includes(status)) throw new Error(`answered with ${text}`);
  return text;
}
