import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { SimulatedCard, syntheticFootage } from "../../server/dashcam/simulator/simulated_card.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { FakeClock } from "../support/app/clock.ts";
import { until } from "../support/app/http.ts";
import { carAndVan, json } from "../support/app/several_cameras.ts";

setDefaultTimeout(30_000);

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** A Monday, when the car comes home. */
const MONDAY = Date.parse("2026-06-01T18:00:00Z");

const video = (at: number, type: string) =>
  `${new Date(at).toISOString().slice(0, 19).replace(/[-:]/g, "").replace("T", "_")}_${type}F.mp4`;

/** A card that holds so many recordings: two an hour from 8 to 18 each day, one in four of them parking. */
class FullCard {
  readonly card = new SimulatedCard(syntheticFootage(20_000));
  readonly #names: string[] = [];
  readonly #holds: number;

  constructor(holds: number) {
    this.#holds = holds;
  }

  record(day: number): void {
    for (let half = 0; half < 20; half++) {
      const at = MONDAY + day * DAY - 10 * HOUR + (half * HOUR) / 2;
      this.#names.push(video(at, half % 4 === 3 ? "P" : "N"));
      this.card.record(this.#names.at(-1) ?? "");
      if (this.#names.length > this.#holds) this.card.overwrite(this.#names.shift() ?? "");
    }
  }
}

/** A service whose camera was at home on so many evenings, for half an hour each. */
async function lived(evenings: number, holds = 50): Promise<RunningApp & { clock: FakeClock; full: FullCard }> {
  const clock = new FakeClock(MONDAY);
  const full = new FullCard(holds);
  full.record(0);
  const settings = { retention: { keep: "" }, sync: { skip_metadata: ["t", "3", "g"] as ("t" | "3" | "g")[] } };
  const running = await startApp({ clock, card: full.card, settings });
  await running.client.open("/");
  for (let evening = 0; evening < evenings; evening++) {
    if (evening > 0) full.record(evening);
    running.app.job.start("manual");
    await running.synced();
    for (let minute = 0; minute < 30; minute++) {
      await clock.advance(60_000);
      running.app.visits.came(100, [50_000]);
    }
    running.app.visits.gone();
    await clock.advance(DAY - HOUR / 2);
  }
  return Object.assign(running, { clock, full });
}

describe("GET /api/visits", () => {
  test("has what a sync brought in the visit that goes on", async () => {
    await using running = await startApp({ settings: { retention: { keep: "" } } });
    await running.client.open("/");
    expect(await json(running, "/api/visits")).toEqual({ visits: [] });
    running.app.job.start("manual");
    await running.synced();
    const { visits } = (await json(running, "/api/visits?days=1")) as { visits: Record<string, unknown>[] };
    expect(visits).toEqual([
      {
        from: expect.stringMatching(/^20\d\d-\d\d-\d\dT.*Z$/),
        to: null,
        seconds: expect.any(Number),
        bytes: running.app.job.snapshot.bytes_downloaded_total,
        rate: expect.any(Number),
      },
    ]);
  });

  test("has those that touch so many days, the newest first, eight weeks of them when nothing is said", async () => {
    const clock = new FakeClock(MONDAY);
    await using running = await startApp({ clock });
    const { visits } = running.app.history;
    for (const [id, days] of [700, 57, 10, 3].entries()) {
      const from = MONDAY - days * DAY;
      visits.put(id + 1, { from, to: from + HOUR, seconds: 3600, bytes: days, rate: null });
    }
    const daysAgo = async (query: string) => {
      const { visits: found } = (await json(running, `/api/visits${query}`)) as { visits: { bytes: number }[] };
      return found.map(({ bytes }) => bytes);
    };
    expect(await daysAgo("")).toEqual([3, 10]);
    expect(await daysAgo("?days=3")).toEqual([3]);
    expect(await daysAgo("?days=2")).toEqual([]);
    expect(await daysAgo("?days=732")).toEqual([3, 10, 57, 700]);
  });

  test.each(["0", "733", "x", "-1", "1.5", ""])("refuses days=%s", async (days) => {
    await using running = await startApp({});
    await running.client.open("/");
    const answer = await running.client.fetch(`/api/visits?days=${days}`);
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain("days must be a whole number from 1 to 732");
  });
});

describe("GET /api/plan", () => {
  test("says what is unknown, and that nothing waits once all is home", async () => {
    await using running = await startApp({ settings: { retention: { keep: "" } } });
    await running.client.open("/");
    expect(await json(running, "/api/plan")).toMatchObject({
      verdict: "unknown",
      waiting: { recordings: null, bytes: null },
      sentence: "Not known yet: the camera has not been listed.",
    });
    running.simulator.fault({ name: "error-500", match: /\.mp4/ });
    running.app.job.start("manual");
    await running.synced();
    expect(await json(running, "/api/plan")).toMatchObject({
      verdict: "unknown",
      waiting: { recordings: 4, bytes: null, oldest: expect.stringMatching(/^2026-06-07T/) },
      ...{ needs_seconds: null, overwritten_from: null, visits_before: null, next_visits: [], at_risk: null },
      sentence: "Not known yet: 0 of 5 visits have been seen that this is learned from.",
      all_at_risk_safe: false,
    });
    running.simulator.clearFaults();
    running.app.job.start("retry");
    await running.synced();
    expect(await json(running, "/api/plan")).toMatchObject({
      ...{ verdict: "safe", needs_seconds: 0, all_at_risk_safe: true, camera: "here" },
      waiting: { recordings: 0, bytes: 0, oldest: null },
      sentence: "All is home: you may switch off.",
    });
  });

  test("knows that the camera is here before the first run of the visit has ended", async () => {
    await using running = await startApp({ settings: { retention: { keep: "" } } });
    await running.client.open("/");
    running.simulator.fault({ name: "stall", match: /\.mp4/, after: 1000 });
    running.app.job.start("manual");
    await until(() => running.app.job.snapshot.bytes_downloaded_total > 0 && running.app.visits.current !== null);
    expect(await json(running, "/api/plan")).toMatchObject({ camera: "here", visit: { to: null } });
    running.app.job.stop();
    await running.synced();
  });

  test("learns from five evenings when the car comes, what its card overwrites, and what is at risk", async () => {
    await using running = await lived(6);
    // The seventh day is recorded, and nothing of it comes home.
    running.full.record(6);
    running.simulator.fault({ name: "error-500", match: /\.mp4/ });
    running.app.job.start("manual");
    await running.synced();
    const plan = await json(running, "/api/plan");
    expect(plan).toMatchObject({
      camera: "here",
      waiting: { recordings: 20 },
      visits_known: 5,
      usual_stay_seconds: 1800,
      // 50 recordings are on it, 20 come each day: the first of the last 20 goes in the middle of the second day.
      overwritten_from: expect.stringMatching(/^2026-06-09T/),
      visits_before: 1,
      verdict: "in_time",
      at_risk: { recordings: 0 },
      all_at_risk_safe: true,
      sentence: "All at risk is safe: you may switch off.",
    });
    expect((plan["next_visits"] as { from: string }[]).slice(0, 2)).toMatchObject([
      { from: "2026-06-08T18:00:00.000Z", to: "2026-06-08T18:30:00.000Z" },
      { from: "2026-06-09T18:00:00.000Z", to: "2026-06-09T18:30:00.000Z" },
    ]);
    // The car leaves, and comes a day later: now the oldest of them are next.
    running.app.visits.gone();
    await running.clock.advance(DAY);
    running.full.record(7);
    running.app.job.start("manual");
    await running.synced();
    const later = await json(running, "/api/plan");
    expect(later).toMatchObject({ waiting: { recordings: 40 }, all_at_risk_safe: false });
    expect((later["at_risk"] as { recordings: number }).recordings).toBeGreaterThan(4);
    expect(later["sentence"]).toMatch(/^\d+\s\w+ until everything at risk is home\.$/);
    const inOrder = async (priority: string) => {
      await running.client.send("PATCH", "/api/settings/sync", { priority });
      return await json(running, "/api/plan");
    };
    // The newest first: what is at risk is home when all is.
    const turned = await inOrder("rdate");
    expect(turned["at_risk"]).toEqual({ ...(later["at_risk"] as object), seconds: turned["needs_seconds"] });
    const { at_risk: atRisk } = await inOrder("smart");
    expect(atRisk).toEqual(later["at_risk"]);
    // The queue has the same at risk, and first.
    const { items } = (await json(running, "/api/sync/queue?limit=200")) as { items: { key: string; why: string }[] };
    const risky = items.filter(({ why }) => why === "at_risk");
    expect(risky).toHaveLength((atRisk as { recordings: number }).recordings);
    expect(items.slice(0, risky.length)).toEqual(risky);
    expect(risky.map(({ key }) => key)).toEqual(risky.map(({ key }) => key).toSorted());
    const safe: boolean[] = [];
    (await running.app.planner()).safe.subscribe((is) => safe.push(is));
    running.simulator.clearFaults();
    running.app.job.start("retry");
    await running.synced();
    expect(await json(running, "/api/plan")).toMatchObject({ verdict: "safe" });
    expect(safe).toEqual([true]);
  });

  test("claims nothing of a camera that has come and not sent its list", async () => {
    await using running = await startApp({ settings: { retention: { keep: "" } } });
    await running.client.open("/");
    running.app.job.start("manual");
    await running.synced();
    running.app.visits.gone();
    expect(await json(running, "/api/plan")).toMatchObject({ verdict: "safe" });
    running.app.visits.contact();
    expect(await json(running, "/api/plan")).toMatchObject({
      ...{ camera: "here", verdict: "unknown", all_at_risk_safe: false, waiting: { recordings: 0 } },
      sentence: "The camera is here, and its list has not come yet.",
    });
    running.app.job.start("manual");
    await running.synced();
    expect(await json(running, "/api/plan")).toMatchObject({ verdict: "safe", all_at_risk_safe: true });
  });

  test("does not know where the camera is an hour after the last contact, when it is not looked for", async () => {
    const clock = new FakeClock(MONDAY);
    await using running = await startApp({ clock, settings: { schedule: { on_arrival: false } } });
    await running.client.open("/");
    running.app.job.start("manual");
    await running.synced();
    expect(await json(running, "/api/plan")).toMatchObject({ camera: "here", visit: { to: null } });
    clock.pass(HOUR + 1);
    expect(await json(running, "/api/plan")).toMatchObject({ camera: "unknown", visit: null });
    expect(await json(running, "/api/visits")).toMatchObject({ visits: [{ to: new Date(MONDAY).toISOString() }] });
  });

  test("with another card in the camera does not know what that holds, also after a restart", async () => {
    const running = await lived(6);
    expect(await json(running, "/api/plan")).toMatchObject({ at_risk: { recordings: 0 } });
    (await running.app.planner()).noteOtherCard();
    await running.clock.advance(10_000);
    expect(await json(running, "/api/plan")).toMatchObject({ at_risk: null, verdict: "safe" });
    await running.stop();
    await using again = await startApp({ folder: running.folder, clock: running.clock, card: running.full.card });
    await again.client.open("/");
    await again.app.settings.patch("connection", { address: running.simulator.address });
    expect(await json(again, "/api/plan")).toMatchObject({ at_risk: null });
    await running[Symbol.asyncDispose]();
  });

  test("is there before anything asks for it where the order is `smart`, which it makes", async () => {
    await using running = await startApp({ settings: { retention: { keep: "" } } });
    expect(running.app.planner.opened).toBeNull();
    await running.app.settings.patch("sync", { priority: "smart" });
    await until(() => running.app.planner.opened !== null);
    await running.stop();
    await using again = await startApp({ folder: running.folder });
    expect(again.app.planner.opened).not.toBeNull();
  });

  test("is known again after a restart", async () => {
    const running = await lived(6);
    const before = await json(running, "/api/plan");
    await running.stop();
    await using again = await startApp({ folder: running.folder, clock: running.clock, card: running.full.card });
    await again.client.open("/");
    await again.app.settings.patch("connection", { address: running.simulator.address });
    expect(await json(again, "/api/plan")).toMatchObject({
      verdict: "safe",
      next_visits: before["next_visits"],
      visits_known: 5,
    });
    await running[Symbol.asyncDispose]();
  });

  test("of all cameras has one of each", async () => {
    await using running = await carAndVan();
    const plans = (await json(running, "/api/plan?camera=all"))["cameras"] as { id: string; verdict: string }[];
    expect(plans.map(({ id }) => id)).toEqual(["main", "van"]);
    const visits = (await json(running, "/api/visits?camera=all"))["cameras"] as { id: string }[];
    expect(visits.map(({ id }) => id)).toEqual(["main", "van"]);
    expect(await json(running, "/api/plan?camera=van")).toMatchObject({ waiting: expect.any(Object) });
  });
});
