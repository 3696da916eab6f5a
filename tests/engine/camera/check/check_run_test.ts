import { describe, expect, setDefaultTimeout, test } from "bun:test";
import type { networkInterfaces } from "node:os";
import * as v from "valibot";
import { systemClock } from "../../../../server/clock.ts";
import { simulatedCard, syntheticFootage } from "../../../../server/dashcam/simulator/simulated_card.ts";
import { configFiles } from "../../../../server/dashcam/simulator/simulated_config.ts";
import { openSimulator, type Simulator } from "../../../../server/dashcam/simulator/simulator.ts";
import {
  type CheckReport,
  type CheckStepName,
  furtherWarnings,
} from "../../../../server/domain/camera/check_report.ts";
import { CHECK_REPORT, CHECK_STEPS } from "../../../../server/domain/camera/check_schema.ts";
import { ZoneTime } from "../../../../server/domain/text/zone_time.ts";
import { CHECK_LIMITS } from "../../../../server/engine/camera/check/check_session.ts";
import { routeTo } from "../../../../server/engine/camera/check/route.ts";
import { WatchedClock } from "../../../support/app/http.ts";
import { stagedJob } from "../../../support/app/staged_job.ts";
import { checked, NOW, QUICK, rawServer } from "../../../support/camera/checked.ts";

setDefaultTimeout(30_000);

const AWAKE = { "Wifi.WifiSleepMode": "0" };

async function simulator(size = 400_000, onTraffic = (_: { bytes: number }) => {}): Promise<Simulator> {
  const card = simulatedCard({ recordings: 6, now: NOW, footage: syntheticFootage(size) });
  const camera = await openSimulator({ card, onTraffic });
  camera.settings = configFiles(AWAKE);
  return camera;
}

const stepOf = ({ steps }: CheckReport, name: CheckStepName) => steps.find((step) => step.name === name);
const statesOf = ({ steps }: CheckReport) => Object.fromEntries(steps.map(({ name, state }) => [name, state]));

function staged() {
  const { job, topic } = stagedJob();
  const run = () => topic.set({ ...topic.value, state: "running", phase: "downloading", bytes_per_second: 12_300_000 });
  return { job, run };
}

describe("a check of a camera that works", () => {
  test("finds all ten things, by reading alone, of which at most 2 MB, and says how long all of it takes", async () => {
    let bytes = 0;
    await using camera = await simulator(30_000_000, (traffic) => {
      bytes = traffic.bytes;
    });
    const { report, frames } = await checked(camera.address);
    // Before all else: a matcher inside toMatchObject takes the place of what it matched.
    for (const frame of frames) expect(v.safeParse(CHECK_REPORT, frame).issues).toBeUndefined();
    expect(new Set(Object.values(statesOf(report)))).toEqual(new Set(["fine"]));
    expect(report.steps.map(({ name }) => name)).toEqual([...CHECK_STEPS]);
    expect(stepOf(report, "address")?.finding).toBe("127.0.0.1, no name to look up");
    expect(stepOf(report, "connect")).toMatchObject({ figure: expect.stringMatching(/ms$/) });
    expect(stepOf(report, "interface")?.finding).toBe("Legacy, list version 1.00");
    expect(stepOf(report, "list")?.finding).toMatch(/^6\srecordings, newest today 10:1\d$/);
    expect(stepOf(report, "model")?.finding).toBe("DR900X Plus, firmware 1.015");
    expect(stepOf(report, "speed")).toMatchObject({
      finding: expect.stringMatching(/^All of it, about 180\sMB, would take \d+\ss$/),
      figure: expect.stringMatching(/B\/s$/),
    });
    expect(stepOf(report, "resume")?.finding).toBe("Goes on where it stopped");
    expect(stepOf(report, "clock")?.finding).toBe("Right, compared with GPS");
    expect(stepOf(report, "settings")?.finding).toBe("None of 85 works against the schedule");
    expect(report.verdict).toMatchObject({
      level: "fine",
      reason: "fine",
      cause: "DR900X Plus works.",
      remedy: expect.stringMatching(
        /^It holds 6\srecordings, about 180\sMB\. Downloading all of them takes about \d+\ss\.$/,
      ),
    });
    expect(new Set(camera.requests.map(({ method }) => method))).toEqual(new Set(["GET"]));
    expect(bytes).toBeLessThan(2_000_000);

    const [first] = frames;
    expect(new Set(first && Object.values(statesOf(first)))).toEqual(new Set(["waiting"]));
    expect(frames.map(({ verdict }) => verdict !== null)).toEqual([...Array(frames.length - 1).fill(false), true]);
    expect(frames.at(-1)).toEqual(report);
  });

  test("finds as much with the newer interface, and calls nothing a fault that it does not offer", async () => {
    let bytes = 0;
    await using camera = await simulator(30_000_000, (traffic) => {
      bytes = traffic.bytes;
    });
    camera.generation = "v1009";
    const { report } = await checked(camera.address);
    expect(new Set(Object.values(statesOf(report)))).toEqual(new Set(["fine"]));
    expect(stepOf(report, "interface")?.finding).toBe("Newer, of firmware V1.009 and later");
    expect(stepOf(report, "list")?.finding).toMatch(/^6\srecordings, newest today 10:1\d$/);
    for (const name of ["model", "settings"] as const)
      expect(stepOf(report, name)?.finding).toBe("This camera does not tell its settings");
    expect(stepOf(report, "resume")?.finding).toBe("Goes on where it stopped");
    expect(stepOf(report, "clock")?.finding).toBe("Right, compared with GPS");
    expect(report.verdict).toMatchObject({ level: "fine", reason: "fine" });
    // Nothing in vain: what is asked first tells where all else is.
    expect(camera.requests.filter(({ path }) => path === "/accessible")).toHaveLength(1);
    expect(camera.requests.some(({ path }) => /cgi|Record/.test(path))).toBe(false);
    expect(bytes).toBeLessThan(2_000_000);
  });

  test("reads the settings of a newer camera that tells them", async () => {
    const card = simulatedCard({ recordings: 6, now: NOW, footage: syntheticFootage(400_000) });
    await using camera = await openSimulator({ card, generation: "v1009", v1009: { tellsSettings: true } });
    camera.settings = configFiles(AWAKE);
    const { report } = await checked(camera.address);
    expect(stepOf(report, "model")?.finding).toBe("DR900X Plus, firmware 1.015");
    expect(stepOf(report, "settings")?.finding).toBe("None of 85 works against the schedule");
  });

  test("looks up a name, and says what it stands for", async () => {
    await using camera = await simulator();
    const [, port] = camera.address.split(":");
    const { report } = await checked(`localhost:${port}`);
    expect(stepOf(report, "address")).toMatchObject({ finding: "localhost is 127.0.0.1", state: "fine" });
    expect(report.verdict?.level).toBe("fine");
  });

  test("has numbers beside its words", async () => {
    await using camera = await simulator();
    const { report } = await checked(camera.address);
    const numbers = Object.fromEntries(report.steps.map((step) => [step.name, step.numbers]));
    const number = expect.any(Number);
    // Compared in one piece: a matcher inside toMatchObject takes the place of the value it matched.
    expect(numbers).toEqual({
      address: {},
      route: {},
      model: {},
      resume: {},
      connect: { milliseconds: number },
      interface: { milliseconds: number },
      list: { milliseconds: number, recordings: 6, empty: 0 },
      speed: { bytes_per_second: number, seconds_for_all: number },
      clock: { seconds_ahead: 0 },
      settings: { settings: 85, against_the_schedule: 0 },
    });
  });

  test("names every setting that will hurt, each with its own remedy", async () => {
    await using camera = await simulator();
    camera.settings = configFiles({ "Tab1.OverwriteLock": "1", "Tab3.LowvoltageVolt": "1240" });
    const { report } = await checked(camera.address);
    expect(report.warnings.map(({ reason, setting }) => [reason, setting])).toEqual([
      ["wifi-sleeps", "Wifi.WifiSleepMode"],
      ["cut-off-voltage", "Tab3.LowvoltageVolt"],
      ["overwrites-events", "Tab1.OverwriteLock"],
    ]);
    expect(new Set(report.warnings.map(({ remedy }) => remedy)).size).toBe(3);
    expect(furtherWarnings(report).map(({ reason }) => reason)).toEqual(["cut-off-voltage", "overwrites-events"]);
  });

  test("names the setting that will hurt, with its remedy", async () => {
    await using camera = await simulator();
    camera.settings = configFiles({});
    const { report } = await checked(camera.address);
    expect(stepOf(report, "settings")).toMatchObject({
      state: "attention",
      finding: "1 of 85 works against the schedule",
    });
    expect(report.verdict).toMatchObject({
      level: "attention",
      reason: "wifi-sleeps",
      setting: "Wifi.WifiSleepMode",
      remedy: "Let Dashdock look every 5 minutes, or turn “Wi-Fi auto turn off” off in the camera’s app.",
    });
  });

  test("puts what hurts before what costs little", async () => {
    await using camera = await simulator();
    camera.settings = configFiles({});
    camera.fault("ignores-range");
    const { report } = await checked(camera.address);
    expect(stepOf(report, "resume")?.finding).toBe("Starts every file again");
    expect(report.verdict?.reason).toBe("wifi-sleeps");
  });

  test("says that it does not tell its settings, and asks on", async () => {
    await using camera = await simulator();
    camera.fault({ name: "not-found", match: /Config/ });
    const { report } = await checked(camera.address);
    expect(stepOf(report, "model")?.finding).toBe("The camera does not tell its model");
    expect(stepOf(report, "settings")?.finding).toBe("The camera does not tell its settings");
    expect(report.verdict).toMatchObject({ level: "attention", reason: "settings-unreadable", remedy: "" });
  });

  test.each(["never-answers", "closed-without-answer"] as const)(
    "asks on where its settings meet %s: runs do without them",
    async (name) => {
      await using camera = await simulator();
      camera.fault({ name, match: /Config/ });
      const { report } = await checked(camera.address);
      expect(report.verdict).toMatchObject({ level: "attention", reason: "settings-unreadable" });
      expect(stepOf(report, "speed")?.state).toBe("fine");
    },
  );

  const clocks: [name: string, zone: string, now: number, hasGps: boolean, reason: string, finding: RegExp][] = [
    ["right, by the satellites", "UTC", NOW, true, "fine", /GPS/],
    ["hours ahead, by the satellites", "America/New_York", NOW, true, "clock-ahead", /^Ahead of GPS time$/],
    ["hours behind, by the satellites", "Asia/Tokyo", NOW, true, "clock-behind", /^Behind GPS time$/],
    ["an hour off without daylight saving", "Europe/London", NOW, true, "fine", /GPS/],
    ["ahead, by a name that is still to come", "UTC", NOW - 3_600_000, false, "clock-ahead", /by the newest recording/],
    ["not known to be wrong", "UTC", NOW + 86_400_000, false, "fine", /Looks right.*yesterday 10:1/],
  ];
  test.each(clocks)("tells of a clock that is %s", async (_, zone, now, hasGps, reason, finding) => {
    await using camera = await simulator();
    if (!hasGps) camera.fault({ name: "not-found", match: /\.gps$/ });
    const clock = { ...systemClock, now: () => now };
    const { report } = await checked(camera.address, { world: { clock, zone: new ZoneTime(zone) } });
    expect(stepOf(report, "clock")?.finding).toMatch(finding);
    expect(report.verdict?.reason).toBe(reason);
  });

  test("tells of a clock that was never set", async () => {
    const list = "v:1.00\r\nn:/Record/19700101_000012_NF.mp4,s:1000000\r\n";
    using server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: ({ url }) => (url.endsWith(".cgi") ? new Response(list) : new Response("", { status: 404 })),
    });
    const { report } = await checked(`127.0.0.1:${server.port}`);
    expect(stepOf(report, "clock")?.finding).toBe("Never set: the newest recording is from 1970");
  });
});

describe("a check", () => {
  test("ends in its time whatever hangs, with what was found until then", async () => {
    expect(CHECK_LIMITS.allMs).toBeLessThan(15_000);
    await using camera = await simulator();
    camera.fault({ name: "never-answers", match: /Record/ });
    const { report } = await checked(camera.address, { limits: { allMs: 600, answerMs: 5000, speedMs: 5000 } });
    expect(report.verdict).toMatchObject({ level: "attention", reason: "out-of-time" });
    expect(statesOf(report)).toMatchObject({ list: "fine", model: "fine", speed: "not-asked", settings: "not-asked" });

    await using tar = await rawServer((socket) => socket.write("HTTP/1.1 200 OK\r\nX-Long: "));
    const never = await checked(tar.address, { limits: { allMs: 300, answerMs: 5000 } });
    expect(never.report.verdict?.level).toBe("failed");
  });

  test("asks nothing while a sync runs, and says what that sees", async () => {
    await using camera = await simulator();
    const { job, run } = staged();
    run();
    const sight = async () => ({ isTransferring: true, recordings: 412, model: "DR900X Plus, firmware 1.015" });
    const { report } = await checked(camera.address, { order: { job, sight } });
    expect(report).toMatchObject({ sync_running: true, verdict: { level: "attention", reason: "sync-running" } });
    expect(statesOf(report)).toEqual({
      address: "fine",
      route: "fine",
      connect: "fine",
      interface: "later",
      list: "fine",
      model: "fine",
      speed: "fine",
      resume: "later",
      clock: "later",
      settings: "later",
    });
    expect(stepOf(report, "speed")?.figure).toMatch(/^12\.3\sMB\/s$/);
    expect(camera.requests).toEqual([]);
  });

  test("steps aside for a sync that begins, and says so", async () => {
    await using camera = await simulator();
    camera.fault("list-stall");
    const { job, run } = staged();
    const checking = checked(camera.address, {
      limits: { answerMs: 20_000, listMs: 20_000, allMs: 20_000 },
      order: { job },
    });
    await camera.asked(/vod/);
    run();
    const { report } = await checking;
    expect(report.verdict).toMatchObject({ level: "attention", reason: "sync-began" });
    expect(statesOf(report)).toMatchObject({ interface: "fine", list: "later", settings: "later" });
    await camera.quiet();
  });

  test("ends with the one who asked for it", async () => {
    await using camera = await simulator();
    camera.fault("never-answers");
    const leaving = new AbortController();
    const limits = { answerMs: 20_000, allMs: 20_000 };
    const outcome = checked(camera.address, { limits, order: { signal: leaving.signal } }).catch((error) => error);
    await camera.asked(/accessible/);
    leaving.abort(new Error("gone"));
    expect(await outcome).toEqual(new Error("gone"));
    await camera.quiet();
  });

  test("tells those who did not sign in whether a camera is there, and nothing of what else is: neither words nor time", async () => {
    using printer = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("ink", { status: 404 }) });
    const nothing = await simulator();
    await nothing.close();
    const seen = [];
    for (const address of [`127.0.0.1:${printer.port}`, nothing.address]) {
      const clock = new WatchedClock();
      const asleep = clock.asleep(QUICK.shortMs);
      const found = checked(address, { world: { clock }, order: { inShort: true } });
      await asleep;
      await clock.advance(QUICK.shortMs);
      const { report, frames } = await found;
      expect(report.verdict).toMatchObject({ level: "failed", reason: "no-camera" });
      for (const frame of frames)
        for (const { name, finding, figure, state } of frame.steps.slice(2))
          expect([name, finding.replace("Not asked", ""), figure, state === "fine"]).toEqual([name, "", null, false]);
      seen.push({ ...report, address: "", began_at: "", frames: frames.length });
    }
    expect(seen[0]).toEqual(seen[1] as never);
    await using camera = await simulator();
    const { report } = await checked(camera.address, { order: { inShort: true } });
    expect(report.verdict?.level).toBe("fine");
  });
});

test("the way to an address is told by the networks of this machine", () => {
  const eth0 = {
    address: "192.168.1.7",
    cidr: "192.168.1.7/24",
    family: "IPv4",
    mac: "",
    netmask: "",
    internal: false,
  };
  const docker = { ...eth0, address: "172.17.0.2", cidr: "172.17.0.2/16" };
  const home = { eth0: [eth0] } as ReturnType<typeof networkInterfaces>;
  const rows: [address: string, interfaces: ReturnType<typeof networkInterfaces>, kind: string, finding: string][] = [
    ["192.168.1.64", home, "same", "Same network, 192.168.1.0/24 by eth0"],
    ["192.168.30.64", home, "elsewhere", "Another network than 192.168.1.0/24 by eth0"],
    ["127.0.0.1", home, "itself", "This machine itself"],
    ["192.168.1.7", home, "itself", "This machine itself"],
    ["fd00::20", home, "none", "No network of this machine leads there"],
    ["192.168.1.64", {}, "none", "No network of this machine leads there"],
    [
      "192.168.1.64",
      { eth0: [docker] } as never,
      ...(["none", "From a container’s network, 172.17.0.0/16, through its host"] as const),
    ],
  ];
  for (const [address, interfaces, kind, finding] of rows)
    expect({ address, ...routeTo(address, interfaces) }).toMatchObject({ address, kind, finding });
});
