import { afterAll, beforeAll, expect, test } from "bun:test";
import { SimulatedCard, syntheticFootage } from "../../server/dashcam/simulator/simulated_card.ts";
import type { RetentionPreview } from "../../server/domain/retention/deletion_schema.ts";
import type { Calendar, DayRecordings, RecentRecordings } from "../../server/domain/viewer/viewer_schema.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { progressed } from "../support/browser/frames.ts";

const KEYS = ["20260607_101100_N", "20260607_101200_N", "20260607_101300_E", "20260607_101400_N"] as const;
const [FIRST, SECOND] = KEYS;

let app: RunningApp;
/** A run was stopped after the first video: of the others thumbnails and tracks are home, of one of them only a part. */
beforeAll(async () => {
  const card = new SimulatedCard(syntheticFootage(200_000));
  for (const key of KEYS) for (const direction of ["F", "R"]) card.record(`${key}${direction}.mp4`);
  app = await startApp({ card, rate: 100_000, settings: { retention: { keep: "" }, sync: { priority: "date" } } });
  await app.client.open("/");
  await app.client.send("POST", "/api/sync/now", {});
  await progressed(app.client, () => app.app.library.has(`${FIRST}R.mp4`));
  await app.client.send("POST", "/api/sync/stop", {});
  await app.synced();
});
afterAll(() => app[Symbol.asyncDispose]());

const get = async <T>(path: string) => (await (await app.client.fetch(path)).json()) as T;

test("what is still on the camera is in the viewer's list, and nowhere else", async () => {
  const { days } = await get<DayRecordings>("/api/viewer/recordings?date=2026-06-07");
  expect(days[0]?.recordings.map(({ coming }) => coming?.state ?? "here")).toEqual([
    ...(["waiting", "waiting", "waiting", "here"] as const),
  ]);
  expect(app.app.library.group(SECOND)?.endings).toContain("F.thm");
  const { recordings, total } = await get<RecentRecordings>("/api/recordings/recent");
  expect([recordings.map(({ filename }) => filename).sort(), total]).toEqual([[`${FIRST}F.mp4`, `${FIRST}R.mp4`], 2]);
  const preview = await get<RetentionPreview>("/api/retention/preview?keep=1d");
  expect(preview).toMatchObject({ valid: true, recordings: 2 });
  const overview = await get<object>("/api/overview");
  expect(overview).toMatchObject({ newest: FIRST.slice(0, 15), recordings: 2, home: 2, waiting: 6 });
  const { types } = await app.app.segments.figures();
  expect(types).toEqual({ N: 1 });
  // As for every group without a video: the mark is set, and nothing is counted by it.
  await app.client.send("PUT", `/api/recordings/${SECOND}/keep`, {});
  expect(await get<object>("/api/viewer/recordings?date=2026-06-07&only=kept")).toEqual({ days: [] });
  expect((await get<Calendar>("/api/viewer/calendar")).kept).toBe(0);
  await app.client.send("DELETE", `/api/recordings/${SECOND}/keep`);
});

test("it cannot be saved before it is here, and a trip is saved without it", async () => {
  const save = (query: string) => app.client.fetch(`/api/viewer/export/${query}`);
  for (const query of [`zip?key=${SECOND}`, `track.gpx?key=${SECOND}`, `zip?from=${SECOND}&to=${SECOND}`]) {
    const refused = await save(query);
    expect(refused.status).toBe(404);
    expect(await refused.json()).toMatchObject({
      code: "RECORDING_NOT_FOUND",
      error: "This is still on the camera. It can be saved when its videos are here",
    });
  }
  const archive = new TextDecoder("latin1").decode(await (await save(`zip?trip=${SECOND}`)).bytes());
  for (const key of KEYS) expect(archive.includes(key)).toBe(key === FIRST);
});
