import { type Clock, steadyTime } from "../../clock.ts";
import { type Instant, recordingSecondsOf, type TakenList, takenList } from "../../domain/card/taken_list.ts";
import type { Listing } from "../../domain/recordings/camera_listing.ts";
import type { ClockZone } from "../../domain/recordings/clock_change.ts";
import { momentNumber, secondsOfMoment } from "../../domain/recordings/moment_number.ts";
import { directionOf } from "../../domain/recordings/recording_name.ts";
import { momentsOf } from "../../domain/retention/due_recordings.ts";
import { sameCutoff } from "../../domain/retention/keep_times.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import type { CameraList, Mark } from "../../domain/sync/camera_list.ts";
import type { PlannedFile } from "../../domain/sync/download_plan.ts";
import type { Drive } from "../../domain/sync/drive_text.ts";
import { latestDrive } from "../../domain/sync/latest_drive.ts";
import { RecordingCounter } from "../../domain/sync/recording_counter.ts";
import type { RecordingCounts } from "../../domain/sync/recording_counts.ts";
import type { WantedRules } from "../../domain/sync/wanted_files.ts";
import type { DeletedRecordings } from "../../store/destination/deleted_recordings.ts";
import type { KeptRecordings } from "../../store/destination/kept_recordings.ts";
import type { Library } from "../../store/library/library.ts";
import { Topic } from "../../topic.ts";
import { nextTurn } from "../../turns.ts";
import type { DeletionConsent } from "../retention/deletion_consent.ts";
import { type RetentionSettings, retentionRulesOf } from "../retention/retention_rules.ts";
import type { Outcome } from "../transfer/transfer_outcome.ts";
import type { LatestList } from "./latest_list.ts";
import { impossibleIn, lacksNothing, newsIn } from "./list_news.ts";
import { type LearnedOfFiles, listFrom } from "./received_list.ts";
import type { RequestedRecordings } from "./requested_recordings.ts";

/** Recordings judged at once: about a millisecond. */
const SLICE = 1000;
/** A count that is overtaken by what happens meanwhile is begun again so often. */
const MOST_TRIES = 3;

export interface KnownListParts {
  readonly latest: LatestList;
  readonly library: Library;
  readonly deleted: DeletedRecordings;
  readonly kept: Pick<KeptRecordings, "spared" | "version">;
  /** Recordings that users do not need count as not chosen. */
  readonly requested: Pick<RequestedRecordings, "anyway" | "isUnwanted" | "revision">;
  readonly consent: Pick<DeletionConsent, "clockDoubt">;
  readonly settings: RetentionSettings & { readonly current: Settings };
  readonly clock: Clock;
  /** Zone of the camera's clock. */
  readonly zone: () => ClockZone;
}

/** Everything that a count depends on. A change of any part needs another count. */
interface Basis {
  readonly list: CameraList;
  readonly rules: WantedRules;
  readonly key: string;
  readonly deleted: ReadonlySet<number>;
}

/** A list with the rule that leaves each of its recordings out. */
export interface JudgedList {
  readonly list: CameraList;
  readonly counter: Pick<RecordingCounter, "ruleAt" | "standingAt">;
}

interface Counted extends Basis {
  readonly counter: RecordingCounter;
  version: number;
}

/**
 * The camera's last list, over restarts, and how much of it is at home. It is the only source of every count that a
 * page or an answer shows. Counting a full card takes slices. Arrivals of a run and deletions by users are then counted
 * one by one.
 */
export class KnownList {
  /** The counts, whenever they are others than before. */
  readonly changed = new Topic<RecordingCounts | null>(null);
  /** Each list that is to be believed, as it comes, and the one before it of the same camera. */
  readonly took = new Topic<{ readonly before: CameraList | null; readonly list: CameraList } | null>(null);
  readonly #parts: KnownListParts;
  /** The last list that was not taken over was empty. */
  #wasEmpty = false;
  #counted: Counted | null = null;
  #counting: Promise<void> | null = null;
  #isDeletedRead = false;
  #published = "";
  #drive: { readonly revision: number; readonly cut: string; readonly found: Drive | null } | null = null;
  /** Changes of counters that are not in use any more. */
  #counts = 0;
  /** Time at which a run asked for the list that it takes next. */
  #asked: Instant | null = null;
  #taken: TakenList | null = null;

  constructor(parts: KnownListParts) {
    this.#parts = parts;
  }

  /** The last good list, of whatever camera it is; null before the first. */
  get list(): CameraList | null {
    return this.#parts.latest.list;
  }

  /** The last good list of the camera at this address, for the folder in use; null when there is none. */
  listOf(address: string): CameraList | null {
    return this.#parts.latest.listOf(address);
  }

  /** The recording that waits longest, and how many older ones the camera has; null when none waits, or while unknown. */
  get oldestWaiting(): { readonly name: string; readonly before: number } | null {
    const at = this.known === null ? -1 : (this.#counted?.counter.oldestWaiting ?? -1);
    return at < 0 || this.list === null ? null : { name: this.list.nameAt(at), before: at };
  }

  /** Calls `take` with every listed video that is still to come, or is not needed, by name; with none while unknown. */
  eachComing(take: (name: string, isUnwanted: boolean) => void): void {
    const list = this.list;
    this.eachPlaceComing((at, isUnwanted) => take(list?.nameAt(at) ?? "", isUnwanted));
  }

  /** As `eachComing`, by the place in the list. */
  eachPlaceComing(take: (at: number, isUnwanted: boolean) => void): void {
    if (this.known !== null) this.#counted?.counter.eachComing(take);
  }

  /** Calls `take` with the place of every listed video that waits, oldest first; with none while unknown. */
  eachWaiting(take: (at: number, list: CameraList) => void): void {
    const list = this.list;
    if (this.known !== null && list !== null) this.#counted?.counter.eachWaiting((at) => take(at, list));
  }

  /** Another number when what is still to come may be another. */
  get revision(): number {
    return this.known === null ? -1 : this.#counts + (this.#counted?.counter.revision ?? 0);
  }

  /** The latest drive on the camera; null while unknown, and when there is none. */
  get drive(): Drive | null {
    const { revision } = this;
    const { trip_gap_minutes: gapMinutes } = this.#parts.settings.current.viewer;
    const zone = this.#parts.zone();
    const cut = `${gapMinutes} ${zone.id}`;
    if (this.#drive?.revision !== revision || this.#drive.cut !== cut) {
      const found = this.#counted === null || revision < 0 ? null : this.#counted.counter.newestFirst();
      this.#drive = { revision, cut, found: found && latestDrive(found, gapMinutes, zone) };
    }
    return this.#drive.found;
  }

  /** Reads what was known before a restart. */
  async open(): Promise<void> {
    await this.#parts.latest.open();
  }

  /** The last list that was believed since the start, of the camera and the folder in use; null before there is one. */
  get taken(): TakenList | null {
    const taken = this.#taken;
    return taken !== null && this.#parts.latest.current?.owner.address === taken.address ? taken : null;
  }

  /** A run is about to ask the camera for its list. */
  noteAsked(): void {
    this.#asked = nowOf(this.#parts.clock);
  }

  /**
   * Takes a list that a run has got from the camera, unless it is not to be believed.
   * @param address of the camera it is from, which the settings may have left meanwhile
   * @returns whether it is believed
   */
  async takeList(address: string, listing: Listing, learned: LearnedOfFiles): Promise<boolean> {
    const { latest, library } = this.#parts;
    const before = latest.listOf(address);
    const { names } = library;
    const facts = { ...learned, isHome: (moment: number, ending: string) => names.hasAt(moment, ending) };
    const list = await listFrom(listing, latest.ownerOf(address), { list: before, wasEmpty: this.#wasEmpty }, facts);
    this.#wasEmpty = listing.files.length === 0;
    const impossible = await impossibleIn(listing.files);
    this.#noteTaken(address, { listing, before, list, impossible });
    if (list === null) return false;
    if (!before?.isSame(list)) {
      latest.take(list);
      await this.counts();
      void latest.save();
    }
    this.took.set({ before, list });
    return true;
  }

  /** @param list null when it is not believed */
  #noteTaken(
    address: string,
    {
      listing,
      before,
      list,
      impossible,
    }: { listing: Listing; before: CameraList | null; list: CameraList | null; impossible: number },
  ): void {
    const { clock, zone } = this.#parts;
    const known = this.#taken?.address === address ? this.#taken : null;
    if (list === null) {
      // The camera has shown that its lists may lack something just now.
      if (known !== null) this.#taken = { ...known, isWhole: false };
      return;
    }
    const asked = this.#asked ?? nowOf(clock);
    // The same list with other marks.
    if (known?.asked === asked) return;
    const counter = before !== null && this.#counted?.list === before ? this.#counted.counter : null;
    this.#taken = takenList(known, {
      address,
      asked,
      isWhole: listing.strangeCount === 0 && lacksNothing(list, before, counter),
      news: newsIn(list, before, asked.at),
      newest: list.size === 0 ? null : list.momentAt(list.size - 1),
      strangers: list.unknown + impossible,
      recordingSeconds: recordingSecondsOf(newestFirst(list)),
      wallSeconds: (asked.at + zone().offset(asked.at)) / 1000,
      secondsOf: secondsOfMoment,
    });
  }

  /** Notes what became of a file that a run has asked the camera for. */
  note(address: string, { recording, kind }: PlannedFile, outcome: Outcome["kind"]): void {
    const list = this.listOf(address);
    if (list === null) return;
    const moment = momentNumber(recording.name);
    const isNone = outcome === "absent" || outcome === "empty";
    const marks: [Mark, boolean][] = [[kind === "mp4" ? "gone" : kind, isNone]];
    if (kind === "mp4") marks.push(["growing", outcome === "growing"]);
    const [from, to] = list.rangeOf(moment);
    let isNews = false;
    for (let at = from; at < to; at++) {
      // The directions of a moment share their telemetry, and a low-resolution copy has the thumbnail of its recording.
      const name = list.nameAt(at);
      const isTwin = kind === "thm" && directionOf(name) === recording.direction;
      const isMeant = kind === "gps" || kind === "3gf" || isTwin || name === recording.name;
      if (isMeant) for (const [mark, isOn] of marks) if (list.mark(at, mark, isOn)) isNews = true;
    }
    if (!isNews) return;
    this.#parts.latest.take(list);
    if (this.#counted?.list === list) this.#counted.counter.update(moment);
  }

  /** Writes what is new. */
  async save(): Promise<void> {
    await this.#parts.latest.save();
  }

  /** Resolves when everything is written. */
  async close(): Promise<void> {
    await this.#parts.latest.close();
  }

  /** Counts by the settings in force; null while unknown. It refreshes no folder. */
  async counts(): Promise<RecordingCounts | null> {
    const { library, deleted } = this.#parts;
    if (!library.available && library.rootProblem === null) await library.refreshIfOlder();
    if (!this.#isDeletedRead) await deleted.all().catch(() => {});
    this.#isDeletedRead = true;
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const basis = await this.#basis();
      if (basis === null || this.#isCounted(basis)) break;
      this.#counting ??= this.#count(basis).finally(() => {
        this.#counting = null;
      });
      await this.#counting;
    }
    return this.known;
  }

  /** The source of the counts; null while they are unknown. */
  get counter(): Pick<RecordingCounter, "bytes" | "leftOutBy"> | null {
    return this.known === null ? null : (this.#counted?.counter ?? null);
  }

  /** The list as it is counted; null while the counts are unknown. It is another object after another count. */
  get judged(): JudgedList | null {
    return this.known === null ? null : this.#counted;
  }

  /** As `counts`, for callers that cannot wait: by the settings it was counted with last; null before the first time. */
  get known(): RecordingCounts | null {
    const counts = this.#known();
    const text = JSON.stringify(counts);
    if (text === this.#published) return counts;
    this.#published = text;
    this.changed.set(counts);
    return counts;
  }

  #known(): RecordingCounts | null {
    const counted = this.#counted;
    if (counted === null || counted.list !== this.list || this.#parts.latest.current === null) {
      if (this.#parts.latest.current !== null && this.#counting === null) this.#countLater();
      return null;
    }
    const changed = this.#parts.library.names.changedSince(counted.version);
    // Too much has happened to be counted here and now.
    if (changed === null) this.#countLater();
    else {
      for (const moment of new Set(changed)) counted.counter.update(moment);
      counted.version = this.#parts.library.names.version;
    }
    return counted.counter.counts;
  }

  #countLater(): void {
    // While the stores open or close there is nothing to count by; a call of `counts` then rejects.
    void this.counts().catch(() => null);
  }

  async #basis(): Promise<Basis | null> {
    const { settings, clock, consent, library, deleted, kept, requested } = this.#parts;
    // Pages ask all the time: before the first sync there is nothing to look up.
    if (this.list === null) return null;
    const doubt = await consent.clockDoubt();
    const marks = await kept.spared();
    const list = this.#parts.latest.current;
    if (list === null) return null;
    const { include, exclude, skip_metadata: skipMetadata, grouping } = settings.current.sync;
    const { cutoffs, eventContext } = retentionRulesOf(settings, clock.now());
    // As in a run: with a clock that is not to be trusted, what is old is unknown.
    const rules = {
      include,
      exclude,
      skipMetadata,
      eventContext,
      cutoffs: doubt === null ? cutoffs : sameCutoff(null),
      kept: new Set(marks.keys()),
      anyway: requested.anyway,
    };
    const unreadable = library.unreadable.length > 0 && [library.unreadable, grouping];
    const key = JSON.stringify([rules, kept.version, requested.revision, unreadable]);
    return { list, rules, key, deleted: deleted.latest };
  }

  #isCounted({ list, key, deleted }: Basis): boolean {
    const counted = this.#counted;
    if (counted?.list !== list || counted.key !== key || counted.deleted !== deleted) return false;
    return this.#parts.library.names.changedSince(counted.version) !== null;
  }

  async #count(basis: Basis): Promise<void> {
    const { library, settings } = this.#parts;
    const { names } = library;
    const { grouping } = settings.current.sync;
    const { version } = names;
    const counter = new RecordingCounter(basis.list, basis.rules, {
      has: (moment, ending) => names.hasAt(moment, ending),
      // As it is now: what is deleted meanwhile must not be counted as what is to come.
      isDeleted: (moment) => this.#parts.deleted.latest.has(moment),
      isUnwanted: (moment) => this.#parts.requested.isUnwanted(moment),
      isUnknown: (moment) => library.unreadable.length > 0 && library.isUnknown(moment, grouping),
      moments: () => momentsOf([...library.folderContents]),
    });
    while (!counter.proceed(SLICE)) await nextTurn();
    this.#counts += (this.#counted?.counter.revision ?? 0) + 1;
    this.#counted = { ...basis, counter, version };
  }
}

function nowOf(clock: Clock): Instant {
  return { at: clock.now(), steady: steadyTime(clock) };
}

/** When the recordings of a list began, in seconds of the camera's clock. */
function* newestFirst(list: CameraList): Generator<number> {
  for (let at = list.size - 1; at >= 0; at--) yield secondsOfMoment(list.momentAt(at));
}
