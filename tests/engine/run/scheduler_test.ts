import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { initialSettings, type Settings } from "../../../server/domain/settings/settings.ts";
import { Job } from "../../../server/engine/run/job.ts";
import { Scheduler, type ScheduleSource } from "../../../server/engine/run/scheduler.ts";
import type { Trigger } from "../../../server/engine/run/sync_rules.ts";
import { progressTopic } from "../../../server/engine/transfer/progress_report.ts";
import { Log } from "../../../server/log.ts";
import { Topic } from "../../../server/topic.ts";
import { FakeClock } from "../../support/app/clock.ts";

setDefaultTimeout(20_000);

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

type Schedule = Settings["schedule"];

/** Settings that change when the test says so, and that may hold what no check would let in. */
class Source implements ScheduleSource {
  readonly #topic: Topic<readonly [Settings, Settings]>;

  constructor(schedule: Partial<Schedule>) {
    const settings = with_(at_(initialSettings(), "192.0.2.1"), schedule);
    this.#topic = new Topic<readonly [Settings, Settings]>([settings, settings]);
  }

  get current(): Settings {
    return this.#topic.value[0];
  }

  set(schedule: Partial<Schedule>): void {
    this.#topic.set([with_(this.current, schedule), this.current]);
  }

  setAddress(address: string): void {
    this.#topic.set([at_(this.current, address), this.current]);
  }

  onChange(listener: (now: Settings, before: Settings) => void): () => void {
    return this.#topic.subscribe(([now, before]) => listener(now, before));
  }
}

function with_(settings: Settings, schedule: Partial<Schedule>): Settings {
  return { ...settings, schedule: { ...settings.schedule, ...schedule } };
}

function at_(settings: Settings, address: string): Settings {
  return { ...settings, connection: { ...settings.connection, address } };
}

/** A scheduler with a real job whose runs take `runMs`, by a clock that the test moves. */
class Bench {
  readonly clock: FakeClock;
  readonly source: Source;
  readonly log: Log;
  readonly job: Job;
  readonly scheduler: Scheduler;
  /** Starts of runs as ISO times, and their triggers. */
  readonly fired: string[] = [];
  readonly triggers: Trigger[] = [];

  constructor(at: string, schedule: Partial<Schedule> = {}, runMs = 1) {
    this.clock = new FakeClock(at);
    this.source = new Source(schedule);
    this.log = new Log(this.clock);
    this.job = new Job({
      clock: this.clock,
      log: this.log,
      topic: progressTopic(""),
      run: async (trigger, _report, signal) => {
        this.fired.push(new Date(this.clock.now()).toISOString());
        this.triggers.push(trigger);
        await this.clock.sleep(runMs, signal).catch(() => {});
        throw new Error("This run brings nothing home");
      },
    });
    const { clock, log, job, source: settings } = this;
    this.scheduler = new Scheduler({ clock, log, settings });
    this.scheduler.start(job);
  }

  /** Changes the schedule; the scheduler has heard of it when this resolves. */
  async change(schedule: Partial<Schedule>): Promise<void> {
    this.source.set(schedule);
    await new Promise((resolve) => setImmediate(resolve));
  }

  said(about: RegExp): string[] {
    return this.log.lines.map(({ message }) => message).filter((message) => about.test(message));
  }

  async close(): Promise<void> {
    await this.scheduler.close();
    await this.job.close();
  }
}

let open: Bench[];
beforeEach(() => {
  open = [];
});
afterEach(async () => {
  for (const bench of open) await bench.close();
});

function bench(...args: ConstructorParameters<typeof Bench>): Bench {
  const made = new Bench(...args);
  open.push(made);
  return made;
}

const at = (time: string) => `2026-06-07T${time}.000Z`;

describe("the scheduler", () => {
  test("fires on the minute of its schedule, by the trigger that may delete, and never at the start", async () => {
    const { clock, fired, triggers } = bench("2026-06-07T10:15:00Z");
    await clock.advance(45 * MINUTE);
    expect(fired).toEqual([at("10:30:00"), at("10:45:00"), at("11:00:00")]);
    expect(new Set(triggers)).toEqual(new Set(["schedule"]));
  });

  test("tells when it fires next, by the same reckoning", async () => {
    const { clock, scheduler, fired } = bench("2026-06-07T10:14:30Z", { cron_expression: "0 3 * * sun" });
    const { at: next, ...rest } = scheduler.next();
    expect(rest).toEqual({ paused: false, cron_expression: "0 3 * * sun", timezone: "UTC" });
    expect(new Date(next ?? 0).toISOString()).toBe("2026-06-14T03:00:00.000Z");
    await clock.advance((next ?? 0) - clock.now());
    expect(fired).toEqual(["2026-06-14T03:00:00.000Z"]);
  });

  test("while paused says so once per tick, in exactly these words, and starts nothing", async () => {
    const made = bench("2026-06-07T10:14:00Z", { paused: true });
    const { clock, fired, log } = made;
    await clock.advance(20 * MINUTE);
    expect(fired).toEqual([]);
    expect(log.lines.map(({ level, message }) => [level, message])).toEqual([
      ["INFO", "scheduled sync skipped: schedule is paused"],
      ["INFO", "scheduled sync skipped: schedule is paused"],
    ]);
    await made.change({ paused: false });
    await clock.advance(15 * MINUTE);
    expect(fired).toEqual([at("10:45:00")]);
  });

  test("starts nothing before a camera's address is set, says so once, and begins with the next tick after it", async () => {
    const { clock, source, fired, log } = bench("2026-06-07T10:14:00Z");
    source.setAddress("");
    await clock.advance(HOUR);
    expect(fired).toEqual([]);
    expect(log.lines.map(({ level, message }) => [level, message])).toEqual([
      ["INFO", "scheduled syncs are skipped until a camera address is set"],
    ]);
    source.setAddress("192.0.2.1");
    await clock.advance(15 * MINUTE);
    expect(fired).toEqual([at("11:15:00")]);
  });

  test("lets a running job be, says which, and does not make up for it", async () => {
    const made = bench("2026-06-07T10:14:00Z", {}, 20 * MINUTE);
    await made.clock.advance(MINUTE);
    const { job_id } = made.job.snapshot;
    await made.clock.advance(25 * MINUTE);
    expect(made.fired).toEqual([at("10:15:00")]);
    expect(made.said(/skipped/)).toEqual([`scheduled sync skipped: job ${job_id} is still running`]);
    await made.clock.advance(5 * MINUTE);
    expect(made.fired).toEqual([at("10:15:00"), at("10:45:00")]);
  });

  test("follows a change at once, whether the new time is sooner or later, and says both", async () => {
    const made = bench("2026-06-07T10:14:00Z", { cron_expression: "0 12 * * *" });
    await made.change({ cron_expression: "16 10 * * *" });
    await made.clock.advance(2 * MINUTE);
    expect(made.fired).toEqual([at("10:16:00")]);
    await made.change({ timezone: "Europe/Rome", cron_expression: "18 12 * * *" });
    await made.clock.advance(HOUR);
    expect(made.fired).toEqual([at("10:16:00"), at("10:18:00")]);
    expect(made.said(/^Schedule changed/)).toEqual([
      'Schedule changed from "0 12 * * *" (UTC) to "16 10 * * *" (UTC)',
      'Schedule changed from "16 10 * * *" (UTC) to "18 12 * * *" (Europe/Rome)',
    ]);
  });

  test("does not start anew for a change of something else", async () => {
    const made = bench("2026-06-07T10:14:00Z");
    await made.change({});
    await made.change({ paused: true });
    await made.change({ paused: false });
    await made.clock.advance(MINUTE);
    expect([made.fired, made.said(/changed/)]).toEqual([[at("10:15:00")], []]);
  });

  test("falls back to every quarter of an hour in UTC when the stored schedule cannot be read", async () => {
    for (const schedule of [{ cron_expression: "61 * * * *" }, { timezone: "Foo/Bar", cron_expression: "5 * * * *" }]) {
      const { clock, fired, scheduler } = bench("2026-06-07T10:14:00Z", schedule);
      expect(scheduler.next()).toMatchObject({ cron_expression: "*/15 * * * *", timezone: "UTC" });
      await clock.advance(20 * MINUTE);
      expect(fired).toEqual([at("10:15:00"), at("10:30:00")]);
    }
  });

  test("waits for ever for a day that never comes, and wakes up when that changes", async () => {
    const made = bench("2026-06-07T10:14:00Z", { cron_expression: "0 0 30 2 *" });
    const { clock, fired, scheduler } = made;
    expect(scheduler.next().at).toBeNull();
    await clock.advance(3 * HOUR);
    expect(fired).toEqual([]);
    await made.change({ cron_expression: "*/15 * * * *" });
    await clock.advance(2 * MINUTE);
    expect(fired).toEqual([at("13:15:00")]);
  });

  test("does nothing more once it is closed", async () => {
    const made = bench("2026-06-07T10:14:00Z");
    await made.scheduler.close();
    await made.clock.advance(HOUR);
    expect([made.fired, made.clock.sleeping]).toEqual([[], 0]);
  });
});

describe("when the wall clock is moved", () => {
  test("a late wake-up, as after a suspend, runs once and then as planned", async () => {
    const { clock, fired } = bench("2026-06-07T10:14:00Z");
    clock.jump(3 * HOUR);
    await clock.advance(30_000);
    expect(fired).toEqual([at("13:14:30")]);
    await clock.advance(MINUTE);
    expect(fired).toEqual([at("13:14:30"), at("13:15:00")]);
  });

  test("set forward by less than the time left, it fires at the new clock's time", async () => {
    const { clock, fired } = bench("2026-06-07T10:10:00Z");
    clock.jump(2 * MINUTE);
    await clock.advance(3 * MINUTE);
    expect(fired).toEqual([at("10:15:00")]);
  });

  test("set back, it does not wait for a time reckoned from the future", async () => {
    const { clock, fired } = bench("2026-06-07T10:14:00Z");
    clock.jump(-24 * HOUR);
    await clock.advance(5 * MINUTE);
    expect(fired).toEqual(["2026-06-06T10:15:00.000Z"]);
  });

  test("set back by a second right after a tick, it does not fire twice", async () => {
    const { clock, fired } = bench("2026-06-07T10:14:00Z");
    await clock.advance(MINUTE);
    clock.jump(-1000);
    await clock.advance(5 * MINUTE);
    expect(fired).toEqual([at("10:15:00")]);
  });
});

describe("on the days on which the clocks change", () => {
  const rows: [name: string, from: string, schedule: Partial<Schedule>, hours: number, fired: string[]][] = [
    [
      "a time that is skipped runs right after the gap",
      "2026-03-28T23:00:00Z",
      { cron_expression: "30 2 * * *", timezone: "Europe/Rome" },
      26,
      ["2026-03-29T01:00:00.000Z", "2026-03-30T00:30:00.000Z"],
    ],
    [
      "several skipped times run once together",
      "2026-03-29T00:50:00Z",
      { cron_expression: "*/20 2,3 * * *", timezone: "Europe/Rome" },
      1,
      ["2026-03-29T01:00:00.000Z", "2026-03-29T01:20:00.000Z", "2026-03-29T01:40:00.000Z"],
    ],
    [
      "a time that comes twice runs once",
      "2026-10-24T23:00:00Z",
      { cron_expression: "30 2 * * *", timezone: "Europe/Rome" },
      27,
      ["2026-10-25T00:30:00.000Z", "2026-10-26T01:30:00.000Z"],
    ],
    [
      "a gap of half an hour is one too",
      "2026-10-03T14:00:00Z",
      { cron_expression: "15 2 * * *", timezone: "Australia/Lord_Howe" },
      2,
      ["2026-10-03T15:30:00.000Z"],
    ],
  ];
  for (const [name, from, schedule, hours, expected] of rows)
    test(name, async () => {
      const { clock, fired } = bench(from, schedule);
      await clock.advance(hours * HOUR);
      expect(fired).toEqual(expected);
    });
});
