import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { RetentionState, TrashDay } from "../../server/domain/retention/deletion.ts";
import type { Settings } from "../../server/domain/settings/settings.ts";
import { type AppOptions, type RunningApp, startApp } from "../support/app/app.ts";
import { FakeClock } from "../support/app/clock.ts";
import { putInTrash } from "../support/app/trash.ts";

setDefaultTimeout(30_000);

const NOW = "2026-06-07T12:00:00Z";
const OLD = "20260301_100000_NF.mp4";
const KEY = OLD.slice(0, 17);

function start(retention: Partial<Settings["retention"]>, options: AppOptions = {}): Promise<RunningApp> {
  return startApp({ clock: new FakeClock(NOW), ...options, settings: { retention } });
}

function put({ destination }: Pick<RunningApp, "destination">, path: string, content = "old"): string {
  const place = join(destination, path);
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, content);
  return place;
}

async function send(running: RunningApp, method: "POST" | "PATCH" | "DELETE", path: string, body?: object) {
  await running.client.open("/");
  const answer = await running.client.send(method, path, body);
  expect([path, answer.status]).toEqual([path, 200]);
  return (await answer.json()) as Record<string, unknown>;
}

async function state(running: RunningApp): Promise<RetentionState> {
  return (await (await running.client.fetch("/api/retention")).json()) as RetentionState;
}

async function trashDays(running: RunningApp): Promise<TrashDay[]> {
  return ((await (await running.client.fetch("/api/trash")).json()) as { days: TrashDay[] }).days;
}

async function run(running: RunningApp): Promise<void> {
  running.app.job.start("schedule");
  await running.synced();
}

test("by hand a copy in a folder of one's own goes only when it is the only one", async () => {
  await using running = await start({ keep: "" });
  const ours = put(running, OLD);
  const own = put(running, `My trip/${OLD}`, "precious");
  await send(running, "DELETE", `/api/recordings/${KEY}`);
  expect([existsSync(ours), readFileSync(own, "utf8")]).toEqual([false, "precious"]);
  await send(running, "DELETE", `/api/recordings/${KEY}`);
  expect(existsSync(own)).toBe(false);
});

test("of a recording that was deleted twice a key means the one that was deleted last, on every screen", async () => {
  const clock = new FakeClock(NOW);
  await using running = await start({ keep: "" }, { clock });
  const place = put(running, OLD, "first");
  await send(running, "DELETE", `/api/recordings/${KEY}`);
  await clock.advance(60_000);
  put(running, OLD, "the second");
  await send(running, "DELETE", `/api/recordings/${KEY}`);
  const shown = async () => {
    const listed = (await trashDays(running)).flatMap(({ recordings }) => recordings.map(({ bytes }) => bytes));
    return [listed, (await state(running)).trash];
  };
  expect(await shown()).toEqual([[10], { recordings: 1, bytes: 10, days: 7 }]);
  expect(await send(running, "DELETE", "/api/trash", { keys: [KEY] })).toEqual({ deleted: 1, bytes: 10 });
  expect(await shown()).toEqual([[5], { recordings: 1, bytes: 5, days: 7 }]);
  await send(running, "POST", "/api/trash/restore", { keys: [KEY] });
  expect(readFileSync(place, "utf8")).toBe("first");
});

test("a list of kept recordings that is a link to nowhere holds all deleting", async () => {
  await using running = await start({ keep: "4w" });
  const place = put(running, OLD);
  mkdirSync(join(running.destination, ".dashdock"), { recursive: true });
  symlinkSync("/nowhere/kept.json", join(running.destination, ".dashdock", "kept.json"));
  await run(running);
  expect(existsSync(place)).toBe(true);
  expect((await state(running)).problem).toContain("kept.json in the recordings folder cannot be read");
});

test("with a list of kept recordings that cannot be read nothing leaves the trash either", async () => {
  await using running = await start({ keep: "4w" });
  putInTrash(running.destination, { at: "2026-04-01T00:00:00.000Z" }, [OLD], 10);
  const list = put(running, ".dashdock/kept.json", "{");
  await run(running);
  expect((await state(running)).trash).toMatchObject({ recordings: 1 });
  rmSync(list);
  await run(running);
  expect((await state(running)).trash).toMatchObject({ recordings: 0 });
});

test("how long to keep another folder is said of that one, also as the first thing there", async () => {
  await using first = await start({ keep: "" });
  await run(first);
  await first.stop();
  const other = join(first.folder, "other");
  await using second = await startApp({ folder: first.folder, clock: new FakeClock(NOW), destination: other });
  put(second, OLD);
  await send(second, "PATCH", "/api/settings/retention", { keep: "4w" });
  await run(second);
  expect((await state(second)).held).toBeNull();
  expect((await state(second)).trash).toMatchObject({ recordings: 1 });
});

test("how long to keep was said of the library of then: another one is asked about", async () => {
  await using first = await start({ keep: "4w" });
  await run(first);
  await first.stop();
  const other = join(first.folder, "other");
  await using second = await startApp({ folder: first.folder, clock: new FakeClock(NOW), destination: other });
  const place = put(second, OLD);
  await run(second);
  expect(existsSync(place)).toBe(true);
  expect((await state(second)).held?.reason).toBe("adopted");
  await second.stop();
  await using third = await startApp({ folder: first.folder, clock: new FakeClock(NOW), destination: other });
  expect((await state(third)).held?.reason).toBe("adopted");
});

test("a section that is sent back as it was read is nobody's word; one field that is named is", async () => {
  await using running = await start({});
  put(running, OLD);
  expect((await state(running)).held?.reason).toBe("adopted");
  const { retention } = (await (await running.client.fetch("/api/settings")).json()) as { retention: object };
  await send(running, "PATCH", "/api/settings/retention", retention);
  expect((await state(running)).held?.reason).toBe("adopted");
  await send(running, "PATCH", "/api/settings/retention", { keep: "2w" });
  expect((await state(running)).held).toBeNull();
});

test("what a killed process or a command moved to the trash is told after the next start", async () => {
  await using first = await start({ keep: "" });
  await run(first);
  await first.stop();
  const at = "2026-06-07T11:00:00.000Z";
  putInTrash(first.destination, { at }, [OLD, "20260302_100000_NF.mp4"], 10);
  await using second = await startApp({ folder: first.folder, clock: new FakeClock(NOW) });
  await run(second);
  const { unseen } = await state(second);
  expect(unseen).toMatchObject([
    { at, recordings: 2, bytes: 20, oldest: "2026-03-01", newest: "2026-03-02", cause: "age", by: null },
  ]);
});

test("what is deleted after a clock was in 2099 is dated now, whatever runs were recorded there", async () => {
  const clock = new FakeClock(NOW);
  await using running = await start({ keep: "" }, { clock });
  put(running, OLD);
  clock.jump(Date.parse("2099-01-01T00:00:00Z") - Date.parse(NOW));
  await run(running);
  clock.jump(Date.parse(NOW) - clock.now());
  await send(running, "DELETE", `/api/recordings/${KEY}`);
  const dated = (await trashDays(running)).flatMap(({ recordings }) => recordings.map((one) => one.deleted_at));
  expect(dated.map((at) => at.slice(0, 10))).toEqual([NOW.slice(0, 10)]);
});

test("what is deleted while the clock is behind waits its full time once the clock is right", async () => {
  const clock = new FakeClock(NOW);
  await using running = await start({ keep: "" }, { clock });
  put(running, OLD);
  await run(running);
  clock.jump(Date.parse("2000-01-01T00:00:00Z") - Date.parse(NOW));
  await send(running, "DELETE", `/api/recordings/${KEY}`);
  clock.jump(Date.parse(NOW) + 3_600_000 - clock.now());
  await run(running);
  expect((await trashDays(running)).flatMap(({ recordings }) => recordings.map(({ key }) => key))).toEqual([KEY]);
});

test("what a link in the trash points at is no picture, wherever the link leads", async () => {
  await using running = await start({ keep: "" });
  const KEEPS = "20260301_110000_N";
  const LEADS_OUT = "20260301_120000_N";
  const LEADS_ROUND = "20260301_130000_N";
  const keys = [KEEPS, LEADS_OUT, LEADS_ROUND];
  for (const key of keys) put(running, `${key}F.mp4`);
  put(running, `${KEEPS}F.thm`, "picture");
  symlinkSync(join(running.folder, "config", "settings.json"), join(running.destination, `${LEADS_OUT}F.thm`));
  // Once it lies in the trash, it leads to what was written down of the deletion.
  put(running, "list", "other");
  symlinkSync("list", join(running.destination, `${LEADS_ROUND}F.thm`));
  for (const key of keys) await send(running, "DELETE", `/api/recordings/${key}`);
  const answers = await Promise.all(
    keys.map(async (key) => {
      const answer = await running.client.fetch(`/api/trash/${key}/thumbnail`);
      return [answer.status, answer.headers.get("content-type"), answer.status === 200 ? await answer.text() : null];
    }),
  );
  expect(answers).toEqual([
    [200, "image/jpeg", "picture"],
    [404, "application/json", null],
    [404, "application/json", null],
  ]);
});
