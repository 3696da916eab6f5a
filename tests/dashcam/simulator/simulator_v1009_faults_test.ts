import { afterEach, describe, expect, test } from "bun:test";
import { SimulatedCard, syntheticFootage } from "../../../server/dashcam/simulator/simulated_card.ts";
import { openSimulator, type Simulator } from "../../../server/dashcam/simulator/simulator.ts";
import { FAULTS, type Fault, type FaultName } from "../../../server/dashcam/simulator/simulator_faults.ts";
import type { V1009Options } from "../../../server/dashcam/simulator/simulator_v1009.ts";
import { checkRecordingName } from "../../../server/domain/recordings/recording_name.ts";

const FRONT = "20261121_101500_NF.mp4";
const REAR = "20261121_101500_NR.mp4";
const SIZE = 150_001;

const open: Simulator[] = [];
afterEach(async () => {
  for (const simulator of open.splice(0)) await simulator.close();
});

/** A newer camera with one moment on its card, in which these go wrong. */
async function camera(faults: readonly (Fault | FaultName)[], options: V1009Options = {}): Promise<Simulator> {
  const card = new SimulatedCard(syntheticFootage(SIZE));
  card.record(FRONT);
  card.record(REAR);
  const simulator = await openSimulator({ card, generation: "v1009", v1009: options, faults });
  open.push(simulator);
  return simulator;
}

const ask = (simulator: Simulator, type: "thumbnail" | "gps", file = FRONT, init: RequestInit = {}) =>
  fetch(`${simulator.url}/vodMetadata`, {
    method: "POST",
    body: JSON.stringify({ file, types: [type] }),
    redirect: "manual",
    ...init,
  });

const listOf = (simulator: Simulator) => fetch(`${simulator.url}/vodList`);
const base64 = (text: string) => Buffer.from(text).toString("base64");

/** Whole text that each fault makes of the answer to a request for a thumbnail. */
const METADATA: Readonly<Record<string, readonly [Partial<Fault>, told: string | RegExp][]>> = {
  "metadata-no-json": [
    [{}, "metadata is not available now\n"],
    [{ value: "<html>" }, "<html>"],
  ],
  "metadata-shape": [
    [{}, '{"resultcode":"BC_ERR_OK","metadata":[{"type":"thumbnail","data":{"size":7}}]}'],
    [{ value: "[]" }, "[]"],
  ],
  "metadata-code": [
    [{}, /^\{"resultcode":"BC_ERR_BUSY","thumbnail":"[^"]{500,}"\}$/],
    [{ value: "BC_ERR_NO_FILE" }, /^\{"resultcode":"BC_ERR_NO_FILE",/],
  ],
  "metadata-cut": [
    [{}, /^\{"resultcode":"BC_ERR_OK","thumbnail":"[A-Za-z0-9+/=]+$/],
    [{ after: 12 }, '{"resultcode'],
  ],
  "metadata-no-base64": [[{}, '{"resultcode":"BC_ERR_OK","thumbnail":"*** this is no base64 ***"}']],
  "metadata-empty": [[{}, '{"resultcode":"BC_ERR_OK","thumbnail":""}']],
  "metadata-other-bytes": [
    [
      {},
      `{"resultcode":"BC_ERR_OK","thumbnail":"${base64("<!DOCTYPE html>\n<html><body>Please sign in</body></html>\n")}"}`,
    ],
    [{ value: "hello" }, `{"resultcode":"BC_ERR_OK","thumbnail":"${base64("hello")}"}`],
  ],
  "metadata-too-long": [[{ value: 300_000 }, `{"resultcode":"BC_ERR_OK","thumbnail":"${"A".repeat(300_000)}"}`]],
};

describe("faults of metadata", () => {
  test("have a row here, every one", () => {
    const names = FAULTS.filter(([, scope]) => scope === "metadata").map(([name]) => name);
    expect(Object.keys(METADATA).sort()).toEqual([...names].sort());
  });

  const rows = Object.entries(METADATA).flatMap(([name, cases]) => cases.map((row) => [name, ...row] as const));
  test.each(rows)(
    "%s (%p) answers 200 with what is no metadata, and leaves all else alone",
    async (name, more, told) => {
      const simulator = await camera([{ name: name as FaultName, ...more }]);
      const answer = await ask(simulator, "thumbnail");
      expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json"]);
      const text = await answer.text();
      if (typeof told === "string") expect(text === told || text.slice(0, 500)).toBe(true);
      else expect(text).toMatch(told);
      expect((await listOf(simulator)).status).toBe(200);
      const video = await fetch(`${simulator.url}/${FRONT}`);
      expect(Buffer.from(await video.arrayBuffer()).equals(await simulator.card.bytes(FRONT))).toBe(true);
    },
  );

  test("strike the one kind or the one video that they are meant for, as often as told", async () => {
    const simulator = await camera([{ name: "metadata-empty", match: /"gps"/, times: 1 }]);
    simulator.fault({ name: "metadata-no-base64", match: new RegExp(REAR) });
    const told = async (type: "thumbnail" | "gps", file: string) =>
      ((await (await ask(simulator, type, file)).json()) as Record<string, string>)[type]?.slice(0, 3);
    expect(await told("thumbnail", FRONT)).toBe("/9j");
    expect([await told("gps", FRONT), await told("gps", FRONT)]).toEqual(["", base64("[17").slice(0, 3)]);
    expect([await told("gps", REAR), await told("thumbnail", REAR)]).toEqual(["***", "***"]);
  });

  test("reach GPS data that lies under metadata too", async () => {
    const simulator = await camera([{ name: "metadata-other-bytes", value: "no sentence" }], { nestsGps: true });
    expect(await (await ask(simulator, "gps")).json()).toEqual({
      resultcode: "BC_ERR_OK",
      metadata: { gps: base64("no sentence") },
    });
  });

  test("metadata-too-long without a number never ends, and stops when the client hangs up", async () => {
    const simulator = await camera(["metadata-too-long"]);
    const leaving = new AbortController();
    const answer = await ask(simulator, "gps", FRONT, { signal: leaving.signal });
    expect(answer.headers.has("content-length")).toBe(false);
    let length = 0;
    for await (const bytes of answer.body ?? []) {
      length += bytes.length;
      if (length > 10_000_000) break;
    }
    leaving.abort();
    expect(length).toBeGreaterThan(10_000_000);
    await simulator.quiet();
  });

  test("do not show on an older camera, nor where nothing was told", async () => {
    const simulator = await camera(["metadata-no-base64"]);
    expect(await (await ask(simulator, "gps", "20991121_101500_NF.mp4")).json()).toEqual({
      resultcode: "BC_ERR_NO_FILE",
    });
    expect((await fetch(`${simulator.url}/vodMetadata`)).status).toBe(415);
    simulator.generation = "legacy";
    expect((await ask(simulator, "gps")).status).toBe(405);
  });
});

describe("faults of whole answers strike metadata that they are meant for", () => {
  test.each<[Fault, number, string | RegExp]>([
    [{ name: "error-500" }, 500, "error\n"],
    [{ name: "not-found" }, 404, "not found\n"],
    [{ name: "empty-204" }, 204, ""],
    [{ name: "redirect" }, 302, "moved\n"],
    [{ name: "text-200" }, 200, "Access denied\n"],
    [{ name: "html-200" }, 200, /^<!DOCTYPE html>/],
    [{ name: "json-200" }, 200, /"BC_ERR_BUSY"/],
    [{ name: "chunked" }, 200, /"BC_ERR_OK"/],
    [{ name: "no-length" }, 200, /"BC_ERR_OK"/],
    [{ name: "drip", value: 100_000 }, 200, /"BC_ERR_OK".*\}$/],
  ])("%j answers %d", async (fault, status, told) => {
    const simulator = await camera([{ ...fault, match: /vodMetadata.*"gps"/ }]);
    const answer = await ask(simulator, "gps");
    expect(answer.status).toBe(status);
    if (typeof told === "string") expect(await answer.text()).toBe(told);
    else expect(await answer.text()).toMatch(told);
    expect(await (await ask(simulator, "thumbnail")).json()).toHaveProperty("thumbnail");
  });

  test.each<[Fault]>([
    [{ name: "cut-short", after: 30 }],
    [{ name: "reset", after: 30 }],
    [{ name: "chunked-cut", after: 30 }],
    [{ name: "closed-without-answer" }],
    [{ name: "reset-without-answer" }],
  ])("%j breaks off", async (fault) => {
    const simulator = await camera([{ ...fault, match: /vodMetadata/ }]);
    await expect(ask(simulator, "gps").then((answer) => answer.text())).rejects.toThrow();
    expect((await listOf(simulator)).status).toBe(200);
  });

  test.each<[Fault]>([[{ name: "never-answers" }], [{ name: "stall", after: 30 }]])("%j hangs", async (fault) => {
    const simulator = await camera([{ ...fault, match: /vodMetadata/ }]);
    const leaving = new AbortController();
    const answered = ask(simulator, "gps", FRONT, { signal: leaving.signal }).then((answer) => answer.text());
    await simulator.asked(/"gps"/, "POST");
    expect(simulator.connections).toBe(1);
    leaving.abort();
    await expect(answered).rejects.toThrow();
    await simulator.quiet();
  });
});

describe("faults of the list of a newer camera", () => {
  const both = [FRONT, REAR];
  const listed = async (fault: Fault) => (await listOf(await camera([fault]))).arrayBuffer().then(Buffer.from);
  const names = (bytes: Buffer): unknown[] =>
    (JSON.parse(bytes.toString()).filelist as { filename: unknown }[]).map((entry) => entry?.filename);

  test("list-garbage, list-html, list-blank, list-cut and list-json are no lists", async () => {
    for (const name of ["list-garbage", "list-html", "list-blank", "list-cut"] as const) {
      const bytes = await listed({ name });
      expect(() => JSON.parse(bytes.toString())).toThrow();
    }
    expect((await listed({ name: "list-cut" })).toString()).toStartWith(`{"filelist":[{"filename":"${FRONT}"},`);
    expect((await listed({ name: "list-html" })).toString()).toStartWith("<!DOCTYPE html>");
    expect(JSON.parse((await listed({ name: "list-json" })).toString())).not.toHaveProperty("filelist");
    const value = '{"filelist":{"filename":7}}';
    expect((await listed({ name: "list-json", value })).toString()).toBe(value);
  });

  test("list-empty lists nothing, list-duplicates everything twice, and list-lf the same on lines of their own", async () => {
    expect((await listed({ name: "list-empty" })).toString()).toBe('{"filelist":[]}');
    expect(names(await listed({ name: "list-duplicates" }))).toEqual([FRONT, FRONT, REAR, REAR]);
    const lines = await listed({ name: "list-lf" });
    expect([lines.toString().split("\n").length > 5, names(lines)]).toEqual([true, both]);
    for (const name of ["list-real-sizes", "list-no-final-newline"] as const)
      expect(names(await listed({ name }))).toEqual(both);
  });

  test("list-traversal, list-impossible-dates, list-not-utf8 and list-junk add what is no recording", async () => {
    for (const name of ["list-traversal", "list-impossible-dates", "list-not-utf8", "list-junk"] as const) {
      const all = names(await listed({ name }));
      expect(all.slice(0, 2)).toEqual(both);
      const added = all.slice(2);
      expect(added.length).toBeGreaterThan(1);
      for (const each of added)
        if (typeof each === "string") expect([each, checkRecordingName(each)]).not.toEqual([each, "recording"]);
    }
    expect((await listed({ name: "list-not-utf8" })).includes(0xff)).toBe(true);
    expect(names(await listed({ name: "list-traversal" }))).toContain("../../20261121_101500_NF.mp4");
    expect(names(await listed({ name: "list-junk" }))).toEqual(expect.arrayContaining([undefined, "", "readme.txt"]));
  });

  test("list-500, list-stall and list-drip strike it too", async () => {
    expect((await listOf(await camera(["list-500"]))).status).toBe(500);
    expect(names(await listed({ name: "list-drip", value: 5000 }))).toEqual(both);
    const stalled = await listOf(await camera([{ name: "list-stall", after: 10 }]));
    const reader = stalled.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('{"filelist');
    await reader?.cancel();
  });
});

test("faults of videos strike those of a newer camera", async () => {
  const statusOf = async (fault: Fault | FaultName, path: string, range = "") => {
    const simulator = await camera([fault]);
    const answer = await fetch(`${simulator.url}${path}`, { headers: range ? { range } : {}, redirect: "manual" });
    await answer.body?.cancel();
    return answer.status;
  };
  expect(await statusOf("error-500", `/${FRONT}`)).toBe(500);
  expect(await statusOf("range-416", `/${FRONT}`, "bytes=5-")).toBe(416);
  expect(await statusOf("empty-204", `/${REAR}`)).toBe(204);
  expect(await statusOf("error-500", "/vodList")).toBe(200);
  expect(await statusOf("everything-status", "/accessible")).toBe(503);

  const simulator = await camera([{ name: "vanishing", times: 1 }]);
  expect((await fetch(`${simulator.url}/${FRONT}`)).status).toBe(404);
  expect(await (await listOf(simulator)).json()).toEqual({ filelist: [{ filename: REAR }] });
  expect(await (await ask(simulator, "thumbnail")).json()).toEqual({ resultcode: "BC_ERR_NO_FILE" });

  const growing = await camera([{ name: "growing", times: 2, value: 1000 }]);
  const lengths: number[] = [];
  for (let count = 0; count < 3; count++)
    lengths.push((await (await fetch(`${growing.url}/${FRONT}`)).arrayBuffer()).byteLength);
  expect(lengths).toEqual([SIZE - 1000, SIZE, SIZE]);
});
