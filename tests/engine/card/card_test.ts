import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { momentKey, momentNumber } from "../../../server/domain/recordings/moment_number.ts";
import { nameOf } from "../../../server/domain/recordings/recording_name.ts";
import { Card, type CardSources } from "../../../server/engine/card/card.ts";
import { CardWatch } from "../../../server/engine/card/card_watch.ts";
import { GivenUp } from "../../../server/engine/card/given_up.ts";
import { CardHistoryFile } from "../../../server/store/config/card_history_file.ts";
import { GivenUpFile } from "../../../server/store/config/given_up_file.ts";
import { type RunningApp, startApp } from "../../support/app/app.ts";
import { FakeClock } from "../../support/app/clock.ts";
import { checksumsTaken } from "../../support/app/staged_card.ts";
import { cardOf, VIDEOS } from "../../support/app/sync.ts";

setDefaultTimeout(30_000);

/** An hour after the recordings. */
const START = "2026-06-07T11:14:00Z";
const [FIRST = "", SECOND = "", THIRD = "", FOURTH = ""] = VIDEOS;

/** A service whose recordings are home, and its card; all that came has its checksums unless told otherwise. */
class Bench implements AsyncDisposable {
  readonly clock: FakeClock;
  readonly running: RunningApp;
  readonly card: Card;
  readonly unchecked = new Set<string>();
  readonly damaged = new Set<string>();
  isChecking = true;
  #version = 0;

  private constructor(clock: FakeClock, running: RunningApp) {
    this.clock = clock;
    this.running = running;
    const { app, folder } = running;
    const file = new CardHistoryFile(join(folder, "config", "card-history.txt"), app.log);
    this.card = new Card({
      clock,
      address: () => app.dashcam.address,
      listed: app.listed,
      library: app.library,
      history: app.history,
      arrival: app.arrival,
      isAnother: () => app.cameraSettings.otherAt(app.dashcam.address) !== null,
      ledger: app.ledger,
      checksums: this.#checksums(app),
      watch: new CardWatch({ clock, file }),
      file,
      givenUp: new GivenUp(new GivenUpFile(join(folder, "given-up.json"), app.log)),
      otherCard: async () => {},
      lengths: async () => () => null,
    });
  }

  static async start(options: Parameters<typeof startApp>[0] = {}): Promise<Bench> {
    const clock = new FakeClock(START);
    const settings = { retention: { keep: "" }, ...options.settings };
    const running = await startApp({ clock, card: cardOf(VIDEOS), ...options, settings });
    return new Bench(clock, running);
  }

  /** The checksums as they are, but for what a test says of them. */
  #checksums({ checksums }: RunningApp["app"]): CardSources["checksums"] {
    const between = (from: number, to: number) =>
      checksums.sums
        .between(from, to)
        .map((file) => ({ ...file, name: nameOf(momentKey(file.moment), file.ending) }))
        .filter(({ name }) => this.isChecking && !this.unchecked.has(name))
        .map((file) => ({ ...file, isDamaged: file.isDamaged || this.damaged.has(file.name) }));
    const next = () => this.#version++;
    return {
      get version() {
        return next();
      },
      lookAgain: () => {},
      doubt: (path) => checksums.doubt(path),
      sums: { between },
    };
  }

  async sync(): Promise<void> {
    const { app, synced } = this.running;
    app.job.start("manual");
    await synced();
    await checksumsTaken(app, this.clock);
  }

  /** Time passes, and nothing that waits for it begins. */
  pass(ms: number): void {
    this.clock.pass(ms);
  }

  /** Everything that speaks against formatting; nothing when it is safe. */
  async against(): Promise<readonly string[]> {
    const { isSafe, against } = await this.card.read();
    expect(isSafe).toBe(against.length === 0);
    return against;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.running[Symbol.asyncDispose]();
  }
}

describe("The card is safe to format", () => {
  test("when all of it is home with its checksums, for ten minutes after the list", async () => {
    await using bench = await Bench.start();
    expect(await bench.against()).toEqual(["no_list", "home_unknown"]);
    await bench.sync();
    expect(await bench.against()).toEqual([]);
    expect((await bench.card.read()).content?.parts).toMatchObject({ home: 4, coming: 0, not_checked: 0 });
    const listed = (await bench.card.read()).listedAt ?? 0;
    bench.pass(listed + 600_000 - bench.clock.now());
    expect(await bench.against()).toEqual([]);
    bench.pass(1);
    expect(await bench.against()).toEqual(["old_list"]);
    await bench.sync();
    expect(await bench.against()).toEqual([]);
  });

  test("not after a restart, until the camera was asked again", async () => {
    await using bench = await Bench.start();
    await bench.sync();
    await bench.running.stop();
    const { folder, simulator } = bench.running;
    await using again = await startApp({ clock: bench.clock, folder, destination: bench.running.destination });
    await again.app.settings.update((latest) => ({
      ...latest,
      connection: { ...latest.connection, address: simulator.address },
    }));
    const { against, content, listedAt } = await (await again.app.card()).read();
    expect(against).toContain("no_list");
    expect(content?.parts).toMatchObject({ home: 4, not_checked: 0 });
    expect(Math.abs((listedAt ?? 0) - Date.parse(START))).toBeLessThan(5000);
  });

  test("not by a clock that was set back, nor one that stands still while the machine sleeps", async () => {
    await using bench = await Bench.start();
    await bench.sync();
    bench.clock.jump(-3600_000);
    expect(await bench.against()).toEqual(["old_list"]);
    bench.clock.jump(3600_000);
    expect(await bench.against()).toEqual([]);
    bench.clock.suspend(601_000);
    expect(await bench.against()).toEqual(["old_list"]);
  });

  test("not while one checksum is missing, or none is known, or a file is damaged", async () => {
    await using bench = await Bench.start();
    await bench.sync();
    bench.unchecked.add(THIRD);
    expect(await bench.against()).toEqual(["not_checked"]);
    bench.unchecked.clear();
    bench.damaged.add(SECOND);
    expect(await bench.against()).toEqual(["coming"]);
    bench.damaged.clear();
    expect(await bench.against()).toEqual([]);
    bench.isChecking = false;
    expect(await bench.against()).toEqual(["not_checked"]);
  });

  test("not when a file at home has become empty or shorter, without anyone having read it", async () => {
    await using bench = await Bench.start();
    await bench.sync();
    expect(await bench.against()).toEqual([]);
    const { app, destination } = bench.running;
    const pathOf = (name: string) => join(destination, app.library.folderOf(name) ?? "", name);
    const elsewhere = join(bench.running.folder, "elsewhere.mp4");
    renameSync(pathOf(FIRST), elsewhere);
    symlinkSync(elsewhere, pathOf(FIRST));
    expect(await bench.against()).toEqual([]);
    truncateSync(pathOf(SECOND), 0);
    expect(await bench.against()).toEqual(["not_checked"]);
    await checksumsTaken(app, bench.clock);
    expect(app.checksums.isDamaged(SECOND)).toBe(true);
    expect(await bench.against()).toEqual(["coming"]);
    await bench.sync();
    expect(await bench.against()).toEqual([]);
  });

  test("not with a recording that the camera cannot read, until it is given up, and again when it is waited for", async () => {
    await using bench = await Bench.start();
    bench.running.simulator.fault({ name: "error-500", match: new RegExp(SECOND) });
    await bench.sync();
    expect(await bench.against()).toEqual(["unreadable"]);
    const { content } = await bench.card.read();
    expect(content?.names.unreadable).toEqual([SECOND]);
    await bench.card.giveUp((content?.names.unreadable ?? []).map(momentNumber));
    expect(await bench.against()).toEqual([]);
    expect((await bench.card.read()).content?.parts.left_out.given_up).toBe(1);
    await bench.card.waitAgain([momentNumber(SECOND)]);
    expect(await bench.against()).toEqual(["unreadable"]);
  });

  test("not while a thumbnail is to come", async () => {
    await using bench = await Bench.start();
    bench.running.simulator.fault({ name: "error-500", match: /thm/ });
    await bench.sync();
    expect(await bench.against()).toEqual(["coming"]);
  });

  test("whatever the rules leave out, with how much that is", async () => {
    await using bench = await Bench.start({ settings: { sync: { exclude: ["E"] } } });
    await bench.sync();
    expect(await bench.against()).toEqual([]);
    expect((await bench.card.read()).content?.parts).toMatchObject({ home: 2, left_out: { selection: 2 } });
    await bench.running.app.settings.update((latest) => ({ ...latest, sync: { ...latest.sync, exclude: [] } }));
    expect(await bench.against()).toEqual(["coming"]);
  });

  test("not while a recording grows", async () => {
    await using bench = await Bench.start();
    bench.running.simulator.fault({ name: "growing", match: new RegExp(FOURTH), times: 100, value: 2000 });
    await bench.sync();
    expect(await bench.against()).toEqual(["coming"]);
  });

  test("not while the camera may be recording, as when it listed one of this minute", async () => {
    await using bench = await Bench.start();
    bench.running.simulator.card.record("20260607_111330_NF.mp4");
    await bench.sync();
    expect(await bench.against()).toEqual(["recording"]);
    const listed = (await bench.card.read()).listedAt ?? 0;
    bench.pass(listed + 74_999 - bench.clock.now());
    await bench.sync();
    expect(await bench.against()).toEqual(["recording"]);
    bench.pass(1);
    await bench.sync();
    expect(await bench.against()).toEqual([]);
  });

  test("not after a list that is cut off, empty, or of something else, though one before was good", async () => {
    for (const [fault, against] of [
      ["list-cut", ["list_cut"]],
      ["list-empty", ["list_cut"]],
      ["list-html", []],
    ] as const) {
      await using bench = await Bench.start();
      await bench.sync();
      const heal = bench.running.simulator.fault({ name: fault });
      await bench.sync();
      // An answer that is no list says nothing: the last one holds as long as it would have.
      expect(await bench.against()).toEqual([...against]);
      heal();
      await bench.sync();
      expect(await bench.against()).toEqual([]);
    }
  });

  test("not by a list that lacks what was to come, until the next one lacks it too", async () => {
    await using bench = await Bench.start();
    const { simulator } = bench.running;
    const heal = simulator.fault({ name: "error-500", match: new RegExp(FIRST) });
    await bench.sync();
    expect(await bench.against()).toEqual(["unreadable"]);
    simulator.card.remove(FIRST);
    heal();
    await bench.sync();
    expect(await bench.against()).toEqual(["list_cut"]);
    await bench.sync();
    expect(await bench.against()).toEqual([]);
  });

  test("not with an empty card: a camera that cannot read its card lists nothing, too", async () => {
    await using bench = await Bench.start({ card: cardOf([]) });
    await bench.sync();
    expect(await bench.against()).toEqual(["empty"]);
  });

  test("not with a recording that is listed, and that the camera does not have", async () => {
    await using bench = await Bench.start();
    const heal = bench.running.simulator.fault({ name: "not-found", match: new RegExp(SECOND) });
    await bench.sync();
    expect(await bench.against()).toEqual(["unreadable"]);
    heal();
    await bench.sync();
    expect(await bench.against()).toEqual([]);
  });

  test("with an empty one, which has nothing to lose, but not with the newest: it may have just begun", async () => {
    for (const [name, against] of [
      [FIRST, []],
      [FOURTH, ["unreadable"]],
    ] as const) {
      await using bench = await Bench.start();
      bench.running.simulator.fault({ name: "empty-204", match: new RegExp(name) });
      await bench.sync();
      expect(await bench.against()).toEqual([...against]);
    }
  });

  test("not with a recording whose name has a date that never was", async () => {
    await using bench = await Bench.start();
    bench.running.simulator.fault({ name: "list-impossible-dates" });
    await bench.sync();
    expect(await bench.against()).toEqual(["unknown"]);
  });

  test("not with a name that nobody knows", async () => {
    await using bench = await Bench.start();
    bench.running.simulator.card.add("20260607_101500_timelapse.mp4", 1000);
    await bench.sync();
    expect(await bench.against()).toEqual(["unknown"]);
  });

  test("not when a recording was taken away by hand since", async () => {
    await using bench = await Bench.start();
    await bench.sync();
    const folder = bench.running.app.library.folderOf(FIRST) ?? "";
    rmSync(join(bench.running.destination, folder, FIRST));
    bench.pass(5000);
    expect(await bench.against()).toEqual(["coming"]);
  });

  test("not when the recordings folder is another one, or gone", async () => {
    await using bench = await Bench.start();
    await bench.sync();
    rmSync(bench.running.destination, { recursive: true });
    bench.pass(5000);
    await bench.running.app.destination.check();
    expect(await bench.against()).toContain("home_unknown");
  });

  test("not with another camera’s address", async () => {
    await using bench = await Bench.start();
    await bench.sync();
    await bench.running.app.settings.update((latest) => ({
      ...latest,
      connection: { ...latest.connection, address: "192.0.2.1" },
    }));
    expect(await bench.against()).toEqual(["no_list", "home_unknown"]);
  });

  test("not when the camera left since", async () => {
    await using bench = await Bench.start();
    await bench.sync();
    await bench.running.simulator.goAway();
    await bench.sync();
    expect(await bench.against()).toEqual(["has_left"]);
  });

  test("not while the ledger cannot be used", async () => {
    await using bench = await Bench.start();
    await bench.sync();
    await bench.running.stop();
    const path = join(bench.running.folder, "config", "ledger.db");
    rmSync(path);
    writeFileSync(path, "");
    const { Database } = await import("bun:sqlite");
    const newer = new Database(path);
    newer.run("pragma user_version = 1000");
    newer.close();
    await using again = await startApp({ clock: bench.clock, folder: bench.running.folder, card: cardOf(VIDEOS) });
    again.app.job.start("manual");
    await again.synced();
    const { against, ledgerProblem } = await (await again.app.card()).read();
    expect(against).toContain("ledger_unknown");
    expect(ledgerProblem).toContain("ledger.db");
  });
});

describe("The question about the card", () => {
  test("holds it back until it is answered; another card begins a new history", async () => {
    await using bench = await Bench.start({ card: cardOf(VIDEOS) });
    const { simulator, folder } = bench.running;
    simulator.fault({ name: "error-500", match: new RegExp(FIRST) });
    await bench.sync();
    for (const name of [...simulator.card.files.keys()]) simulator.card.remove(name);
    simulator.card.record("20260607_111700_NF.mp4");
    bench.pass(600_000);
    await bench.sync();
    expect(await bench.against()).toContain("question");
    const { question } = await bench.card.read();
    expect(question).toMatchObject({ recordings: 1, likely: "formatted" });
    const file = new CardHistoryFile(join(folder, "config", "card-history.txt"), bench.running.app.log);
    expect((await file.read())?.videos).toHaveLength(5);
    expect(await bench.card.answer("other_card", "admin")).toBe(true);
    expect((await file.read())?.videos).toHaveLength(0);
    expect(await bench.card.answer("formatted", "admin")).toBe(false);
    await bench.sync();
    expect(await bench.against()).toEqual([]);
  });
});
