import type { Amount, DatedAmount, HeldDeletion, RetentionState, ShownTrash } from "../../domain/retention/deletion.ts";
import { unreachableInWords } from "../../domain/retention/limit_reach.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import type { RunHistory } from "../../store/config/run_history.ts";
import { KeptUnknown } from "../../store/destination/kept_recordings.ts";
import type { LibraryMoment } from "../../store/destination/trash_moves.ts";
import type { DeletionConsent } from "./deletion_consent.ts";
import { type Due, daysOf, findDue, isFinal, keptWith, placesOf, videosOf } from "./due.ts";
import { restoredKey } from "./restored.ts";
import type { RetentionParts } from "./retention_parts.ts";
import { type RetentionRules, type RetentionSettings, retentionRulesOf } from "./retention_rules.ts";

/** Longest wait of a page for sizes, and of the answer to a setting that is typed or saved. */
const PAGE_MS = 100;
export const SAVE_MS = 2000;
/** Receipts that are shown one by one. */
const MOST_UNSEEN = 5;

export interface PendingDeletionParts {
  readonly retention: RetentionParts & { readonly consent: DeletionConsent };
  readonly settings: RetentionSettings & { readonly current: Settings };
  /** As they were at the start: a dry run lasts until the next one. */
  readonly boot: Pick<Settings, "system">;
  readonly history: Pick<RunHistory, "deletions">;
  /** True while a run is bringing recordings. */
  readonly isRunning: () => boolean;
  /** True while the contents of the recordings folder are unknown, as of the last look at it. */
  readonly isUnknown: () => boolean;
}

interface KnownDue {
  readonly key: string;
  readonly due: Due | null;
}

/** Predicts the deletions of the next scheduled run, with everything else about deleting that a page shows. */
export class PendingDeletions {
  readonly #parts: PendingDeletionParts;
  #known: KnownDue | null = null;
  #around: { readonly key: string; readonly events: ReadonlyMap<number, number> } | null = null;
  #latest: RetentionState | null = null;

  constructor(parts: PendingDeletionParts) {
    this.#parts = parts;
  }

  get rules(): RetentionRules {
    return retentionRulesOf(this.#parts.settings, this.#parts.retention.clock.now());
  }

  /**
   * Finds the recordings that these rules delete. Null while the folder, or the list of kept recordings, cannot be
   * read. Null, too, while sizes that a limit needs are not known.
   * @param ms longest wait for those sizes; after that they are read in the background
   */
  async due(rules: RetentionRules, ms = PAGE_MS): Promise<Due | null> {
    const { retention } = this.#parts;
    const { library, kept, trash, sizes, restored } = retention;
    await library.refreshIfOlder();
    await kept.shown();
    const back = await restoredKey(restored, retention.clock.now());
    const key = JSON.stringify([
      rules,
      library.version,
      kept.version,
      back,
      library.available,
      this.#parts.isUnknown(),
    ]);
    if (this.#known?.key === key) return this.#known.due;
    const learn = async (moments: readonly LibraryMoment[]) => {
      await sizes.learnWithin(moments, ms);
      if (sizes.sum(moments) === null) throw new SizesUnknown();
    };
    const parts = { ...retention, trash, sizes: { learn, sum: sizes.sum.bind(sizes), of: sizes.of.bind(sizes) } };
    const due = library.available && !this.#parts.isUnknown() ? await findDue(parts, rules).catch(nothingKnown) : null;
    // The disk's use changes by itself, and unknown sizes may be known the next time.
    const isLasting = rules.maxPercent === null && (rules.maxBytes === null || due !== null);
    this.#known = isLasting ? { key, due } : null;
    return due;
  }

  /** Counts these recordings, and their bytes as far as they are known in good time. */
  async amountOf(moments: readonly LibraryMoment[], ms = PAGE_MS): Promise<Amount> {
    const { sizes } = this.#parts.retention;
    await sizes.learnWithin(moments, ms);
    return { recordings: videosOf(moments), bytes: sizes.sum(moments) };
  }

  /**
   * Counts the recordings that the settings in force would delete at the next scheduled run, for the answer to the
   * PATCH that changed them. Null while sizes that a limit needs are not known. From a folder that cannot be read
   * nothing is deleted.
   */
  async wouldDelete(): Promise<Amount | null> {
    const { library, kept } = this.#parts.retention;
    const due = await this.due(this.rules, SAVE_MS);
    if (due === null && library.available && (await kept.problem()) === null) return null;
    return await this.amountOf(due === null ? [] : [...due.age, ...due.room], SAVE_MS);
  }

  /** Returns the deletion that waits for a user's consent; null when none does. */
  async held(): Promise<HeldDeletion | null> {
    return (await this.#coming(await this.due(this.rules))).held;
  }

  /** Returns the deletion that is held, or that a user has released for the next scheduled run. */
  async #coming(due: Due | null): Promise<Pick<RetentionState, "held" | "confirmed">> {
    const { retention, boot, isRunning } = this.#parts;
    const nothing = { held: null, confirmed: null };
    if (boot.system.dry_run || due === null) return nothing;
    if (!isRunning()) await retention.consent.noteLibrary();
    const going = [...due.age, ...due.room];
    const days = daysOf(going.filter(({ set }) => set.videos > 0));
    const hold = await retention.consent.hold(videosOf(going), retention.library.recordingCount, isFinal(due));
    if (days === null || (hold === null && !retention.consent.isAllowed)) return nothing;
    const amount: DatedAmount = { ...(await this.amountOf(going)), ...days };
    return hold ? { held: { ...hold, ...amount }, confirmed: null } : { held: null, confirmed: amount };
  }

  /** Fills `latest`. Never rejects: the next call of `state` throws what failed. */
  async refresh(): Promise<void> {
    await this.state().catch(() => null);
  }

  /** The last result of `state`; null before the first. For callers that cannot wait. */
  get latest(): RetentionState | null {
    return this.#latest;
  }

  /** Returns the trash as pages show it; empty while it cannot be read. */
  async trash(): Promise<ShownTrash> {
    const { retention, settings, isUnknown } = this.#parts;
    const days = settings.current.retention.trash_days;
    if (isUnknown()) return { recordings: null, bytes: null, days };
    const { recordings, bytes } = await retention.trash.amount().catch(() => ({ recordings: 0, bytes: 0 }));
    return { recordings, bytes, days };
  }

  /**
   * Tells why nothing is deleted just now, as a sentence; null when nothing is in the way. Called after the trash was
   * read.
   */
  async problem(): Promise<string | null> {
    return await this.#problemOf(() => this.due(this.rules));
  }

  /** @param dueNow what the rules delete, asked for when nothing else is in the way */
  async #problemOf(dueNow: () => Promise<Due | null> | Due | null): Promise<string | null> {
    const { kept, trash, standing } = this.#parts.retention;
    const problem = (await kept.problem()) ?? trash.problem ?? standing.problem;
    if (problem !== null) return `Nothing is deleted: ${problem}.`;
    const { unreachable } = (await dueNow()) ?? standing;
    return unreachable.length === 0 ? null : unreachable.map((limit) => `${unreachableInWords(limit)}.`).join(" ");
  }

  /**
   * Number of marks of kept recordings that were lost with their list. None while another folder is in the place of
   * ours.
   */
  async lostMarks(): Promise<number> {
    const { kept, consent } = this.#parts.retention;
    return (await consent.isKnown()) ? await kept.lostCount() : 0;
  }

  /** Everything about deleting that a user has to know now. */
  async state(): Promise<RetentionState> {
    const { history } = this.#parts;
    const { deletions } = history;
    // Found once: it looks through the folders, and for a share of the disk it asks the disk.
    const due = await this.due(this.rules);
    this.#latest = {
      ...(await this.#coming(due)),
      last: deletions.latest(),
      trash: await this.trash(),
      unseen: deletions.unseen(MOST_UNSEEN),
      problem: await this.#problemOf(() => due),
      kept: this.#parts.isUnknown() ? { recordings: null, bytes: null } : await this.amountOf(await this.kept()),
      lost_marks: await this.lostMarks(),
    };
    return this.#latest;
  }

  /** The recordings that are kept as long as the kept events around them: by base, the event that keeps them. */
  async keptAround(): Promise<ReadonlyMap<number, number>> {
    const { retention, settings } = this.#parts;
    const { library, kept } = retention;
    const marks = await kept.shown();
    const count = settings.current.retention.event_context;
    const key = `${library.version} ${kept.version} ${count}`;
    if (this.#around?.key !== key) this.#around = { key, events: keptWith(library, marks, count) };
    return this.#around.events;
  }

  /** Returns the kept recordings that are here, with their folders. */
  async kept(): Promise<LibraryMoment[]> {
    const { kept, library } = this.#parts.retention;
    return placesOf(library, await kept.shown());
  }
}

/** Thrown when finding the sizes takes longer than a page waits: the amount that a limit takes is not known yet. */
class SizesUnknown extends Error {
  override readonly name = "SizesUnknown";
}

function nothingKnown(error: unknown): null {
  if (error instanceof KeptUnknown || error instanceof SizesUnknown) return null;
  throw error;
}
