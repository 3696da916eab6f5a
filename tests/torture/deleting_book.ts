import { readFileSync } from "node:fs";
import { join } from "node:path";
import { batchOf } from "../../server/store/destination/trash_batch.ts";
import { DAY_MS } from "./deleting_plan.ts";
import { findOut, namesAt, type Places, unfinishedWork, type Whereabouts } from "./whereabouts.ts";

const ALL = "all";

/** Facts from outside that the book needs. */
export interface World {
  /** True when a path below the destination is not ours. */
  isForeign(path: string): boolean;
  isOnCard(name: string): boolean;
}

/** Expectations of every recording, as far as the requests tell; see `check`. */
export class DeletingBook {
  readonly #destination: string;
  readonly #world: World;
  #before: Whereabouts = { home: new Map(), trash: new Map() };
  /** Marks in kept.json at the last look, and marks asked for since: marked, not marked, or null for unknown. */
  #marks: ReadonlySet<string> = new Set();
  #asked = new Map<string, boolean | null>();
  /** Keys deleted by hand, as was answered, and not asked for since. */
  readonly #byHand = new Set<string>();
  /** Recordings that may leave the trash for good in this visit. */
  #purged = new Set<string>();
  #handed = new Set<string>();
  #passes = false;
  /** Days in force, or perhaps so. */
  #trashDays: readonly number[] = [7];
  /** Days in this visit, or perhaps so. */
  #allowed: readonly number[] = [7];

  constructor(destination: string, world: World) {
    this.#destination = destination;
    this.#world = world;
  }

  now(): Whereabouts {
    return findOut(this.#destination, this.#world.isForeign);
  }

  /** @param passes whether rules may delete in what follows, `trashDays` those of a command */
  begin(passes: boolean, trashDays: readonly number[] = this.#trashDays): void {
    this.#before = this.now();
    this.#asked = new Map();
    this.#purged = new Set();
    this.#handed = new Set();
    this.#passes = passes;
    this.#allowed = trashDays;
  }

  trashDaysSent(days: number): void {
    this.#trashDays = [...this.#trashDays, days];
    this.#allowed = [...this.#allowed, days];
  }

  trashDaysAnswered(days: number): void {
    this.#trashDays = [days];
  }

  markSent(key: string): void {
    this.#asked.set(key, null);
  }

  markAnswered(key: string, isMarked: boolean): void {
    this.#asked.set(key, isMarked);
  }

  deletionSent(keys: readonly string[]): void {
    for (const key of keys) this.#handed.add(key);
  }

  deletionAnswered(keys: readonly string[]): void {
    for (const key of keys) this.#byHand.add(key);
  }

  /** They may come home from now on, and are marked as kept when they do. */
  restoringSent(keys: Iterable<string>): void {
    for (const key of keys) {
      this.#byHand.delete(key);
      this.#asked.set(key, null);
    }
  }

  purgeSent(keys: readonly string[] | null): void {
    for (const key of keys ?? [ALL]) this.#purged.add(key);
  }

  /** A command with a trash of its own comes after. */
  settledByCommand(trashDays: number): void {
    this.#passes = true;
    this.#allowed = [...this.#allowed, trashDays];
  }

  /** True when the list of deleted recordings names it: it stays away, even while the camera offers it. */
  isRemembered(key: string): boolean {
    const text = readFileSync(join(this.#destination, ".dashdock/deleted"), { encoding: "utf8", flag: "a+" });
    return text.split("\n").includes(key);
  }

  /** Problems as sentences; nothing runs, and half states were brought to their end. */
  check(): string[] {
    const after = this.now();
    return [
      ...unfinishedWork(this.#destination).map((name) => `${name} is left in the trash`),
      ...this.#lost(after),
      ...halves(this.#before, after),
      ...this.#strayed(after),
      ...this.#checkMarks(),
    ];
  }

  *#lost({ home, trash }: Whereabouts): Generator<string> {
    const here = (place: "home" | "trash", places: ReadonlyMap<string, Places>) =>
      [...places].flatMap(([key, each]) => [...each].map(([at, names]) => ({ place, key, at, names })));
    for (const { place, key, at, names } of [
      ...here("home", this.#before.home),
      ...here("trash", this.#before.trash),
    ]) {
      const isIn = (set: ReadonlySet<string>) => [...names].every((name) => set.has(name));
      if (isIn(namesAt(home.get(key))) || batchesOf(trash.get(key)).some(isIn)) continue;
      const left = [...names].filter((name) => namesAt(home.get(key)).has(name) || namesAt(trash.get(key)).has(name));
      // A copy of an earlier deletion has left for good; this one may have its names.
      const isWholeGone = place === "trash" && !trash.get(key)?.has(at);
      // It left for good, and what the camera still has of it came home anew.
      const isFresh = !trash.has(key) && left.every((name) => this.#world.isOnCard(name));
      if (this.#mayBePurged(key, place === "trash" ? at : null) && (left.length === 0 || isWholeGone || isFresh))
        continue;
      yield `${key}, in ${place === "home" ? `"${at}"` : `the trash at ${at}`} before: of ${[...names].join(", ")} there is ${left.join(", ") || "nothing"}`;
    }
  }

  #mayBePurged(key: string, place: string | null): boolean {
    if (this.#purged.has(ALL) || this.#purged.has(key)) return true;
    const least = Math.min(...this.#allowed);
    if (place === null) return least === 0 && (this.#passes || this.#handed.has(key));
    const at = batchOf(place.split("/")[0] ?? "")?.at ?? Number.NaN;
    return this.#passes && at <= Date.now() - least * DAY_MS;
  }

  /** Kept recordings that left home, and what was deleted by hand and came home. */
  *#strayed({ home }: Whereabouts): Generator<string> {
    for (const key of this.#marks) {
      if (this.#asked.get(key) === null || this.#asked.get(key) === false) continue;
      const gone = [...namesAt(this.#before.home.get(key))].filter((name) => !namesAt(home.get(key)).has(name));
      if (gone.length > 0) yield `${key} is kept, and ${gone.join(", ")} left home`;
    }
    for (const [key, isMarked] of this.#asked)
      if (isMarked && !home.has(key)) yield `${key} was marked as kept in this visit, and is not at home`;
    for (const key of this.#byHand)
      if (home.has(key)) yield `${key} was deleted by hand, and is at home: ${[...namesAt(home.get(key))].join(", ")}`;
  }

  *#checkMarks(): Generator<string> {
    let found: ReadonlySet<string>;
    try {
      const text = readFileSync(join(this.#destination, ".dashdock/kept.json"), "utf8");
      found = new Set(Object.keys((JSON.parse(text) as { recordings: object }).recordings));
    } catch (error) {
      if ((error as { code?: string }).code !== "ENOENT") yield `kept.json cannot be read: ${error}`;
      found = new Set();
    }
    for (const key of this.#marks.union(new Set(this.#asked.keys()))) {
      const wanted = this.#asked.has(key) ? this.#asked.get(key) : true;
      if (wanted !== null && wanted !== found.has(key)) yield `${key} is ${wanted ? "not " : ""}marked as kept`;
    }
    for (const key of found)
      if (!this.#marks.has(key) && !this.#asked.has(key)) yield `${key} is marked as kept, and nobody asked for it`;
    this.#marks = found;
    this.#asked = new Map();
  }
}

/** Recordings of which a part is at home and the rest in the trash, since this visit. */
function* halves(before: Whereabouts, { home, trash }: Whereabouts): Generator<string> {
  for (const [key, places] of trash) {
    const here = namesAt(home.get(key));
    if (here.size === 0) continue;
    // Moments in several folders, since the grouping changed in between, go folder by folder.
    if ((before.home.get(key)?.size ?? 0) > 1) continue;
    for (const [at, names] of places) {
      const wasSo = before.trash.get(key)?.has(at) && before.home.has(key);
      const isApart = here.isDisjointFrom(names);
      // Companions come before their video: where no rule is against it any more, all of it is on its way home anew.
      const isAnew = here.isSubsetOf(names) || !before.home.has(key);
      const isOrphaned = isVideoIn(names) && !isVideoIn(here) && !isAnew;
      if (!wasSo && (isApart || isOrphaned))
        yield `${key} is half at home (${[...here].join(", ")}) and half in the trash at ${at} (${[...names].join(", ")})`;
    }
  }
}

function isVideoIn(names: ReadonlySet<string>): boolean {
  return [...names].some((name) => name.endsWith(".mp4"));
}

/** Names that lie in the trash, by deletion: what was half restored beside what had come anew left home from two folders. */
function batchesOf(places: Places | undefined): ReadonlySet<string>[] {
  const batches = new Map<string, Set<string>>();
  for (const [at, names] of places ?? []) {
    const batch = at.split("/")[0] ?? "";
    batches.set(batch, (batches.get(batch) ?? new Set()).union(names));
  }
  return [...batches.values()];
}
