import { afterEach, describe, expect, test } from "bun:test";
import { type Dashcam, openCamera } from "../../server/dashcam/camera.ts";
import type { Opened } from "../../server/dashcam/opened.ts";
import { SimulatedCard, syntheticFootage } from "../../server/dashcam/simulator/simulated_card.ts";
import { openSimulator, type Simulator } from "../../server/dashcam/simulator/simulator.ts";

const VIDEO = "20240607_101500_NF.mp4";
const THUMBNAIL = "20240607_101500_NF.thm";

const open: Simulator[] = [];
afterEach(async () => {
  for (const simulator of open.splice(0)) await simulator.close();
});

async function pair(): Promise<{ camera: Simulator; client: Dashcam }> {
  const card = new SimulatedCard(syntheticFootage(200_000));
  card.record(VIDEO);
  const camera = await openSimulator({ card });
  open.push(camera);
  return { camera, client: openCamera({ address: camera.address, timeoutMs: 600_000, silenceMs: 600_000 }, "legacy") };
}

async function drain(opened: Opened): Promise<number> {
  if (opened.kind !== "body") throw new Error(`Expected a body, got ${opened.kind}`);
  let length = 0;
  for (let piece = await opened.read(); piece !== null; piece = await opened.read()) length += piece.length;
  return length;
}

const shortPaths = (camera: Simulator) =>
  camera.requests.map(({ method, path }) => `${method} ${path.split("/").at(-1)}`);

/** Error of a promise: only a stop ends these conversations within a test's time. */
const stoppedBy = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "it went through",
    (error: unknown) => error,
  );

describe("one request at a time", () => {
  test("requests made at once reach the camera one after the other, in their order", async () => {
    const { camera, client } = await pair();
    const file = client.open(VIDEO, { from: 0 }).then(drain);
    const others = [
      client.list(),
      client.probe(),
      client.open(THUMBNAIL, { from: 0 }).then(drain),
      client.configFile("config.ini", 5000),
    ];
    expect(client.isBusy).toBe(true);
    await Promise.all([file, ...others]);
    expect(shortPaths(camera)).toEqual([
      `GET ${VIDEO}`,
      "GET accessible",
      "GET blackvue_vod.cgi",
      "HEAD blackvue_vod.cgi",
      `GET ${THUMBNAIL}`,
      "GET config.ini",
    ]);
    expect(camera.requests.map(({ connection }) => connection)).toEqual([1, 1, 1, 1, 1, 1]);
    expect(client.isBusy).toBe(false);
  });

  test("nothing else is asked while a file is open, until it is read or closed", async () => {
    const { camera, client } = await pair();
    for (const end of ["read", "closed"] as const) {
      camera.requests.length = 0;
      const file = await client.open(VIDEO, { from: 0 });
      let listed = false;
      const listing = client.list().then(() => {
        listed = true;
      });
      if (file.kind !== "body") throw new Error("the file opens");
      await file.read();
      expect([listed, shortPaths(camera)]).toEqual([false, [`GET ${VIDEO}`]]);
      if (end === "read") await drain(file);
      else file.close();
      await listing;
      expect(shortPaths(camera)).toEqual([`GET ${VIDEO}`, "GET accessible", "GET blackvue_vod.cgi"]);
    }
  });

  test("closing twice, or after the end, does not let two others in at once", async () => {
    const { camera, client } = await pair();
    const first = await client.open(THUMBNAIL, { from: 0 });
    await drain(first);
    if (first.kind === "body") for (let times = 0; times < 3; times++) first.close();
    camera.fault("stall");
    const file = await client.open(VIDEO, { from: 0 });
    const waiting = [client.probe(), client.list()];
    if (first.kind === "body") first.close();
    expect(camera.requests).toHaveLength(2);
    if (file.kind === "body") file.close();
    await Promise.all(waiting);
    expect(camera.requests).toHaveLength(5);
  });

  test("a failure in front does not hold those behind it", async () => {
    const { camera, client } = await pair();
    camera.fault({ name: "error-500", match: /mp4/ });
    camera.fault({ name: "list-html" });
    const results = await Promise.allSettled([client.open(VIDEO, { from: 0 }), client.list(), client.probe()]);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected", "fulfilled"]);
    expect(client.isBusy).toBe(false);
  });

  test("a waiter that gives up leaves the line; the others keep their order", async () => {
    const { camera, client } = await pair();
    const file = await client.open(VIDEO, { from: 0 });
    const giving = new AbortController();
    const reason = new Error("changed my mind");
    const gone = client.open(THUMBNAIL, { from: 0 }, giving.signal);
    const others = [client.probe(), client.list()];
    giving.abort(reason);
    expect(await stoppedBy(gone)).toBe(reason);
    await drain(file);
    await Promise.all(others);
    expect(shortPaths(camera)).toEqual([
      `GET ${VIDEO}`,
      "HEAD blackvue_vod.cgi",
      "GET accessible",
      "GET blackvue_vod.cgi",
    ]);
  });
});

describe("stopping", () => {
  const reason = new Error("sync stopped by user");

  test("before anything was asked, nothing is asked", async () => {
    const { camera, client } = await pair();
    const signal = AbortSignal.abort(reason);
    for (const ask of [
      () => client.list(signal),
      () => client.probe(signal),
      () => client.open(VIDEO, { from: 0 }, signal),
      () => client.configFile("config.ini", 1000, signal),
    ])
      expect(await stoppedBy(ask())).toBe(reason);
    expect([camera.requests.length, client.isBusy]).toEqual([0, false]);
  });

  test("while connecting rejects with the signal's own reason", async () => {
    const { client } = await pair();
    const stop = new AbortController();
    const listing = client.list(stop.signal);
    stop.abort(reason);
    expect(await stoppedBy(listing)).toBe(reason);
    expect(client.isBusy).toBe(false);
    await client.probe();
  });

  for (const [phase, fault, path] of [
    ["before the first byte of an answer", "never-answers", /accessible/],
    ["in the middle of the listing", "list-stall", /cgi/],
  ] as const)
    test(`${phase} rejects at once with the signal's own reason, and hangs up`, async () => {
      const { camera, client } = await pair();
      camera.fault(fault);
      const stop = new AbortController();
      const listing = client.list(stop.signal);
      await camera.asked(path);
      stop.abort(reason);
      expect(await stoppedBy(listing)).toBe(reason);
      await camera.quiet();
      camera.clearFaults();
      await client.probe();
    });

  test("in the middle of a file rejects the waiting read with the signal's own reason, and hangs up", async () => {
    const { camera, client } = await pair();
    camera.fault({ name: "stall", after: 50_000 });
    const stop = new AbortController();
    const file = await client.open(VIDEO, { from: 0 }, stop.signal);
    if (file.kind !== "body") throw new Error("the file opens");
    let length = 0;
    while (length < 50_000) length += (await file.read())?.length ?? 0;
    const waiting = file.read();
    stop.abort(reason);
    expect(await stoppedBy(waiting)).toBe(reason);
    expect(client.isBusy).toBe(false);
    await camera.quiet();
    camera.clearFaults();
    expect(await drain(await client.open(VIDEO, { from: 50_000 }))).toBe(150_000);
  });

  test("between two reads makes the next one reject with the signal's own reason", async () => {
    const { camera, client } = await pair();
    camera.fault({ name: "stall", after: 50_000 });
    const stop = new AbortController();
    const file = await client.open(VIDEO, { from: 0 }, stop.signal);
    if (file.kind !== "body") throw new Error("the file opens");
    await file.read();
    stop.abort(reason);
    expect(await stoppedBy(drain(file))).toBe(reason);
    expect(client.isBusy).toBe(false);
  });

  test("after the end of a conversation changes nothing", async () => {
    const { client } = await pair();
    const stop = new AbortController();
    await client.list(stop.signal);
    expect(await drain(await client.open(VIDEO, { from: 0 }, stop.signal))).toBe(200_000);
    stop.abort(reason);
    await client.probe();
  });
});
