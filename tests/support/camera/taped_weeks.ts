import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ListedFile } from "../../../server/domain/recordings/camera_listing.ts";
import { groupFolder } from "../../../server/domain/recordings/date_folders.ts";
import { dayNumber } from "../../../server/domain/recordings/moment_number.ts";
import type { Priority } from "../../../server/domain/settings/sections/sync.ts";
import { isoDay } from "../../../server/domain/text/zone_time.ts";
import { nameOfId } from "../../../server/engine/coverage/row_judge.ts";
import { startApp } from "../app/app.ts";
import { FakeClock } from "../app/clock.ts";
import { cardOf } from "../app/sync.ts";
import { type LivedWeeksOptions, liveWeeks, lostOf, type Video } from "./lived_weeks.ts";
import { type Forecast, PlanningService } from "./planned_weeks.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** So many lists have one that is cut short, and one that is empty. */
const CUT_EVERY = 9;

/** One list as the service got it, and what had come home since the one before. */
interface TapedList {
  readonly at: number;
  readonly files: readonly ListedFile[];
  readonly home: readonly string[];
}

/** Weeks of a simulated car as its service saw them. */
export interface TapedWeeks {
  readonly videos: readonly Video[];
  readonly lists: readonly TapedList[];
  readonly forecasts: readonly Forecast[];
}

/** Lives in memory, and keeps what a ledger would be told. */
export function tapeWeeks(car: LivedWeeksOptions, order: Priority): TapedWeeks {
  const service = new PlanningService(order);
  const lists: TapedList[] = [];
  let home: string[] = [];
  const videos = liveWeeks(car, {
    arrived: (at) => service.arrived(at),
    left: (at) => service.left(at),
    looked: (look) => service.looked(look),
    order(at, files, atHome) {
      lists.push({ at, files, home });
      home = [];
      return service.order(at, files, atHome);
    },
    came(at, video, bytes, ms, whole) {
      if (whole) home.push(video.name);
      service.came(at, video, bytes, ms, whole);
    },
  });
  return { videos, lists, forecasts: service.forecasts };
}

export interface LedgerComparison {
  readonly lost: number;
  /** Recordings that the ledger calls lost and that are not, and the other way round. */
  readonly tooMany: readonly string[];
  readonly tooFew: readonly string[];
  /** Recordings at home that it does not call that. */
  readonly notHome: readonly string[];
}

/**
 * Tells a real ledger of everything that a service saw, with empty lists and such that are cut short in between, and
 * compares it with what really became of the videos.
 * @param folder for the service; one of its own when left out
 */
export async function ledgerAgainst({ videos, lists }: TapedWeeks, folder?: string): Promise<LedgerComparison> {
  const clock = new FakeClock(lists[0]?.at ?? 0);
  const settings = { retention: { keep: "" } };
  await using running = await startApp({ clock, card: cardOf([], 1000), settings, ...(folder && { folder }) });
  const { app, destination } = running;
  const take = async (files: readonly ListedFile[]) => {
    const listing = { version: "1.00", files: [...files], strange: [], strangeCount: 0 };
    const isBelieved = await app.listed.takeList(app.dashcam.address, listing, {
      isAbsent: () => true,
      isUnsure: () => false,
    });
    if (isBelieved) await app.ledger.takeList(0);
  };
  const taken: TapedList[] = [];
  const listed = new Set<string>();
  const home = new Set<string>();
  let came: string[] = [];
  for (const [index, list] of lists.entries()) {
    came.push(...list.home);
    const before = taken.at(-1);
    // In a long stay most lists tell nothing that the next one does not tell too.
    if (before !== undefined && list.at - before.at < HOUR_MS) continue;
    clock.pass(Math.max(0, list.at - clock.now()));
    for (const name of came) {
      const path = join(destination, groupFolder(name.slice(0, 15), "daily"), name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, "");
      home.add(plainName(name));
    }
    // A list that is as before tells nothing new; most of those of a long visit are.
    if (
      before?.files.length === list.files.length &&
      before.files.every(({ name }, at) => name === list.files[at]?.name)
    )
      if (came.length === 0) continue;
    came = [];
    if (index % CUT_EVERY === 4) await take(list.files.slice(0, Math.floor(list.files.length / 3)));
    if (index % CUT_EVERY === 7) await take([]);
    await app.library.refresh();
    await take(list.files);
    taken.push(list);
    for (const { name } of list.files) listed.add(plainName(name));
  }
  const decided = taken.at(-2)?.at ?? 0;
  const states = new Map<string, string>();
  await app.ledger.read((rows) => {
    for (let day = videos[0]?.recordedAt ?? 0; day <= clock.now() + DAY_MS; day += DAY_MS)
      for (const row of rows.ofDay(dayNumber(isoDay(day)))) states.set(nameOfId(row), row.state);
  });
  const truth = new Set(
    lostOf(videos)
      .filter(({ goneAt }) => (goneAt ?? 0) <= decided)
      .map(({ name }) => plainName(name))
      .filter((name) => listed.has(name)),
  );
  const called = new Set([...states].flatMap(([name, state]) => (state === "lost" ? [plainName(name)] : [])));
  const known = new Map([...states].map(([name, state]) => [plainName(name), state]));
  return {
    lost: truth.size,
    tooMany: [...called].filter((name) => !truth.has(name)),
    tooFew: [...truth].filter((name) => !called.has(name)),
    notHome: [...home].filter((name) => known.get(name) !== "home"),
  };
}

/** Without the letter of an upload, which a ledger does not keep. */
function plainName(name: string): string {
  return name.slice(0, 18);
}
