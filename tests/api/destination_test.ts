import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Overview } from "../../server/domain/status/overview.ts";
import { type AppOptions, type RunningApp, startApp } from "../support/app/app.ts";
import { compareWithCard, listTree, OURS, UNSEEN } from "../support/app/sync.ts";
import { DeadDisk, mayMount } from "../support/disk/disks.ts";

setDefaultTimeout(20_000);

const KEEP_ALL = { retention: { keep: "" } } as const;
const NOT_AVAILABLE = "The recordings folder is not available.";
/** Files without the checksums, which are written some time after a sync. */
const settledTree = (path: string) => listTree(path).filter((one) => !/^\.dashdock\/(sums\.db|new\.)/.test(one));

const NOT_THE_ONE = "The recordings folder is not the one used before.";

const start = (options: AppOptions = {}) => startApp({ ...options, settings: { ...KEEP_ALL, ...options.settings } });

/** One run to its end, by the button. */
async function sync({ app, client, synced }: RunningApp) {
  await client.open("/");
  expect((await client.send("POST", "/api/sync/now")).status).toBe(202);
  const { state, message, failure_reason } = await synced();
  return { state, message, reason: failure_reason, code: app.history.latest()?.exitCode };
}

async function overviewOf({ client }: RunningApp): Promise<Overview> {
  return await (await client.fetch("/api/overview")).json();
}

async function accept({ client }: RunningApp): Promise<[number, unknown]> {
  await client.open("/");
  const answer = await client.send("POST", "/api/destination/accept");
  return [answer.status, await answer.json()];
}

const homeOf = ({ destination, simulator }: RunningApp) =>
  compareWithCard(destination, async (name) => (simulator.card.files.has(name) ? simulator.card.bytes(name) : null));
const idOf = (app: RunningApp) => readFileSync(join(app.destination, ".dashdock/id"), "utf8").trim();
const memoryOf = (app: RunningApp) => join(app.folder, "config/destination.json");
const remembered = (app: RunningApp) => JSON.parse(readFileSync(memoryOf(app), "utf8"));
const told = ({ app }: RunningApp, word: string) =>
  app.log.lines.filter(({ message }) => message.includes(word)).map(({ level }) => level);

/** Leaves an empty folder at the path, as when a disk is not mounted. */
function unmount(app: RunningApp): void {
  renameSync(app.destination, `${app.destination}.away`);
  mkdirSync(app.destination);
}

function mount(app: RunningApp): void {
  rmSync(app.destination, { recursive: true });
  renameSync(`${app.destination}.away`, app.destination);
}

describe("the destination is known by its id", () => {
  test("which is remembered with the first recordings, for this user only", async () => {
    await using app = await start();
    expect(await sync(app)).toMatchObject({ state: "completed" });
    expect(remembered(app)).toEqual({ path: app.destination, id: idOf(app), had_recordings: true });
    expect(statSync(memoryOf(app)).mode & 0o777).toBe(0o600);
    expect(await accept(app)).toEqual([409, expect.objectContaining({ code: "NOTHING_TO_ACCEPT", details: {} })]);
  });

  test("and when its disk is not mounted, nothing is written, and the run, every page and a restart say so", async () => {
    const folder = mkdtempSync(join(tmpdir(), "dashdock-test-"));
    {
      await using app = await start({ folder });
      await sync(app);
      const files = settledTree(app.destination);
      unmount(app);
      for (const _ of [1, 2]) {
        expect(await sync(app)).toMatchObject({
          state: "failed",
          reason: "disk",
          code: 2,
          message: expect.stringMatching(/not the one used before; is its disk mounted\? /),
        });
        expect(listTree(app.destination)).toEqual([]);
      }
      expect(await overviewOf(app)).toMatchObject({
        mood: "failed",
        sentence: NOT_AVAILABLE,
        destination: "unmarked",
      });
      for (const path of ["/", "/hx/state", "/hx/sync/status-card", "/logs"]) {
        const text = await (await app.client.fetch(path)).text();
        expect(text).toContain(NOT_AVAILABLE.slice(0, -1));
        expect(text).not.toContain("safe here");
        expect(text.includes('data-action="accept-destination"')).toBe(/^\/$|status-card/.test(path));
      }
      mount(app);
      expect(await overviewOf(app)).toMatchObject({ destination: "known" });
      expect(await sync(app)).toMatchObject({ state: "completed" });
      expect(settledTree(app.destination)).toEqual(files);
      unmount(app);
    }
    await using app = await start({ folder });
    // The last known contents are still known after a restart.
    const known = { recordings: null, last_known: { recordings: 4, home: 4, kept: 0, trash_recordings: 0 } };
    expect(await overviewOf(app)).toMatchObject({ mood: "failed", sentence: NOT_AVAILABLE, ...known });
    expect(await (await app.client.fetch("/api/destination")).json()).toMatchObject({
      path: app.destination,
      standing: "unmarked",
      last_known: { recordings: 4 },
      found: { is_there: true, recordings: 0 },
    });
    expect(await sync(app)).toMatchObject({ state: "failed", reason: "disk" });
    expect(listTree(app.destination)).toEqual([]);
    rmSync(folder, { recursive: true });
  });

  test("until it is accepted: then the folder that is there gets an id of its own", async () => {
    await using app = await start();
    await sync(app);
    const first = idOf(app);
    unmount(app);
    expect(await accept(app)).toEqual([200, { accepted: true }]);
    expect(listTree(app.destination)).toEqual([]);
    expect(await accept(app)).toMatchObject([409, { code: "NOTHING_TO_ACCEPT" }]);
    expect(await overviewOf(app)).toMatchObject({ destination: "accepted", mood: "waiting" });
    expect(await sync(app)).toMatchObject({ state: "completed" });
    expect(await overviewOf(app)).toMatchObject({ destination: "known", mood: "fine" });
    expect((await homeOf(app)).whole).toEqual([...app.simulator.card.files.keys()].sort());
    expect(idOf(app)).not.toBe(first);
    expect(remembered(app)).toMatchObject({ id: idOf(app), had_recordings: true });

    // The old disk comes back: it is another one now.
    mount(app);
    expect(await sync(app)).toMatchObject({ state: "failed", message: expect.stringMatching(/is another one/) });
    expect(await overviewOf(app)).toMatchObject({ sentence: NOT_THE_ONE, destination: "other" });
    expect(await accept(app)).toEqual([200, { accepted: true }]);
    expect(await sync(app)).toMatchObject({ state: "completed" });
    expect([idOf(app), remembered(app).id]).toEqual([first, first]);
  });

  test("and when the folder itself is gone, it is not made anew before it is accepted", async () => {
    await using app = await start();
    await sync(app);
    renameSync(app.destination, `${app.destination}.away`);
    expect(await sync(app)).toMatchObject({
      state: "failed",
      reason: "disk",
      message: expect.stringMatching(/is gone/),
    });
    expect(statSync(app.destination, { throwIfNoEntry: false })).toBeUndefined();
    const { sentence, destination } = await overviewOf(app);
    expect([sentence, destination]).toEqual([NOT_AVAILABLE, "gone"]);
    expect(await (await app.client.fetch("/")).text()).toContain("Start with a new folder…");
    expect(await accept(app)).toEqual([200, { accepted: true }]);
    expect(await sync(app)).toMatchObject({ state: "completed" });
  });

  test("a dry run compares as well, and writes nothing", async () => {
    const folder = mkdtempSync(join(tmpdir(), "dashdock-test-"));
    {
      await using app = await start({ folder });
      await sync(app);
      unmount(app);
      await app.app.settings.update((latest) => ({ ...latest, system: { ...latest.system, dry_run: true } }));
    }
    await using app = await start({ folder });
    const memory = readFileSync(memoryOf(app), "utf8");
    expect(await sync(app)).toMatchObject({ state: "failed", reason: "disk" });
    expect(listTree(app.destination)).toEqual([]);
    expect(readFileSync(memoryOf(app), "utf8")).toBe(memory);
    rmSync(folder, { recursive: true });
  });

  test("recordings do not make up for it: they may have come when the disk was away, and are told with their path", async () => {
    await using app = await start();
    await sync(app);
    const id = idOf(app);
    const files = settledTree(app.destination);
    unmount(app);
    writeFileSync(join(app.destination, "20260607_101500_NF.mp4"), "came when the disk was away");
    writeFileSync(join(app.destination, ".20260607_101500_NR.mp4"), "began when the disk was away");
    const there = listTree(app.destination);
    const sentence = NOT_THE_ONE.slice(0, -1);
    const lie = `lie in ${app.destination} as it is now`;
    const { message, ...ended } = await sync(app);
    expect(ended).toEqual({ state: "failed", reason: "disk", code: 2 });
    expect(message?.toLowerCase()).toStartWith(sentence.toLowerCase());
    expect(message).toEndWith(`2\u00a0files of recordings ${lie}; a disk that is mounted there hides them`);
    const { destination, detail } = await overviewOf(app);
    expect([destination, detail]).toEqual([
      "unmarked",
      expect.stringContaining(`1\u00a0recording lies in ${app.destination} `),
    ]);
    // The remembered contents are those of the other disk.
    expect(listTree(app.destination)).toEqual(there);
    mount(app);
    expect(await sync(app)).toMatchObject({ state: "completed" });
    expect([idOf(app), settledTree(app.destination)]).toEqual([id, files]);
  });

  test("a mark that was deleted among recordings is asked about, and the folder then gets another", async () => {
    await using app = await start();
    await sync(app);
    const id = idOf(app);
    rmSync(join(app.destination, ".dashdock"), { recursive: true });
    expect(await overviewOf(app)).toMatchObject({ mood: "attention", destination: "unmarked" });
    expect(await sync(app)).toMatchObject({ state: "failed", reason: "disk" });
    expect(await accept(app)).toEqual([200, { accepted: true }]);
    for (const _ of [1, 2]) expect(await sync(app)).toMatchObject({ state: "completed" });
    expect(idOf(app)).not.toBe(id);
    const tree = listTree(app.destination).filter((path) => !UNSEEN.includes(path));
    expect(tree).toEqual([...OURS, ...app.simulator.card.files.keys()].sort());
  });

  test("a library from before there were marks is taken as it is, and known from its first run on", async () => {
    await using app = await start();
    mkdirSync(app.destination);
    writeFileSync(join(app.destination, "20250101_101500_NF.mp4"), "old");
    await app.simulator.goAway();
    expect(await sync(app)).toMatchObject({ state: "failed", reason: "network" });
    expect(remembered(app)).toMatchObject({ id: idOf(app), had_recordings: true });
    expect(told(app, "destination")).toEqual([]);
    unmount(app);
    expect(await sync(app)).toMatchObject({ state: "failed", reason: "disk" });
    expect(listTree(app.destination)).toEqual([]);
  });

  test("a folder that never had recordings may be another one at any time", async () => {
    await using app = await start();
    await app.simulator.goAway();
    await sync(app);
    expect(remembered(app)).toMatchObject({ id: idOf(app), had_recordings: false });
    rmSync(app.destination, { recursive: true });
    await sync(app);
    expect(remembered(app)).toMatchObject({ id: idOf(app), had_recordings: false });
    expect(listTree(app.destination).filter((path) => !UNSEEN.includes(path))).toEqual([...OURS].sort());
  });

  test("what is remembered for another path says nothing about this one", async () => {
    const folder = mkdtempSync(join(tmpdir(), "dashdock-test-"));
    mkdirSync(join(folder, "config"));
    const elsewhere = { path: join(folder, "elsewhere"), id: "0".repeat(32), had_recordings: true };
    writeFileSync(join(folder, "config/destination.json"), JSON.stringify(elsewhere));
    await using app = await start({ folder });
    expect(await sync(app)).toMatchObject({ state: "completed" });
    expect(remembered(app)).toEqual({ path: app.destination, id: idOf(app), had_recordings: true });
    rmSync(folder, { recursive: true });
  });

  test.each(["", "{", "[]", '{"path":7}'])("a damaged memory (%p) is none, with a line", async (content) => {
    const folder = mkdtempSync(join(tmpdir(), "dashdock-test-"));
    mkdirSync(join(folder, "config"));
    writeFileSync(join(folder, "config/destination.json"), content);
    await using app = await start({ folder });
    expect(told(app, "the recordings folder is taken as it is")).toEqual(["WARNING"]);
    expect(await sync(app)).toMatchObject({ state: "completed" });
    expect(remembered(app)).toMatchObject({ id: idOf(app), had_recordings: true });
    rmSync(folder, { recursive: true });
  });

  test("and where it cannot be remembered, the sync goes on with a warning", async () => {
    await using app = await start();
    // A folder in the file's place, as no user and no full disk would refuse root.
    mkdirSync(memoryOf(app));
    expect(await sync(app)).toMatchObject({ state: "completed" });
    expect((await homeOf(app)).whole).toEqual([...app.simulator.card.files.keys()].sort());
    expect(new Set(told(app, "a restart forgets"))).toEqual(new Set(["WARNING"]));
    // For as long as the process lives it is known all the same.
    unmount(app);
    expect(await sync(app)).toMatchObject({ state: "failed", reason: "disk" });
    expect(listTree(app.destination)).toEqual([]);
  });

  test("to accept takes a session, and the token of a page", async () => {
    await using app = await start({ mode: "login", password: "three quiet green harbours" });
    expect((await app.client.send("POST", "/api/destination/accept")).status).toBe(401);
    await app.client.signIn("admin", "three quiet green harbours");
    const without = await app.client.send("POST", "/api/destination/accept", undefined, { "x-csrftoken": "" });
    expect([without.status, (await without.json()).code]).toEqual([403, "CSRF_FAILED"]);
    expect((await accept(app))[0]).toBe(409);
  });
});

describe.skipIf(!mayMount("dead"))("a folder that cannot be read (needs the right to mount)", () => {
  test("is told by every page, is not fetched again, and is there when its disk is", async () => {
    await using app = await start({ settings: { sync: { grouping: "daily" } } });
    await sync(app);
    const files = settledTree(app.destination);
    const [day = ""] = files.filter((path) => /^2026-\d\d-\d\d\/$/.test(path)).map((path) => path.slice(0, -1));
    const before = app.simulator.requests.length;
    {
      using _ = new DeadDisk(join(app.destination, day));
      expect(await sync(app)).toMatchObject({ state: "completed" });
      expect(app.simulator.requests.slice(before).filter(({ path }) => path.startsWith("/Record/"))).toEqual([]);
      const sentence = `The folder ${day} cannot be read.`;
      for (const _again of [1, 2]) {
        expect(await overviewOf(app)).toMatchObject({ mood: "attention", sentence });
        for (const path of ["/", "/hx/state", "/settings"]) {
          const text = await (await app.client.fetch(path)).text();
          expect(text).toContain(sentence.slice(0, -1));
          expect(text).not.toContain("safe here");
        }
      }
    }
    await app.app.library.refresh();
    expect(await overviewOf(app)).toMatchObject({ mood: "fine" });
    expect(settledTree(app.destination)).toEqual(files);
  });

  test("is told apart from one that is missing when it is the root", async () => {
    await using app = await start();
    await sync(app);
    {
      using _ = new DeadDisk(app.destination);
      await app.app.library.refresh();
      expect(await overviewOf(app)).toMatchObject({
        mood: "failed",
        sentence: "The recordings folder cannot be read.",
        destination: "known",
      });
      expect(app.app.library.recordingCount).toBeGreaterThan(0);
      expect(await sync(app)).toMatchObject({
        state: "failed",
        reason: "disk",
        message: expect.stringMatching(/^the recordings folder cannot be read/),
      });
    }
    expect(await sync(app)).toMatchObject({ state: "completed" });
    expect((await homeOf(app)).wrong).toEqual([]);
  });
});
