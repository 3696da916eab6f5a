import type { HeldReason } from "../../domain/retention/deletion_cause.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import type { BroughtRecordings } from "../../store/config/brought_recordings.ts";
import type { KnownMarks } from "../../store/config/known_marks.ts";
import type { RunHistory } from "../../store/config/run_history.ts";
import type { DestinationIdentity } from "../../store/destination/destination_identity.ts";
import type { Library } from "../../store/library/library.ts";
import { ClockTrust, type ClockTrustParts } from "./clock_trust.ts";

/** A pass of so many recordings, and of such a part of all, is unusual. */
const MANY = 50;
const MANY_OF_ALL = 1 / 4;
/** Unusual number when these are all recordings here, or when they cannot be restored. */
const MANY_OF_FEW = 10;
/** Files that a killed process of an earlier version may have brought home since it last noted how far it was. */
const UNNOTED = 20;

export interface ConsentParts extends ClockTrustParts {
  readonly settings: { readonly current: Settings };
  readonly history: Pick<RunHistory, "latest" | "interrupted">;
  readonly library: Pick<Library, "available" | "recordingCount" | "root" | "version" | "folderContents">;
  readonly brought: BroughtRecordings;
  readonly destination: Pick<DestinationIdentity, "check">;
  readonly marks: Pick<KnownMarks, "isHolding" | "spare">;
}

/** Holds the users' consent to deleting, and tells why a deletion has to wait for it. */
export class DeletionConsent {
  readonly #parts: ConsentParts;
  /** The version of the library of which all recordings were known to be ours. */
  #ownVersion = -1;
  #isChanging = false;
  /** Number of decisions about deleting by users of this process. */
  #decisions = 0;
  /** The decision about deleting when the run began; null while none runs. */
  #decidedBefore: string | null = null;

  readonly #clock: ClockTrust;

  constructor(parts: ConsentParts) {
    this.#parts = parts;
    this.#clock = new ClockTrust(parts);
  }

  /** A user has chosen how long to keep recordings. */
  noteChoice(keep = this.#parts.settings.current.retention.keep): void {
    this.#decisions++;
    void this.#parts.memory.set({ chosenFor: this.#parts.library.root, keep });
  }

  /** Returns the time that a deletion is dated by, epoch milliseconds. */
  datedAt(): Promise<number> {
    return this.#clock.datedAt();
  }

  /** Notes whether recordings have come that this service did not bring. */
  async noteLibrary(): Promise<void> {
    const { memory, library, brought } = this.#parts;
    // While the folder was checked, a deletion by hand may have begun to move recordings, too.
    if (this.#isChanging || !(await this.isKnown()) || this.#isChanging) return;
    const { facts } = memory;
    let begun: Promise<void> | null = null;
    if (facts.destination !== library.root || facts.recordings === null) begun = this.#begin([]);
    else if (!brought.isBegun) begun = this.#takeOver(facts.recordings);
    const isOther = facts.destination !== "" && facts.destination !== library.root;
    const count = library.recordingCount;
    const adopted = !this.#isAllOurs() || (facts.adopted && !isOther);
    // First: without it, a list that is missing would be begun by the count.
    await begun;
    await this.#note(count, adopted);
  }

  #isAllOurs(): boolean {
    const { library, brought } = this.#parts;
    if (this.#ownVersion === library.version) return true;
    if (!brought.hasAll(library.folderContents)) return false;
    this.#ownVersion = library.version;
    return true;
  }

  /**
   * Takes over from an earlier version, which only counted recordings and kept no list. All recordings here are ours
   * when there are not more than it knew, with those it may have brought before it was killed.
   */
  #takeOver(counted: number): Promise<void> {
    const { library, history } = this.#parts;
    const cutOff = history.interrupted;
    const own = counted + (cutOff ? cutOff.files + UNNOTED : 0);
    return this.#begin(library.recordingCount > own ? [] : library.folderContents);
  }

  #begin(ours: Library["folderContents"]): Promise<void> {
    this.#ownVersion = -1;
    return this.#parts.brought.begin(ours);
  }

  /** Runs work that moves recordings to the trash or back: what is here afterwards is as much ours as it was before. */
  async changing<T>(work: () => Promise<T>): Promise<T> {
    const { memory, library, brought } = this.#parts;
    await this.noteLibrary();
    this.#isChanging = true;
    try {
      return await work();
    } finally {
      this.#isChanging = false;
      if (await this.isKnown()) {
        const { adopted } = memory.facts;
        if (!adopted) await brought.add(library.folderContents);
        await this.#note(library.recordingCount, adopted);
      }
    }
  }

  async #note(count: number, adopted: boolean): Promise<void> {
    const { memory, library } = this.#parts;
    await memory.set({ destination: library.root, recordings: count, adopted });
  }

  /** True when the consent outlives a restart. */
  get isSaved(): boolean {
    return this.#parts.memory.isSaved;
  }

  /** False for an empty folder where a disk is not mounted: its count is not that of our recordings. */
  async isKnown(): Promise<boolean> {
    const standing = await this.#parts.destination.check();
    return this.#parts.library.available && (standing === "known" || standing === "accepted");
  }

  /** Called when another folder is used from now on: what is in it, this service did not bring. */
  forgetLibrary(): void {
    void this.#parts.memory.set({ recordings: null, chosenFor: null });
  }

  /** Called before a run adds its row to the history: a doubt about the clock is remembered from here on. */
  async beforeRun(): Promise<void> {
    const { memory, library } = this.#parts;
    // First: the run's own rules are made from it.
    this.#decidedBefore = this.#decided();
    // This refreshes the library, which is judged next.
    await this.#clock.newest();
    await this.noteLibrary();
    const { destination, recordings } = memory.facts;
    // A folder that is not there yet has none; should this run be killed, what it has brought is known as its own.
    if (destination !== library.root || recordings === null) {
      await this.#begin([]);
      await this.#note(0, false);
    }
    await this.#clock.beforeRun();
  }

  /** Called when a run has its row in the history. */
  async afterRun(): Promise<void> {
    this.#decidedBefore = null;
    await this.noteLibrary();
    await this.#parts.brought.bound(this.#parts.library.folderContents);
    await this.#clock.afterRun();
  }

  /** Tells why the clock cannot be trusted with deleting, as a sentence without a full stop; null when it can. */
  clockDoubt(): Promise<string | null> {
    return this.#clock.doubt();
  }

  /**
   * A user has decided about deleting since the run began. Its rules are older than that decision, which counts from the
   * next run on: this one must not delete by them.
   */
  get isOvertaken(): boolean {
    return this.#decidedBefore !== null && this.#decidedBefore !== this.#decided();
  }

  /** True when partials past their keep time may be removed: they need no consent. */
  async mayDiscard(): Promise<boolean> {
    return !this.isAwaited && !this.areMarksLost && !this.isOvertaken && (await this.clockDoubt()) === null;
  }

  /**
   * Tells why a deletion has to wait; null when it need not. A hold is remembered with its time.
   * @param due number of recordings that are to go, of `all`
   * @param isFinal they leave the trash at once, since the disk needs the room
   */
  async hold(
    due: number,
    all: number,
    isFinal: boolean,
  ): Promise<{ readonly reason: HeldReason; readonly since: string } | null> {
    const { memory, clock } = this.#parts;
    const reason = due === 0 ? null : await this.#reason(due, all, isFinal);
    const { held } = memory.facts;
    if (reason === null) {
      if (held !== null) await memory.set({ held: null });
      return null;
    }
    if (held?.reason === reason) return held;
    const now = { reason, since: new Date(clock.now()).toISOString() };
    await memory.set({ held: now });
    return now;
  }

  /** A user agrees to what is held, whatever the reason. Recordings whose marks were lost stay until they are given up. */
  async release(): Promise<void> {
    this.#decisions++;
    const { memory, marks, library, brought } = this.#parts;
    await marks.spare();
    // This refreshes the library, which is judged next.
    const facts = await this.#clock.accept();
    // The user agrees to what is here now, also when no page has shown it yet.
    await this.noteLibrary();
    if (await this.isKnown()) await brought.add(library.folderContents);
    await memory.set({
      ...facts,
      adopted: false,
      allowed: true,
      held: null,
    });
  }

  /** The marks of kept recordings were lost with their list, and no user has said what becomes of them. */
  get areMarksLost(): boolean {
    return this.#parts.marks.isHolding;
  }

  /** Recordings are here that this service did not bring, and no user has chosen how long to keep them. */
  get isAwaited(): boolean {
    const { memory, library } = this.#parts;
    // A choice for another library is none for this one.
    return memory.facts.adopted && memory.facts.chosenFor !== library.root;
  }

  /** A user has agreed to what the next pass deletes, and it has not come yet. */
  get isAllowed(): boolean {
    return this.#parts.memory.facts.allowed;
  }

  /** A pass has come to its end: from now on a large one is unusual. */
  passEnded(): void {
    // A decision that came while it deleted is about the next one.
    if (!this.isOvertaken) void this.#parts.memory.set({ passed: this.#rules(), allowed: false, held: null });
  }

  async #reason(due: number, all: number, isFinal: boolean): Promise<HeldReason | null> {
    const { allowed, passed } = this.#parts.memory.facts;
    if (this.areMarksLost) return "marks";
    if (this.isAwaited) return "adopted";
    if ((await this.clockDoubt()) !== null) return "clock";
    const many = isFinal || due >= all ? MANY_OF_FEW : MANY;
    const isUsual = due < many || due < all * MANY_OF_ALL;
    return isUsual || allowed || passed === null || passed !== this.#rules() ? null : "many";
  }

  #decided(): string {
    const { retention, schedule } = this.#parts.settings.current;
    return JSON.stringify([this.#decisions, retention, schedule.timezone]);
  }

  #rules(): string {
    const { retention } = this.#parts.settings.current;
    const { max_used_disk_percent: _threshold, trash_days: _trash, scrub_days: _scrub, ...rules } = retention;
    return JSON.stringify(rules);
  }
}
