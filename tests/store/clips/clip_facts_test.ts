import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../../server/clock.ts";
import { Log } from "../../../server/log.ts";
import { ClipFacts } from "../../../server/store/clips/clip_facts.ts";
import { FactsDatabase } from "../../../server/store/clips/facts_database.ts";
import { FactsFiller } from "../../../server/store/clips/facts_filler.ts";
import { RecordingIndex } from "../../../server/store/clips/recording_index.ts";
import { Shelf } from "../../support/app/viewer.ts";

const KEY = "20260607_101500_N";
/** A second's fix going east along the equator at 36 km/h. */
const fix = (second: number, meters: number) => {
  const minutes = ((meters / 6_371_008.8) * 180 * 60) / Math.PI;
  const lon = `000${minutes.toFixed(6).padStart(9, "0")}`;
  return `[${1_780_000_000_000 + second * 1000}]$GPRMC,,A,0000.000000,N,${lon},E,19.4,90,,,*00\r\n`;
};
const gps = (seconds: number) =>
  Array.from({ length: seconds + 1 }, (_, second) => fix(second, 100 + second * 10)).join("");

let shelf: Shelf;
let path: string;
beforeEach(() => {
  shelf = new Shelf();
  path = join(shelf.place, "library.db");
});
afterEach(() => shelf[Symbol.dispose]());

/** The index as a start of the service makes it. */
function opened() {
  const log = new Log(systemClock);
  const database = new FactsDatabase({ path, log });
  const facts = new ClipFacts({ root: shelf.root, clock: systemClock, database, budgetMs: 60_000 });
  const index = new RecordingIndex({ library: shelf.library, clock: systemClock, facts });
  const segments = () => index.all();
  const store = (one: Parameters<ClipFacts["store"]>[0]) => facts.store(one);
  const filler = new FactsFiller({ clock: systemClock, database, segments, store });
  const warnings = () => log.lines.filter(({ message }) => message.includes("library.db"));
  return { database, facts, index, filler, warnings };
}
async function only(index: RecordingIndex) {
  const segments = (await index.day(null))?.segments ?? [];
  const [video] = await index.facts(segments);
  const [telemetry] = await index.telemetryFacts(segments);
  return { sizeBytes: video?.sizeBytes, durationSeconds: video?.durationSeconds, telemetry };
}

describe("what is dear to read of clips", () => {
  test("is read once, also over a restart, as long as the files stay as they are", async () => {
    await shelf.putVideo(`${KEY}F.mp4`, 5000, 60, 1_780_000_000);
    shelf.put(`${KEY}.gps`, gps(60), 1_780_000_000);
    const first = opened();
    const known = await only(first.index);
    expect(known).toMatchObject({
      sizeBytes: 5000,
      durationSeconds: 60,
      telemetry: { runs: [{ fixes: 61 }], strongestG: null },
    });
    expect(known.telemetry?.runs?.[0]?.meters).toBeCloseTo(600, -1);
    expect(known.telemetry?.runs?.[0]?.fastest).toBeCloseTo(19.4, 5);
    first.facts.close();
    // Other contents under the same size and time would be read as something else.
    writeFileSync(join(shelf.root, `${KEY}.gps`), " ".repeat(gps(60).length));
    utimesSync(join(shelf.root, `${KEY}.gps`), 1_780_000_000, 1_780_000_000);
    const second = opened();
    expect((await only(second.index)).telemetry).toEqual(known.telemetry ?? null);
    second.facts.close();
    shelf.put(`${KEY}.gps`, gps(30), 1_780_000_100);
    const third = opened();
    expect((await only(third.index)).telemetry?.runs?.[0]?.meters).toBeCloseTo(300, -1);
    third.facts.close();
  });

  test("is nothing where there are no such files", async () => {
    await shelf.putVideo(`${KEY}F.mp4`, 5000, 60);
    const { index, facts } = opened();
    expect((await only(index)).telemetry).toMatchObject({ runs: null, box: null, rest: null });
    facts.close();
  });

  const broken: readonly (readonly [what: string, damage: () => void, warnings: number])[] = [
    ["no database", () => writeFileSync(path, "This is a text, and a long one too. ".repeat(200)), 0],
    ["cut in its middle", () => truncateSync(path, Math.floor(statSync(path).size / 2 / 4096) * 4096 + 100), 0],
    ["empty", () => truncateSync(path, 0), 0],
    ["gone", () => rmSync(path), 0],
    [
      "a folder",
      () => {
        rmSync(path);
        mkdirSync(join(path, "full"), { recursive: true });
      },
      1,
    ],
  ];
  test.each(broken)("is read again when the file is %s", async (_, damage, warnings) => {
    await shelf.putVideo(`${KEY}F.mp4`, 5000, 60);
    shelf.put(`${KEY}.gps`, gps(60));
    const first = opened();
    const known = await only(first.index);
    first.facts.close();
    damage();
    for (const companion of ["-wal", "-shm"]) rmSync(path + companion, { force: true });
    const second = opened();
    expect(await only(second.index)).toMatchObject(known);
    second.facts.close();
    expect(second.warnings()).toHaveLength(warnings);
  });

  const whileOpen: readonly (readonly [what: string, damage: () => void])[] = [
    ["deleted", () => rmSync(path)],
    ["cut short", () => truncateSync(path, 100)],
    ["overwritten", () => writeFileSync(path, new Uint8Array(statSync(path).size).fill(7))],
    ["cut short with all files beside it", () => cutShort(["", "-journal", "-wal", "-shm"])],
  ];
  const cutShort = (endings: readonly string[]) => {
    for (const ending of endings) if (existsSync(path + ending)) truncateSync(path + ending, 0);
  };
  test.each(whileOpen)("is read and kept again when the file is %s while it is open", async (_, damage) => {
    await shelf.putVideo(`${KEY}F.mp4`, 5000, 60);
    shelf.put(`${KEY}.gps`, gps(60));
    const { index, database, filler, facts, warnings } = opened();
    const known = await only(index);
    database.flush();
    damage();
    expect(await only(index)).toEqual(known);
    for (const _ of ["what is damaged is found", "what is anew is filled"]) {
      filler.start();
      await filler.done();
    }
    expect(database.telemetry(KEY)?.facts.runs?.[0]?.fixes).toBe(61);
    expect(warnings()).toEqual([]);
    facts.close();
  });

  test("is not read again after each run where it cannot be kept", async () => {
    await shelf.putVideo(`${KEY}F.mp4`, 5000, 60);
    mkdirSync(join(path, "full"), { recursive: true });
    const { database, filler, facts, warnings } = opened();
    for (let run = 0; run < 20; run++) {
      filler.start();
      await filler.done();
    }
    expect(database.isInUse).toBe(false);
    expect(warnings()).toHaveLength(1);
    expect(database.videos(KEY)).toBeNull();
    facts.close();
  });

  test("is filled in the background, and forgets what is gone", async () => {
    await shelf.putVideo(`a/${KEY}F.mp4`, 5000, 60.5);
    await shelf.putVideo("20260607_101600_NF.mp4", 5000, 45);
    shelf.put(`a/${KEY}.gps`, gps(60));
    shelf.putAll("20260607_101700_NF.mp4");
    const first = opened();
    first.filler.start();
    await first.filler.done();
    expect(first.database.videos(`a/${KEY}`)?.durationSeconds).toBe(60.5);
    expect(first.database.telemetry(`a/${KEY}`)?.facts.runs?.[0]?.fixes).toBe(61);
    expect((await first.index.figures()).days[0]?.drivingSeconds).toBe(Math.round(60.5 + 44.5 + 60));
    rmSync(join(shelf.root, "20260607_101600_NF.mp4"));
    shelf.library.noteRemoved("20260607_101600_NF.mp4", "");
    first.filler.start();
    await first.filler.done();
    expect(first.database.videos("20260607_101600_N")).toBeNull();
    expect(first.database.videos(`a/${KEY}`)).not.toBeNull();
    await first.filler.close();
    first.facts.close();
    expect(existsSync(path)).toBe(true);
  });

  test("ends at once with the service", async () => {
    for (let minute = 10; minute < 40; minute++) shelf.put(`20260607_10${minute}00_NF.mp4`);
    const { filler, facts } = opened();
    filler.start(3_600_000);
    await filler.close();
    filler.start();
    await filler.done();
    facts.close();
  });
});
