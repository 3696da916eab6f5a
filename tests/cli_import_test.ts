import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../server/clock.ts";
import { acquireLock, lockHolder } from "../server/store/destination/destination_lock.ts";
import { EVENT, FRONT, ImportBench, REAR, videoOf } from "./support/app/import.ts";
import { dashdock, type Ended, start, untilSize } from "./support/app/process.ts";

// Real processes and long files: five seconds are too little on a busy machine.
setDefaultTimeout(40_000);

const LONG = 400_000_000;

let bench: ImportBench;
beforeEach(() => {
  bench = new ImportBench();
  mkdirSync(join(bench.root, "cwd"));
});
afterEach(() => bench[Symbol.dispose]());

const cwd = () => join(bench.root, "cwd");
function words(...args: string[]): string[] {
  return ["import", bench.card, "-d", bench.home, "-u", "98", ...args];
}
function run(...args: string[]): Promise<Ended> {
  return dashdock(words(...args), { cwd: cwd() });
}
const plain = (text: string) => text.replaceAll("\u00a0", " ").replaceAll("\u202f", " ");

test("an import tells each recording, what was left and why, and ends with 0", async () => {
  bench.put(FRONT);
  bench.put(REAR, videoOf(1000, 1));
  bench.atHome(REAR, videoOf(1000, 2));
  bench.putAt("photo.jpg", "x");
  const { code, out, err } = await run("--camera", "main");
  expect([code, err]).toEqual([0, ""]);
  expect(plain(out).split("\n")).toEqual([
    `Import started: ${bench.card}`,
    `Imported ${FRONT}: 1.4 kB`,
    "1 file left: Not a recording of a camera. (photo.jpg)",
    `1 file left: Another file of this name is at home. Both stay as they are. (BlackVue/Record/${REAR})`,
    "Import finished: 1 recording (1.4 kB) came home in under a second, 2 files left",
    "",
  ]);
  expect(existsSync(join(cwd(), "data"))).toBe(false);
});

test("a dry run makes nothing, not even the recordings folder", async () => {
  bench.put(FRONT);
  const { code, out } = await run("--dry-run", "--move");
  expect(code).toBe(0);
  expect(out).toContain(`Would import ${FRONT}`);
  expect(existsSync(bench.home)).toBe(false);
  expect((await bench.cardFiles()).length).toBe(1);
});

test("JSON lines have the name, the length and the checksum of each file", async () => {
  const bytes = videoOf(1000);
  bench.put(FRONT, bytes);
  const { out } = await run("--log-format", "json");
  const lines = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.find(({ event }) => event === "file_imported")).toMatchObject({
    filename: FRONT,
    bytes: bytes.length,
    sha256: new Bun.CryptoHasher("sha256").update(bytes).digest("hex"),
  });
  expect(lines.at(-1)).toMatchObject({ event: "import_finished", recordings: 1, left: 0 });
});

test("quiet says nothing of what went well", async () => {
  bench.put(FRONT);
  expect(await run("--quiet")).toEqual({ code: 0, out: "", err: "" });
  expect(await bench.homeFiles()).toEqual([FRONT]);
});

test("a link in place of the folder is refused, and the sentence names the folder", async () => {
  bench.put(FRONT);
  const link = join(bench.root, "link");
  symlinkSync(bench.card, link);
  for (const folder of [link, `${link}/`]) {
    const { code, out, err } = await dashdock(["import", folder, "-d", bench.home], { cwd: cwd() });
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(`is a link, and links are never followed: name the folder itself, ${bench.card}`);
  }
  expect(existsSync(bench.home)).toBe(false);
});

test("a file in place of the folder, and the recordings folder itself, are refused", async () => {
  const file = join(bench.root, "file");
  writeFileSync(file, "x");
  bench.atHome(`2026/${FRONT}`, videoOf(10));
  for (const [folder, said] of [
    [file, "is not a folder"],
    [bench.home, "lies in the recordings folder"],
    [join(bench.home, "2026"), "lies in the recordings folder"],
  ] as const) {
    const { code, err } = await dashdock(["import", folder, "-d", bench.home], { cwd: cwd() });
    expect([code, err]).toEqual([2, expect.stringContaining(said)]);
  }
});

test("an import ends with 1 while a sync has the folder", async () => {
  bench.put(FRONT);
  mkdirSync(bench.home);
  const lock = acquireLock(bench.home, lockHolder("serve", systemClock));
  const { code, err } = await run();
  lock.release();
  expect([code, err]).toEqual([
    1,
    expect.stringContaining("Import not started: another sync is using this folder: serve"),
  ]);
});

test("an import ends with 2 where the disk is full, in one line", async () => {
  bench.put(FRONT);
  const { code, err } = await run("-u", "5");
  expect(code).toBe(2);
  expect(err.trim().split("\n")).toHaveLength(1);
  expect(err).toContain("the limit is 5 %");
});

test("an interrupted import ends with 1, and the next one goes on", async () => {
  bench.put(FRONT);
  bench.putLong(EVENT, LONG);
  await using running = start(words(), { cwd: cwd() });
  await untilSize(join(bench.home, `.${EVENT}`), 1);
  running.signal("SIGINT");
  const { code, out, err } = await running.ended;
  expect([code, err]).toEqual([1, ""]);
  expect(out).toContain("Import stopped; until then 1");
  expect(await bench.homeFiles()).toEqual([`.${EVENT}`, FRONT]);

  const again = await run();
  expect([again.code, plain(again.out)]).toEqual([0, expect.stringContaining("1 recording (400 MB) came home")]);
  expect(await bench.homeFiles()).toEqual([FRONT, EVENT]);
});

test("an import that is killed leaves a partial, which is no recording, and the next one moves the whole file", async () => {
  const path = bench.putLong(EVENT, LONG);
  await using running = start(words("--move"), { cwd: cwd() });
  await untilSize(join(bench.home, `.${EVENT}`), 1);
  process.kill(running.pid, "SIGKILL");
  await running.ended;
  expect(await bench.homeFiles()).toEqual([`.${EVENT}`]);
  expect(Bun.file(path).size).toBeGreaterThan(LONG);

  const whole = readFileSync(path);
  expect(await run("--move")).toMatchObject({ code: 0, err: "" });
  expect(await bench.homeFiles()).toEqual([EVENT]);
  expect(Buffer.compare(await bench.bytesAtHome(EVENT), whole)).toBe(0);
  expect(await bench.cardFiles()).toEqual([]);
});

test("--camera takes folder and rules of that camera from the settings, and names the cameras when there is none", async () => {
  const settings = {
    version: 2,
    main_camera: { name: "Car" },
    more_cameras: [
      { id: "van", name: "Van", destination: join(bench.root, "van"), sync: { grouping: "monthly", include: ["NR"] } },
      { id: "bus", destination: "not/whole" },
    ],
    auth: { session_secret: "s".repeat(32) },
  };
  const config = join(bench.root, "config");
  mkdirSync(config);
  const file = join(config, "settings.json");
  writeFileSync(file, JSON.stringify(settings), { mode: 0o600 });
  const before = readFileSync(file, "utf8");
  bench.put(FRONT);
  bench.put(REAR);
  const imported = (...args: string[]) =>
    dashdock(["import", bench.card, "-u", "98", ...args], { cwd: cwd(), env: { SERVICE_CONFIG_DIR: config } });

  expect((await imported("--camera", "van")).code).toBe(0);
  expect(existsSync(join(bench.root, "van", "2026-06", REAR))).toBe(true);
  expect(existsSync(join(bench.root, "van", "2026-06", FRONT))).toBe(false);
  // An option counts more than the setting.
  expect((await imported("--camera", "van", "-i", "NF", "-g", "none")).code).toBe(0);
  expect(existsSync(join(bench.root, "van", FRONT))).toBe(true);

  const unknown = await imported("--camera", "truck");
  expect([unknown.code, unknown.out]).toEqual([2, ""]);
  expect(unknown.err).toStartWith('There is no camera "truck". The cameras are: main, van\n');
  const leftOut = await imported("--camera", "bus");
  expect(leftOut.code).toBe(2);
  expect(leftOut.err).toStartWith('Camera "bus" is left out: its destination must be the whole path of a folder.');
  expect(leftOut.err).toContain("The cameras are: main, van\n");
  expect([(await imported("--config", config)).code, (await imported("--camera", "")).code]).toEqual([2, 2]);
  expect([readFileSync(file, "utf8"), await readdir(config)]).toEqual([before, ["settings.json"]]);
});

test("--move empties no folder of recordings at home, neither the one that is named nor one below", async () => {
  const id = `${"0".repeat(32)}\n`;
  bench.putAt("van/.dashdock/id", id);
  bench.putAt(`van/2026/${FRONT}`, videoOf(1000));
  bench.put(REAR);
  for (const folder of ["van", "van/2026"]) {
    const { code, err } = await dashdock(["import", join(bench.card, folder), "-d", bench.home, "--move"], {
      cwd: cwd(),
    });
    expect([code, err]).toEqual([
      2,
      expect.stringContaining(`${join(bench.card, "van")} is a folder of recordings at home`),
    ]);
  }
  const { code, out } = await run("--move");
  expect([code, plain(out)]).toEqual([
    0,
    expect.stringContaining("1 file left: It is a folder of recordings at home."),
  ]);
  expect((await bench.cardFiles()).filter((path) => path.endsWith(".mp4"))).toEqual([`van/2026/${FRONT}`]);
  expect(await bench.homeFiles()).toEqual([REAR]);
  // A copy of an old library is imported as any folder is.
  expect((await dashdock(["import", join(bench.card, "van"), "-d", bench.home], { cwd: cwd() })).code).toBe(0);
  expect(await bench.homeFiles()).toEqual([FRONT, REAR]);
});

test("--move empties no other camera's folder that has lost its id", async () => {
  const config = join(bench.root, "config");
  mkdirSync(config);
  const van = { id: "van", name: "Van", destination: join(bench.card, "van") };
  writeFileSync(
    join(config, "settings.json"),
    JSON.stringify({ system: { destination: bench.home }, more_cameras: [van] }),
    { mode: 0o600 },
  );
  bench.putAt(`van/${FRONT}`, videoOf(1000));
  const imported = (folder: string) =>
    dashdock(["import", folder, "--config", config, "--camera", "main", "--move"], { cwd: cwd() });
  const named = await imported(van.destination);
  expect([named.code, named.err]).toEqual([2, expect.stringContaining("holds the recordings of Van")]);
  expect((await imported(bench.card)).code).toBe(0);
  expect(existsSync(join(van.destination, FRONT))).toBe(true);
});

test("a recording in another camera's folder, which has lost its id, is not at home", async () => {
  const config = join(bench.root, "config");
  mkdirSync(config);
  const van = { id: "van", name: "Van", destination: join(bench.home, "van") };
  writeFileSync(
    join(config, "settings.json"),
    JSON.stringify({ system: { destination: bench.home }, more_cameras: [van] }),
    { mode: 0o600 },
  );
  bench.atHome(`van/${FRONT}`, videoOf(1000));
  bench.put(FRONT);
  const { code } = await dashdock(["import", bench.card, "--config", config, "--camera", "main"], { cwd: cwd() });
  expect([code, await bench.homeFiles()]).toEqual([0, [FRONT, `van/${FRONT}`]]);
});
