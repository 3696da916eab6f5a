import { expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunDetail } from "../../server/domain/runs/run_detail.ts";
import { runId } from "../../server/domain/runs/run_id.ts";
import type { Overview } from "../../server/domain/status/overview.ts";
import type { Snapshot } from "../../server/domain/sync/job_progress.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { FakeClock } from "../support/app/clock.ts";
import { listedBefore, recordingNames } from "../support/app/listed.ts";
import { cardOf } from "../support/app/sync.ts";
import { Frames, progressed } from "../support/browser/frames.ts";

setDefaultTimeout(60_000);

const KEEP_ALL = { retention: { keep: "" }, sync: { metadata_first: false } } as const;

/** 24 moments of two directions: 48 videos and thumbnails, 24 files of each telemetry, 144 in all. */
const FORTY_EIGHT = recordingNames(48, "20260607");
/** The first video after 30 files: five moments of six. */
const ELEVENTH = /20260607_000500_NF\.mp4$/;

interface Numbers {
  on_camera: number | null;
  chosen: number | null;
  home: number | null;
  waiting: number | null;
}

/** Numbers from one place, after comparing all places. */
async function told({ client }: RunningApp): Promise<Numbers & { files: number; sentence: string }> {
  const json = async (path: string) => (await client.fetch(path)).json();
  // One after the other, the quickest first: none may need another one's question.
  const { recordings } = (await json("/api/sync/progress")) as Snapshot;
  const status = (await json("/api/status")) as Record<string, unknown>;
  const overview = (await json("/api/overview")) as Overview;
  await using frames = await Frames.open(client, "/api/sync/progress/stream");
  const live = (await frames.next())?.data as unknown as Snapshot;
  const card = plain(await (await client.fetch("/hx/sync/status-card")).text());
  const { on_camera, chosen, home, waiting, waiting_files: files } = overview;
  const sentence = plain(overview.sentence);
  const numbers: Numbers = { on_camera, chosen, home, waiting };
  const none = chosen === null ? null : numbers;
  const { drive: _, ...inAnswer } = recordings ?? {};
  const { drive: __, ...inFrame } = live.recordings ?? {};
  expect<unknown>([inAnswer, inFrame]).toEqual([none ?? {}, none ?? {}]);
  expect(status).toMatchObject({
    recordings_on_camera: on_camera,
    recordings_chosen: chosen,
    recordings_home: home,
    recordings_waiting: waiting,
    pending_files: files,
  });
  const bar = /<progress class="gauge" max="100" value="([0-9.]+)"/.exec(card)?.[1];
  if (status["state"] !== "running") {
    const words = chosen === null ? "Not counted yet" : `>${home} of ${chosen} recording`;
    expect(card).toContain(words);
    if (chosen) expect(Number(bar)).toBeCloseTo((100 * (home ?? 0)) / chosen);
    if (chosen !== null) expect(card).toContain(`<dt>Recordings waiting</dt><dd>${waiting}`);
    expect(card).toContain(sentence);
  } else {
    // It has gone on since the frame.
    const { percent, recordings_total: total } = live;
    if (total > 0) expect(Number(bar)).toBeGreaterThanOrEqual(percent);
    if (total > 0) expect(card).toContain(`of ${total} recording`);
  }
  return { ...numbers, files: files ?? 0, sentence };
}

/** Without the blanks that group digits and keep a unit with its number. */
function plain(text: string): string {
  return text.replaceAll("\u202f", "").replaceAll("\u00a0", " ");
}

/** The same service after a restart, with the same camera. */
async function restarted(running: RunningApp): Promise<RunningApp> {
  await running.stop();
  const connection = { address: running.simulator.address };
  const again = await startApp({ folder: running.folder, settings: { ...KEEP_ALL, connection } });
  await again.client.open("/");
  return again;
}

async function sync(running: RunningApp): Promise<void> {
  await running.client.send("POST", "/api/sync/now");
  await running.synced();
}

test("a run that was stopped after 30 of 144 files has brought 10 of 48 recordings, everywhere and from then on", async () => {
  await using running = await startApp({ card: cardOf(FORTY_EIGHT, 4000), settings: KEEP_ALL });
  await running.client.open("/");
  expect(await told(running)).toMatchObject({ chosen: null, home: null, files: 0, sentence: "No sync has run yet." });
  const lift = running.simulator.fault({ name: "stall", match: ELEVENTH, after: 1000 });
  await running.client.send("POST", "/api/sync/now");
  const stalled = await progressed(running.client, ({ files_completed: done }) => done === 30);
  expect(stalled).toMatchObject({ files_total: 144, recordings: { chosen: 48, home: 10, waiting: 38 } });
  const left = { on_camera: 48, chosen: 48, home: 10, waiting: 38, files: 114 };
  expect(await told(running)).toMatchObject(left);
  await running.client.send("POST", "/api/schedule/pause");
  expect(await told(running)).toMatchObject(left);
  await running.client.send("POST", "/api/sync/stop");
  await running.synced();
  const stopped = { ...left, sentence: "The sync was stopped." };
  expect(await told(running)).toMatchObject(stopped);
  await running.client.send("POST", "/api/schedule/resume");
  expect(await told(running)).toMatchObject(stopped);

  await using again = await restarted(running);
  expect(await told(again)).toMatchObject(stopped);
  lift();
  await sync(again);
  const all = { on_camera: 48, chosen: 48, home: 48, waiting: 0, files: 0 };
  expect(await told(again)).toMatchObject({ ...all, sentence: "All 48 recordings on the camera are safe here." });
});

test("80 videos that fail are no full bar, and a list that fails takes nothing back", async () => {
  const names = recordingNames(80, "20260607");
  await using running = await startApp({ card: cardOf(names, 4000), settings: KEEP_ALL });
  await running.client.open("/");
  await running.client.send("PATCH", "/api/settings/sync", { skip_metadata: ["t", "3", "g"] });
  running.simulator.fault({ name: "error-500" });
  await sync(running);
  const none = { on_camera: 80, chosen: 80, home: 0, waiting: 80, files: 80 };
  const failed = await told(running);
  expect(failed).toMatchObject(none);
  expect(failed.sentence).toStartWith("Sync failed:");
  for (const fault of ["list-500", "list-html", "list-empty", "list-blank", "list-garbage"] as const) {
    const lift = running.simulator.fault({ name: fault });
    await sync(running);
    expect([fault, await told(running)]).toMatchObject([fault, none]);
    lift();
  }
  await running.simulator.goAway();
  await sync(running);
  expect(await told(running)).toMatchObject(none);
  await using again = await restarted(running);
  expect(await told(again)).toMatchObject(none);
});

test("what failed, what is left for later and what the camera lacks are together what waits and what was skipped", async () => {
  const names = [...recordingNames(8, "20260607"), "20260607_000000_NFL.mp4"].sort();
  const card = cardOf(names, 4000);
  // A recording and its copy have one thumbnail, or none.
  for (const name of card.names()) if (/_000000_NF.*\.thm$/.test(name)) card.remove(name);
  await using running = await startApp({ card, settings: KEEP_ALL });
  await running.client.open("/");
  const lift = running.simulator.fault({ name: "error-500" });
  await sync(running);
  const { not_brought, failed } = (await (
    await running.client.fetch(`/api/runs/${runId(running.app.history.latest() ?? { ts: 0 })}`)
  ).json()) as RunDetail;
  const held = not_brought.find(({ rule }) => rule === "held")?.count ?? 0;
  expect(not_brought.find(({ rule }) => rule === "absent")?.count).toBe(1);
  // The newest moment's companions, in both directions: its videos could not be fetched and may still grow.
  expect([failed.total, held]).toEqual([9, 4]);
  expect(await told(running)).toMatchObject({ home: 0, waiting: 9, files: failed.total + held });
  const { files_absent, files_here, files_skipped } = running.app.job.snapshot;
  expect([files_absent, files_here, files_skipped]).toEqual([1, 0, 1 + held]);
  lift();
  await sync(running);
  expect(await told(running)).toMatchObject({ home: 9, files: 0 });
});

test("what is deleted by hand is neither safe nor waiting; restored it is safe again, without a sync", async () => {
  await using running = await startApp({ card: cardOf(FORTY_EIGHT.slice(0, 8), 4000), settings: KEEP_ALL });
  const { client } = running;
  await client.open("/");
  await sync(running);
  const safe = "All 8 recordings on the camera are safe here.";
  expect(await told(running)).toMatchObject({ on_camera: 8, chosen: 8, home: 8, files: 0, sentence: safe });
  await client.send("DELETE", "/api/recordings/20260607_000000_N");
  const six = { on_camera: 8, chosen: 6, home: 6, waiting: 0, files: 0 };
  const chosen = "All 6 chosen recordings on the camera are safe here.";
  expect(await told(running)).toMatchObject({ ...six, sentence: chosen });
  await client.send("POST", "/api/trash/restore", { all: true });
  expect(await told(running)).toMatchObject({ chosen: 8, home: 8, sentence: safe });
  await client.send("DELETE", "/api/recordings/20260607_000100_N");
  await client.send("DELETE", "/api/trash", {});
  expect(await told(running)).toMatchObject({ ...six, sentence: chosen });
  await using again = await restarted(running);
  expect(await told(again)).toMatchObject({ ...six, sentence: chosen });
});

test("settings are judged at once over what was listed", async () => {
  await using running = await startApp({ card: cardOf(FORTY_EIGHT.slice(0, 8), 4000), settings: KEEP_ALL });
  const { client } = running;
  await client.open("/");
  const set = (section: string, changes: object) => client.send("PATCH", `/api/settings/${section}`, changes);
  await set("sync", { include: ["NF"], skip_metadata: ["t", "3", "g"] });
  await sync(running);
  expect(await told(running)).toMatchObject({ on_camera: 8, chosen: 4, home: 4, files: 0 });
  await set("sync", { include: [] });
  const more = { on_camera: 8, chosen: 8, home: 4, waiting: 4, files: 4, sentence: "4 recordings are waiting." };
  expect(await told(running)).toMatchObject(more);
  await set("sync", { skip_metadata: ["3", "g"] });
  expect(await told(running)).toMatchObject({ ...more, files: 12 });
  await set("sync", { exclude: ["NR"] });
  expect(await told(running)).toMatchObject({
    chosen: 4,
    home: 4,
    waiting: 0,
    files: 4,
    sentence: "4 small files are waiting.",
  });
  await set("connection", { address: "127.0.0.1:9" });
  expect(await told(running)).toMatchObject({ chosen: null, files: 0 });
  await set("connection", { address: running.simulator.address });
  expect(await told(running)).toMatchObject({ chosen: 4, home: 4 });
});

test("what somebody else takes away or brings is counted with the next look", async () => {
  const clock = new FakeClock("2026-06-07T10:14:00Z");
  const names = FORTY_EIGHT.slice(0, 8);
  await using running = await startApp({ card: cardOf(names, 4000), settings: KEEP_ALL, clock });
  await running.client.open("/");
  await sync(running);
  await clock.advance(11_000);
  const [first = ""] = names;
  const path = join(running.destination, first);
  const video = readFileSync(path);
  rmSync(path);
  await clock.advance(2000);
  expect(await told(running)).toMatchObject({ chosen: 8, home: 7, waiting: 1, files: 1 });
  writeFileSync(path, video);
  await clock.advance(2000);
  expect(await told(running)).toMatchObject({ chosen: 8, home: 8, waiting: 0, files: 0 });
});

test("companions that the camera does not have wait for nothing, also when it would be asked again", async () => {
  const clock = new FakeClock("2026-06-07T10:14:00Z");
  await using running = await startApp({ card: cardOf(FORTY_EIGHT.slice(0, 2), 4000), settings: KEEP_ALL, clock });
  await running.client.open("/");
  running.simulator.fault({ name: "not-found", match: /\.(gps|thm)$/ });
  await sync(running);
  const safe = { chosen: 2, home: 2, waiting: 0, files: 0, sentence: "All 2 recordings on the camera are safe here." };
  expect(await told(running)).toMatchObject(safe);
  await clock.advance(5_000_000);
  expect(await told(running)).toMatchObject(safe);
  const file = join(running.folder, "config", "camera-list.txt");
  // Without the file: what the destination remembers of them counts with the next list.
  await running.stop();
  rmSync(file);
  await using again = await restarted(running);
  expect(await told(again)).toMatchObject({ chosen: null, sentence: "The last sync went through." });
  await sync(again);
  expect(await told(again)).toMatchObject(safe);
});

test("an empty video and one that is being recorded are not missing", async () => {
  await using running = await startApp({ card: cardOf(FORTY_EIGHT.slice(0, 6), 4000), settings: KEEP_ALL });
  const { client, simulator } = running;
  await client.open("/");
  await client.send("PATCH", "/api/settings/sync", { skip_metadata: ["t", "3", "g"] });
  const lift = simulator.fault({ name: "empty-204", match: /000000_NF\.mp4$/ });
  simulator.fault({ name: "paused", match: /000200_NR\.mp4$/, after: 1500 });
  await sync(running);
  const five = { on_camera: 5, chosen: 5, home: 4, waiting: 0, files: 0 };
  const sentence = "4 of 5 recordings on the camera are safe here; 1 is still being recorded.";
  expect(await told(running)).toMatchObject({ ...five, sentence });
  await using again = await restarted(running);
  expect(await told(again)).toMatchObject({ ...five, sentence });
  lift();
  simulator.clearFaults();
  await sync(again);
  expect(await told(again)).toMatchObject({ on_camera: 6, chosen: 6, home: 6, waiting: 0, files: 0 });
});

test("a list is written down when it is another one, and not again", async () => {
  await using running = await startApp({ card: cardOf(FORTY_EIGHT.slice(0, 4), 4000), settings: KEEP_ALL });
  await running.client.open("/");
  const file = join(running.folder, "config", "camera-list.txt");
  await sync(running);
  await running.app.listed.save();
  const written = statSync(file, { bigint: true });
  await sync(running);
  await told(running);
  await running.app.listed.close();
  expect(statSync(file, { bigint: true })).toMatchObject({ ino: written.ino, mtimeNs: written.mtimeNs });
});

test("a full card is counted without holding up others, and what comes costs next to nothing", async () => {
  await using running = await startApp({ settings: KEEP_ALL });
  const names = recordingNames(50_000, "20260101");
  await listedBefore(running, names, names.slice(0, 40));
  expect(await told(running)).toMatchObject({ on_camera: 50_000, chosen: 50_000, home: 40, waiting: 49_960 });
  const counted = running.app.listed.known;
  running.app.library.noteAdded(names[40] ?? "", "");
  expect(running.app.listed.known).toEqual({
    ...counted,
    home: 41,
    waiting: 49_959,
    waiting_files: (counted?.waiting_files ?? 0) - 1,
  } as typeof counted);
  await using again = await restarted(running);
  expect(again.app.listed.known).toMatchObject({ on_camera: 50_000, home: 40 });
});
