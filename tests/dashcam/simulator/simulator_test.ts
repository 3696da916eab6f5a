import { afterEach, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { SimulatedCard, simulatedCard, syntheticFootage } from "../../../server/dashcam/simulator/simulated_card.ts";
import { openSimulator, type Simulator, type SimulatorOptions } from "../../../server/dashcam/simulator/simulator.ts";
import { FAULT_HELP, FAULTS, type Fault, isFaultName } from "../../../server/dashcam/simulator/simulator_faults.ts";
import { type Listing, NotAListing, parseListing } from "../../../server/domain/recordings/camera_listing.ts";
import { parseRecording } from "../../../server/domain/recordings/recording_name.ts";

const NOW = Date.UTC(2026, 10, 21, 10, 0, 0);
const LIST = "/blackvue_vod.cgi";
const VIDEO = "20261121_101500_NF.mp4";
const PATH = `/Record/${VIDEO}`;
/** Larger than one write, and no round number. */
const SIZE = 150_001;

const open: Simulator[] = [];
afterEach(async () => {
  for (const simulator of open.splice(0)) await simulator.close();
});

/** A camera with one small moment on its card, unless told otherwise; closed after the test. */
async function camera(options: Partial<SimulatorOptions> = {}): Promise<Simulator> {
  const simulator = await openSimulator({ card: oneMoment(), ...options });
  open.push(simulator);
  return simulator;
}

function oneMoment(): SimulatedCard {
  const card = new SimulatedCard(syntheticFootage(SIZE));
  card.record(VIDEO);
  card.record("20261121_101500_NR.mp4");
  return card;
}

/** What came over a raw connection: the head's lines, the body's bytes as they were sent, and how it ended. */
interface Raw {
  status: string;
  headers: Map<string, string>;
  body: Buffer;
  all: Buffer;
  end: "closed" | "reset" | "left";
}

interface Ask {
  method?: string;
  range?: string;
  /** Hangs up as soon as so many bytes have come in. */
  leaveAfter?: number;
  version?: string;
}

/** One request over a socket of its own: nothing is repaired on the way. Reads until the connection ends. */
function raw(simulator: Simulator, path: string, ask: Ask = {}): Promise<Raw> {
  const [host = "", port = ""] = simulator.address.split(":");
  const parts: Buffer[] = [];
  let length = 0;
  return new Promise((resolve) => {
    const socket = connect(Number(port), host);
    let end: Raw["end"] = "closed";
    socket.on("connect", () => {
      const range = ask.range === undefined ? "" : `Range: ${ask.range}\r\n`;
      const version = ask.version ?? "1.1";
      socket.write(
        `${ask.method ?? "GET"} ${path} HTTP/${version}\r\nHost: camera\r\n${range}Connection: close\r\n\r\n`,
      );
    });
    socket.on("data", (bytes) => {
      parts.push(Buffer.from(bytes));
      length += bytes.length;
      if (length < (ask.leaveAfter ?? Number.POSITIVE_INFINITY)) return;
      end = "left";
      socket.destroy();
    });
    socket.on("error", () => {
      end = "reset";
    });
    socket.on("close", () => {
      const all = Buffer.concat(parts);
      const blank = all.indexOf("\r\n\r\n");
      const [status = "", ...lines] = all.subarray(0, Math.max(0, blank)).toString().split("\r\n");
      const headers = new Map(lines.map((line) => [line.split(": ", 1)[0] ?? "", line.slice(line.indexOf(": ") + 2)]));
      resolve({ status, headers, body: all.subarray(blank < 0 ? all.length : blank + 4), all, end });
    });
  });
}

async function faulty(
  fault: Fault,
  ask: Ask = {},
  path = PATH,
): Promise<Raw & { content: Buffer; simulator: Simulator }> {
  const simulator = await camera();
  simulator.fault(fault);
  const content = Buffer.from(await simulator.card.bytes(VIDEO));
  return { ...(await raw(simulator, path, ask)), content, simulator };
}

const list = async (simulator: Simulator): Promise<Listing> =>
  parseListing((await raw(simulator, LIST)).body.toString());

describe("the simulated camera", () => {
  test("lists videos with the constant size and CRLF, oldest first", async () => {
    const simulator = await camera({ card: simulatedCard({ recordings: 21, now: NOW, size: 1000 }) });
    const { status, headers, body } = await raw(simulator, LIST);
    expect(status).toBe("HTTP/1.1 200 OK");
    expect(headers.get("Content-Length")).toBe(String(body.length));
    const lines = body.toString().split("\r\n");
    expect([lines[0], lines.at(-1)]).toEqual(["v:1.00", ""]);
    expect(lines.slice(1, -1)).toEqual(simulator.card.videos().map((name) => `n:/Record/${name},s:1000000`));
    expect((await list(simulator)).files.map(({ name }) => name)).toEqual(simulator.card.videos());
  });

  test("lists companions and real sizes when told to", async () => {
    const simulator = await camera({ listCompanions: true, listSizes: true });
    const { files } = await list(simulator);
    expect(files.map(({ name }) => name)).toEqual(simulator.card.names());
    for (const { name, size } of files) expect(size).toBe(simulator.card.files.get(name)?.size ?? -1);
  });

  test("serves every file of the card byte by byte", async () => {
    const simulator = await camera();
    for (const name of simulator.card.names()) {
      const answer = await fetch(`${simulator.url}/Record/${name}`);
      expect(answer.status).toBe(200);
      expect(Buffer.from(await answer.arrayBuffer()).equals(await simulator.card.bytes(name))).toBe(true);
    }
  });

  test("answers HEAD with the length and no body, and 404 for what it does not have", async () => {
    const simulator = await camera();
    const head = await raw(simulator, PATH, { method: "HEAD" });
    expect([head.status, head.headers.get("Content-Length"), head.body.length]).toEqual([
      "HTTP/1.1 200 OK",
      String(SIZE),
      0,
    ]);
    for (const method of ["GET", "HEAD"]) {
      for (const path of [
        "/accessible",
        "/vodList",
        "/",
        "/Record/",
        "/Record/20991121_101500_NF.mp4",
        "/Record/../x",
        `/${VIDEO}`,
      ]) {
        expect((await raw(simulator, path, { method })).status).toBe("HTTP/1.1 404 Not Found");
      }
    }
    expect((await raw(simulator, PATH, { method: "DELETE" })).status).toBe("HTTP/1.1 405 Method Not Allowed");
  });

  test.each([
    ["bytes=0-", 0, SIZE],
    ["bytes=1000-", 1000, SIZE],
    ["bytes=1000-1999", 1000, 2000],
    [`bytes=${SIZE - 1}-`, SIZE - 1, SIZE],
    ["bytes=10-9999999", 10, SIZE],
    ["bytes=-500", SIZE - 500, SIZE],
    ["bytes=-9999999", 0, SIZE],
  ])("answers the range %s with 206", async (range, start, end) => {
    const simulator = await camera();
    const answer = await raw(simulator, PATH, { range });
    expect(answer.status).toBe("HTTP/1.1 206 Partial Content");
    expect(answer.headers.get("Content-Range")).toBe(`bytes ${start}-${end - 1}/${SIZE}`);
    expect(answer.headers.get("Content-Length")).toBe(String(end - start));
    expect(answer.body.equals((await simulator.card.bytes(VIDEO)).subarray(start, end))).toBe(true);
  });

  test("answers 416 with the true size to a range beyond the end", async () => {
    const simulator = await camera();
    for (const range of [`bytes=${SIZE}-`, "bytes=9999999-", "bytes=-0"]) {
      const answer = await raw(simulator, PATH, { range });
      expect(answer.status).toBe("HTTP/1.1 416 Range Not Satisfiable");
      expect([answer.headers.get("Content-Range"), answer.body.length]).toEqual([`bytes */${SIZE}`, 0]);
    }
  });

  test("gives the whole file for ranges it cannot read", async () => {
    const simulator = await camera();
    for (const range of ["bytes=5-2", "bytes=-", "bytes=a-", "bytes=0-1,5-6", "lines=0-1"]) {
      const answer = await raw(simulator, PATH, { range });
      expect([answer.status, answer.body.length]).toEqual(["HTTP/1.1 200 OK", SIZE]);
    }
  });

  test("serves its settings and its version", async () => {
    const simulator = await camera();
    expect(await (await fetch(`${simulator.url}/Config/config.ini`)).text()).toContain("[Wifi]\r\nap_ssid=");
    expect(await (await fetch(`${simulator.url}/Config/version.bin`)).text()).toContain("model = DR900X Plus");
  });

  test("keeps a connection for several requests, even when they come at once", async () => {
    const simulator = await camera();
    const [host = "", port = ""] = simulator.address.split(":");
    const socket = connect(Number(port), host);
    const answered = new Promise<number>((resolve) => {
      let text = "";
      socket.on("data", (bytes) => {
        text += bytes.toString("latin1");
        const answers = text.split("HTTP/1.1 404").length - 1;
        if (answers === 3) resolve(answers);
      });
    });
    socket.write("GET /a HTTP/1.1\r\nHost: x\r\n\r\nGET /b HTTP/1.1\r\nHost: x\r\n\r\nGE");
    socket.write("T /c HTTP/1.1\r\nHost: x\r\n\r\n");
    expect(await answered).toBe(3);
    expect(simulator.requests.map(({ path, connection }) => `${path} ${connection}`)).toEqual(["/a 1", "/b 1", "/c 1"]);
    socket.destroy();
    await simulator.quiet();
  });

  test("closes after each answer when told to", async () => {
    const simulator = await camera({ keepAlive: false });
    for (let count = 0; count < 2; count++) {
      const answer = await fetch(`${simulator.url}${LIST}`);
      expect(answer.headers.get("connection")).toBe("close");
      await answer.text();
    }
    expect(simulator.requests.map(({ connection }) => connection)).toEqual([1, 2]);
    await simulator.quiet();
  });

  test("remembers what it was asked, and tells who waits for it", async () => {
    const simulator = await camera();
    const waiting = simulator.asked(/^\/Record\//);
    await raw(simulator, LIST);
    await raw(simulator, PATH, { range: "bytes=7-" });
    expect(await waiting).toEqual({ method: "GET", path: PATH, range: "bytes=7-", body: null, connection: 2 });
    expect(await simulator.asked(/vod/)).toMatchObject({ path: LIST, range: null });
  });

  test("tells of every request and of every piece of a body, as it goes out", async () => {
    const told: number[] = [];
    const simulator = await camera({ onTraffic: ({ requests, bytes }) => told.push(requests, bytes) });
    await raw(simulator, PATH);
    await raw(simulator, PATH, { range: "bytes=150000-" });
    expect(told).toEqual([1, 0, 1, 65_536, 1, 131_072, 1, SIZE, 2, SIZE, 2, SIZE + 1]);
  });

  test("hangs up on what is not HTTP", async () => {
    const simulator = await camera();
    expect((await raw(simulator, "/ x y z")).all).toHaveLength(0);
    expect((await raw(simulator, `/${"x".repeat(20_000)}`)).all).toHaveLength(0);
  });

  test("waits for a client that reads slowly, to the last byte", async () => {
    const card = new SimulatedCard();
    const size = 30_000_017;
    card.add(VIDEO, { size, read: (start, end) => new Uint8Array(end - start).fill(7) });
    const simulator = await camera({ card });
    const [host = "", port = ""] = simulator.address.split(":");
    const socket = connect(Number(port), host);
    const done = new Promise<number>((resolve) => {
      let length = 0;
      socket.on("data", (bytes) => {
        length += bytes.length;
        // Now and then it is busy with something else, long enough for all buffers between to fill.
        if (length % 7 !== 0) return;
        socket.pause();
        setTimeout(() => socket.resume(), 5);
      });
      socket.on("close", () => resolve(length));
    });
    socket.write(`GET ${PATH} HTTP/1.1\r\nConnection: close\r\n\r\n`);
    expect(await done).toBeGreaterThan(size);
  });

  test("notices a client that hangs up and stops its body", async () => {
    const card = new SimulatedCard();
    let read = 0;
    card.add(VIDEO, {
      size: 50 * 1024 ** 3,
      read(start, end) {
        read = Math.max(read, end);
        return new Uint8Array(end - start);
      },
    });
    const simulator = await camera({ card });
    const answer = await raw(simulator, PATH, { leaveAfter: 1_000_000 });
    expect(answer.end).toBe("left");
    await simulator.quiet();
    const before = read;
    await raw(simulator, LIST);
    expect(read).toBe(before);
    expect(read).toBeLessThan(1024 ** 3);
  });

  test("ends every connection when it is closed, and nothing answers there any more", async () => {
    const simulator = await camera();
    simulator.fault("never-answers");
    const hanging = raw(simulator, LIST);
    await simulator.asked(/vod/);
    await simulator.close();
    expect((await hanging).all).toHaveLength(0);
    expect(simulator.connections).toBe(0);
    expect((await raw(simulator, LIST)).end).toBe("reset");
  });
});

describe("the rate", () => {
  test("holds for all bodies together, and smoothly", async () => {
    const simulator = await camera({ rate: 600_000 });
    const from = performance.now();
    const arrivals: number[] = [];
    const bodies = ["NF", "NR"].map(async (end) => {
      const answer = await fetch(`${simulator.url}/Record/20261121_101500_${end}.mp4`);
      let length = 0;
      for await (const bytes of answer.body ?? []) {
        length += bytes.length;
        arrivals.push(performance.now() - from);
      }
      return length;
    });
    expect(await Promise.all(bodies)).toEqual([SIZE, SIZE]);
    const seconds = (performance.now() - from) / 1000;
    // 300 002 bytes at 600 000 per second; a tenth of a second may have been made good.
    expect(seconds).toBeGreaterThan(0.38);
    expect(arrivals.length).toBeGreaterThan(6);
  });

  test("may be lifted while a body is under way", async () => {
    const simulator = await camera({ rate: 1000 });
    const answer = raw(simulator, PATH);
    await simulator.asked(/Record/);
    simulator.rate = null;
    expect((await answer).body).toHaveLength(SIZE);
  });
});

describe("faults", () => {
  test("each have a name and a sentence, and an unknown name is refused", async () => {
    expect(new Set(FAULTS.map(([name]) => name)).size).toBe(FAULTS.length);
    for (const { name, help } of FAULT_HELP) {
      expect(isFaultName(name)).toBe(true);
      expect(help.length).toBeGreaterThan(10);
    }
    expect(isFaultName("flat-tyre")).toBe(false);
    const simulator = await camera();
    expect(() => simulator.fault({ name: "flat-tyre" as "stall" })).toThrow('no fault named "flat-tyre"');
  });

  test("strike as often as told, where told, and can be lifted", async () => {
    const simulator = await camera();
    const status = async (path: string) => (await raw(simulator, path, { method: "HEAD" })).status.slice(9, 12);
    simulator.fault({ name: "error-500", times: 2, match: /NR/ });
    expect([await status(PATH), await status(PATH.replace("NF", "NR"))]).toEqual(["200", "500"]);
    expect([await status(PATH.replace("NF", "NR")), await status(PATH.replace("NF", "NR"))]).toEqual(["500", "200"]);
    const lift = simulator.fault("forbidden");
    expect([await status(PATH), await status(LIST), await status(PATH.replace("mp4", "thm"))]).toEqual([
      "403",
      "200",
      "200",
    ]);
    lift();
    expect(await status(PATH)).toBe("200");
    simulator.fault("not-found");
    simulator.fault({ name: "list-500" });
    expect([await status(PATH), await status(LIST)]).toEqual(["404", "500"]);
    simulator.clearFaults();
    expect([await status(PATH), await status(LIST)]).toEqual(["200", "200"]);
  });

  test("of a body leave HEAD alone, and those of a range leave whole requests alone", async () => {
    const simulator = await camera();
    simulator.fault({ name: "reset", times: 1 });
    expect((await raw(simulator, PATH, { method: "HEAD" })).end).toBe("closed");
    expect((await raw(simulator, PATH)).end).toBe("reset");
    simulator.fault({ name: "range-416", times: 1 });
    expect((await raw(simulator, PATH)).status).toContain("200");
    expect((await raw(simulator, PATH, { range: "bytes=5-" })).status).toContain("416");
  });

  test.each([
    ["error-500", undefined, "500 Internal Server Error"],
    ["error-500", 503, "503 Service Unavailable"],
    ["not-found", undefined, "404 Not Found"],
    ["forbidden", undefined, "403 Forbidden"],
    ["empty-204", undefined, "204 No Content"],
  ] as const)("%s (%p) answers %s", async (name, value, expected) => {
    const answer = await faulty({ name, value }, { range: "bytes=5-" });
    expect(answer.status).toBe(`HTTP/1.1 ${expected}`);
    expect(answer.headers.has("Content-Length")).toBe(name !== "empty-204");
    if (name === "empty-204") expect(answer.body).toHaveLength(0);
  });

  test("cut-short promises all, sends some and closes in good order", async () => {
    const { headers, body, end, content } = await faulty({ name: "cut-short", after: 70_000 });
    expect([headers.get("Content-Length"), end]).toEqual([String(SIZE), "closed"]);
    expect(body.equals(content.subarray(0, 70_000))).toBe(true);
    expect((await faulty({ name: "cut-short" })).body).toHaveLength(75_000);
    const ranged = await faulty({ name: "cut-short", after: 10 }, { range: "bytes=100-" });
    expect([ranged.headers.get("Content-Length"), ranged.body.equals(content.subarray(100, 110))]).toEqual([
      String(SIZE - 100),
      true,
    ]);
    expect((await faulty({ name: "cut-short", after: 0 })).body).toHaveLength(0);
    expect((await faulty({ name: "cut-short", after: 10 * SIZE })).body).toHaveLength(SIZE - 1);
  });

  test("reset sends some and resets the connection", async () => {
    const { headers, body, end, content } = await faulty({ name: "reset", after: 70_000 });
    expect([headers.get("Content-Length"), end]).toEqual([String(SIZE), "reset"]);
    expect(body.equals(content.subarray(0, 70_000))).toBe(true);
  });

  test("closed-without-answer and reset-without-answer say nothing, whatever was asked", async () => {
    for (const path of [PATH, LIST, "/Config/config.ini"]) {
      const closed = await faulty({ name: "closed-without-answer" }, {}, path);
      expect([closed.all.length, closed.end]).toEqual([0, "closed"]);
      const reset = await faulty({ name: "reset-without-answer" }, {}, path);
      expect([reset.all.length, reset.end]).toEqual([0, "reset"]);
    }
  });

  test("over-long sends the file and more behind it", async () => {
    const { headers, body, content } = await faulty({ name: "over-long", value: 99 });
    expect([headers.get("Content-Length"), body.length]).toEqual([String(SIZE), SIZE + 99]);
    expect(body.subarray(0, SIZE).equals(content)).toBe(true);
  });

  test("longer-than-promised and shorter-than-promised send the file under a wrong length", async () => {
    for (const [name, promised] of [
      ["longer-than-promised", SIZE - 99],
      ["shorter-than-promised", SIZE + 99],
    ] as const) {
      const { headers, body, content, end } = await faulty({ name, value: 99 });
      expect([headers.get("Content-Length"), body.equals(content), end]).toEqual([String(promised), true, "closed"]);
    }
  });

  test("stall sends some, then keeps silent until the client leaves", async () => {
    const simulator = await camera();
    simulator.fault({ name: "stall", after: 1000 });
    const response = await fetch(`${simulator.url}${PATH}`);
    const reader = response.body?.getReader();
    let length = 0;
    while (length < 1000) length += (await reader?.read())?.value?.length ?? 1000;
    let isSilent = true;
    const more = reader?.read().then(({ done }) => {
      isSilent = done;
    });
    // Others are served meanwhile.
    for (let others = 0; others < 20; others++) await raw(simulator, LIST);
    expect([length, isSilent]).toEqual([1000, true]);
    await reader?.cancel();
    await more;
    await simulator.quiet();
  });

  test("drip sends a few bytes per second and stops when the client leaves", async () => {
    const simulator = await camera();
    simulator.fault({ name: "drip", after: 10, value: 50 });
    const from = performance.now();
    const head = (await raw(simulator, PATH, { leaveAfter: 1 })).all.indexOf("\r\n\r\n") + 4;
    const { body } = await raw(simulator, PATH, { leaveAfter: head + 15 });
    expect(body.length).toBe(15);
    expect(body.equals((await simulator.card.bytes(VIDEO)).subarray(0, 15))).toBe(true);
    expect(performance.now() - from).toBeGreaterThan(90);
    await simulator.quiet();
  });

  test("drip goes on to the end of a small file", async () => {
    const simulator = await camera();
    simulator.card.add("20261121_101500_N.gps", new Uint8Array([1, 2, 3, 4, 5]));
    simulator.fault({ name: "drip", value: 200, match: /gps/ });
    expect([...(await raw(simulator, "/Record/20261121_101500_N.gps")).body]).toEqual([1, 2, 3, 4, 5]);
  });

  test("never-answers accepts and stays silent until the client leaves", async () => {
    const simulator = await camera();
    simulator.fault("never-answers");
    const attempt = fetch(`${simulator.url}${LIST}`, { signal: AbortSignal.timeout(150) });
    await expect(attempt).rejects.toThrow("timed out");
    expect(simulator.requests).toHaveLength(1);
    await simulator.quiet();
  });

  test("ignores-range gives 200 and everything", async () => {
    const { status, headers, body, content } = await faulty({ name: "ignores-range" }, { range: "bytes=1000-" });
    expect([status, headers.has("Content-Range"), body.equals(content)]).toEqual(["HTTP/1.1 200 OK", false, true]);
    expect((await faulty({ name: "ignores-range" }, { range: `bytes=${SIZE}-` })).body).toHaveLength(SIZE);
  });

  test("wrong-range gives another range than asked for, and says so", async () => {
    const first = await faulty({ name: "wrong-range" }, { range: "bytes=1000-" });
    expect([first.headers.get("Content-Range"), first.body.length]).toEqual([`bytes 0-${SIZE - 1}/${SIZE}`, SIZE]);
    const second = await faulty({ name: "wrong-range", value: 1003 }, { range: "bytes=1000-" });
    expect(second.headers.get("Content-Range")).toBe(`bytes 1003-${SIZE - 1}/${SIZE}`);
    expect(second.body.equals(second.content.subarray(1003))).toBe(true);
  });

  test("range-416 refuses a range that exists, with the true size", async () => {
    const { status, headers } = await faulty({ name: "range-416" }, { range: "bytes=1000-" });
    expect([status.slice(9, 12), headers.get("Content-Range")]).toEqual(["416", `bytes */${SIZE}`]);
  });

  test("no-content-range and unknown-total leave the client without the range or the total", async () => {
    const none = await faulty({ name: "no-content-range" }, { range: "bytes=1000-" });
    expect([none.status.slice(9, 12), none.headers.has("Content-Range"), none.body.length]).toEqual([
      "206",
      false,
      SIZE - 1000,
    ]);
    const star = await faulty({ name: "unknown-total" }, { range: "bytes=1000-" });
    expect(star.headers.get("Content-Range")).toBe(`bytes 1000-${SIZE - 1}/*`);
  });

  test("range faults do not bring a missing file to life", async () => {
    for (const name of [
      "ignores-range",
      "wrong-range",
      "range-416",
      "no-content-range",
      "range-empty",
      "range-empty-206",
    ] as const) {
      const answer = await faulty({ name }, { range: "bytes=0-" }, "/Record/20260101_000000_NF.mp4");
      expect(answer.status).toBe("HTTP/1.1 404 Not Found");
    }
  });

  test("no-length ends the body with the connection, in good order, early, or by a reset", async () => {
    const whole = await faulty({ name: "no-length" });
    expect([whole.headers.has("Content-Length"), whole.headers.get("Connection"), whole.end]).toEqual([
      false,
      "close",
      "closed",
    ]);
    expect(whole.body.equals(whole.content)).toBe(true);
    const cut = await faulty({ name: "no-length-cut", after: 70_000 });
    expect([cut.headers.has("Content-Length"), cut.body.length, cut.end]).toEqual([false, 70_000, "closed"]);
    const reset = await faulty({ name: "no-length-reset", after: 70_000 });
    expect([reset.headers.has("Content-Length"), reset.body.length, reset.end]).toEqual([false, 70_000, "reset"]);
  });

  test("garbled-length promises no number", async () => {
    const { headers, body } = await faulty({ name: "garbled-length" });
    expect([headers.get("Content-Length"), body.length]).toEqual(["plenty", SIZE]);
  });

  test("chunked sends chunks that a client joins to the file", async () => {
    const { headers, content, simulator } = await faulty({ name: "chunked" });
    expect([headers.has("Content-Length"), headers.get("Transfer-Encoding")]).toEqual([false, "chunked"]);
    const joined = await (await fetch(`${simulator.url}${PATH}`)).arrayBuffer();
    expect(Buffer.from(joined).equals(content)).toBe(true);
  });

  test("chunked-cut closes inside a chunk", async () => {
    const { body, end, simulator } = await faulty({ name: "chunked-cut", after: 70_000 });
    expect([end, body.subarray(-5).toString() === "0\r\n\r\n"]).toEqual(["closed", false]);
    expect(body.length).toBeGreaterThan(70_000);
    expect(body.length).toBeLessThan(70_050);
    const attempt = fetch(`${simulator.url}${PATH}`).then((answer) => answer.arrayBuffer());
    await expect(attempt).rejects.toThrow();
  });

  test("http-1.0 answers in the old version and closes", async () => {
    const { status, headers, body, end } = await faulty({ name: "http-1.0" });
    expect([status, headers.get("Connection"), body.length, end]).toEqual(["HTTP/1.0 200 OK", "close", SIZE, "closed"]);
  });

  test("not-http answers something else", async () => {
    expect((await faulty({ name: "not-http" })).all.toString()).toBe("SSH-2.0-simulated\r\n");
  });

  test("redirect points to the same file elsewhere, where a client that follows gives itself away", async () => {
    const { status, headers, simulator, content } = await faulty({ name: "redirect" });
    expect([status, headers.get("Location")]).toEqual(["HTTP/1.1 302 Found", `/elsewhere${PATH}`]);
    const followed = await fetch(`${simulator.url}${PATH}`);
    expect(Buffer.from(await followed.arrayBuffer()).equals(content)).toBe(true);
    expect(simulator.requests.at(-1)?.path).toBe(`/elsewhere${PATH}`);
    const away = await faulty({ name: "redirect", value: "http://127.0.0.1:1/" });
    expect(away.headers.get("Location")).toBe("http://127.0.0.1:1/");
  });

  test("gzip-claimed lies about the encoding", async () => {
    const { headers, body, content } = await faulty({ name: "gzip-claimed" });
    expect([headers.get("Content-Encoding"), body.equals(content)]).toEqual(["gzip", true]);
  });
});

describe("faults of a range request", () => {
  test.each([400, 403, 404, 405, 500, 501, 204])(
    "range-status %p refuses the range and nothing else",
    async (value) => {
      const { status, body, content, simulator } = await faulty({ name: "range-status", value }, { range: "bytes=5-" });
      expect(status).toStartWith(`HTTP/1.1 ${value} `);
      expect(body.length < 20).toBe(true);
      expect((await raw(simulator, PATH)).body.equals(content)).toBe(true);
      expect((await raw(simulator, PATH, { range: "bytes=5-9" })).status).toStartWith(`HTTP/1.1 ${value} `);
    },
  );

  test("range-hang-up and range-reset say nothing to a range request", async () => {
    for (const [name, end] of [
      ["range-hang-up", "closed"],
      ["range-reset", "reset"],
    ] as const) {
      const answer = await faulty({ name }, { range: "bytes=5-" });
      expect([answer.all.length, answer.end]).toEqual([0, end]);
      expect((await raw(answer.simulator, PATH)).body.equals(answer.content)).toBe(true);
    }
  });

  test("range-empty answers 200 and no bytes", async () => {
    const { status, headers, body } = await faulty({ name: "range-empty" }, { range: "bytes=5-" });
    expect([status, headers.get("Content-Length"), body.length]).toEqual(["HTTP/1.1 200 OK", "0", 0]);
    expect((await faulty({ name: "range-empty" })).body).toHaveLength(SIZE);
  });

  test("range-empty-206 names the range and sends none of it, at the very end too", async () => {
    for (const start of [5, SIZE]) {
      const answer = await faulty({ name: "range-empty-206" }, { range: `bytes=${start}-` });
      expect(answer.status).toBe("HTTP/1.1 206 Partial Content");
      expect(answer.headers.get("Content-Range")).toBe(`bytes ${start}-${SIZE - 1}/${SIZE}`);
      expect([answer.headers.get("Content-Length"), answer.body.length]).toEqual(["0", 0]);
    }
  });

  test("unasked-206 answers a plain request as if a range had been asked for", async () => {
    const bare = await faulty({ name: "unasked-206" });
    expect(bare.status).toBe("HTTP/1.1 206 Partial Content");
    expect([bare.headers.has("Content-Range"), bare.body.equals(bare.content)]).toEqual([false, true]);
    const told = await faulty({ name: "unasked-206", value: "with-range" });
    expect(told.headers.get("Content-Range")).toBe(`bytes 0-${SIZE - 1}/${SIZE}`);
    expect(told.body.equals(told.content)).toBe(true);
    const asked = await faulty({ name: "unasked-206" }, { range: "bytes=5-" });
    expect(asked.headers.get("Content-Range")).toBe(`bytes 5-${SIZE - 1}/${SIZE}`);
  });
});

describe("answers of something else than a camera", () => {
  test.each([
    ["text-200", "text/plain", "Access denied\n"],
    ["json-200", "application/json", "{"],
    ["json-untyped", "video/mp4", "{"],
    ["html-200", "text/html; charset=utf-8", "<!DOCTYPE html>"],
    ["html-untyped", "video/mp4", "<!DOCTYPE html>"],
    ["xml-200", "application/xml", "<?xml "],
  ] as const)("%s is a 200 of the type %s, to a range request too", async (name, type, start) => {
    for (const ask of [{}, { range: "bytes=5-" }]) {
      const { status, headers, body } = await faulty({ name }, ask);
      expect([status, headers.get("Content-Type")]).toEqual(["HTTP/1.1 200 OK", type]);
      expect(headers.get("Content-Length")).toBe(String(body.length));
      expect(body.toString()).toStartWith(start);
    }
    expect((await faulty({ name }, {}, LIST)).body.toString()).toStartWith("v:1.00");
    expect((await faulty({ name, match: /vod/ }, {}, LIST)).body.toString()).toStartWith(start);
  });

  test("text-200 has 14 bytes", async () => {
    expect((await faulty({ name: "text-200" })).body).toHaveLength(14);
  });

  test.each([
    [undefined, "503 Service Unavailable"],
    [401, "401 Unauthorized"],
    [302, "302 Found"],
  ])("everything-status (%p) answers %s to all there is", async (value, expected) => {
    for (const path of [PATH, LIST, "/Config/version.bin"]) {
      const { status, headers } = await faulty({ name: "everything-status", value }, {}, path);
      expect(status).toBe(`HTTP/1.1 ${expected}`);
      expect(headers.get("Location")).toBe(value === 302 ? `/elsewhere${path}` : undefined);
      expect(headers.has("WWW-Authenticate")).toBe(value === 401);
    }
    const spared = await faulty({ name: "everything-status", value, match: /Record/ }, {}, LIST);
    expect(spared.status).toBe("HTTP/1.1 200 OK");
  });
});

describe("faults of a length and of a pace", () => {
  test("absurd-length promises what no card holds, sends the file and closes", async () => {
    const { headers, body, content, end } = await faulty({ name: "absurd-length" });
    expect([headers.get("Content-Length"), end]).toEqual(["100000000000000", "closed"]);
    expect(body.equals(content)).toBe(true);
    const rest = await faulty({ name: "absurd-length", value: 9_000_000 }, { range: "bytes=1000-" });
    expect([rest.headers.get("Content-Length"), rest.headers.get("Content-Range")]).toEqual([
      "8999000",
      "bytes 1000-8999999/9000000",
    ]);
    expect(rest.body.equals(rest.content.subarray(1000))).toBe(true);
  });

  test("absurd-length stays open after so many bytes when told to", async () => {
    const simulator = await camera();
    simulator.fault({ name: "absurd-length", after: SIZE });
    const answer = await raw(simulator, PATH, { leaveAfter: SIZE });
    expect([answer.end, answer.headers.get("Content-Length")]).toEqual(["left", "100000000000000"]);
    await simulator.quiet();
  });

  test("cut-every lets a file come in pieces, each from where it is asked for", async () => {
    const simulator = await camera();
    simulator.fault({ name: "cut-every", value: 60_000 });
    const content = await simulator.card.bytes(VIDEO);
    for (const [start, length, ending] of [
      [0, 60_000, "closed"],
      [60_000, 60_000, "closed"],
      [120_000, SIZE - 120_000, "closed"],
    ] as const) {
      const { headers, body, end } = await raw(simulator, PATH, { range: `bytes=${start}-` });
      expect([headers.get("Content-Length"), body.length, end]).toEqual([String(SIZE - start), length, ending]);
      expect(body.equals(content.subarray(start, start + length))).toBe(true);
    }
  });

  test("silence sends nothing for a while and then the rest", async () => {
    const simulator = await camera();
    simulator.fault({ name: "silence", after: 1000, value: 150 });
    const asked = performance.now();
    const answer = await fetch(`${simulator.url}${PATH}`);
    let length = 0;
    let resumed = 0;
    for await (const bytes of answer.body ?? []) {
      length += bytes.length;
      if (resumed === 0 && length > 1000) resumed = performance.now();
    }
    expect(length).toBe(SIZE);
    // Timers are never early; a busy machine only makes it later.
    expect(resumed - asked).toBeGreaterThanOrEqual(149);
  });

  test("list-drip sends the listing slowly and whole", async () => {
    const simulator = await camera();
    const { length } = (await raw(simulator, LIST)).body;
    simulator.fault({ name: "list-drip", value: 500 });
    const from = performance.now();
    expect((await list(simulator)).files).toHaveLength(2);
    expect(performance.now() - from).toBeGreaterThan((length / 500) * 1000 * 0.8);
    expect((await raw(simulator, PATH)).body).toHaveLength(SIZE);
  });
});

describe("validators", () => {
  test("are not sent unless asked for", async () => {
    const { headers } = await raw(await camera(), PATH);
    expect([headers.has("ETag"), headers.has("Last-Modified")]).toEqual([false, false]);
  });

  test("stay the same while the bytes do, in ranges and for HEAD too, and change with them", async () => {
    const simulator = await camera({ validators: true });
    const of = ({ headers }: Raw) => [headers.get("ETag"), headers.get("Last-Modified")];
    const first = of(await raw(simulator, PATH));
    expect(first[0]).toMatch(/^"[0-9a-f]{16}"$/);
    expect(new Date(first[1] ?? "").toUTCString()).toBe(first[1] ?? "");
    expect(of(await raw(simulator, PATH, { range: "bytes=5-" }))).toEqual(first);
    expect(of(await raw(simulator, PATH, { method: "HEAD" }))).toEqual(first);
    expect(of(await raw(simulator, PATH.replace("NF", "NR")))).not.toEqual(first);
    for (const name of ["other-content", "preallocated", "paused"] as const) {
      const lift = simulator.fault({ name, after: 70_000 });
      const other = of(await raw(simulator, PATH));
      expect([other[0] === first[0], other[1] === first[1]]).toEqual([false, false]);
      lift();
    }
    expect(of(await raw(simulator, PATH))).toEqual(first);
    expect(of(await raw(simulator, LIST))).toEqual([undefined, undefined]);
  });

  test("etag-changes tells another one each time", async () => {
    const simulator = await camera({ validators: true });
    simulator.fault("etag-changes");
    const tags = new Set<string | undefined>();
    for (let count = 0; count < 3; count++) {
      const { headers, body } = await raw(simulator, PATH);
      tags.add(headers.get("ETag"));
      expect(body.equals(await simulator.card.bytes(VIDEO))).toBe(true);
    }
    expect(tags.size).toBe(3);
  });
});

describe("faults of the listing", () => {
  const listed = async (name: Fault["name"]) => {
    const simulator = await camera();
    simulator.fault({ name });
    const answer = await raw(simulator, LIST);
    expect(answer.headers.get("Content-Length")).toBe(String(answer.body.length));
    expect((await raw(simulator, PATH)).body).toHaveLength(SIZE);
    return answer.body;
  };
  const names = (body: Buffer) => parseListing(body.toString()).files.map(({ name }) => name);
  const both = oneMoment().videos();

  test("list-garbage, list-html, list-json and list-blank are no listings", async () => {
    for (const [name, message] of [
      ["list-garbage", "first line is not a version"],
      ["list-html", "a web page"],
      ["list-json", "JSON"],
      ["list-blank", "empty"],
    ] as const) {
      const body = await listed(name);
      expect(() => names(body)).toThrow(NotAListing);
      expect(() => names(body)).toThrow(message);
    }
  });

  test("list-empty has a version and nothing else", async () => {
    expect((await listed("list-empty")).toString()).toBe("v:1.00\r\n");
  });

  test("list-cut ends in the middle of the last line", async () => {
    const body = await listed("list-cut");
    expect(body.toString()).not.toEndWith("\r\n");
    expect(names(body)).toEqual(both.slice(0, -1));
  });

  test("list-lf and list-no-final-newline change line ends only", async () => {
    const lf = await listed("list-lf");
    expect([lf.includes("\r"), names(lf)]).toEqual([false, both]);
    const open = await listed("list-no-final-newline");
    expect([open.toString().endsWith("s:1000000"), open.includes("\r\n"), names(open)]).toEqual([true, true, both]);
  });

  test("list-real-sizes tells the sizes", async () => {
    expect(parseListing((await listed("list-real-sizes")).toString()).files.map(({ size }) => size)).toEqual([
      SIZE,
      SIZE,
    ]);
  });

  test("list-traversal adds names that leave the folder, and the camera has none of them", async () => {
    const simulator = await camera();
    simulator.fault("list-traversal");
    const text = (await raw(simulator, LIST)).body.toString();
    for (const part of ["../..", "//", "..%2f", "\\"]) expect(text).toContain(part);
    const strange = [...text.matchAll(/^n:(.*),s:/gm)].map(([, path = ""]) => path).slice(2);
    expect(strange.length).toBeGreaterThan(4);
    for (const path of strange) expect((await raw(simulator, path)).status).toContain("404");
  });

  test("list-impossible-dates adds recordings of days that do not exist", async () => {
    const added = names(await listed("list-impossible-dates")).filter((name) => !both.includes(name));
    expect(added.length).toBeGreaterThan(2);
    for (const name of added) expect(parseRecording(name)).toBeNull();
  });

  test("list-not-utf8 adds bytes that are no text", async () => {
    const body = await listed("list-not-utf8");
    expect(() => new TextDecoder("utf-8", { fatal: true }).decode(body)).toThrow();
    expect(names(body)).toEqual(expect.arrayContaining(both));
  });

  test("list-duplicates names everything twice", async () => {
    const lines = (await listed("list-duplicates")).toString().trim().split("\r\n").slice(1);
    expect(lines.length).toBe(2 * both.length);
    expect(new Set(lines).size).toBe(both.length);
  });

  test("list-stall stops in the middle, whatever the other faults of the listing", async () => {
    const simulator = await camera();
    simulator.fault({ name: "list-stall", after: 10 });
    simulator.fault("list-lf");
    const head = (await raw(simulator, LIST, { leaveAfter: 1 })).all.indexOf("\r\n\r\n") + 4;
    const { body } = await raw(simulator, LIST, { leaveAfter: head + 10 });
    expect(body.toString()).toBe("v:1.00\nn:/");
    await simulator.quiet();
  });
});

describe("a camera at work", () => {
  test("growing: the newest of each direction is longer at every request, until it is whole", async () => {
    const card = simulatedCard({ recordings: 6, now: NOW, size: SIZE });
    const simulator = await camera({ card });
    simulator.fault({ name: "growing", times: 3, value: 1000 });
    const [rear = "", front = "", older = ""] = card.videos().reverse();
    for (const name of [front, rear]) {
      const whole = Buffer.from(await card.bytes(name));
      for (const missing of [2000, 1000, 0, 0]) {
        const { headers, body } = await raw(simulator, `/Record/${name}`);
        expect(headers.get("Content-Length")).toBe(String(SIZE - missing));
        expect(body.equals(whole.subarray(0, SIZE - missing))).toBe(true);
      }
    }
    expect((await raw(simulator, `/Record/${older}`)).body).toHaveLength(SIZE);
  });

  test("growing: a partial goes on where it stopped, and HEAD counts as a request", async () => {
    const simulator = await camera();
    simulator.fault({ name: "growing", times: 3, value: 1000 });
    const first = await raw(simulator, PATH);
    const size = await raw(simulator, PATH, { method: "HEAD" });
    expect([first.body.length, size.headers.get("Content-Length")]).toEqual([SIZE - 2000, String(SIZE - 1000)]);
    const rest = await raw(simulator, PATH, { range: `bytes=${first.body.length}-` });
    expect(rest.headers.get("Content-Range")).toBe(`bytes ${SIZE - 2000}-${SIZE - 1}/${SIZE}`);
    expect(Buffer.concat([first.body, rest.body]).equals(await simulator.card.bytes(VIDEO))).toBe(true);
  });

  test("paused: a recording that is not the newest ends where it is written to, until it goes on", async () => {
    const card = simulatedCard({ recordings: 6, now: NOW, size: SIZE });
    const simulator = await camera({ card });
    const oldest = card.videos()[0] ?? "";
    const lift = simulator.fault({ name: "paused", after: 70_000, match: new RegExp(`/${oldest}$`) });
    const whole = await card.bytes(oldest);
    const { headers, body } = await raw(simulator, `/Record/${oldest}`);
    expect([headers.get("Content-Length"), body.equals(whole.subarray(0, 70_000))]).toEqual(["70000", true]);
    expect((await raw(simulator, `/Record/${oldest}`, { range: "bytes=70000-" })).status).toContain("416");
    expect((await raw(simulator, `/Record/${card.videos()[1]}`)).body).toHaveLength(SIZE);
    lift();
    const rest = await raw(simulator, `/Record/${oldest}`, { range: "bytes=70000-" });
    expect(rest.body.equals(whole.subarray(70_000))).toBe(true);
  });

  test("preallocated: full of zeros behind what is written, until it was asked for so often", async () => {
    const simulator = await camera();
    simulator.fault({ name: "preallocated", after: 70_001, times: 2, match: /_NF/ });
    const whole = Buffer.from(await simulator.card.bytes(VIDEO));
    const early = Buffer.concat([whole.subarray(0, 70_001), Buffer.alloc(SIZE - 70_001)]);
    expect((await raw(simulator, PATH)).body.equals(early)).toBe(true);
    const rest = await raw(simulator, PATH, { range: "bytes=69990-" });
    expect([rest.status.slice(9, 12), rest.body.equals(early.subarray(69_990))]).toEqual(["206", true]);
    expect((await raw(simulator, PATH)).body.equals(whole)).toBe(true);
  });

  test("other-content: another recording lies under the name, whole again, until that is over", async () => {
    const simulator = await camera();
    const whole = Buffer.from(await simulator.card.bytes(VIDEO));
    const lift = simulator.fault("other-content");
    const other = await raw(simulator, PATH);
    expect([other.body.length, other.body.equals(whole)]).toEqual([SIZE, false]);
    expect(other.body.subarray(0, 100).equals(whole.subarray(0, 100))).toBe(true);
    expect((await raw(simulator, PATH)).body.equals(other.body)).toBe(true);
    expect((await raw(simulator, PATH, { range: "bytes=99999-" })).body.equals(other.body.subarray(99_999))).toBe(true);
    lift();
    expect((await raw(simulator, PATH)).body.equals(whole)).toBe(true);
    simulator.fault({ name: "other-content", value: 99_000 });
    expect((await raw(simulator, PATH)).body).toHaveLength(99_000);
  });

  test("other-content: companions too, when they are meant", async () => {
    const simulator = await camera();
    const gps = "20261121_101500_N.gps";
    const whole = Buffer.from(await simulator.card.bytes(gps));
    simulator.fault("other-content");
    expect((await raw(simulator, `/Record/${gps}`)).body.equals(whole)).toBe(true);
    simulator.fault({ name: "other-content", match: /gps$/ });
    const other = (await raw(simulator, `/Record/${gps}`)).body;
    expect([other.length, other.equals(whole)]).toEqual([whole.length, false]);
    expect(other.toString().replace(/[0-9]/g, "")).toBe(whole.toString().replace(/[0-9]/g, ""));
  });

  test("what is wrong with a file shows beside what is wrong with the connection", async () => {
    const simulator = await camera();
    simulator.fault({ name: "paused", after: 70_000 });
    simulator.fault({ name: "cut-short", after: 1000 });
    const { headers, body } = await raw(simulator, PATH);
    expect([headers.get("Content-Length"), body.length]).toEqual(["70000", 1000]);
  });

  test("vanishing: a listed recording is gone when it is fetched, its companions with it, and no longer listed", async () => {
    const simulator = await camera();
    simulator.fault({ name: "vanishing", match: /_NF/ });
    expect((await list(simulator)).files).toHaveLength(2);
    expect((await raw(simulator, PATH)).status).toContain("404");
    expect(simulator.card.names()).toEqual(
      ["N.3gf", "N.gps", "NR.mp4", "NR.thm"].map((end) => `20261121_101500_${end}`),
    );
    expect((await raw(simulator, PATH.replace("NF", "NR"))).body).toHaveLength(SIZE);
    simulator.clearFaults();
    simulator.fault({ name: "vanishing", match: /_NR/ });
    await raw(simulator, PATH.replace("NF", "NR"));
    expect((await list(simulator)).files).toHaveLength(0);
    expect(simulator.card.names()).toHaveLength(0);
  });

  test("goes-away: serves some files, then nothing listens until it comes back on the same port", async () => {
    const simulator = await camera();
    const { address } = simulator;
    simulator.fault({ name: "goes-away", value: 2 });
    for (let count = 0; count < 2; count++) expect((await raw(simulator, PATH)).body).toHaveLength(SIZE);
    expect((await raw(simulator, PATH)).all).toHaveLength(0);
    expect(simulator.connections).toBe(0);
    for (const path of [PATH, LIST]) expect((await raw(simulator, path)).end).toBe("reset");
    expect(simulator.requests).toHaveLength(3);
    await simulator.comeBack();
    expect(simulator.address).toBe(address);
    expect((await raw(simulator, PATH)).body).toHaveLength(SIZE);
  });

  test("goes-away: may leave in the middle of a file", async () => {
    const { body, end, content, simulator } = await faulty({ name: "goes-away", value: 0, after: 70_000 });
    expect([end, body.equals(content.subarray(0, 70_000))]).toEqual(["reset", true]);
    expect((await raw(simulator, LIST)).all).toHaveLength(0);
  });

  test("sleeps: accepts and closes, then is awake again", async () => {
    const simulator = await camera();
    simulator.fault({ name: "sleeps", times: 2 });
    for (let count = 0; count < 2; count++) expect((await raw(simulator, LIST)).all).toHaveLength(0);
    expect(simulator.requests).toHaveLength(0);
    expect((await list(simulator)).files).toHaveLength(2);
  });

  test("comes back on its port even when it is called back while it goes", async () => {
    const simulator = await camera();
    const { address } = simulator;
    for (let count = 0; count < 20; count++) {
      const answer = raw(simulator, PATH);
      await simulator.asked(/Record/);
      const going = simulator.goAway();
      await Promise.all([simulator.comeBack(), simulator.goAway().then(() => simulator.comeBack()), going, answer]);
      await simulator.comeBack();
      simulator.requests.length = 0;
    }
    expect(simulator.address).toBe(address);
    expect((await raw(simulator, PATH)).body).toHaveLength(SIZE);
  });

  test("goes away and comes back on demand", async () => {
    const simulator = await camera();
    await simulator.goAway();
    await expect(fetch(`${simulator.url}${LIST}`)).rejects.toThrow();
    await simulator.comeBack();
    await simulator.comeBack();
    expect((await fetch(`${simulator.url}${LIST}`)).status).toBe(200);
  });
});
