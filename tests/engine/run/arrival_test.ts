import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Run } from "../../../server/domain/runs/run.ts";
import { initialSettings, type Settings } from "../../../server/domain/settings/settings.ts";
import { Arrival } from "../../../server/engine/run/arrival.ts";
import type { ScheduleSource } from "../../../server/engine/run/scheduler.ts";
import { progressTopic } from "../../../server/engine/transfer/progress_report.ts";
import { Log } from "../../../server/log.ts";
import { PresenceFile } from "../../../server/store/config/presence_file.ts";
import { Topic } from "../../../server/topic.ts";
import { FakeClock } from "../../support/app/clock.ts";
import { runAt } from "../../support/app/history.ts";

const SECOND = 1000;
const ADDRESS = "192.0.2.1";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "dashdock-arrival-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

type Schedule = Settings["schedule"];

class Source implements ScheduleSource {
  readonly #topic: Topic<readonly [Settings, Settings]>;

  constructor(schedule: Partial<Schedule>) {
    const initial = initialSettings();
    const connection = { ...initial.connection, address: ADDRESS };
    const settings = { ...initial, connection, schedule: { ...initial.schedule, ...schedule } };
    this.#topic = new Topic<readonly [Settings, Settings]>([settings, settings]);
  }

  get current(): Settings {
    return this.#topic.value[0];
  }

  set(schedule: Partial<Schedule>, address = this.current.connection.address): void {
    const { current } = this;
    const connection = { ...current.connection, address };
    this.#topic.set([{ ...current, connection, schedule: { ...current.schedule, ...schedule } }, current]);
  }

  onChange(listener: (now: Settings, before: Settings) => void): () => void {
    return this.#topic.subscribe(([now, before]) => listener(now, before));
  }
}

/** Looks by a clock that the test moves, at a camera that is there when the test says so. */
class Bench implements AsyncDisposable {
  readonly clock = new FakeClock("2026-06-07T10:00:00Z");
  readonly source: Source;
  readonly log = new Log(this.clock);
  readonly progress = progressTopic("");
  readonly arrival: Arrival;
  /** Seconds after the start at which it was looked, and at which runs began. */
  readonly looked: number[] = [];
  readonly began: number[] = [];
  /** Times at which the camera was reached, and `gone` when it was seen to leave. */
  readonly contacts: (number | "gone")[] = [];
  isThere = false;
  /** The next answer of the camera comes when this resolves. */
  answer: Promise<unknown> | null = null;
  readonly #start = this.clock.now();

  constructor(schedule: Partial<Schedule> = {}) {
    const { clock, log, progress } = this;
    this.source = new Source(schedule);
    const dashcam = () => ({
      address: this.source.current.connection.address,
      isThere: async () => {
        this.looked.push(this.seconds);
        await this.answer;
        return this.isThere;
      },
    });
    const file = new PresenceFile(join(folder, "presence.json"), log);
    const visits = {
      contact: () => this.contacts.push(this.seconds),
      gone: () => this.contacts.at(-1) === "gone" || this.contacts.push("gone"),
    };
    this.arrival = new Arrival({ clock, log, settings: this.source, dashcam, progress, file, visits });
  }

  get seconds(): number {
    return (this.clock.now() - this.#start) / SECOND;
  }

  async open(): Promise<this> {
    await this.arrival.open();
    this.arrival.start({
      isRunning: false,
      start: (trigger) => {
        expect(trigger).toBe("arrival");
        this.began.push(this.seconds);
        this.runs(true);
        return "id";
      },
    });
    return this;
  }

  /** A run begins or ends. */
  runs(isRunning: boolean): void {
    this.progress.set({ ...this.progress.value, state: isRunning ? "running" : "completed" });
  }

  async ends(changes: Partial<Run>): Promise<void> {
    this.arrival.noteRun(ADDRESS, runAt(this.clock.now() / SECOND, changes));
    this.runs(false);
    await settled();
  }

  async change(schedule: Partial<Schedule>, address?: string): Promise<void> {
    this.source.set(schedule, address);
    await settled();
  }

  /** Time goes by. */
  async wait(seconds: number): Promise<void> {
    await this.clock.advance(seconds * SECOND);
    await settled();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.arrival.close();
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const OFFLINE: Partial<Run> = {
  success: false,
  bytes: 0,
  recordingsSeen: 0,
  failures: { http: 0, network: 1, timeout: 0, disk: 0, unknown: 0 },
};

describe("a camera that is away", () => {
  test("is looked for every thirty seconds, and a run starts with the look that finds it", async () => {
    await using bench = await new Bench().open();
    await bench.wait(75);
    expect([bench.looked, bench.began]).toEqual([[30, 60], []]);
    bench.isThere = true;
    await bench.wait(15);
    expect([bench.looked, bench.began]).toEqual([[30, 60, 90], [90]]);
  });

  test("is looked for as often as the settings say, from the change on", async () => {
    await using bench = await new Bench({ arrival_seconds: 600 }).open();
    await bench.wait(100);
    await bench.change({ arrival_seconds: 15 });
    await bench.wait(30);
    expect(bench.looked).toEqual([115, 130]);
  });

  test("leaves no line in the log but for its arrival", async () => {
    await using bench = await new Bench().open();
    await bench.wait(300);
    expect(bench.log.lines).toEqual([]);
    bench.isThere = true;
    await bench.wait(30);
    expect(bench.log.lines.map(({ message }) => message)).toEqual([`The camera at ${ADDRESS} has come: a sync starts`]);
  });
});

test("no look is made while a run goes on, and the next one comes a whole time after it", async () => {
  await using bench = await new Bench().open();
  await bench.wait(20);
  bench.runs(true);
  await settled();
  await bench.wait(100);
  expect([bench.looked, bench.arrival.looks()?.next_at]).toEqual([[], null]);
  await bench.ends({});
  await bench.wait(29);
  expect(bench.looked).toEqual([]);
  await bench.wait(1);
  expect(bench.looked).toEqual([150]);
});

test("a look whose answer comes when a run has begun meanwhile shows nothing", async () => {
  await using bench = await new Bench().open();
  const answer = Promise.withResolvers<void>();
  bench.answer = answer.promise;
  bench.isThere = true;
  await bench.wait(30);
  bench.runs(true);
  answer.resolve();
  await settled();
  expect([bench.looked, bench.began, bench.arrival.looks()?.camera]).toEqual([[30], [], "unknown"]);
});

test("a camera that stays is looked at as often and starts no other run, until it has gone and come again", async () => {
  await using bench = await new Bench().open();
  bench.isThere = true;
  await bench.wait(30);
  await bench.ends({});
  await bench.wait(120);
  expect([bench.looked, bench.began]).toEqual([[30, 60, 90, 120, 150], [30]]);
  expect(bench.arrival.isMissing).toBe(false);
  bench.isThere = false;
  await bench.wait(60);
  expect([bench.arrival.looks()?.camera, bench.arrival.isMissing]).toEqual(["here", true]);
  await bench.wait(30);
  expect([bench.arrival.looks()?.camera, bench.arrival.isMissing]).toEqual(["away", false]);
  bench.isThere = true;
  await bench.wait(30);
  expect(bench.began).toEqual([30, 270]);
});

test("a port that accepts and answers no run is looked at later and later", async () => {
  await using bench = await new Bench().open();
  bench.isThere = true;
  await bench.wait(30);
  for (const [seconds, began] of [
    [60, 90],
    [120, 210],
    [240, 450],
    [480, 930],
    [600, 1530],
    [600, 2130],
  ] as const) {
    await bench.ends({ ...OFFLINE, trigger: "arrival" });
    expect(bench.arrival.looks()).toMatchObject({ camera: "away", seconds });
    await bench.wait(seconds);
    expect(bench.began.at(-1)).toBe(began);
  }
});

describe("nothing is looked for", () => {
  test.each<[what: string, schedule: Partial<Schedule>, address: string]>([
    ["while it is switched off", { on_arrival: false }, ADDRESS],
    ["while the schedule is paused", { paused: true }, ADDRESS],
    ["before there is an address", {}, ""],
  ])("%s, and from the change on it is", async (_, schedule, address) => {
    await using bench = await new Bench().open();
    bench.isThere = true;
    await bench.change(schedule, address);
    await bench.wait(3600);
    expect([bench.looked, bench.arrival.looks()]).toEqual([[], null]);
    await bench.change({ on_arrival: true, paused: false }, ADDRESS);
    expect(bench.arrival.looks()).toEqual({ camera: "unknown", seconds: 30, next_at: bench.clock.now() + 30_000 });
    await bench.wait(30);
    expect(bench.began).toEqual([3630]);
  });
});

test("of a camera at another address nothing is known", async () => {
  await using bench = await new Bench().open();
  bench.isThere = true;
  await bench.wait(30);
  await bench.ends({});
  await bench.change({}, "192.0.2.2");
  expect(bench.arrival.looks()?.camera).toBe("unknown");
  // A run with the camera before shows nothing of this one.
  await bench.ends({ ...OFFLINE });
  expect(bench.arrival.looks()?.camera).toBe("unknown");
  await bench.wait(30);
  expect(bench.began).toEqual([30, 60]);
});

test("tells when the camera has come and gone, once each", async () => {
  await using bench = await new Bench().open();
  const told: string[] = [];
  bench.arrival.moved.subscribe((camera) => told.push(camera));
  await bench.wait(60);
  bench.isThere = true;
  await bench.wait(30);
  await bench.ends({});
  await bench.ends(OFFLINE);
  expect(told).toEqual(["away", "here", "away"]);
});

describe("after a restart", () => {
  test.each<[camera: "here" | "away", began: number[]]>([
    ["here", []],
    ["away", [30]],
  ])("a camera that was %s counts as that", async (camera, began) => {
    {
      await using before = await new Bench().open();
      before.isThere = camera === "here";
      await before.wait(30);
      before.runs(false);
      await settled();
    }
    expect(JSON.parse(readFileSync(join(folder, "presence.json"), "utf8"))).toEqual({ address: ADDRESS, camera });
    await using bench = await new Bench().open();
    bench.isThere = true;
    expect(bench.arrival.looks()?.camera).toBe(camera);
    await bench.wait(30);
    expect(bench.began).toEqual(began);
  });

  test.each([
    ["of another address", JSON.stringify({ address: "192.0.2.9", camera: "here" })],
    ["that is damaged", '{"address":'],
    ["of another shape", JSON.stringify({ address: ADDRESS, camera: "unknown" })],
  ])("a file %s counts for nothing", async (_, text) => {
    writeFileSync(join(folder, "presence.json"), text);
    await using bench = await new Bench().open();
    expect(bench.arrival.looks()?.camera).toBe("unknown");
  });
});

test("ends within a look, and starts nothing then", async () => {
  const bench = await new Bench().open();
  const answer = Promise.withResolvers<void>();
  bench.answer = answer.promise;
  bench.isThere = true;
  await bench.wait(30);
  const closed = bench.arrival.close();
  answer.resolve();
  await closed;
  expect(bench.began).toEqual([]);
});

describe("visits", () => {
  test("are told of every contact, and of a camera that left after three looks", async () => {
    await using bench = await new Bench().open();
    bench.isThere = true;
    await bench.wait(30);
    await bench.ends({});
    await bench.wait(30);
    bench.isThere = false;
    await bench.wait(90);
    expect(bench.contacts).toEqual([30, 30, 60, "gone"]);
  });

  test("end with their last contact, and not with a run that ended when it had lost the camera", async () => {
    await using bench = await new Bench().open();
    bench.isThere = true;
    await bench.wait(30);
    await bench.wait(600);
    await bench.ends({ ...OFFLINE, bytes: 500, recordingsSeen: 3 });
    expect(bench.contacts).toEqual([30, "gone"]);
  });

  test("end when a run ends offline, and when the schedule is paused", async () => {
    await using bench = await new Bench({ on_arrival: false }).open();
    bench.runs(true);
    await bench.ends({});
    await bench.wait(900);
    bench.runs(true);
    await bench.ends(OFFLINE);
    expect(bench.contacts).toEqual([0, "gone"]);
    bench.runs(true);
    await bench.ends({});
    await bench.change({ paused: true });
    expect(bench.contacts).toEqual([0, "gone", 900, "gone"]);
  });
});
