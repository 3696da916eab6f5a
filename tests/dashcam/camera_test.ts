import { afterEach, describe, expect, test } from "bun:test";
import { networkInterfaces } from "node:os";
import { cameraInForce, type Dashcam, openCamera } from "../../server/dashcam/camera.ts";
import type { DashcamOptions } from "../../server/dashcam/camera_talk.ts";
import type { Opened } from "../../server/dashcam/opened.ts";
import { DashcamProblem, type ProblemKind } from "../../server/dashcam/problem.ts";
import { SimulatedCard, syntheticFootage } from "../../server/dashcam/simulator/simulated_card.ts";
import { openSimulator, type Simulator, type SimulatorOptions } from "../../server/dashcam/simulator/simulator.ts";
import type { Fault } from "../../server/dashcam/simulator/simulator_faults.ts";

const VIDEO = "20240607_101500_NF.mp4";
const SIZE = 100_000;
const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === "::1"));

const open: Simulator[] = [];
afterEach(async () => {
  for (const simulator of open.splice(0)) await simulator.close();
});

/** A simulated camera with one moment on its card, and a client for it. */
async function pair(options: Partial<DashcamOptions> = {}, card: Partial<SimulatorOptions> = {}) {
  const files = new SimulatedCard(syntheticFootage(SIZE));
  files.record(VIDEO);
  const camera = await openSimulator({ card: files, ...card });
  open.push(camera);
  return {
    camera,
    client: openCamera({ address: camera.address, timeoutMs: 5000, silenceMs: 5000, ...options }, "legacy"),
  };
}

/** The problem a promise ends with. */
async function problemOf(promise: Promise<unknown>): Promise<DashcamProblem> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof DashcamProblem)) throw new Error(`Expected a problem, got ${error}`);
  return error;
}

type Body = Extract<Opened, { kind: "body" }>;

async function bodyOf(opening: Promise<Opened>): Promise<Body> {
  const opened = await opening;
  if (opened.kind !== "body") throw new Error(`Expected a body, got ${opened.kind}`);
  return opened;
}

async function readWhole(body: Body): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for (let piece = await body.read(); piece !== null; piece = await body.read()) parts.push(piece);
  return Buffer.concat(parts);
}

/** The gate lets the next request through: nothing that went before holds it. */
async function expectFree(camera: Simulator, client: Dashcam): Promise<void> {
  camera.clearFaults();
  expect(client.isBusy).toBe(false);
  await client.probe();
}

describe("openCamera()", () => {
  test("contacts nobody by itself", async () => {
    const { camera, client } = await pair();
    expect([client.address, client.isBusy, camera.requests.length]).toEqual([camera.address, false, 0]);
  });

  test("reads the listing", async () => {
    const { client } = await pair();
    expect((await client.list()).files).toEqual([{ name: VIDEO, size: null }]);
  });

  test("probes by HEAD, and takes any answer for a sign of life", async () => {
    const { camera, client } = await pair();
    await client.probe();
    camera.fault("list-500");
    await client.probe();
    camera.fault({ name: "redirect", match: /cgi/ });
    await client.probe();
    expect(camera.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(
      Array.from({ length: 3 }, () => "HEAD /blackvue_vod.cgi"),
    );
  });

  test("fetches a file whole, and from an offset on", async () => {
    const { camera, client } = await pair();
    const bytes = await camera.card.bytes(VIDEO);
    const whole = await bodyOf(client.open(VIDEO, { from: 0 }));
    expect([whole.start, whole.total]).toEqual([0, SIZE]);
    expect(Buffer.compare(await readWhole(whole), bytes)).toBe(0);
    const rest = await bodyOf(client.open(VIDEO, { from: 40_000 }));
    expect([rest.start, rest.total]).toEqual([40_000, SIZE]);
    expect(Buffer.compare(await readWhole(rest), bytes.subarray(40_000))).toBe(0);
    expect(camera.requests.map(({ range }) => range)).toEqual([null, "bytes=40000-"]);
  });

  test("reads the settings of the camera, and says which one it could not", async () => {
    const { camera, client } = await pair();
    const ini = new TextDecoder().decode(await client.configFile("config.ini", 3000));
    expect(ini).toContain("[");
    expect((await client.configFile("version.bin", 3000)).length).toBeGreaterThan(10);
    camera.fault({ name: "not-found", match: /version/ });
    const problem = await problemOf(client.configFile("version.bin", 3000));
    expect([problem.kind, problem.status, problem.message]).toEqual([
      "http",
      404,
      expect.stringContaining("version.bin"),
    ]);
    await expectFree(camera, client);
  });

  test("encodes a name, so that it cannot reach beyond its folder", async () => {
    const { camera, client } = await pair();
    for (const name of ["a b?.mp4", "../Config/config.ini", "x#y.mp4"])
      expect(await client.open(name, { from: 0 })).toEqual({ kind: "absent", status: 404 });
    expect(camera.requests.map(({ path }) => path)).toEqual([
      ...["/Record/a%20b%3F.mp4", "/accessible"],
      ...["/Record/..%2FConfig%2Fconfig.ini", "/accessible"],
      ...["/Record/x%23y.mp4", "/accessible"],
    ]);
  });

  test.skipIf(!hasIpv6)("talks to an IPv6 address in brackets (needs ::1)", async () => {
    const { camera, client } = await pair({}, { host: "::1" });
    expect(camera.address).toStartWith("[::1]:");
    expect((await client.list()).files).toHaveLength(1);
    expect((await readWhole(await bodyOf(client.open(VIDEO, { from: 0 })))).length).toBe(SIZE);
  });
});

describe("what the camera answers to a file", () => {
  const cases: [fault: Fault, offset: number, opened: object][] = [
    [{ name: "not-found" }, 0, { kind: "absent", status: 404 }],
    [{ name: "forbidden" }, 0, { kind: "absent", status: 403 }],
    [{ name: "empty-204" }, 0, { kind: "empty" }],
    [{ name: "range-416" }, 40_000, { kind: "beyond", total: SIZE }],
    [{ name: "wrong-range" }, 40_000, { kind: "misplaced" }],
    [{ name: "no-content-range" }, 40_000, { kind: "misplaced" }],
    [{ name: "ignores-range" }, 40_000, { kind: "body", start: 0, total: SIZE }],
    [{ name: "unknown-total" }, 40_000, { kind: "body", start: 40_000, total: SIZE }],
    [{ name: "no-length" }, 0, { kind: "body", start: 0, total: null }],
    [{ name: "no-length" }, 40_000, { kind: "body", start: 40_000, total: SIZE }],
    [{ name: "chunked" }, 0, { kind: "body", start: 0, total: null }],
    [{ name: "http-1.0" }, 40_000, { kind: "body", start: 40_000, total: SIZE }],
    [{ name: "gzip-claimed" }, 0, { kind: "body", start: 0, total: SIZE }],
  ];
  for (const [fault, offset, expected] of cases)
    test(`${fault.name} from ${offset} on is ${JSON.stringify(expected)}, and the gate is free again`, async () => {
      const { camera, client } = await pair();
      camera.fault(fault);
      const opened = await client.open(VIDEO, { from: offset });
      expect(opened).toMatchObject(expected);
      if (opened.kind === "body") {
        expect(client.isBusy).toBe(true);
        const bytes = (await camera.card.bytes(VIDEO)).subarray(opened.start);
        expect(Buffer.compare(await readWhole(opened), bytes)).toBe(0);
      }
      await expectFree(camera, client);
    });

  test("a file of no bytes is empty", async () => {
    const { camera, client } = await pair();
    camera.card.add("20240607_101500_N.gps", new Uint8Array(0));
    expect(await client.open("20240607_101500_N.gps", { from: 0 })).toEqual({ kind: "empty" });
    expect(await client.open("20240607_101500_N.gps", { from: 5 })).toEqual({ kind: "beyond", total: 0 });
    await expectFree(camera, client);
  });

  test("any other status is a problem that names it", async () => {
    for (const status of [400, 401, 415, 500, 503]) {
      const { camera, client } = await pair();
      camera.fault({ name: "error-500", value: status });
      const problem = await problemOf(client.open(VIDEO, { from: 0 }));
      expect([problem.kind, problem.status, problem.isConnection]).toEqual(["http", status, false]);
      expect(problem.message).toContain(String(status));
      await expectFree(camera, client);
    }
  });

  const broken: [fault: Fault, kind: ProblemKind, received: number][] = [
    [{ name: "cut-short", after: 60_000 }, "reset", 60_000],
    [{ name: "reset", after: 60_000 }, "reset", 60_000],
    [{ name: "chunked-cut", after: 60_000 }, "reset", 60_000],
    [{ name: "shorter-than-promised" }, "reset", SIZE],
    [{ name: "stall", after: 60_000 }, "silence", 60_000],
  ];
  for (const [fault, kind, received] of broken)
    test(`${fault.name} gives what was sent, then a problem of kind ${kind}`, async () => {
      const { camera, client } = await pair({ silenceMs: 300 });
      camera.fault(fault);
      const body = await bodyOf(client.open(VIDEO, { from: 0 }));
      let length = 0;
      const problem = await problemOf(
        (async () => {
          for (let piece = await body.read(); piece !== null; piece = await body.read()) length += piece.length;
        })(),
      );
      expect([problem.kind, length]).toEqual([kind, received]);
      expect(await body.read()).toBeNull();
      await expectFree(camera, client);
    });
});

test.each(["cut-short", "reset", "chunked-cut", "goes-away"] as const)(
  "%s gives what was sent also when the machine is busy with something else just then",
  async (name) => {
    const busy = () => setImmediate(() => Bun.sleepSync(60));
    const { camera, client } = await pair({}, { onTraffic: ({ bytes }) => bytes > 0 && busy() });
    camera.fault({ name, after: 9000, ...(name === "goes-away" && { value: 0 }) });
    const body = await bodyOf(client.open(VIDEO, { from: 0 }));
    expect((await body.read())?.length).toBe(9000);
    await expect(body.read()).rejects.toThrow("the connection broke in the middle of a file");
  },
);

describe("redirects", () => {
  test("are refused for list, files and settings, and nobody goes there", async () => {
    const { camera, client } = await pair();
    camera.fault({ name: "redirect", match: /./ });
    for (const asking of [client.list(), client.open(VIDEO, { from: 0 }), client.configFile("config.ini", 1000)]) {
      const problem = await problemOf(asking);
      expect([problem.kind, problem.status, problem.isConnection]).toEqual(["redirect", 302, false]);
    }
    expect(camera.requests.map(({ path }) => path)).toEqual([
      "/accessible",
      "/blackvue_vod.cgi",
      `/Record/${VIDEO}`,
      "/Config/config.ini",
    ]);
    await expectFree(camera, client);
  });
});

describe("listings", () => {
  for (const [fault, words] of [
    ["list-html", "web page"],
    ["list-json", "JSON"],
    ["list-blank", "empty"],
    ["list-garbage", "version line"],
  ] as const)
    test(`${fault} is refused in plain words that speak of the address`, async () => {
      const { camera, client } = await pair();
      camera.fault(fault);
      const problem = await problemOf(client.list());
      expect([problem.kind, problem.isConnection]).toEqual(["not-a-listing", false]);
      expect(problem.message).toContain(words);
      expect(problem.message).toContain("Check the address");
      await expectFree(camera, client);
    });

  test("a status other than 200 is a problem, also 204", async () => {
    for (const status of [204, 404, 415, 500]) {
      const { camera, client } = await pair();
      camera.fault({ name: "error-500", match: /cgi/, value: status });
      const problem = await problemOf(client.list());
      expect([problem.kind, problem.status]).toEqual(["http", status]);
      await expectFree(camera, client);
    }
  });
});

test("the camera in force is one client until its options are others", () => {
  const options = { address: "192.0.2.7", timeoutMs: 5000, affinityKey: "" };
  const camera = cameraInForce(() => ({ ...options }));
  const first = camera();
  expect(camera()).toBe(first);
  options.address = "192.0.2.8";
  const second = camera();
  expect([second === first, second.address]).toEqual([false, "192.0.2.8"]);
  expect(camera()).toBe(second);
});

test("two who ask for the list at once are answered one after the other, each with its own question before", async () => {
  const { camera, client } = await pair();
  const listings = await Promise.all([client.list(), client.list()]);
  expect(listings.map(({ files }) => files.length)).toEqual([1, 1]);
  const each = ["/accessible", "/blackvue_vod.cgi"];
  expect(camera.requests.map(({ path }) => path)).toEqual([...each, ...each]);
});
