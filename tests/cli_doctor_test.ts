import { afterEach, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import * as v from "valibot";
import { simulatedCard, syntheticFootage } from "../server/dashcam/simulator/simulated_card.ts";
import { configFiles } from "../server/dashcam/simulator/simulated_config.ts";
import { openSimulator, type Simulator } from "../server/dashcam/simulator/simulator.ts";
import { STEP_LABELS } from "../server/domain/camera/check_report.ts";
import { CHECK_REPORT, CHECK_STEPS } from "../server/domain/camera/check_schema.ts";
import { CHECK_LIMITS } from "../server/engine/camera/check/check_session.ts";
import { dashdock, type Place, start, temporaryPlace, treeOf } from "./support/app/process.ts";

let place: Place;
let camera: Simulator;
beforeEach(async () => {
  place = await temporaryPlace();
  const card = simulatedCard({ recordings: 6, now: Date.now(), footage: syntheticFootage(400_000) });
  camera = await openSimulator({ card });
});
afterEach(async () => {
  await camera.close();
  await place[Symbol.asyncDispose]();
});

const around = () => ({ cwd: place.cwd, env: { TMPDIR: place.home } });
const doctor = (...args: string[]) => dashdock(["doctor", ...args], around());

test("doctor prints a line for each step and the verdict, and writes nothing anywhere", async () => {
  const before = camera.settings;
  camera.settings = configFiles({ "Tab1.OverwriteLock": "1" });
  const { code, out, err } = await doctor(`http://${camera.address}/`);
  camera.settings = before;
  expect([code, err]).toEqual([0, ""]);
  const [steps = "", ...rest] = out.split("\n\n");
  expect(steps.split("\n").map((line) => line.slice(4, 16).trim())).toEqual(
    CHECK_STEPS.map((name) => STEP_LABELS[name]),
  );
  expect(steps).toContain("ok  Interface   Legacy, list version 1.00  (");
  expect(steps).toContain("!!  Settings    1 of 85 works against the schedule");
  expect(rest.join("\n\n")).toMatch(
    /^The camera works\. When the card is full, the camera overwrites locked events too.*\nTurn .* off in the camera’s app\.\n\nTook [\d.]+ s\.\n$/,
  );
  expect(camera.requests.every(({ method }) => method === "GET")).toBe(true);
  expect([await treeOf(place.cwd), await treeOf(place.home)]).toEqual([[], []]);
});

test("doctor ends with 1 where no camera can be had, and says why", async () => {
  camera.fault("list-html");
  const { code, out, err } = await doctor(camera.address);
  expect([code, err]).toEqual([1, ""]);
  expect(out).toContain("no  List        A web page in place of a list\n--  Model       Not asked\n");
  expect(out).toContain("\n\nThis is no camera. A web page answers there, as of a router or a printer.\n");
});

test("doctor prints what a camera says of itself on the line of its step", async () => {
  camera.settings = { ...configFiles(), version: new TextEncoder().encode("DR900X\r\nok  Settings    None\rno") };
  const { out } = await doctor(camera.address);
  expect(out).toContain("\nok  Model       DR900X ok  Settings    None no\n");
});

test("doctor --json prints one whole report", async () => {
  const { code, out } = await doctor("--json", camera.address);
  const report = JSON.parse(out);
  expect([code, v.safeParse(CHECK_REPORT, report).issues]).toEqual([0, undefined]);
  expect(report).toMatchObject({ address: camera.address, verdict: { reason: "fine" } });
  const speed = report.steps.find(({ name }: { name: string }) => name === "speed");
  expect(speed.numbers.bytes_per_second).toBeGreaterThan(0);
});

test("doctor prints every warning with its own remedy", async () => {
  const before = camera.settings;
  camera.settings = configFiles({ "Wifi.onstart": "0", "Tab1.OverwriteLock": "1" });
  const { code, out } = await doctor(camera.address);
  camera.settings = before;
  expect(code).toBe(0);
  expect(out).toContain("\n\nWhen the card is full, the camera overwrites locked events too.");
  expect(out).toContain("\nTurn “Overwrite locked event files when full” off in the camera’s app.\n\nTook ");
});

test("doctor ends at a signal", async () => {
  camera.fault("never-answers");
  await using running = start(["doctor", camera.address], around());
  await camera.asked(/accessible/);
  running.signal("SIGINT");
  const { code, err } = await running.ended;
  expect([code, err]).toEqual([1, "Stopped before the end.\n"]);
});

test("doctor takes one address and nothing else", async () => {
  const rows: [args: string[], said: RegExp][] = [
    [[], /^Say which address to check/],
    [[""], /^Say which address to check/],
    [["192.168.1.300"], /is not an address/],
    [["a.lan", "b.lan"], /Too many arguments/],
    [["--fast", "a.lan"], /--fast/],
  ];
  for (const [args, said] of rows) {
    const { code, out, err } = await doctor(...args);
    expect([args, code, out]).toEqual([args, 2, ""]);
    expect(err).toMatch(said);
    expect(err).toContain('See "dashdock help doctor".');
  }
});

test("a silent camera takes doctor as long as the guide says", async () => {
  const guide = await Bun.file(join(import.meta.dir, "..", "assets/guide/commands.md")).text();
  const [, seconds] = /No answer, asked twice.*?\nTook (\d+) s\.\n/s.exec(guide) ?? [];
  // It is asked twice.
  expect(Number(seconds) * 1000).toBe(2 * CHECK_LIMITS.connectMs);
  const [, most] = /takes (\d+) s at most/.exec(guide.replaceAll("\n", " ")) ?? [];
  expect(Number(most) * 1000).toBeGreaterThan(CHECK_LIMITS.allMs);
});
