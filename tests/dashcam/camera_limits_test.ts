import { afterEach, describe, expect, test } from "bun:test";
import { createServer, type Server, type Socket } from "node:net";
import { type Dashcam, openCamera } from "../../server/dashcam/camera.ts";
import { DashcamProblem } from "../../server/dashcam/problem.ts";
import { SimulatedCard, syntheticFootage } from "../../server/dashcam/simulator/simulated_card.ts";
import { openSimulator, type Simulator, type SimulatorOptions } from "../../server/dashcam/simulator/simulator.ts";

const VIDEO = "20240607_101500_NF.mp4";
const LISTING = "v:1.00\r\n";

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const server of opened.splice(0)) await server.close();
});

async function simulator(options: Partial<SimulatorOptions> = {}): Promise<Simulator> {
  const card = new SimulatedCard(syntheticFootage(200_000));
  card.record(VIDEO);
  const camera = await openSimulator({ card, ...options });
  opened.push(camera);
  return camera;
}

/** A server of bare sockets: `talk` gets each connection with the number of its request, once a request has come. */
async function rawServer(talk: (socket: Socket, head: string, count: number) => void): Promise<string> {
  let count = 0;
  const server: Server = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", (bytes) => talk(socket, bytes.toString("latin1"), ++count));
  });
  opened.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const bound = server.address();
  return `127.0.0.1:${typeof bound === "object" ? bound?.port : 0}`;
}

const answer = (body: string) => `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

/** Error of a promise; null when it does not fail. */
const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    (reason: unknown) => reason,
  );

const kindOf = (error: unknown) => (error instanceof DashcamProblem ? error.kind : error);
const problemOf = async (promise: Promise<unknown>) => kindOf(await failure(promise));

describe("waitLimits", () => {
  test("a refused connection, an unknown name and a closed conversation are told apart, and are the connection's", async () => {
    const closing = await rawServer((socket) => socket.end());
    const resetting = await rawServer((socket) => socket.resetAndDestroy());
    for (const [address, kind] of [
      ["127.0.0.1:1", "refused"],
      // A machine without a name server gives up later than we do.
      ["camera.invalid", /^(dns|timeout)$/],
      [closing, "closed"],
      [resetting, "closed"],
    ] as const) {
      const client = openCamera({ address, timeoutMs: 3000 });
      for (const ask of [() => client.list(), () => client.probe(), () => client.open(VIDEO, { from: 0 })]) {
        const error = await failure(ask());
        expect(kindOf(error)).toMatch(kind);
        expect(error instanceof DashcamProblem && error.isConnection).toBe(true);
        expect(String(error)).not.toContain(address);
      }
      expect(client.isBusy).toBe(false);
    }
  });

  test("a camera that accepts and never answers is a timeout after `timeoutMs`", async () => {
    const camera = await simulator({ faults: ["never-answers"] });
    const client = openCamera({ address: camera.address, timeoutMs: 150 });
    for (const ask of [() => client.list(), () => client.open(VIDEO, { from: 0 }), () => client.probe()]) {
      expect(await problemOf(ask())).toBe("timeout");
    }
    await camera.quiet();
  });

  test("a probe and a settings file may have a shorter time than the rest", async () => {
    const camera = await simulator({ faults: ["never-answers"] });
    const client = openCamera({ address: camera.address, timeoutMs: 60_000 });
    expect(await problemOf(client.probe(undefined, 100))).toBe("timeout");
    expect(await problemOf(client.configFile("config.ini", 100))).toBe("timeout");
  });

  test("half a head, and one that comes letter by letter for ever, are no answer", async () => {
    const half = await rawServer((socket) => socket.write("HTTP/1.1 200 OK\r\nContent-Le"));
    const dripping = await rawServer((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nX-Slow: ");
      const timer = setInterval(() => socket.write("x"), 20);
      socket.on("close", () => clearInterval(timer));
    });
    for (const address of [half, dripping])
      expect(await problemOf(openCamera({ address, timeoutMs: 200 }).list())).toBe("timeout");
  });

  test("silence in the middle of a listing, a file or a settings file ends it, by its own limit", async () => {
    const camera = await simulator();
    camera.fault({ name: "list-stall" });
    camera.fault({ name: "stall", match: /Record|Config/, after: 10 });
    const client = openCamera({ address: camera.address, timeoutMs: 60_000, silenceMs: 150 });
    expect(await problemOf(client.list())).toBe("silence");
    expect(await problemOf(client.configFile("config.ini", 150))).toBe("silence");
    const file = await client.open(VIDEO, { from: 0 });
    if (file.kind !== "body") throw new Error("the file opens");
    await file.read();
    expect(await problemOf(file.read())).toBe("silence");
    expect(client.isBusy).toBe(false);
    await camera.quiet();
  });

  test("a slow body that keeps coming is waited for far beyond both limits", async () => {
    // 200 000 bytes at this rate take almost three times as long as the limits are.
    const camera = await simulator({ rate: 250_000 });
    const client = openCamera({ address: camera.address, timeoutMs: 300, silenceMs: 300 });
    const file = await client.open(VIDEO, { from: 0 });
    if (file.kind !== "body") throw new Error("the file opens");
    let length = 0;
    for (let piece = await file.read(); piece !== null; piece = await file.read()) length += piece.length;
    expect(length).toBe(200_000);
  });

  test("a pause of the reader is not the camera's silence", async () => {
    const camera = await simulator();
    const client = openCamera({ address: camera.address, timeoutMs: 200, silenceMs: 100 });
    const file = await client.open(VIDEO, { from: 0 });
    if (file.kind !== "body") throw new Error("the file opens");
    let length = (await file.read())?.length ?? 0;
    // It pauses until another conversation with the same limits was given up.
    const stalling = await simulator({ faults: [{ name: "stall", after: 10 }] });
    const other = await openCamera({ address: stalling.address, timeoutMs: 200, silenceMs: 100 }).open(VIDEO, {
      from: 0,
    });
    if (other.kind !== "body") throw new Error("the file opens");
    await other.read();
    expect(await problemOf(other.read())).toBe("silence");
    for (let piece = await file.read(); piece !== null; piece = await file.read()) length += piece.length;
    expect(length).toBe(200_000);
  });

  test("an answer far longer than a listing or a settings file can be is cut off", async () => {
    const block = "x".repeat(1024 * 1024);
    const endless = await rawServer((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      const more = () => {
        while (socket.writable && socket.write(block));
      };
      socket.on("drain", more);
      more();
    });
    const client = openCamera({ address: endless, timeoutMs: 5000 });
    expect(await problemOf(client.configFile("config.ini", 5000))).toBe("too-long");
    expect(await problemOf(client.list())).toBe("too-long");
    expect(client.isBusy).toBe(false);
  });
});

describe("connections", () => {
  test("are used again as long as the camera keeps them", async () => {
    const camera = await simulator();
    const client = openCamera({ address: camera.address, timeoutMs: 5000 });
    await client.list();
    await client.probe();
    const file = await client.open(VIDEO, { from: 0 });
    if (file.kind === "body") while ((await file.read()) !== null);
    await client.open("20240607_101500_none.mp4", { from: 0 });
    await client.configFile("config.ini", 1000);
    // On a busy machine the next question may come before the last answer has let go of its connection.
    expect(new Set(camera.requests.map(({ connection }) => connection)).size).toBeLessThanOrEqual(2);
    expect(camera.requests).toHaveLength(7);
  });

  test("are made anew when the camera closes after each answer", async () => {
    const camera = await simulator({ keepAlive: false });
    const client = openCamera({ address: camera.address, timeoutMs: 5000 });
    for (let round = 0; round < 3; round++) await client.list();
    expect(camera.requests.map(({ connection }) => connection)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test("that were dropped while nobody used them cost nothing", async () => {
    const camera = await simulator();
    const client = openCamera({ address: camera.address, timeoutMs: 5000 });
    await client.list();
    await camera.goAway();
    await camera.comeBack();
    await client.list();
    expect(camera.requests.map(({ connection }) => connection)).toEqual([1, 1, 2, 2]);
  });

  test("are given up when a body is closed before its end, so that the camera stops sending", async () => {
    const camera = await simulator({ rate: 50_000 });
    const client = openCamera({ address: camera.address, timeoutMs: 5000 });
    const file = await client.open(VIDEO, { from: 0 });
    if (file.kind !== "body") throw new Error("the file opens");
    await file.read();
    file.close();
    await camera.quiet();
    expect(await file.read()).toBeNull();
    camera.rate = null;
    await client.list();
    expect(camera.requests.map(({ connection }) => connection)).toEqual([1, 2, 2]);
  });
});

describe("headers", () => {
  /** The heads of everything a client asks. */
  async function headsOf(options: { affinityKey?: string | null }): Promise<string[]> {
    const heads: string[] = [];
    const address = await rawServer((socket, head) => {
      heads.push(head.toLowerCase());
      socket.write(head.startsWith("HEAD") ? "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n" : answer(LISTING));
    });
    const client: Dashcam = openCamera({ address, timeoutMs: 5000, ...options });
    await client.list();
    await client.probe();
    const file = await client.open(VIDEO, { from: 7 });
    if (file.kind === "body") while ((await file.read()) !== null);
    await client.configFile("config.ini", 1000);
    expect(heads).toHaveLength(5);
    return heads;
  }

  test("carry the affinity key with every request, and none without a key", async () => {
    for (const head of await headsOf({ affinityKey: "one of many" }))
      expect(head).toContain("\r\nx-affinity-key: one of many\r\n");
    for (const affinityKey of ["", null])
      for (const head of await headsOf({ affinityKey })) expect(head).not.toContain("affinity");
  });

  test("name a range only for a file that goes on", async () => {
    const heads = await headsOf({});
    expect(heads.map((head) => head.includes("\r\nrange: bytes=7-\r\n"))).toEqual([false, false, false, true, false]);
    for (const head of heads) expect(head).not.toContain("cookie");
  });
});
