import { describe, expect, test } from "bun:test";
import type { Fault } from "../../../server/dashcam/simulator/simulator_faults.ts";
import { NotAListing, parseListing } from "../../../server/domain/recordings/camera_listing.ts";
import { parseRecording } from "../../../server/domain/recordings/recording_name.ts";
import { LIST, list, oneMoment, PATH, raw, SIZE, simulatedCameras } from "../../support/camera/simulated_camera.ts";

const { camera } = simulatedCameras();

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

describe("faults of a length and of a pace", () => {
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
