import type { Clock } from "../../clock.ts";
import { afterList, type CardMemory, EMPTY_CARD_MEMORY, withOtherCard } from "../../domain/plan/card_memory.ts";
import { gainOfSmart } from "../../domain/plan/order_losses.ts";
import { type AtRisk, type Plan, type PlanFacts, planOf, riskBoundaryOf } from "../../domain/plan/plan.ts";
import {
  type Backlog,
  type BytesPerMinute,
  backlogOf,
  bytesPerMinuteOf,
  type SlowWifi,
  slowWifiOf,
} from "../../domain/plan/plan_hints.ts";
import { Turnover } from "../../domain/plan/turnover.ts";
import { type Span, type Stays, staysOf } from "../../domain/plan/usual_visits.ts";
import { median, type Visit } from "../../domain/plan/visit.ts";
import { wallMoment, wallSeconds } from "../../domain/plan/wall.ts";
import type { ClockZone } from "../../domain/recordings/clock_change.ts";
import { secondsOfMoment } from "../../domain/recordings/moment_number.ts";
import type { CameraPlace } from "../../domain/runs/presence.ts";
import type { Priority } from "../../domain/settings/sections/sync.ts";
import type { CameraList } from "../../domain/sync/camera_list.ts";
import type { ExpectedSizes, Pace } from "../../domain/sync/expected_sizes.ts";
import type { JobProgress } from "../../domain/sync/job_progress.ts";
import type { RiskBoundary } from "../../domain/sync/smart_order.ts";
import type { CardMemoryFile } from "../../store/config/card_memory_file.ts";
import { Topic } from "../../topic.ts";
import type { KnownList } from "../listed/known_list.ts";
import type { RequestedRecordings } from "../listed/requested_recordings.ts";
import { sizeClassAt } from "../listed/size_classes.ts";
import type { SizeMemory } from "../listed/size_memory.ts";
import type { Visits } from "./visits.ts";

/** Visits that count for what is usual, in milliseconds. */
const USUAL_MS = 56 * 86_400_000;
/** Visits whose rates count for the next one. */
const RECENT_VISITS = 5;
/** In a run the plan is made so often, for those who wait for what is at risk. */
const FOLLOWED_MS = 1000;
/** The plan goes on with the time: after so long it is made anew. */
const AGE_MS = 10_000;
/** Orders are compared once for a list, and anew after so long. */
const COMPARED_MS = 3_600_000;

export interface PlannerParts {
  readonly clock: Clock;
  readonly zone: () => ClockZone;
  readonly listed: Pick<
    KnownList,
    "counts" | "counter" | "eachWaiting" | "judged" | "known" | "list" | "revision" | "took"
  >;
  readonly sizes: () => Promise<Pick<SizeMemory, "current">>;
  readonly visits: Visits;
  readonly place: () => CameraPlace;
  readonly address: () => string;
  readonly file: CardMemoryFile;
  /** Order of the run that goes on, else of the next one. */
  readonly priority: () => Priority;
  readonly requested: Pick<RequestedRecordings, "first" | "revision">;
  /** Damaged files at home of recordings that the camera still has. */
  readonly damaged: () => number;
}

/** The progress of a run, as the plan needs it. */
interface FollowedRun {
  readonly progress: Pick<JobProgress, "bytesDownloaded" | "rates" | "pace">;
  readonly topic: Pick<Topic<unknown>, "subscribe">;
}

/** A plan with times in epoch milliseconds, and what is told beside it. */
export interface KnownPlan extends Omit<Plan, "nextVisits"> {
  readonly camera: CameraPlace;
  readonly rate: number | null;
  readonly waiting: {
    readonly recordings: number | null;
    readonly bytes: number | null;
    readonly oldest: number | null;
  };
  readonly nextVisits: readonly { readonly from: number; readonly to: number }[];
  readonly isTurnoverKnown: boolean;
  /** Damaged files at home that the camera can still give again. */
  readonly damaged: number;
  /** The list in hand is of the visit that goes on; true while there is none. */
  readonly isListed: boolean;
  readonly isAllAtRiskSafe: boolean;
  /** When the last that was at risk came home in the visit that goes on; null when none was. */
  readonly safeSince: number | null;
  readonly visit: Visit | null;
  /** Recordings that would come home in time in the order `smart`, but not in the one in force. */
  readonly smartGain: number;
  readonly slowWifi: SlowWifi | null;
  readonly backlog: Backlog | null;
}

/**
 * Makes the plan of a camera out of its list, its visits and what its card was seen to overwrite: anew with every list
 * and every finished file, else at most every ten seconds.
 */
export class Planner {
  /** Set to true when all that was at risk has come home while the camera is here, to false when that is over. */
  readonly safe = new Topic(false);
  readonly #parts: PlannerParts;
  #memory: { address: string; memory: CardMemory } = { address: "", memory: EMPTY_CARD_MEMORY };
  #turnover: { readonly list: CameraList; readonly memory: CardMemory; readonly turnover: Turnover | null } | null =
    null;
  /** Pace of the run that goes on; null while it has not shown one. */
  #runPace: () => Pace | null = () => null;
  #made: { readonly key: string; readonly at: number; readonly plan: KnownPlan } | null = null;
  #gain: { readonly of: string; readonly list: CameraList | null; readonly gain: number } | null = null;
  #bytesPerMinute: { readonly of: unknown; readonly at: number; readonly known: BytesPerMinute | null } | null = null;
  #safeSince: number | null = null;
  /** Number of the visit in which the camera was listed last; null before a list since the start. */
  #listedIn: number | null = null;
  /** The camera was here at the last plan, and something of it at risk. */
  #isAtRisk = false;
  readonly #stop: () => void;

  constructor(parts: PlannerParts) {
    this.#parts = parts;
    this.#stop = parts.listed.took.subscribe((taken) => {
      if (taken !== null) this.#take(taken.before, taken.list);
    });
  }

  /** Reads what was known before a restart. */
  async open(): Promise<void> {
    this.#memory = (await this.#parts.file.read()) ?? this.#memory;
  }

  /** Follows a run: what it brings is of the visit, and its own rate counts. Returns the way to end that. */
  follow({ progress, topic }: FollowedRun): () => void {
    let bytes = 0;
    let videos = 0;
    let madeAt = this.#parts.clock.elapsed();
    const note = () => {
      const { bytesDownloaded, rates } = progress;
      if (bytesDownloaded > bytes || rates.length > videos)
        this.#parts.visits.came(bytesDownloaded - bytes, rates.slice(videos));
      [bytes, videos] = [bytesDownloaded, rates.length];
      if (this.#parts.clock.elapsed() - madeAt < FOLLOWED_MS) return;
      madeAt = this.#parts.clock.elapsed();
      void this.refresh();
    };
    const stop = topic.subscribe(note);
    this.#runPace = () => progress.pace;
    return () => {
      stop();
      note();
      this.#runPace = () => null;
    };
  }

  async plan(): Promise<KnownPlan> {
    const { clock, listed, sizes, visits, place, priority, requested, damaged } = this.#parts;
    await listed.counts();
    const expected = await (await sizes()).current();
    const rate = this.#rate(expected);
    const key = [
      listed.revision,
      expected.version,
      visits.version,
      place(),
      Math.round(Math.log(rate ?? 1) * 20),
      priority(),
      requested.revision,
      damaged(),
    ].join(" ");
    const now = clock.now();
    if (this.#made === null || this.#made.key !== key || Math.abs(now - this.#made.at) >= AGE_MS)
      this.#made = { key, at: now, plan: this.#make(now, rate, expected) };
    this.#publish(this.#made.plan);
    return this.latest ?? this.#made.plan;
  }

  /** The plan that was made last; null before the first. */
  get latest(): KnownPlan | null {
    return this.#made && { ...this.#made.plan, safeSince: this.#safeSince };
  }

  /** Makes the plan anew for those who follow `safe`. */
  async refresh(): Promise<void> {
    // While the stores open or close there is no plan.
    await this.plan().catch(() => null);
  }

  /** Recordings that are expected to be overwritten before the end of the next visit; null while unknown. */
  boundary(): RiskBoundary | null {
    const { clock, zone, listed } = this.#parts;
    const now = clock.now();
    const { ended, open } = this.#stays(now);
    const turnover = this.#turnoverOf(listed.list);
    return riskBoundaryOf({ now: wallSeconds(now, zone()), visits: ended, visit: open, turnover });
  }

  /** Another card is in the camera: its size is not known. */
  noteOtherCard(): void {
    const { address, memory } = this.#memory;
    if (memory.until === null) return;
    this.#memory = { address, memory: withOtherCard(memory) };
    void this.#parts.file.write(address, this.#memory.memory);
  }

  async close(): Promise<void> {
    this.#stop();
    await this.#parts.file.close();
  }

  #publish({ camera, isListed, isAllAtRiskSafe }: KnownPlan): void {
    const isHere = camera === "here";
    if (isHere && isAllAtRiskSafe && this.#isAtRisk) {
      this.#safeSince = this.#parts.clock.now();
      this.safe.set(true);
    } else if (this.safe.value && !(isHere && isAllAtRiskSafe)) {
      this.#safeSince = null;
      this.safe.set(false);
    }
    this.#isAtRisk = isHere && isListed && !isAllAtRiskSafe;
  }

  #take(before: CameraList | null, list: CameraList): void {
    const { clock, zone, file, address } = this.#parts;
    const at = address();
    if (list.owner.address !== at) return;
    this.#listedIn = this.#parts.visits.number;
    const memory = this.#memory.address === at ? this.#memory.memory : EMPTY_CARD_MEMORY;
    const known = afterList(memory, before, list, wallSeconds(clock.now(), zone()));
    this.#memory = { address: at, memory: known };
    void file.write(at, known);
  }

  #stays(now: number): Stays {
    const { visits, zone: zoneOf } = this.#parts;
    const zone = zoneOf();
    return staysOf(visits.all(now - USUAL_MS), now, (ms) => wallSeconds(ms, zone));
  }

  #turnoverOf(list: CameraList | null): Turnover | null {
    const { address, memory } = this.#memory;
    if (list === null || list.owner.address !== address) return null;
    if (this.#turnover?.list !== list || this.#turnover.memory !== memory)
      this.#turnover = { list, memory, turnover: Turnover.of(memory, list) };
    return this.#turnover.turnover;
  }

  #gainOf(facts: PlanFacts, { verdict, nextVisits, usualStaySeconds }: Plan): number {
    const { now, rate, turnover, visit, eachWaiting } = facts;
    // With time to spare nothing is lost in any order.
    if ((verdict !== "tight" && verdict !== "too_late") || rate === null || turnover === null) return 0;
    const { visits, clock, priority } = this.#parts;
    const { list } = this.#parts.listed;
    const of = `${visits.version} ${priority()} ${Math.floor(clock.now() / COMPARED_MS)}`;
    if (this.#gain?.of !== of || this.#gain.list !== list) {
      const left = visit === null ? 0 : (usualStaySeconds ?? 0) - (now - visit.from);
      const here = left > 0 ? [{ from: now, to: now + left }] : [];
      const gain = gainOfSmart(priority(), { now, rate, turnover, eachWaiting, visits: [...here, ...nextVisits] });
      this.#gain = { of, list, gain };
    }
    return this.#gain.gain;
  }

  #rate(expected: ExpectedSizes): number | null {
    const { visits, clock } = this.#parts;
    const own = this.#runPace()?.bytesPerSecond ?? visits.current?.rate ?? null;
    if (own !== null) return own;
    const rates = visits.ended(clock.now() - USUAL_MS).flatMap(({ rate }) => (rate === null ? [] : [rate]));
    return median(rates.slice(0, RECENT_VISITS)) ?? expected.pace?.bytesPerSecond ?? null;
  }

  #make(now: number, rate: number | null, expected: ExpectedSizes): KnownPlan {
    const { zone: zoneOf, listed, visits, place, priority, requested } = this.#parts;
    const zone = zoneOf();
    const wall = (ms: number) => wallSeconds(ms, zone);
    const moments: number[] = [];
    const sizes: number[] = [];
    listed.eachWaiting((at, list) => {
      moments.push(list.momentAt(at));
      sizes.push(expected.of(sizeClassAt(list, at)) ?? 0);
    });
    const counts = listed.known;
    const recordings = counts && moments.length;
    const bytes = recordings === 0 ? 0 : (listed.counter?.bytes(expected) ?? null);
    const companions = (counts?.waiting_files ?? 0) - moments.length;
    const each = this.#runPace()?.companionSeconds ?? expected.pace?.companionSeconds ?? 0;
    const { current, number } = visits;
    const stays = this.#stays(now);
    const turnover = this.#turnoverOf(listed.list);
    const isCurrent = number === null || number === this.#listedIn || this.#isListedSince(stays.open);
    const facts: PlanFacts = {
      now: wall(now),
      camera: place(),
      waiting: { recordings, bytes },
      eachWaiting: (take) => {
        for (let at = 0; at < moments.length; at++) take(moments[at] ?? 0, sizes[at] ?? 0);
      },
      rate,
      companionSeconds: Math.max(0, companions) * each,
      visits: stays.ended,
      visit: stays.open,
      turnover,
      priority: priority(),
      asked: new Set(requested.first),
      isListed: isCurrent,
    };
    const made = planOf(facts);
    const { nextVisits, overwrittenFrom, ...plan } = made;
    const [first] = moments;
    const oldest = first === undefined ? null : wallMoment(secondsOfMoment(first), zone);
    const bytesPerMinute = turnover === null ? null : this.#minuteOf(expected);
    return {
      ...plan,
      camera: place(),
      rate,
      waiting: { recordings, bytes, oldest },
      overwrittenFrom: overwrittenFrom === null ? null : wallMoment(overwrittenFrom, zone),
      nextVisits: nextVisits.map(({ from, to }) => ({ from: wallMoment(from, zone), to: wallMoment(to, zone) })),
      isTurnoverKnown: turnover !== null,
      damaged: this.#parts.damaged(),
      safeSince: null,
      isListed: isCurrent,
      isAllAtRiskSafe: isCurrent && isSafe(recordings, plan.atRisk),
      visit: current,
      smartGain: bytes === null ? 0 : this.#gainOf(facts, made),
      slowWifi: slowWifiOf(current === null ? null : rate, visits.ended(now - USUAL_MS)),
      backlog:
        turnover === null || rate === null || bytesPerMinute === null
          ? null
          : backlogOf(turnover, nextVisits, { rate, bytesPerMinute }),
    };
  }

  /** True when the list of before the restart is of the same stay. */
  #isListedSince(stay: Span | null): boolean {
    const { until } = this.#memory.memory;
    return this.#listedIn === null && stay !== null && until !== null && until >= stay.from;
  }

  /** Null while a size is not known. */
  #minuteOf(expected: ExpectedSizes): BytesPerMinute | null {
    const { clock, listed } = this.#parts;
    const { judged } = listed;
    if (judged === null) return null;
    const { list, counter } = judged;
    const known = this.#bytesPerMinute;
    if (known?.of === judged && clock.elapsed() - known.at < COMPARED_MS) return known.known;
    let isSized = true;
    const minute = bytesPerMinuteOf((take) => {
      for (let at = 0; at < list.size; at++) {
        const isWanted = counter.ruleAt(at) !== "selection";
        const bytes = isWanted ? expected.of(sizeClassAt(list, at)) : 0;
        if (bytes === null) isSized = false;
        take(list.momentAt(at), bytes ?? 0);
      }
    });
    this.#bytesPerMinute = { of: judged, at: clock.elapsed(), known: isSized ? minute : null };
    return this.#bytesPerMinute.known;
  }
}

function isSafe(waiting: number | null, atRisk: AtRisk | null): boolean {
  return atRisk === null ? waiting === 0 : atRisk.recordings === 0;
}
