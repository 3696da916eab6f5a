import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Settings } from "../../server/domain/settings/settings.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";

setDefaultTimeout(20_000);

const OLD = "20200101_000000_NF.mp4";

/** A folder of a service with this settings file and one old recording. */
class Home {
  readonly folder = mkdtempSync(join(tmpdir(), "dashdock-test-"));
  readonly settings = join(this.folder, "config", "settings.json");
  readonly old = join(this.folder, "recordings", OLD);

  constructor(stored: object) {
    for (const name of ["config", "recordings"]) mkdirSync(join(this.folder, name));
    writeFileSync(this.settings, JSON.stringify(stored), { mode: 0o600 });
    writeFileSync(this.old, "old");
  }

  get stored(): Settings {
    return JSON.parse(readFileSync(this.settings, "utf8"));
  }

  start(): Promise<RunningApp> {
    return startApp({ folder: this.folder });
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Tells if a scheduled sync leaves the old recording at home. */
async function isLeft(app: RunningApp, home: Home): Promise<boolean> {
  app.app.job.start("schedule");
  await app.synced();
  return existsSync(home.old);
}

interface Told {
  mood: string;
  unusable_settings: { section: string; sentence: string }[];
}
async function told(app: RunningApp): Promise<Told & { page: string }> {
  const answer = (await (await app.client.fetch("/api/overview")).json()) as Told;
  const page = await (await app.client.fetch("/")).text();
  return { ...answer, page };
}

const KEEPS: [keep: unknown, isLeft: boolean][] = [
  ["forever", true],
  [365, true],
  [null, true],
  ["1 parsec", true],
  ["", true],
  ["100 years", true],
  ["2 Weeks", false],
  ["1y", false],
];
test.each(KEEPS)("with retention.keep %j in the file an old recording is left: %j", async (keep, left) => {
  using home = new Home({ version: 2, retention: { keep } });
  await using app = await home.start();
  expect(await isLeft(app, home)).toBe(left);
});

test("an unusable keep is said on the dashboard until it is set, also after a restart", async () => {
  using home = new Home({ version: 2, retention: { keep: "forever" } });
  const sentence =
    'The settings file says "forever" for “Keep recordings for”, which cannot be used. Nothing is deleted until it is set.';
  for (let start = 0; start < 2; start++) {
    await using app = await home.start();
    expect(await isLeft(app, home)).toBe(true);
    const { mood, unusable_settings, page } = await told(app);
    expect([mood, unusable_settings]).toEqual(["attention", [{ section: "retention", sentence }]]);
    expect(page).toContain(sentence.replaceAll('"', "&quot;"));
    expect(page).toContain('<a href="/settings#retention">');
    expect(home.stored.retention.keep).toBe("forever");
  }
  await using app = await home.start();
  await app.client.open("/");
  expect((await app.client.send("PATCH", "/api/settings/retention", { keep: "2w" })).status).toBe(200);
  const { mood, unusable_settings, page } = await told(app);
  expect([mood, unusable_settings]).toEqual(["waiting", []]);
  expect(page).not.toContain("The settings file says");
  expect(home.stored.retention.keep).toBe("2w");
  expect(await isLeft(app, home)).toBe(false);
});

test("an unusable dry_run is on: nothing comes home, nothing is deleted, and it is said", async () => {
  using home = new Home({ version: 2, system: { dry_run: "no" }, retention: { keep: "1w" } });
  await using app = await home.start();
  expect(await isLeft(app, home)).toBe(true);
  expect(app.app.job.snapshot.files_completed).toBe(0);
  expect((await told(app)).unusable_settings).toMatchObject([{ section: "system" }]);
});

test("unusable days of history drop no run", async () => {
  using home = new Home({ version: 2, stats: { retention_days: null } });
  await using app = await home.start();
  expect(app.app.settings.current.stats.retention_days).toBe(0);
  expect((await told(app)).unusable_settings).toMatchObject([{ section: "stats" }]);
});
