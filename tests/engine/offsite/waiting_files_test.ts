import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { momentNumber } from "../../../server/domain/recordings/moment_number.ts";
import { type SentCamera, waitingFiles } from "../../../server/engine/offsite/waiting_files.ts";
import { Log } from "../../../server/log.ts";
import { Library } from "../../../server/store/library/library.ts";
import { FakeClock } from "../../support/app/clock.ts";

const SIGNAL = new AbortController().signal;
const PLAIN = { prefix: "", passphrase: null } as const;
let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "offsite-waiting-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A camera whose folder has these files; those of `kept` are marked. */
async function cameraOf(id: string, paths: readonly string[], kept: readonly string[] = []): Promise<SentCamera> {
  const root = join(folder, id);
  mkdirSync(root);
  for (const path of paths) {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), path);
  }
  const clock = new FakeClock();
  const library = new Library({ root, clock, log: new Log(clock) });
  await library.refresh();
  const marks = new Map(kept.map((key) => [momentNumber(key), { key, kept: { at: "", note: null } }]));
  return {
    camera: { id },
    recordings: { root },
    library,
    retention: { kept: { version: 1, shown: async () => marks } },
  };
}

const FILES = [
  "20260601_100000_NF.mp4",
  "20260602_100000_EF.mp4",
  "20260602_100000_ER.mp4",
  "20260602_100000_E.gps",
  "2026-06/20260603_100000_EF.mp4",
  "20260604_100000_PF.mp4",
  "20260604_100000_PF.mp4.failed",
  "notes.txt",
];

describe("files that wait to be sent", () => {
  test("are kept ones first, then events, then others, the newest first, each video before what belongs to it", async () => {
    const camera = await cameraOf("main", FILES, ["20260601_100000_N"]);
    const waiting = await waitingFiles([camera], { ...PLAIN, what: "all" }, () => false, SIGNAL);
    expect(waiting.files.map(({ key }) => key)).toEqual([
      "20260601_100000_NF.mp4",
      "2026-06/20260603_100000_EF.mp4",
      "20260602_100000_EF.mp4",
      "20260602_100000_ER.mp4",
      "20260602_100000_E.gps",
      "20260604_100000_PF.mp4",
    ]);
    expect(waiting.recordings).toBe(5);
    expect(waiting.bytes).toBe(waiting.files.reduce((sum, { path }) => sum + path.length, 0));
  });

  test("are those that are asked for, and not known to the bucket yet", async () => {
    const camera = await cameraOf("main", FILES, ["20260601_100000_N"]);
    const keysOf = async (what: "kept" | "events", known: readonly string[] = []) =>
      (await waitingFiles([camera], { ...PLAIN, what }, (key) => known.includes(key), SIGNAL)).files.map(
        ({ key }) => key,
      );
    expect(await keysOf("kept")).toEqual(["20260601_100000_NF.mp4"]);
    expect((await keysOf("events")).length).toBe(5);
    expect(await keysOf("events", await keysOf("events"))).toEqual([]);
  });

  test("of several cameras have names of their own, with the ending of what is encrypted", async () => {
    const name = "20260602_100000_EF.mp4";
    const cameras = [await cameraOf("main", [name]), await cameraOf("van", [name])];
    const settings = { what: "events", prefix: "car", passphrase: "five words that are long" } as const;
    const { files } = await waitingFiles(cameras, settings, () => false, SIGNAL);
    expect(files.map(({ key }) => key).sort()).toEqual([`car/${name}.age`, `car/~van/${name}.age`]);
  });

  test("are no links, and nothing of a folder that is not there", async () => {
    const camera = await cameraOf("main", ["20260602_100000_EF.mp4"]);
    symlinkSync("/etc/hostname", join(folder, "main", "20260603_100000_EF.mp4"));
    await camera.library.refresh();
    const gone = await cameraOf("van", ["20260604_100000_EF.mp4"]);
    rmSync(join(folder, "van"), { recursive: true });
    await gone.library.refresh();
    const { files } = await waitingFiles([camera, gone], { ...PLAIN, what: "all" }, () => false, SIGNAL);
    expect(files.map(({ key }) => key)).toEqual(["20260602_100000_EF.mp4"]);
  });
});
