import { describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { SimulatedCard, simulatedCard } from "../../../server/dashcam/simulator/simulated_card.ts";
import {
  LIST,
  list,
  NOW,
  PATH,
  type Raw,
  raw,
  SIZE,
  simulatedCameras,
  VIDEO,
} from "../../support/camera/simulated_camera.ts";

const { camera } = simulatedCameras();

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
