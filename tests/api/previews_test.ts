import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { startApp } from "../support/app/app.ts";
import { FakeClock } from "../support/app/clock.ts";

setDefaultTimeout(30_000);

const NOW = "2026-11-21T10:20:30Z";

async function ask(app: Awaited<ReturnType<typeof startApp>>, path: string): Promise<unknown> {
  const response = await app.client.fetch(path);
  expect(response.status).toBe(200);
  return response.json();
}

describe("the preview of a schedule", () => {
  const at = (...moments: string[]) => moments.map((moment) => Date.parse(moment));
  const preview = (cron: string, zone: string) =>
    `/api/schedule/preview?${new URLSearchParams({ cron_expression: cron, timezone: zone })}`;

  test("tells it in words, with its next three runs", async () => {
    await using app = await startApp({ clock: new FakeClock(NOW) });
    expect(await ask(app, preview("*/10 6-23 * * 1-5", "Australia/Sydney"))).toEqual({
      valid: true,
      words: "Every 10 minutes, between 06:00 and 23:59, Monday through Friday.",
      next: at("2026-11-22T19:00:00Z", "2026-11-22T19:10:00Z", "2026-11-22T19:20:00Z"),
      time_zone: "Australia/Sydney",
      now: Date.parse(NOW),
    });
  });

  test("is of the setting when nothing is asked for", async () => {
    await using app = await startApp({
      clock: new FakeClock(NOW),
      settings: { schedule: { cron_expression: "0 3 * * *" } },
    });
    expect(await ask(app, "/api/schedule/preview")).toMatchObject({
      valid: true,
      next: at("2026-11-22T03:00:00Z", "2026-11-23T03:00:00Z", "2026-11-24T03:00:00Z"),
      time_zone: "UTC",
    });
  });

  const wrong: [cron: string, zone: string, field: string, says: string][] = [
    ["*/10 *", "UTC", "cron_expression", '"*/10 *" has 2 fields'],
    ["61 * * * *", "UTC", "cron_expression", 'The minute field "61" holds 61, outside 0-59.'],
    ["0 0 30 2 *", "UTC", "cron_expression", 'The schedule "0 0 30 2 *" never fires'],
    ["", "UTC", "cron_expression", '"" has'],
    ["* * * * *", "Mars/Olympus", "timezone", '"Mars/Olympus" is not a known time zone'],
    ["61 * * * *", "", "timezone", "The time zone is empty"],
  ];
  for (const [cron, zone, field, says] of wrong)
    test(`says what is wrong with ${JSON.stringify(cron)} in ${JSON.stringify(zone)}`, async () => {
      await using app = await startApp();
      const answer = await ask(app, preview(cron, zone));
      expect(answer).toEqual({ valid: false, field, problem: expect.stringContaining(says) });
      expect(answer).toEqual({ valid: false, field, problem: expect.stringMatching(/\.$/) });
    });

  test("is for those who are signed in", async () => {
    await using app = await startApp({ mode: "login", password: "correct horse battery staple" });
    for (const path of ["/api/schedule/preview", "/api/retention/preview"])
      expect((await app.client.fetch(path)).status).toBe(401);
  });
});

/** Each look at it comes so much later than the one before. */
class SlowClock extends FakeClock {
  lateBy = 0;
  #late = 0;

  override elapsed(): number {
    this.#late += this.lateBy;
    return super.elapsed() + this.#late;
  }
}

/** Fifty bytes each. */
function put(destination: string, ...paths: string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(destination, path)), { recursive: true });
    writeFileSync(join(destination, path), "x".repeat(50));
  }
}

describe("the preview of retention", () => {
  const preview = (keep: string) => `/api/retention/preview?${new URLSearchParams({ keep })}`;
  const OLD = ["20261106_235959_NF.mp4", "2026-11-01/20261101_100000_PF.mp4", "2026-11-01/20261101_100000_PR.mp4"];

  test("counts days in the zone that is asked about", async () => {
    const clock = new FakeClock(Date.UTC(2026, 10, 20, 23, 30));
    await using app = await startApp({ clock, settings: { schedule: { timezone: "UTC" } } });
    const inZone = (timezone: string) => `${preview("2w")}&${new URLSearchParams({ timezone })}`;
    expect(await ask(app, preview("2w"))).toMatchObject({ cutoff: "2026-11-06" });
    expect(await ask(app, inZone("Pacific/Kiritimati"))).toMatchObject({ cutoff: "2026-11-07" });
    expect(await ask(app, inZone("Atlantis"))).toMatchObject({ valid: false });
  });

  test("counts what the next scheduled sync deletes, and that deletes just this", async () => {
    const clock = new FakeClock(NOW);
    await using app = await startApp({ clock, settings: { retention: { keep: "14d" } } });
    put(app.destination, ...OLD, "2026-11-01/20261101_100000_P.gps", "20261107_000000_NF.mp4");
    // Dashdock deletes none of these: a folder that the user made, a clock that was never set, a name of no recording.
    put(app.destination, "holiday/20260101_100000_NF.mp4", "19700101_000000_NF.mp4", "20260101.mp4");
    const days = { oldest: "2026-11-01", newest: "2026-11-06" };
    const before = { valid: true, cutoff: "2026-11-07", dry_run: false, recordings: 3, bytes: 150, ...days };
    expect(await ask(app, preview("2w"))).toMatchObject(before);
    expect(await ask(app, "/api/retention/preview")).toMatchObject(before);
    expect(await ask(app, preview("6w"))).toMatchObject({ cutoff: "2026-10-10", recordings: 0, bytes: 0 });
    expect(await ask(app, preview(""))).toMatchObject({ cutoff: null, recordings: 0, bytes: 0 });

    const count = () => app.app.library.recordingCount;
    await app.app.library.refresh();
    const all = count();
    app.app.job.start("schedule");
    await app.synced();
    await app.app.library.refresh();
    // The sample card is older than two weeks, so nothing comes.
    expect(all - count()).toBe(3);
    expect(await ask(app, preview("2w"))).toMatchObject({ recordings: 0 });
  });

  test("counts what is there when it is asked, since a page shows the answer until something else is typed", async () => {
    // The clock stands still: no time passes between the questions.
    await using app = await startApp({ clock: new FakeClock(NOW) });
    expect(await ask(app, preview("1d"))).toMatchObject({ recordings: null });
    put(app.destination, ...OLD);
    expect(await ask(app, preview("1d"))).toMatchObject({ recordings: 3, bytes: 150 });
    rmSync(join(app.destination, OLD[0] ?? ""));
    expect(await ask(app, preview("1d"))).toMatchObject({ recordings: 2, bytes: 100 });
  });

  test("leaves the size open when the disk is slow", async () => {
    const clock = new SlowClock(NOW);
    await using app = await startApp({ clock });
    put(app.destination, ...OLD);
    clock.lateBy = 1000;
    expect(await ask(app, preview("1d"))).toMatchObject({ recordings: 3, bytes: null });
    // Sizes measured meanwhile are remembered.
    clock.lateBy = 0;
    expect(await ask(app, preview("1d"))).toMatchObject({ recordings: 3, bytes: 150 });
    clock.lateBy = 1000;
    expect(await ask(app, preview("1d"))).toMatchObject({ recordings: 3, bytes: 150 });
  });

  test("says when the running service only pretends", async () => {
    await using first = await startApp({ settings: { system: { dry_run: true } } });
    // A dry run begins with the next start.
    expect(await ask(first, preview("2w"))).toMatchObject({ dry_run: false });
    await first.stop();
    await using second = await startApp({ folder: first.folder });
    expect(await ask(second, preview("2w"))).toMatchObject({ dry_run: true });
  });

  test("knows nothing while there is no folder", async () => {
    await using app = await startApp();
    expect(await ask(app, preview("2w"))).toMatchObject({ valid: true, recordings: null, bytes: null });
  });

  for (const keep of ["soon", "12h", "0", "2w2w", "999999w"])
    test(`says what is wrong with ${keep}`, async () => {
      await using app = await startApp();
      expect(await ask(app, preview(keep))).toEqual({
        valid: false,
        problem: expect.stringMatching(/^Keep recordings for is not usable: .*\.$/),
      });
    });
});
