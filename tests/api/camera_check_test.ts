import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { simulatedCard, syntheticFootage } from "../../server/dashcam/simulator/simulated_card.ts";
import { configFiles } from "../../server/dashcam/simulator/simulated_config.ts";
import { openSimulator } from "../../server/dashcam/simulator/simulator.ts";
import type { CheckReport } from "../../server/domain/camera/check_report.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { Frames } from "../support/browser/frames.ts";

setDefaultTimeout(30_000);

const PATH = "/api/camera/check";
const PASSWORD = "correct horse battery staple";

async function reportsOf(answer: Response): Promise<CheckReport[]> {
  await using frames = Frames.of(answer);
  const reports: CheckReport[] = [];
  for (let frame = await frames.next(); frame !== null; frame = await frames.next()) {
    expect(frame.event).toBe("check");
    reports.push(frame.data as CheckReport);
  }
  return reports;
}

async function started(): Promise<RunningApp> {
  const running = await startApp();
  await running.client.open("/");
  running.simulator.settings = configFiles({ "Wifi.WifiSleepMode": "0" });
  return running;
}

describe("POST /api/camera/check", () => {
  test("streams the whole report as it grows, of the saved camera, and ends with the verdict", async () => {
    await using running = await started();
    const answer = await running.client.send("POST", PATH, {});
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toMatch(/^text\/event-stream/);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("x-accel-buffering")).toBe("no");
    const reports = await reportsOf(answer);
    const first = reports[0];
    const last = reports.at(-1);
    expect(new Set(first?.steps.map(({ state }) => state))).toEqual(new Set(["waiting"]));
    expect([first?.steps.length, first?.verdict, first?.took_seconds]).toEqual([10, null, null]);
    expect(last?.address).toBe(running.simulator.address);
    expect(last?.verdict?.level).toBe("fine");
    expect(last?.took_seconds).toBeNumber();
    expect(running.simulator.requests.every(({ method }) => method === "GET")).toBe(true);
    expect(running.app.streams.open).toBe(0);
  });

  test("is of another address when one is given, whose failure is told where people sign in", async () => {
    await using running = await startApp({ mode: "login", password: PASSWORD });
    await running.client.signIn("admin", PASSWORD);
    const [last] = (await reportsOf(await running.client.send("POST", PATH, { address: "127.0.0.1:1" }))).slice(-1);
    expect(last).toMatchObject({ address: "127.0.0.1:1", verdict: { level: "failed", reason: "refused" } });
  });

  test("shows of another address nothing but the way where nobody signs in, and the saved one in full", async () => {
    await using running = await started();
    const { client, simulator } = running;
    await simulator.goAway();
    const saved = await reportsOf(await client.send("POST", PATH, {}));
    expect(saved.at(-1)?.verdict?.reason).toBe("refused");
    await using frames = Frames.of(await client.send("POST", PATH, { address: "127.0.0.1:1" }));
    const { data } = await frames.until((report) => (report as CheckReport).steps[1]?.state === "fine");
    const { steps, verdict } = data as CheckReport;
    expect([verdict, ...steps.slice(2).map(({ state }) => state)]).toEqual([null, ...Array(8).fill("waiting")]);
  });

  test("is one at a time, and free again when the client has hung up", async () => {
    await using running = await started();
    const { client, simulator } = running;
    const lift = simulator.fault("never-answers");
    const frames = Frames.of(await client.send("POST", PATH, {}));
    await simulator.asked(/accessible/);
    for (const path of [PATH, "/api/dashcam/check"]) {
      const refused = await client.send("POST", path, { address: simulator.address });
      expect([path, refused.status]).toEqual([path, 429]);
      expect(await refused.json()).toMatchObject({ code: "RATE_LIMITED" });
    }
    await frames[Symbol.asyncDispose]();
    await simulator.quiet();
    lift();
    const [last] = (await reportsOf(await client.send("POST", PATH, {}))).slice(-1);
    expect(last?.verdict?.level).toBe("fine");
  });

  test("counts as one of the streams, and ends with the service", async () => {
    await using running = await started();
    const { app, client, simulator } = running;
    const taken = Array.from({ length: 16 }, () => app.streams.take(() => {}));
    const refused = await client.send("POST", PATH, {});
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(await refused.json()).toMatchObject({ code: "TOO_MANY_STREAMS" });
    for (const release of taken) release();
    simulator.fault("never-answers");
    const frames = Frames.of(await client.send("POST", PATH, {}));
    await simulator.asked(/accessible/);
    await running.stop();
    await frames.ended();
    await simulator.quiet();
  });

  test("leaves the camera to a sync: one that begins has the way at once, and one that runs is not disturbed", async () => {
    await using running = await startApp({ rate: 100_000, settings: { retention: { keep: "" } } });
    const { client, simulator, app } = running;
    await client.open("/");
    const lift = simulator.fault("list-stall");
    const first = await client.send("POST", PATH, {});
    await simulator.asked(/vod/);
    lift();
    app.job.start("manual");
    expect((await reportsOf(first)).at(-1)?.verdict?.reason).toBe("sync-began");
    await simulator.asked(/Record/);
    const before = simulator.requests.filter(({ path }) => /accessible|Config/.test(path)).length;
    const [last] = (await reportsOf(await client.send("POST", PATH, {}))).slice(-1);
    expect(last).toMatchObject({ sync_running: true, verdict: { reason: "sync-running" } });
    expect(simulator.requests.filter(({ path }) => /accessible|Config/.test(path)).length).toBe(before);
    app.job.stop();
    await app.job.ended();
  });

  test("asks a camera that is to be added also while a sync of another one runs", async () => {
    await using running = await started();
    const card = simulatedCard({ recordings: 2, now: Date.now(), footage: syntheticFootage(150_000) });
    const van = await openSimulator({ card, rate: null, generation: "legacy" });
    running.simulator.fault({ name: "never-answers", match: /vod/ });
    running.app.job.start("manual");
    const verdictOf = async (body: object) => (await reportsOf(await running.client.send("POST", PATH, body))).at(-1);
    expect(await verdictOf({ address: van.address })).toMatchObject({ verdict: { reason: "sync-running" } });
    const asked = await verdictOf({ address: van.address, is_new: true });
    expect(asked?.sync_running).toBe(false);
    expect(asked?.steps.find(({ name }) => name === "list")?.state).toBe("fine");
    // The camera whose sync runs is left to it, whatever is said of it.
    const own = await verdictOf({ address: running.simulator.address, is_new: true });
    expect(own).toMatchObject({ verdict: { reason: "sync-running" } });
    running.app.job.stop();
    await running.app.job.ended();
    await van.close();
  });

  test("refuses as JSON, before the stream, what it cannot check", async () => {
    await using running = await startApp({ settings: { connection: { address: "" } } });
    const { client } = running;
    await client.open("/");
    const rows: [body: unknown, status: number, code: string][] = [
      [{}, 409, "NO_ADDRESS"],
      [{ address: "" }, 422, "VALIDATION_ERROR"],
      [{ address: "http://192.168.1.20" }, 422, "VALIDATION_ERROR"],
      [{ address: ["192.168.1.20"] }, 422, "VALIDATION_ERROR"],
      ["no JSON", 400, "INVALID_BODY"],
    ];
    for (const [body, status, code] of rows) {
      const answer = await client.send("POST", PATH, body);
      expect([body, answer.status]).toEqual([body, status]);
      expect((await answer.json()).code).toBe(code);
    }
    client.token = "another";
    expect((await client.send("POST", PATH, {})).status).toBe(403);
    expect(running.simulator.requests).toEqual([]);
  });

  test("is for those who are signed in, and ends with their session", async () => {
    await using running = await startApp({ mode: "login", password: PASSWORD });
    const { client, simulator } = running;
    await client.open("/login");
    expect((await client.send("POST", PATH, {})).status).toBe(401);
    await client.signIn("admin", PASSWORD);
    simulator.fault("never-answers");
    const frames = Frames.of(await client.send("POST", PATH, {}));
    await simulator.asked(/accessible/);
    await client.send("DELETE", "/api/auth/sessions");
    await frames.ended();
    await simulator.quiet();
  });
});
