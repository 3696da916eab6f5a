import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { groupFolder } from "../../server/domain/recordings/date_folders.ts";
import { ageTrash } from "./aged_trash.ts";
import { HistoryBook, SettingsBook } from "./check_config.ts";
import { checkFiles } from "./check_files.ts";
import { Counters } from "./counters.ts";
import { Deeds } from "./deeds.ts";
import { DeletingBook } from "./deleting_book.ts";
import type { DeletingPlan, DeletingVisit } from "./deleting_plan.ts";
import { keepDays } from "./keep_days.ts";
import { Moves } from "./moves.ts";
import type { Played } from "./player.ts";
import { Program } from "./program.ts";
import type { Scene } from "./scene.ts";
import { ServiceTalk } from "./service_talk.ts";
import { namesAt, unfinishedWork } from "./whereabouts.ts";

const SCHEDULING = join(import.meta.dir, "scheduling_service.ts");
/** A program that makes nothing of its time is given up after so long. */
const MOST_MS = 30_000;
/** Until what was interrupted is brought to its end. */
const SETTLE_MS = 8000;
const LOOK_MS = 5;
/** The command's own time in the trash, days. */
const COMMAND_TRASH_DAYS = 7;

/** Plays the visits of a round in which recordings are deleted, and looks at everything after each. */
export class DeletingPlayer {
  readonly #scene: Scene;
  readonly #plan: DeletingPlan;
  readonly #home: string;
  readonly #counters = new Counters();
  readonly #settings: SettingsBook;
  readonly #history: HistoryBook;
  readonly #book: DeletingBook;

  constructor(scene: Scene, plan: DeletingPlan) {
    this.#scene = scene;
    this.#plan = plan;
    this.#home = join(scene.folder, "home");
    mkdirSync(this.#home);
    this.#settings = new SettingsBook(scene.config, {
      auth: { mode: "none" },
      connection: { address: scene.simulator.address, timeout_seconds: 8 },
      schedule: { cron_expression: "0 0 1 1 *", paused: true, timezone: "UTC" },
      sync: { grouping: plan.grouping },
      // This value counts as the user's choice.
      retention: { keep: "", trash_days: 7 },
    });
    this.#history = new HistoryBook(scene.config, join(this.#home, "history"));
    this.#book = new DeletingBook(scene.destination, {
      isForeign: (path) => scene.foreign.has(`recordings/${path}`),
      isOnCard: (name) => scene.card.files.has(name),
    });
  }

  /** Lays at home what is there before the first visit. */
  async furnish(): Promise<void> {
    const { card } = this.#scene;
    const keys = [...new Set(card.videos().map((name) => name.slice(0, 17)))];
    const here = new Set(keys.slice(0, Math.ceil(keys.length * this.#plan.atHome)));
    for (const name of card.names()) {
      if (!here.has(name.slice(0, 17))) continue;
      const folder = this.#scene.at(groupFolder(name, this.#plan.grouping));
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, name), await card.bytes(name));
    }
  }

  async visit(visit: DeletingVisit): Promise<Played> {
    this.#scene.change({ does: "overwrite", count: visit.overwritten });
    if (visit.aged > 0) ageTrash(this.#scene.destination, visit.aged);
    const isCommand = typeof visit.by === "object";
    if (isCommand) this.#book.begin(true, [COMMAND_TRASH_DAYS]);
    else this.#book.begin(visit.by === "scheduling");
    const moves = new Moves(this.#scene.destination);
    const wrong: string[] = [];
    let isKilled = false;
    let isInside = false;
    const program = this.#start(visit.by);
    const kill = () => {
      isKilled = true;
      program.signal("SIGKILL");
    };
    const arm = (deed: number) => {
      if (visit.kill?.deed !== deed) return;
      if (visit.kill.of === "inside") moves.whenInside(visit.kill.count, kill);
      else if (visit.kill.of === "moves") moves.when(visit.kill.count, kill);
      else setTimeout(kill, visit.kill.count);
    };
    const tooLong = setTimeout(() => {
      wrong.push("it did not come to an end");
      kill();
    }, MOST_MS);
    let told = "";
    if (isCommand) arm(0);
    else {
      const deeds = new Deeds(this.#scene, this.#book, this.#talkTo(program));
      try {
        await deeds.ready();
        this.#history.started();
        for (const [index, deed] of visit.deeds.entries()) {
          arm(index);
          await deeds.do(deed);
        }
        await deeds.over();
      } catch (error) {
        if (!isKilled) wrong.push(`${error instanceof Error ? error.message : error}`);
      }
      told = deeds.story;
      // The event that was to kill it may not have happened.
      if (visit.kill !== null) kill();
      else program.signal("SIGTERM");
    }
    const { code, signal } = await program.ended;
    clearTimeout(tooLong);
    moves.close();
    if (!isKilled && code !== 0) wrong.push(`it ended with ${code ?? signal}`);
    await this.#scene.simulator.quiet();
    let story = `ended with ${code ?? signal}\n${told}${program.text}`;
    if (isKilled) {
      const left = unfinishedWork(this.#scene.destination);
      isInside = left.length > 0;
      const settled = await this.#settle(visit.settles);
      wrong.push(...settled.wrong);
      story += `\nleft behind: ${left.join(", ") || "nothing"}; settled by the ${visit.settles}\n${settled.story}`;
    }
    return { wrong: [...wrong, ...(await this.#check())], killed: isKilled, isInside, story };
  }

  /** Nothing goes wrong any more, and nothing is deleted: what the camera has comes home, but for what was deleted. */
  async finish(): Promise<Played> {
    this.#book.begin(false);
    const program = this.#start("service");
    const deeds = new Deeds(this.#scene, this.#book, this.#talkTo(program));
    const wrong: string[] = [];
    try {
      await deeds.ready();
      this.#history.started();
      await deeds.do({ does: "retention", change: { cut: null, share: null, keep_event: "" } });
      await deeds.do({ does: "sync", waits: true });
      wrong.push(...(await this.#compareTrash(deeds)));
    } catch (error) {
      wrong.push(`${error instanceof Error ? error.message : error}`);
    }
    program.signal("SIGTERM");
    const { code, signal } = await program.ended;
    if (code !== 0) wrong.push(`the undisturbed service ended with ${code ?? signal}`);
    wrong.push(...(await this.#check()), ...this.#lacking());
    return { wrong, killed: false, story: deeds.story + program.text };
  }

  /** Starts what brings half states to their end, and ends it. */
  async #settle(by: DeletingVisit["settles"]): Promise<{ wrong: string[]; story: string }> {
    const wrong: string[] = [];
    if (by === "command") {
      this.#book.settledByCommand(COMMAND_TRASH_DAYS);
      const program = this.#start({ cut: -36_500, grouping: "none" });
      const { code } = await program.ended;
      if (code !== 0) wrong.push(`the command that settles ended with ${code}`);
      return { wrong, story: program.text };
    }
    const program = this.#start("service");
    const deeds = new Deeds(this.#scene, this.#book, this.#talkTo(program));
    try {
      await deeds.ready();
      this.#history.started();
      for (const began = performance.now(); performance.now() - began < SETTLE_MS; await Bun.sleep(LOOK_MS))
        if (unfinishedWork(this.#scene.destination).length === 0) break;
      wrong.push(...(await this.#compareTrash(deeds)));
    } catch (error) {
      wrong.push(`${error instanceof Error ? error.message : error}`);
    }
    program.signal("SIGTERM");
    const { code, signal } = await program.ended;
    if (code !== 0) wrong.push(`the service that settles ended with ${code ?? signal}`);
    return { wrong, story: program.text };
  }

  /** Compares the trash with the service's list of it: both must hold the same. */
  async #compareTrash(deeds: Deeds): Promise<string[]> {
    const told = new Set(await deeds.trashKeys());
    // Thumbnails and GPS without a video have no row.
    const filmed = this.#book
      .now()
      .trash.entries()
      .filter(([, places]) => [...namesAt(places)].some((name) => name.endsWith(".mp4")));
    const found = new Set(filmed.map(([key]) => key));
    const wrong = [...told.symmetricDifference(found)].slice(0, 5);
    return wrong.map((key) => `${key} is in the trash ${found.has(key) ? "and not told of" : "only as it is told"}`);
  }

  async #check(): Promise<string[]> {
    return [
      ...(await checkFiles(this.#scene, false)),
      ...this.#book.check(),
      ...this.#settings.check(),
      ...this.#history.check(),
    ];
  }

  *#lacking(): Generator<string> {
    const { home } = this.#book.now();
    for (const name of this.#scene.card.videos())
      if (!home.get(name.slice(0, 17))?.size && !this.#book.isRemembered(name.slice(0, 17)))
        yield `${name} did not come home`;
  }

  #start(by: DeletingVisit["by"]): Program {
    const { config, destination, simulator } = this.#scene;
    const options = { home: this.#home, onLine: () => this.#counters.add("line") };
    if (typeof by === "string") {
      const args = ["serve", "--config", config, "--destination", destination, "--port", "0", "--host", "127.0.0.1"];
      return new Program(args, by === "scheduling" ? { ...options, main: SCHEDULING } : options);
    }
    const keep = `${keepDays(by.cut)}d`;
    const args = [
      "sync",
      simulator.address,
      "-d",
      destination,
      "-u",
      "98",
      "-t",
      "8",
      "-g",
      by.grouping,
      "-k",
      keep,
      "-v",
    ];
    return new Program(args, options);
  }

  #talkTo(program: Program): ServiceTalk {
    return new ServiceTalk(program, { counters: this.#counters, settings: this.#settings });
  }
}
