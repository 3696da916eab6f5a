import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { chown, mkdir, readdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type GenerationName, hasFilesOf } from "../server/dashcam/generation.ts";
import { SimulatedCard, syntheticFootage } from "../server/dashcam/simulator/simulated_card.ts";
import { openSimulator, type Simulator } from "../server/dashcam/simulator/simulator.ts";
import { GENERATIONS } from "../server/dashcam/spoken_interface.ts";
import { parseArtifact } from "../server/domain/recordings/recording_name.ts";
import { readDisk } from "../server/store/destination/disk_usage.ts";
import { LIST_REQUEST, onBothInterfaces, requestFor } from "./support/app/interfaces.ts";
import { dashdock, type Ended, type Place, start, temporaryPlace, treeOf, untilSize } from "./support/app/process.ts";

const FIRST = "20240607_101500_NF.mp4";
const SECOND = "20240608_101500_PR.mp4";
const OLD = "20200101_120000_NF";
/** A port of the loopback interface on which nothing listens. */
const NOBODY = "127.0.0.1:1";

let place: Place;
let camera: Simulator;
async function openPlace(generation: GenerationName): Promise<void> {
  place = await temporaryPlace();
  const card = new SimulatedCard(syntheticFootage(200_000));
  for (const name of [FIRST, SECOND]) card.record(name);
  camera = await openSimulator({ card, generation });
}
async function closePlace(): Promise<void> {
  await camera.close();
  await place[Symbol.asyncDispose]();
}

/** Every name on the card of which the camera has the file. */
function offered(): string[] {
  return camera.card.names().filter((name) => hasFilesOf(parseArtifact(name)?.kind ?? "mp4", camera.generation));
}

function sync(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return dashdock(["sync", ...args], { cwd: place.cwd, env });
}

/** Names of recordings and companions in a folder, which must all be the camera's to the last byte. */
async function cameHome(folder: string): Promise<string[]> {
  const isHome = (path: string) =>
    !path.startsWith(".dashdock/") && /[0-9]{6}_[A-Z]{1,2}\.(mp4|thm|3gf|gps)$/.test(path);
  const names = ((await treeOf(folder)) ?? []).filter(isHome);
  for (const path of names) {
    const bytes = await readFile(join(folder, path));
    const name = path.slice(path.lastIndexOf("/") + 1);
    if (Buffer.compare(bytes, await camera.card.bytes(name)) !== 0) throw new Error(`${path} is not the camera's`);
  }
  return names;
}

/** The videos that were asked for, each time. */
function videosAsked(): string[] {
  return camera.requests.flatMap(({ path }) => /[^/]+\.mp4$/.exec(path) ?? []);
}

/**
 * Commands that end because the camera is away. They begin before all tests and are looked at after them, because the
 * camera is given a quarter of a minute to come back.
 */
class Waiting implements AsyncDisposable {
  readonly place: Place;
  readonly #silent: Simulator;
  readonly #ended = new Map<string, Promise<Ended>>();

  private constructor(place: Place, silent: Simulator) {
    this.place = place;
    this.#silent = silent;
  }

  static async begin(): Promise<Waiting> {
    const silent = await openSimulator({ card: new SimulatedCard(), faults: ["never-answers"] });
    const waiting = new Waiting(await temporaryPlace(), silent);
    const old = waiting.place.at("old", `${OLD}.mp4`);
    await Bun.write(old, "old");
    waiting.#sync("silent", silent.address, "-t", "0.4");
    waiting.#sync("old", NOBODY, "-k", "1w");
    for (const [name, address] of AWAY) {
      const metrics = (file: string) => ["--metrics-file", waiting.place.at(file), "-t", "2"];
      waiting.#sync(name, address, ...metrics(`${name}.prom`));
      waiting.#sync(`${name}-cron`, address, "--cron", ...metrics(`${name}-cron.prom`));
    }
    return waiting;
  }

  ended(name: string): Promise<Ended> {
    return this.#ended.get(name) ?? Promise.reject(new Error(`Nothing named ${name} was begun`));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled(this.#ended.values());
    await this.#silent.close();
    await this.place[Symbol.asyncDispose]();
  }

  #sync(name: string, address: string, ...args: string[]): void {
    const ended = dashdock(["sync", address, "-d", this.place.at(name), ...args], { cwd: this.place.cwd });
    // A failure is told where it is looked at.
    ended.catch(() => {});
    this.#ended.set(name, ended);
  }
}

const AWAY = [
  ["refused", NOBODY],
  ["unresolved", "camera.invalid"],
] as const;
let waiting: Waiting;
beforeAll(async () => {
  waiting = await Waiting.begin();
});
afterAll(() => waiting[Symbol.asyncDispose]());

onBothInterfaces((generation) => {
  beforeEach(() => openPlace(generation));
  afterEach(closePlace);

  describe("the exit code and success in the metrics file are the process's own", () => {
    const rows: [what: string, args: string[], stage: (camera: Simulator) => unknown, code: number, success: number][] =
      [
        ["everything came home", [], () => {}, 0, 1],
        ["a file failed alone", [], () => camera.fault({ name: "error-500", match: /PR\.mp4$/ }), 0, 1],
        [
          "several videos were tried and none came",
          [],
          () => camera.fault({ name: "error-500", match: /\.mp4$/ }),
          2,
          0,
        ],
        ["the camera answered with an error", [], () => camera.fault("list-500"), 2, 0],
        ["the camera answered with an error, for cron", ["--cron"], () => camera.fault("list-500"), 2, 0],
      ];
    for (const [what, args, stage, code, success] of rows)
      test(`when ${what}`, async () => {
        await stage(camera);
        const file = place.at("metrics.prom");
        const ended = await sync([camera.address, "-d", place.at("home"), "-t", "5", "--metrics-file", file, ...args]);
        expect(ended.code).toBe(code);
        const text = await readFile(file, "utf8");
        expect(text).toContain(`\ndashdock_last_run_exit_code ${code}\n`);
        expect(text).toContain(`\ndashdock_last_run_success ${success}\n`);
      });
  });

  test("an address is understood as browsers show it", async () => {
    const { code } = await sync([`http://${camera.address}/blackvue_vod.cgi`, "-d", place.at("home")]);
    expect([code, await cameHome(place.at("home"))]).toEqual([0, offered()]);
  });

  describe("where recordings go", () => {
    test("into the folder given by -d, which is made, and nowhere else", async () => {
      const { code } = await sync([camera.address, "-d", place.at("deep", "down")], {
        SERVICE_DESTINATION: place.at("no"),
      });
      expect(code).toBe(0);
      expect(await cameHome(place.at("deep", "down"))).toEqual(offered());
      expect(await treeOf(place.cwd)).toEqual([]);
      expect(await treeOf(place.at("no"))).toBeNull();
    });

    test("into $SERVICE_DESTINATION when there is no -d", async () => {
      expect((await sync([camera.address], { SERVICE_DESTINATION: place.at("home") })).code).toBe(0);
      expect(await cameHome(place.at("home"))).toEqual(offered());
      expect(await treeOf(place.cwd)).toEqual([]);
    });

    test("else into ./data/recordings, also when the variable is set to nothing", async () => {
      expect((await sync([camera.address], { SERVICE_DESTINATION: "" })).code).toBe(0);
      expect(await cameHome(join(place.cwd, "data/recordings"))).toEqual(offered());
      expect((await treeOf(place.cwd))?.filter((path) => !path.startsWith("data"))).toEqual([]);
    });

    test("into folders by grouping; another grouping later brings nothing twice", async () => {
      expect((await sync([camera.address, "-d", place.home, "-g", "monthly"])).code).toBe(0);
      expect(await cameHome(place.home)).toEqual(offered().map((name) => `2024-06/${name}`));
      camera.requests.length = 0;
      expect((await sync([camera.address, "-d", place.home, "-g", "daily"])).code).toBe(0);
      expect(videosAsked()).toEqual([]);
    });
  });

  describe("what comes home", () => {
    const cases: [args: string[], asked: string[]][] = [
      [
        ["-p", "date"],
        [FIRST, SECOND],
      ],
      [["--priority=rdate"], [SECOND, FIRST]],
      [["-i", "P"], [SECOND]],
      [["-i", "pr", "--retry-failed-after", "2 Weeks"], [SECOND]],
      [["-e", "nf", "--keep", "9999 WEEKS"], [SECOND]],
      [
        ["-i", "P, NF"],
        [FIRST, SECOND],
      ],
      [
        ["--include", ""],
        [FIRST, SECOND],
      ],
      [["-e", "PR"], [FIRST]],
      [["-i", "N,P", "--exclude=N"], [SECOND]],
      [
        ["-k", "9999w"],
        [FIRST, SECOND],
      ],
      [
        ["-k", "100 years"],
        [FIRST, SECOND],
      ],
      [["-k", "1y"], []],
    ];
    // The interface does not matter for reading options.
    for (const [args, asked] of generation === "legacy" ? cases : cases.slice(0, 2))
      test(`with ${args.join(" ")} is asked for in this order: ${asked.join(", ")}`, async () => {
        // The newest of a direction is always last: another front makes this one not the newest.
        camera.card.record("20240609_101500_EF.mp4");
        camera.card.record("20240609_101500_ER.mp4");
        expect((await sync([camera.address, "-d", place.home, ...args])).code).toBe(0);
        const order = videosAsked().filter((name) => name === FIRST || name === SECOND);
        expect([...new Set<string>(order)]).toEqual(asked);
      });

    test("leaves out companions by their letters", async () => {
      expect((await sync([camera.address, "-d", place.home, "--skip-metadata", "t3t"])).code).toBe(0);
      expect(await cameHome(place.home)).toEqual(offered().filter((name) => /mp4|gps/.test(name)));
    });

    test("with --dry-run is only named: nothing is asked for, nothing written, no folder made", async () => {
      const missing = place.at("missing");
      const { code, out } = await sync([camera.address, "-d", missing, "--dry-run", "-g", "daily", "-k", "1d"]);
      expect(code).toBe(0);
      expect(await treeOf(place.home)).toEqual([]);
      const kept = await sync([camera.address, "-d", missing, "--dry-run", "-g", "daily"]);
      for (const name of offered()) {
        expect(kept.out).toContain(`Would download ${name}`);
        expect(out).not.toContain(name);
      }
      expect(camera.requests.map(({ path }) => path)).toEqual([
        ...["/accessible", GENERATIONS[generation].listPath],
        ...["/accessible", GENERATIONS[generation].listPath],
      ]);
      expect(await treeOf(place.home)).toEqual([]);
      expect(await treeOf(place.cwd)).toEqual([]);
    });
  });

  describe("--keep", () => {
    /** The user's own files, one of them beside a recording. */
    const OWN = [`${OLD}.jpg`, "notes.txt"];

    /** Old recordings at home, with companions and a marker, among files of the user's own. */
    async function oldFiles(): Promise<string[]> {
      const names = [`${OLD}.mp4`, `${OLD}.thm`, "20200101_120000_N.gps", `${OLD}.mp4.failed`];
      for (const name of [...names, ...OWN]) await writeFile(place.at(name), name);
      return names;
    }

    test("deletes what is older, after the downloads", async () => {
      const old = await oldFiles();
      const today = `${new Date().toISOString().slice(0, 10).replaceAll("-", "")}_000001_NF.mp4`;
      const seen: boolean[] = [];
      const read = (from: number, to: number) => {
        seen.push(existsSync(place.at(`${OLD}.mp4`)));
        return new Uint8Array(to - from);
      };
      camera.card.add(today, { size: 1000, read });
      const { code, out } = await sync([camera.address, "-d", place.home, "-k", "1w"]);
      expect(code).toBe(0);
      expect(seen).toContain(true);
      expect(seen).not.toContain(false);
      expect(out).toMatch(/Moved 1\srecording to the trash/);
      expect(await cameHome(place.home)).toEqual([today]);
      for (const name of old) expect(existsSync(place.at(name))).toBe(false);
      for (const name of OWN) expect(existsSync(place.at(name))).toBe(true);
    });

    test("left out, or with --dry-run, nothing is ever deleted", async () => {
      await oldFiles();
      const before = await treeOf(place.home);
      const { code, out } = await sync([camera.address, "-d", place.home, "-k", "1d", "--dry-run"]);
      expect(code).toBe(0);
      expect(out).toContain("Would remove outdated 20200101_120000_N");
      expect(await treeOf(place.home)).toEqual(before);
      expect((await sync([camera.address, "-d", place.home])).code).toBe(0);
      // Only that it failed is forgotten of a recording which the camera no longer lists.
      const recordings = before?.filter((path) => !path.endsWith(".failed")) ?? [];
      expect(await treeOf(place.home)).toEqual(expect.arrayContaining(recordings));
    });
  });

  describe("exit codes", () => {
    // All at once: each run waits a quarter of a minute for its camera.
    for (const fault of ["list-500", "list-html", "list-garbage", "list-blank"] as const)
      test(`a listing that cannot be used (${fault}) is 2, with --cron too, and says why`, async () => {
        camera.fault(fault);
        for (const args of [[], ["--cron"], ["--quiet"]]) {
          const { code, out, err } = await sync([camera.address, "-d", place.home, ...args]);
          expect(code).toBe(2);
          expect(err).toMatch(/^[-0-9]+ [0-9:,]+ [-+][0-9:]+: ERROR Sync failed: .{20,}\n$/);
          if (args.length > 0) expect(out).toBe("");
        }
      });

    test("an answer that sends us elsewhere is 2, and nobody goes there", async () => {
      camera.fault({ name: "redirect", match: LIST_REQUEST });
      expect((await sync([camera.address, "-d", place.home])).code).toBe(2);
      expect(camera.requests.map(({ path }) => path)).toEqual(["/accessible", GENERATIONS[generation].listPath]);
    });

    test("a destination that is a file is 2, and the file stays", async () => {
      await writeFile(place.at("file"), "mine");
      const { code, err } = await sync([camera.address, "-d", place.at("file")]);
      expect([code, err]).toEqual([2, expect.stringContaining("the destination is not a folder")]);
      expect(await readFile(place.at("file"), "utf8")).toBe("mine");
    });

    test("a disk fuller than --max-used-disk is 2 and nothing comes home", async () => {
      const { usedRatio } = await readDisk(place.home);
      const { code, err } = await sync([camera.address, "-d", place.home, "-u", "5"]);
      const isFull = usedRatio * 100 >= 5;
      expect(code).toBe(isFull ? 2 : 0);
      expect(err.includes("the limit is 5 %")).toBe(isFull);
      expect(await cameHome(place.home)).toEqual(isFull ? [] : offered());
    });

    test("a failing file is 0: it is told, left for later, and tried again after --retry-failed-after", async () => {
      const lift = camera.fault({ name: "error-500", match: requestFor(FIRST) });
      const first = await sync([camera.address, "-d", place.home]);
      expect(first).toMatchObject({ code: 0, err: expect.stringContaining(`WARNING Failed ${FIRST}`) });
      lift();
      const marker = place.at(`${FIRST}.failed`);
      const written = await readFile(marker, "utf8");
      const second = await sync([camera.address, "-d", place.home, "--retry-failed-after", "1h"]);
      expect(second).toMatchObject({ code: 0, err: "", out: expect.stringContaining("1 waiting after a failure") });
      const earlier = new Date(Date.parse(written) - 2 * 3_600_000);
      await writeFile(marker, earlier.toISOString());
      await utimes(marker, earlier, earlier);
      expect((await sync([camera.address, "-d", place.home, "--retry-failed-after", "1h"])).code).toBe(0);
      expect(await cameHome(place.home)).toEqual(offered());
      expect(existsSync(marker)).toBe(false);
    });

    test("another sync into the same folder is 1, and 0 for cron", async () => {
      camera.fault({ name: "stall", match: requestFor(FIRST) });
      await using holder = start(["sync", camera.address, "-d", place.home], { cwd: place.cwd });
      await camera.asked(requestFor(FIRST));
      const loser = await sync([camera.address, "-d", place.home]);
      expect(loser).toMatchObject({ code: 1, err: expect.stringContaining("WARNING Sync not started: ") });
      expect(await sync([camera.address, "-d", place.home, "--cron"])).toEqual({ code: 0, out: "", err: "" });
      holder.signal("SIGTERM");
      expect((await holder.ended).code).toBe(1);
    });
  });

  describe("an interrupt", () => {
    for (const signal of ["SIGINT", "SIGTERM"] as const)
      test(`by ${signal} keeps the partial and exits 1; the next sync goes on from there`, async () => {
        const lift = camera.fault({ name: "stall", match: requestFor(FIRST), after: 120_000 });
        await using running = start(["sync", camera.address, "-d", place.home], { cwd: place.cwd });
        const partial = place.at(`.${FIRST}`);
        await untilSize(partial, 120_000);
        running.signal(signal);
        const { code, out, err } = await running.ended;
        expect([code, err]).toEqual([1, ""]);
        expect(out).toContain("Sync stopped by user");
        expect(Buffer.compare(await readFile(partial), (await camera.card.bytes(FIRST)).subarray(0, 120_000))).toBe(0);
        expect(existsSync(place.at(FIRST))).toBe(false);
        lift();
        camera.requests.length = 0;
        expect((await sync([camera.address, "-d", place.home])).code).toBe(0);
        expect(camera.requests.find(({ path }) => path.endsWith(FIRST))?.range).toBe("bytes=120000-");
        expect(await cameHome(place.home)).toEqual(offered());
        expect(existsSync(partial)).toBe(false);
      });

    test("while the camera has not answered yet ends it long before its waitLimits does", async () => {
      camera.fault("never-answers");
      await using running = start(["sync", camera.address, "-d", place.home, "-t", "300"], { cwd: place.cwd });
      await camera.asked(/accessible/);
      running.signal("SIGINT");
      expect((await running.ended).code).toBe(1);
    });
  });
});

describe("a camera that is away", () => {
  test.each(AWAY)("(%s) is 1, and 0 without a word for cron; the metrics file tells the same", async (name) => {
    const plain = await waiting.ended(name);
    const cron = await waiting.ended(`${name}-cron`);
    expect(plain).toMatchObject({ code: 1, err: "", out: expect.stringContaining("Camera not reachable") });
    expect(cron).toEqual({ code: 0, out: "", err: "" });
    for (const [file, code] of [
      [`${name}.prom`, 1],
      [`${name}-cron.prom`, 0],
    ] as const) {
      const text = await readFile(waiting.place.at(file), "utf8");
      expect(text).toContain(`\ndashdock_last_run_exit_code ${code}\n`);
      expect(text).toContain("\ndashdock_last_run_success 0\n");
    }
  });

  test("is 1 when it accepts connections and is silent", async () => {
    expect(await waiting.ended("silent")).toMatchObject({ code: 1, err: "" });
  });

  test("is 1, and what is older than kept is deleted all the same", async () => {
    expect(await waiting.ended("old")).toMatchObject({ code: 1, out: expect.stringContaining("not reachable") });
    expect(existsSync(waiting.place.at("old", `${OLD}.mp4`))).toBe(false);
  });
});

test.skipIf(process.getuid?.() !== 0)(
  "what a run by root makes belongs to the owner of the folder, so that a service can go on with it (needs root)",
  async () => {
    await openPlace("legacy");
    const home = place.at("home");
    await mkdir(home);
    await chown(home, 12345, 23456);
    camera.fault({ name: "not-found", match: /PR\.mp4$/ });
    camera.card.record(`${OLD}.mp4`);
    const args = [camera.address, "--destination", home, "--grouping", "daily"];
    expect((await sync(args)).code).toBe(0);
    // Now with a rule that moves a recording to the trash.
    expect((await sync([...args, "--keep", "1d"])).code).toBe(0);
    const paths = (await readdir(home, { recursive: true })).map((path) => join(home, path));
    expect(paths.some((path) => path.includes(".dashdock/trash/") && path.endsWith(".mp4"))).toBe(true);
    const others: string[] = [];
    for (const path of paths) {
      const { uid, gid } = await stat(path);
      if (uid !== 12345 || gid !== 23456) others.push(`${path} ${uid}:${gid}`);
    }
    expect(others).toEqual([]);
    await closePlace();
  },
);

describe("--camera", () => {
  beforeEach(() => openPlace("legacy"));
  afterEach(closePlace);

  /** Settings of two cameras, of which the second is the simulated one; returns the file. */
  async function settingsOf(van: Readonly<Record<string, unknown>>): Promise<string> {
    const entry = { id: "van", name: "Van", destination: place.at("van"), retention: { keep: "" }, ...van };
    const settings = { version: 2, more_cameras: [entry], auth: { session_secret: "s".repeat(32) } };
    await mkdir(place.at("config"), { recursive: true });
    await writeFile(place.at("config", "settings.json"), JSON.stringify(settings), { mode: 0o600 });
    return place.at("config", "settings.json");
  }
  const syncVan = (...args: string[]) => sync(["--camera", "van", "--config", place.at("config"), ...args]);

  test("uses address, folder and rules of that camera, and an option where one is given", async () => {
    const file = await settingsOf({
      connection: { address: camera.address },
      sync: { grouping: "monthly", include: ["P"], skip_metadata: ["3", "g"] },
    });
    const before = await readFile(file, "utf8");
    expect(await syncVan()).toMatchObject({ code: 0, err: "" });
    const home = () => cameHome(place.at("van"));
    const parked = SECOND.replace(".mp4", "");
    expect(await home()).toEqual([`2024-06/${parked}.mp4`, `2024-06/${parked}.thm`]);
    expect([...new Set(videosAsked())]).toEqual([SECOND]);

    expect((await syncVan("-i", "N", "-g", "none", "--skip-metadata", "t3g")).code).toBe(0);
    expect((await home()).filter((path) => path.endsWith(".mp4"))).toEqual([`2024-06/${SECOND}`, FIRST]);
    // The config folder is read, and nothing is written there.
    expect([await readFile(file, "utf8"), await readdir(place.at("config"))]).toEqual([before, ["settings.json"]]);
  });

  test("deletes nothing by the settings alone, and with --keep no kind that they keep longer", async () => {
    await settingsOf({
      connection: { address: camera.address },
      retention: { keep: "30d", keep_event: "always", trash_days: 0, max_gb: 0.0001 },
    });
    const event = OLD.replace("_NF", "_EF");
    for (const name of [OLD, event]) await Bun.write(place.at("van", `${name}.mp4`), "old");
    const old = async () => ((await treeOf(place.at("van"))) ?? []).filter((path) => path.startsWith("2020"));
    expect((await syncVan()).code).toBe(0);
    expect(await old()).toEqual([`${event}.mp4`, `${OLD}.mp4`].sort());
    // Recordings past the camera's keep time do not come home.
    expect(videosAsked()).toEqual([]);
    expect((await syncVan("--keep", "60d")).code).toBe(0);
    expect(await old()).toEqual([`${event}.mp4`]);
  });

  test("takes no recording of another camera's folder for its own, also when that has lost its id", async () => {
    const file = await settingsOf({ connection: { address: camera.address } });
    const settings = JSON.parse(await readFile(file, "utf8"));
    settings.more_cameras.push({ id: "bus", destination: place.at("van", "bus") });
    await writeFile(file, JSON.stringify(settings), { mode: 0o600 });
    camera.card.record(`${OLD}.mp4`);
    await Bun.write(place.at("van", "bus", `${OLD}.mp4`), "the bus");
    expect((await syncVan()).code).toBe(0);
    expect(await treeOf(place.at("van"))).toContain(`${OLD}.mp4`);
  });

  test("names the cameras when there is no such one, and asks for an address where none is set", async () => {
    await settingsOf({});
    const options = (id: string) => ["--camera", id, "--config", place.at("config")];
    const unknown = await sync(options("bus"));
    expect([unknown.code, unknown.out]).toEqual([2, ""]);
    expect(unknown.err).toStartWith('There is no camera "bus". The cameras are: main, van\n');
    const silent = await syncVan();
    expect(silent.code).toBe(2);
    expect(silent.err).toStartWith("Camera van has no address in its settings: dashdock sync ADDRESS --camera van\n");
    expect((await sync([camera.address, ...options("van"), "-d", place.at("other")])).code).toBe(0);
    expect(await cameHome(place.at("other"))).toContain(FIRST);
  });

  test("is 2 for settings that cannot be used, with the remedy", async () => {
    await writeFile(await settingsOf({}), "{", { mode: 0o600 });
    const { code, err } = await syncVan();
    expect(code).toBe(2);
    expect(err).toContain("is not valid JSON. Correct it, or move it away to start afresh");
  });
});
