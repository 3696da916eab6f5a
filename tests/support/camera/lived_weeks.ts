import type { GenerationName } from "../../../server/dashcam/generation.ts";
import { type LifeEvent, SimulatedLife } from "../../../server/dashcam/simulator/simulated_life.ts";
import type { LifeName } from "../../../server/dashcam/simulator/simulated_life_patterns.ts";
import { LoopRecording, type Overwriting, type Stored } from "../../../server/dashcam/simulator/simulated_loop.ts";
import { fraction, seedOf } from "../../../server/dashcam/simulator/simulated_noise.ts";
import { usualBytes, WIFI_RATES, type WifiBand } from "../../../server/dashcam/simulator/simulated_sizes.ts";
import { vodList } from "../../../server/dashcam/simulator/simulator_vod_list.ts";
import { formatListing, type ListedFile, parseListing } from "../../../server/domain/recordings/camera_listing.ts";
import { momentNumber } from "../../../server/domain/recordings/moment_number.ts";
import { endingOf } from "../../../server/domain/recordings/recording_name.ts";
import { parseVodList } from "../../../server/domain/recordings/v1009_list.ts";
import type { AtHome, PlannedFile } from "../../../server/domain/sync/download_plan.ts";
import { NOWHERE } from "./plans.ts";

export interface LivedWeeksOptions {
  readonly life: LifeName;
  readonly seed: string;
  readonly weeks: number;
  readonly generation: GenerationName;
  readonly band: WifiBand;
  readonly overwriting: Overwriting;
  /** Bytes of the card. */
  readonly capacity: number;
}

/** The service's part in it: the rules under test. Times are epoch milliseconds. */
export interface Watcher {
  /** A visit has begun: a look has found the camera. */
  arrived?(at: number): void;
  /** The files to fetch after this list, in order. */
  order(at: number, listed: readonly ListedFile[], home: AtHome): readonly PlannedFile[];
  /** Some of a video has come, at the end of its transfer or when the camera left: in all, and in this time. */
  came?(at: number, video: Video, bytes: number, ms: number, whole: boolean): void;
  /** Called once, a minute after the camera has come, when files are still coming then. */
  looked?(look: Look): void;
  /** The visit is over. */
  left?(at: number): void;
}

/** A look at what goes on. */
export interface Look {
  readonly at: number;
  /** The video that is on its way: bytes and time of this transfer so far; null when none is. */
  readonly current: { readonly video: Video; readonly bytes: number; readonly ms: number } | null;
  /** Videos on the card that are not at home, the current one too. */
  readonly waiting: readonly Video[];
  /** Seconds that all of them really take from here on, whether or not the camera stays so long. */
  readonly seconds: number;
}

/** One video of the simulated car, and what really became of it. */
export interface Video extends Stored {
  readonly recordedAt: number;
  home: boolean;
  /** A list named it. */
  listed: boolean;
  /** Time at which it was overwritten; null while it is on the card. */
  goneAt: number | null;
}

/** A Monday. */
const BEGIN = Date.UTC(2026, 8, 7);
const WEEK = 7 * 24 * 3_600_000;
const QUARTER = 15 * 60_000;
/** Time that a list takes, and a file beside its bytes. */
const LIST_MS = 1500;
const ASK_MS = 120;
const LOOK_MS = 30_000;
const MINUTE = 60_000;
/** Files that a video has on average: itself, its thumbnail, and its share of what both directions have together. */
const FILES_OF_VIDEO = 3;

/** Weeks of a car in memory, in no time, under these rules. Returns all that was recorded, with what became of it. */
export function liveWeeks(options: LivedWeeksOptions, watcher: Watcher): readonly Video[] {
  const { life: name, seed, weeks, generation, band, overwriting, capacity } = options;
  const life = new SimulatedLife(name, seed);
  const loop = new LoopRecording<Video>(capacity, overwriting);
  const onCard = new Map<string, Video>();
  const all: Video[] = [];
  const home = new HomeFiles();
  const partials = new Map<string, number>();
  const end = BEGIN + weeks * WEEK;
  const events = life.events(BEGIN);
  /** Events that come next, as far as the end of the visit that is going on. */
  const coming: LifeEvent[] = [];
  let share = 1;

  const write = (event: LifeEvent) => {
    if (event.kind === "arrives") share = event.rateShare;
    if (event.kind !== "recorded") return;
    const { base, type, flag, directions } = event.moment;
    for (const direction of directions) {
      const video: Video = {
        name: `${base}_${type}${direction}${flag}.mp4`,
        type,
        size: usualBytes(`${base}_${type}${direction}${flag}.mp4`, type, direction),
        recordedAt: event.at,
        home: false,
        listed: false,
        goneAt: null,
      };
      all.push(video);
      onCard.set(video.name, video);
      for (const gone of loop.write(video)) {
        gone.goneAt = event.at;
        onCard.delete(gone.name);
      }
    }
  };
  const passTo = (at: number) => {
    for (let event = coming[0]; event !== undefined && event.at <= at; event = coming[0]) {
      write(event);
      coming.shift();
    }
  };

  for (;;) {
    // To the next arrival, and from there as far as is known when the car leaves again.
    let arrival: number | null = null;
    while (arrival === null) {
      const event = events.next().value;
      if (event.at > end) return all;
      if (event.kind === "arrives") arrival = event.at;
      write(event);
    }
    let leaves: number | null = null;
    while (leaves === null) {
      const event = events.next().value;
      coming.push(event);
      if (event.kind === "leaves") leaves = event.at;
    }
    let at = arrival + fraction(seedOf(`${seed} ${arrival}`), 0) * LOOK_MS;
    if (at < leaves) {
      watcher.arrived?.(at);
      visit(leaves);
      watcher.left?.(leaves);
    }
    passTo(leaves);

    function rateOf({ name: video }: Video): number {
      return WIFI_RATES[band] * share * (0.9 + 0.2 * fraction(seedOf(video), 1));
    }

    function msOf(video: Video): number {
      return ((video.size - (partials.get(video.name) ?? 0)) / rateOf(video)) * 1000 + ASK_MS * FILES_OF_VIDEO;
    }

    function visit(until: number): void {
      const lookAt = at + MINUTE;
      let isLooked = watcher.looked === undefined;
      const look = (current: Look["current"]) => {
        isLooked = true;
        const waiting = [...onCard.values()].filter((video) => !video.home);
        const ms = waiting.reduce((sum, video) => sum + msOf(video), 0) - (current?.ms ?? 0);
        watcher.looked?.({ at: lookAt, current, waiting, seconds: ms / 1000 });
      };
      while (at < until) {
        passTo(at);
        for (const video of onCard.values()) video.listed = true;
        const files = watcher.order(at, listOf([...onCard.keys()].sort(), generation), home);
        at += LIST_MS;
        for (const file of files) {
          if (!isLooked && at >= lookAt) look(null);
          if (at >= until) return;
          at += ASK_MS;
          if (file.kind !== "mp4") {
            home.add(file.names[0]);
            continue;
          }
          const video = onCard.get(file.recording.name);
          if (video === undefined || video.home) continue;
          const rate = rateOf(video);
          const had = partials.get(video.name) ?? 0;
          const began = at;
          const ready = at + ((video.size - had) / rate) * 1000;
          const stops = Math.min(ready, until);
          if (!isLooked && lookAt < stops) {
            passTo(lookAt);
            const ms = lookAt - began;
            if (video.goneAt === null) look({ video, bytes: (ms / 1000) * rate, ms });
          }
          passTo(stops);
          at = Math.min(stops, video.goneAt ?? Number.POSITIVE_INFINITY);
          const bytes = had + ((at - began) / 1000) * rate;
          if (at === ready) {
            video.home = true;
            home.add(video.name);
          }
          partials.set(video.name, bytes);
          watcher.came?.(at, video, bytes - had, at - began, at === ready);
        }
        at = Math.max(at, Math.ceil((at + 1) / QUARTER) * QUARTER);
      }
    }
  }
}

/** Videos that were overwritten before they were home. */
export function lostOf(videos: readonly Video[]): readonly Video[] {
  return videos.filter(({ home, goneAt }) => !home && goneAt !== null);
}

function listOf(names: readonly string[], generation: GenerationName): readonly ListedFile[] {
  return generation === "legacy"
    ? parseListing(formatListing(names.map((name) => ({ name })))).files
    : parseVodList(vodList(names)).files;
}

/** Files at home by moment and ending. */
class HomeFiles implements AtHome {
  readonly #endings = new Map<number, Set<string>>();

  add(name: string): void {
    const moment = momentNumber(name);
    const known = this.#endings.get(moment);
    if (known) known.add(endingOf(name));
    else this.#endings.set(moment, new Set([endingOf(name)]));
  }

  has(moment: number, ending: string): boolean {
    return this.#endings.get(moment)?.has(ending) === true;
  }

  moments(): Iterable<number> {
    return this.#endings.keys();
  }

  isBlocked = NOWHERE.isBlocked;
  isAbsent = NOWHERE.isAbsent;
  isUnwanted = NOWHERE.isUnwanted;
  isDeleted = NOWHERE.isDeleted;
  isUnknown = NOWHERE.isUnknown;
}
