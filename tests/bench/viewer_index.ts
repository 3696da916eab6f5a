import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { days, recordings } from "../../server/api/viewer.ts";
import { calendar, trips } from "../../server/api/viewer_lists.ts";
import { systemClock } from "../../server/clock.ts";
import { dateOf } from "../../server/domain/recordings/recording_name.ts";
import { initialSettings } from "../../server/domain/settings/settings.ts";
import { ZoneTime } from "../../server/domain/text/zone_time.ts";
import { PlaceNames } from "../../server/engine/places/place_names.ts";
import { readTowns } from "../../server/engine/places/towns.ts";
import { type PendingDeletionParts, PendingDeletions } from "../../server/engine/retention/pending_deletions.ts";
import { ViewedRecordings } from "../../server/engine/viewer/viewed_recordings.ts";
import type { Route } from "../../server/http/request/route.ts";
import { Log } from "../../server/log.ts";
import { RecordingIndex } from "../../server/store/clips/recording_index.ts";
import { TelemetryFiles } from "../../server/store/clips/telemetry_files.ts";
import { KeptRecordings } from "../../server/store/destination/kept_recordings.ts";
import { Stills } from "../../server/store/destination/stills.ts";
import { Library } from "../../server/store/library/library.ts";
import { whenAsked } from "../../server/when_asked.ts";
import { ListedOnCamera } from "../support/app/coming.ts";
import type { StageApp } from "../support/app/http.ts";
import { openStage } from "../support/app/viewer.ts";
import { median } from "./measure.ts";
import { MEMORY } from "./stage.ts";

const ROUNDS = 15;

/** All in milliseconds, over real HTTP but for `coldMs`, which is the index alone. */
export interface ViewerFigures {
  files: number;
  segments: number;
  folders: number;
  /** From nothing known to the list of days. */
  coldMs: number;
  daysMs: number;
  /** One day, without what only a look at its files tells. */
  firstDayMs: number;
  /** The same day when that is known. */
  dayMs: number;
  dayKilobytes: number;
  /** The trips of that day, with their figures known. */
  tripsMs: number;
  /** Counts over all days. */
  calendarMs: number;
  /** The days with an event. */
  filteredMs: number;
  /** The list of days after one file more came. */
  changedMs: number;
  /** The same list, and that of a day, when 5000 more recordings come to be known as being on the camera. */
  comingMs: number;
  comingDayMs: number;
  recentFirstMs: number;
  recentMs: number;
}

/** The viewer's answers from a library of this many moments with two videos each, in a folder a day or in one. */
export async function benchViewerIndex(moments: number, grouped: boolean): Promise<ViewerFigures> {
  const root = mkdtempSync(join(MEMORY, "dashdock-bench-viewer-"));
  try {
    const names = namesOfDrives(moments);
    const folders = fill(root, names, grouped);
    const library = new Library({ root, clock: systemClock, log: new Log(systemClock) });
    const index = new RecordingIndex({ library, clock: systemClock });
    const coming = new ListedOnCamera();
    const viewed = new ViewedRecordings({ segments: index, library, coming, zone: () => null });
    const kept = new KeptRecordings(root);
    const stills = new Stills(root);
    const coldMs = await timed(() => index.days());
    const telemetry = new TelemetryFiles({ root });
    const placeNames = whenAsked(
      async () => new PlaceNames({ settings: { current: initialSettings() }, towns: whenAsked(readTowns) }),
    );
    const withIndex = (app: StageApp) => {
      const retention = { ...app.retention, library, kept, stills };
      const deletions = new PendingDeletions({
        retention,
        settings: app.settings,
        isUnknown: () => false,
      } as unknown as PendingDeletionParts);
      return {
        ...app,
        segments: index,
        viewed,
        coming,
        retention,
        deletions,
        telemetry,
        zone: new ZoneTime("UTC"),
        placeNames,
      };
    };
    const routes: Route<StageApp>[] = [
      {
        method: "GET",
        path: "/days",
        access: "open",
        handle: (context, app) => days.handle(context, withIndex(app)),
      },
      {
        method: "GET",
        path: "/day",
        access: "open",
        handle: (context, app) => recordings.handle(context, withIndex(app)),
      },
      {
        method: "GET",
        path: "/trips",
        access: "open",
        handle: (context, app) => trips.handle(context, withIndex(app)),
      },
      {
        method: "GET",
        path: "/calendar",
        access: "open",
        handle: (context, app) => calendar.handle(context, withIndex(app)),
      },
    ];
    const { stage, browser } = await openStage(routes);
    await using _ = stage;
    const get = async (path: string) => (await browser.ask(path)).text();
    // A folder that changed within the last two seconds is listed each time; these were made just now.
    await Bun.sleep(2500);
    await get("/days");
    const daysMs = await medianOf(() => get("/days"));
    const wanted = `/day?date=${(await index.days())[1]?.date}`;
    const firstDayMs = await timed(() => get(wanted));
    const text = await waitFor(() => get(wanted), '"size_bytes":null');
    // The first few are slower: the program is only being compiled.
    for (let round = 0; round < ROUNDS; round++) await get(wanted);
    const dayMs = await medianOf(() => get(wanted));
    const ofTrips = wanted.replace("/day", "/trips");
    await waitFor(() => get(ofTrips), '"is_complete":false');
    for (let round = 0; round < ROUNDS; round++) await get(ofTrips);
    const tripsMs = await medianOf(() => get(ofTrips));
    const calendarMs = await medianOf(() => get("/calendar"));
    const filteredMs = await medianOf(() => get("/days?types=E"));
    const onCamera = namesOfDrives(5000).map((name) => ({ key: `2027${name.slice(4, 17)}` }));
    coming.put(...onCamera);
    const comingMs = await medianOf(async () => {
      coming.put();
      await get("/days");
    });
    const comingDayMs = await medianOf(() => get("/day"));
    coming.remove(...onCamera.map(({ key }) => key));
    const recentFirstMs = await timed(() => index.recent(5));
    await Bun.sleep(3000);
    const recentMs = await medianOf(() => index.recent(5));
    writeFileSync(join(root, "20270101_000000_NF.mp4"), "");
    const changedMs = await timed(() => get("/days"));
    return {
      files: names.length,
      segments: moments,
      folders,
      coldMs,
      daysMs,
      firstDayMs,
      dayMs,
      tripsMs,
      calendarMs,
      filteredMs,
      dayKilobytes: text.length / 1000,
      changedMs,
      comingMs,
      comingDayMs,
      recentFirstMs,
      recentMs,
    };
  } finally {
    rmSync(root, { recursive: true });
  }
}

/** Five files of each moment: eight drives a day of fifty minutes each, with an event in most. */
function namesOfDrives(moments: number): string[] {
  const names: string[] = [];
  for (let at = 0; at < moments; at++) {
    const day = Math.floor(at / 400);
    const ofDay = at % 400;
    const minute = 360 + Math.floor(ofDay / 50) * 120 + (ofDay % 50);
    const stamp = new Date(Date.UTC(2026, 0, 1 - day) + minute * 60_000).toISOString().replace(/[-:]/g, "");
    const key = `${stamp.slice(0, 8)}_${stamp.slice(9, 15)}_${at % 40 === 0 ? "E" : "N"}`;
    names.push(`${key}F.mp4`, `${key}R.mp4`, `${key}F.thm`, `${key}.gps`, `${key}.3gf`);
  }
  return names;
}

/** Writes empty files and makes their folders look old, as those of a library mostly are. */
function fill(root: string, names: readonly string[], grouped: boolean): number {
  const folders = new Set([root]);
  for (const name of names) {
    const folder = grouped ? join(root, dateOf(name)) : root;
    if (!folders.has(folder)) mkdirSync(folder);
    folders.add(folder);
    writeFileSync(join(folder, name), "");
  }
  const before = new Date(Date.now() - 3_600_000);
  for (const folder of folders) utimesSync(folder, before, before);
  return folders.size;
}

/** Asks until the answer lacks what it has while files are still being read. */
async function waitFor(get: () => Promise<string>, unread: string): Promise<string> {
  for (let turn = 0; turn < 500; turn++) {
    const text = await get();
    if (!text.startsWith("{")) throw new Error(`The viewer did not answer: ${text.slice(0, 200)}`);
    if (!text.includes(unread)) return text;
    await Bun.sleep(20);
  }
  throw new Error("The files of a day were not read in time");
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function medianOf(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) times.push(await timed(work));
  return median(times);
}

if (import.meta.main) {
  const moments = Number(process.argv[2] ?? 20_000);
  for (const grouped of [true, false])
    console.log(grouped ? "a folder a day" : "one folder", await benchViewerIndex(moments, grouped));
}
