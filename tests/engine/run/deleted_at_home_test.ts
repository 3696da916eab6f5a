import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Overview } from "../../../server/domain/status/overview.ts";
import { type RunningApp, startApp } from "../../support/app/app.ts";
import { run, send } from "../../support/app/held.ts";
import { cardOf, listTree } from "../../support/app/sync.ts";

const SETTINGS = { retention: { keep: "" }, sync: { metadata_first: false, grouping: "none" } } as const;
const KEY = "20260607_101500_N";
const ALL = ["N.3gf", "N.gps", "NF.mp4", "NF.thm", "NR.mp4", "NR.thm"].map((ending) => `20260607_101500_${ending}`);
const VIDEOS = ALL.filter((name) => name.endsWith(".mp4"));

/** Three moments at home, in both directions. */
async function withClips(): Promise<RunningApp> {
  const names = ["101500", "101600", "101700"].flatMap((time) =>
    ["NF", "NR"].map((of) => `20260607_${time}_${of}.mp4`),
  );
  const running = await startApp({ card: cardOf(names, 4000), settings: SETTINGS });
  await run(running, "manual");
  return running;
}

/** Starts as `withClips` does; the first clip was deleted by hand since. */
async function withDeleted(): Promise<RunningApp> {
  const running = await withClips();
  expect((await send(running, "DELETE", `/api/recordings/${KEY}`)).status).toBe(200);
  expect([remembered(running), here(running)]).toEqual([[KEY], []]);
  return running;
}

function remembered({ destination }: RunningApp): string[] {
  return readFileSync(join(destination, ".dashdock", "deleted"), "utf8")
    .split("\n")
    .filter(Boolean);
}

/** The files of the deleted moment that are at home, below whatever folder. */
function here({ destination }: RunningApp): string[] {
  return listTree(destination).filter((path) => path.includes("20260607_1015") && !path.startsWith("."));
}

/** Moves files of the moment out of the trash, as a person would. */
function moveBack({ destination }: RunningApp, names: readonly string[], folder = ""): void {
  const trash = join(destination, ".dashdock", "trash");
  for (const path of listTree(trash)) {
    const name = path.slice(path.lastIndexOf("/") + 1);
    if (!names.includes(name)) continue;
    mkdirSync(dirname(join(destination, folder, name)), { recursive: true });
    renameSync(join(trash, path), join(destination, folder, name));
  }
}

async function counts(running: RunningApp): Promise<Partial<Overview>> {
  await running.app.library.refresh();
  const { chosen, home, waiting, waiting_files } = (await (
    await running.client.fetch("/api/overview")
  ).json()) as Overview;
  return { chosen, home, waiting, waiting_files };
}

test("a deleted clip that was moved back by hand counts as home, and the next sync brings what is missing of it", async () => {
  await using running = await withDeleted();
  expect(await counts(running)).toEqual({ chosen: 4, home: 4, waiting: 0, waiting_files: 0 });
  moveBack(running, [...VIDEOS, `${KEY}.gps`]);
  expect(await counts(running)).toEqual({ chosen: 6, home: 6, waiting: 0, waiting_files: 0 });
  await run(running, "manual");
  expect(running.app.history.latest()?.leftOut).toMatchObject({ deleted: 0 });
  expect([remembered(running), here(running)]).toEqual([[], ALL]);
  expect(await counts(running)).toEqual({ chosen: 6, home: 6, waiting: 0, waiting_files: 0 });
});

test("a restore that was killed before it forgot the deletion leaves nothing out", async () => {
  await using running = await withDeleted();
  await send(running, "POST", "/api/trash/restore", { all: true });
  await running.stop();
  writeFileSync(join(running.destination, ".dashdock", "deleted"), `${KEY}\n`);
  rmSync(join(running.destination, `${KEY}F.thm`));
  const connection = { address: running.simulator.address };
  await using again = await startApp({ folder: running.folder, settings: { ...SETTINGS, connection } });
  expect(await counts(again)).toMatchObject({ chosen: 6, home: 6, waiting: 0 });
  await run(again, "manual");
  expect([remembered(again), here(again)]).toEqual([[], ALL]);
});

const PARTS: [what: string, names: readonly string[], folder: string, home: number][] = [
  ["its thumbnails and GPS", ALL.filter((name) => !name.endsWith(".mp4")), "", 4],
  ["one of its directions", VIDEOS.slice(0, 1), "", 5],
  ["a copy in a folder of one's own", VIDEOS, "My trip", 6],
];
test.each(PARTS)("a deleted clip of which only %s is at home stays deleted", async (_, names, folder, home) => {
  await using running = await withDeleted();
  moveBack(running, names, folder);
  await run(running, "manual");
  expect(remembered(running)).toEqual([KEY]);
  expect(here(running)).toEqual(names.map((name) => (folder === "" ? name : `${folder}/${name}`)));
  expect(await counts(running)).toEqual({ chosen: home, home, waiting: 0, waiting_files: 0 });
  expect(running.app.history.latest()?.leftOut).toMatchObject({ deleted: 6 - home });
});

test("a clip that is being deleted when a sync begins does not come again", async () => {
  await using running = await withClips();
  const { consent, guard } = running.app.retention;
  const changing = consent.changing.bind(consent);
  const noted = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  // It is noted as deleted, and all of it is still at home.
  consent.changing = async (work) => {
    noted.resolve();
    await gate.promise;
    return await changing(work);
  };
  const deleting = send(running, "DELETE", `/api/recordings/${KEY}`);
  await noted.promise;
  expect([remembered(running), here(running)]).toEqual([[KEY], ALL]);
  const waits = Promise.withResolvers<void>();
  const inTurn = guard.run.bind(guard);
  guard.run = (work) => {
    waits.resolve();
    return inTurn(work);
  };
  const syncing = run(running, "manual");
  // The sync has come to where it looks at what was deleted, and waits for its turn.
  await waits.promise;
  gate.resolve();
  expect((await deleting).status).toBe(200);
  await syncing;
  await run(running, "manual");
  expect([remembered(running), here(running)]).toEqual([[KEY], []]);
});
