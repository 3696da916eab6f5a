import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { type Clock, systemClock } from "../../../server/clock.ts";
import { type Dashcam, openCamera } from "../../../server/dashcam/camera.ts";
import { simulatedCard, syntheticFootage } from "../../../server/dashcam/simulator/simulated_card.ts";
import { openSimulator, type Simulator } from "../../../server/dashcam/simulator/simulator.ts";
import type { FaultName } from "../../../server/dashcam/simulator/simulator_faults.ts";
import { AppError } from "../../../server/domain/answers/errors.ts";
import { initialSettings } from "../../../server/domain/settings/settings.ts";
import type { Snapshot } from "../../../server/domain/sync/job_progress.ts";
import { type CameraCheckParts, checkCamera } from "../../../server/engine/camera/camera_check.ts";
import type { Topic } from "../../../server/topic.ts";
import { WatchedClock } from "../../support/app/http.ts";
import { stagedJob } from "../../support/app/staged_job.ts";

setDefaultTimeout(30_000);

/** Short wait, since some of the cameras never answer. */
const ANSWER_MS = 250;

function simulator(listSizes = false): Promise<Simulator> {
  const card = simulatedCard({ recordings: 6, now: Date.UTC(2026, 5, 7, 10, 20), footage: syntheticFootage(50_000) });
  return openSimulator({ card, listSizes, listCompanions: true });
}

interface Stage extends CameraCheckParts {
  readonly topic: Topic<Snapshot>;
}

function stage(dashcam: Dashcam = openCamera({ address: "", timeoutMs: 1000 }), clock: Clock = systemClock): Stage {
  const { job, topic } = stagedJob();
  return { clock, settings: { current: initialSettings() }, dashcam, job, topic };
}

const running = (topic: Topic<Snapshot>) => topic.set({ ...topic.value, state: "running", job_id: "the job" });

describe("checkCamera()", () => {
  test("finds a camera, counts its recordings and not their companions, and changes nothing on it", async () => {
    await using camera = await simulator();
    const found = await checkCamera(stage(), camera.address);
    expect(found).toMatchObject({ reachable: true, address: camera.address, recordings: 6, bytes: null });
    if (found.reachable) expect(found.latency_ms).toBeGreaterThan(0);
    expect(camera.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "GET /accessible",
      "GET /blackvue_vod.cgi",
    ]);
  });

  test("finds a camera with the newer interface, also one that spoke the older one when it was asked last", async () => {
    await using camera = await simulator();
    const dashcam = openCamera({ address: camera.address, timeoutMs: 5000 });
    await dashcam.list();
    camera.generation = "v1009";
    for (const parts of [stage(), stage(dashcam), stage(dashcam)]) {
      const found = await checkCamera(parts, camera.address);
      expect(found).toMatchObject({ reachable: true, recordings: 6, bytes: null });
    }
    camera.generation = "legacy";
    expect(await checkCamera(stage(dashcam), camera.address)).toMatchObject({ reachable: true, recordings: 6 });
  });

  test("adds up the sizes where the list tells them", async () => {
    await using camera = await simulator(true);
    const found = await checkCamera(stage(), camera.address);
    if (!found.reachable) throw new Error(found.message);
    expect(found.bytes).toBeGreaterThan(6 * 10_000);
  });

  const rows: [fault: FaultName, reason: string, message: RegExp][] = [
    ["never-answers", "timeout", /Nothing answered within 5\u00a0s/],
    ["closed-without-answer", "closed", /closed the connection/],
    ["sleeps", "closed", /closed the connection/],
    ["list-stall", "silence", /then stopped/],
    ["list-500", "http", /status 500.*Turn the camera off and on/],
    ["list-html", "not-a-listing", /a router or a printer/],
    ["list-json", "not-a-listing", /Another device answers/],
    ["list-blank", "not-a-listing", /Another device answers/],
  ];
  for (const [fault, reason, message] of rows)
    test(`says what to try when the camera shows: ${fault}`, async () => {
      await using camera = await simulator();
      camera.fault(fault);
      const found = await checkCamera(stage(), camera.address, { answerMs: ANSWER_MS });
      expect(found).toMatchObject({ reachable: false, address: camera.address, reason });
      if (!found.reachable) expect(found.message).toMatch(message);
    });

  test("says what to try when nothing listens, when the name is unknown, and when another server is there", async () => {
    const camera = await simulator();
    await camera.close();
    using other = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: () => new Response("This is a printer", { status: 404 }),
    });
    using elsewhere = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => Response.redirect("/start") });
    const rows: [address: string, reason: string, message: RegExp][] = [
      [camera.address, "refused", /accepts no requests/],
      ["no-such-camera.invalid", "dns", /name is not known/],
      [`127.0.0.1:${other.port}`, "http", /status 404.*another device/],
      [`127.0.0.1:${elsewhere.port}`, "redirect", /Another device answers/],
    ];
    for (const [address, reason, message] of rows) {
      const found = await checkCamera(stage(), address);
      expect([address, found.reachable || found.reason]).toEqual([address, reason]);
      if (!found.reachable) expect(found.message).toMatch(message);
    }
  });

  test("tells those who did not sign in whether a camera is there, and nothing of what else is: neither words nor time", async () => {
    using printer = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("ink", { status: 404 }) });
    const nothing = await simulator();
    await nothing.close();
    const silent = await simulator();
    const stalled = await simulator();
    const dripping = await simulator();
    silent.fault("never-answers");
    stalled.fault("list-stall");
    dripping.fault("closed-without-answer");
    const addresses = [
      `127.0.0.1:${printer.port}`,
      nothing.address,
      "no-such-camera.invalid",
      ...[silent, stalled, dripping].map(({ address }) => address),
    ];
    for (const address of addresses) {
      const clock = new WatchedClock();
      const asleep = clock.asleep(6000);
      let isAnswered = false;
      const found = checkCamera(stage(undefined, clock), address, { answerMs: ANSWER_MS, inShort: true }).finally(
        () => {
          isAnswered = true;
        },
      );
      await asleep;
      await clock.advance(5999);
      expect([address, isAnswered]).toEqual([address, false]);
      await clock.advance(1);
      const message = expect.stringMatching(/^No camera answers there\./);
      expect(await found).toEqual({ reachable: false, address, reason: "no-camera", message });
    }
    await using camera = await simulator();
    const found = await checkCamera(stage(), camera.address, { inShort: true });
    expect(found).toMatchObject({ reachable: true, recordings: 6 });
    for (const one of [silent, stalled, dripping]) await one.close();
  });

  test("takes a camera without recordings for a camera", async () => {
    await using camera = await simulator();
    camera.fault("list-empty");
    expect(await checkCamera(stage(), camera.address)).toMatchObject({ reachable: true, recordings: 0, bytes: 0 });
  });

  test("asks nobody while a sync is running", async () => {
    await using camera = await simulator();
    const parts = stage();
    running(parts.topic);
    const refused = checkCamera(parts, camera.address);
    await expect(refused).rejects.toThrow("A sync is talking to the camera");
    const error: unknown = await refused.catch((caught) => caught);
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ code: "SYNC_ALREADY_RUNNING", details: { current_job_id: "the job" } });
    expect(camera.requests).toEqual([]);
  });

  test("gives way to a sync that begins meanwhile", async () => {
    await using camera = await simulator();
    camera.fault("list-stall");
    const parts = stage();
    const checked = checkCamera(parts, camera.address);
    const outcome = checked.catch((error: unknown) => error);
    await camera.asked(/accessible/);
    running(parts.topic);
    expect(await outcome).toMatchObject({ code: "SYNC_ALREADY_RUNNING" });
    await camera.quiet();
  });

  test("asks the camera that is set up already in turn with everybody else", async () => {
    await using camera = await simulator();
    const dashcam = openCamera({ address: camera.address, timeoutMs: 1000 });
    const [recording = { name: "" }] = (await dashcam.list()).files;
    const opened = await dashcam.open(recording.name, { from: 0 });
    if (opened.kind !== "body") throw new Error("the recording did not open");
    camera.requests.length = 0;
    const checked = checkCamera(stage(dashcam), camera.address);
    while ((await opened.read()) !== null) expect(camera.requests).toEqual([]);
    expect(await checked).toMatchObject({ reachable: true, recordings: 6 });
  });

  test("stops asking when nobody waits for the answer any more", async () => {
    await using camera = await simulator();
    camera.fault("never-answers");
    const waitLimits = new AbortController();
    const outcome = checkCamera(stage(), camera.address, { signal: waitLimits.signal }).catch(
      (error: unknown) => error,
    );
    await camera.asked(/accessible/);
    waitLimits.abort(new Error("gone"));
    expect(await outcome).toEqual(new Error("gone"));
    await camera.quiet();
  });
});
