import { describe, expect, test } from "bun:test";
import { FAULT_HELP, FAULTS, isFaultName } from "../../../server/dashcam/simulator/simulator_faults.ts";
import { LIST, PATH, raw, SIZE, simulatedCameras, VIDEO } from "../../support/camera/simulated_camera.ts";

const { camera, faulty } = simulatedCameras();

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
});
