import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SettingsBook } from "./check_config.ts";
import { checkFiles } from "./check_files.ts";
import type { Counters } from "./counters.ts";
import type { Dice } from "./dice.ts";
import type { Trigger } from "./plan.ts";
import type { Played } from "./player.ts";
import { Program } from "./program.ts";
import type { Scene } from "./scene.ts";
import { ServiceTalk } from "./service_talk.ts";
import type { Situation, Stage } from "./situations/situation.ts";

const SCHEDULING = join(import.meta.dir, "scheduling_service.ts");
/** A program that makes nothing of its time is given up after so long. */
const MOST_MS = 60_000;

/** Plays the visits of one situation, and looks at everything after each. */
export class SituationPlayer {
  readonly #scene: Scene;
  readonly #situation: Situation;
  readonly #counters: Counters;
  readonly #dice: Dice;
  readonly #home: string;
  readonly #settings: SettingsBook;
  #notes: string[] = [];
  #over: PromiseWithResolvers<void> = Promise.withResolvers();
  readonly #stage: Stage;

  constructor(scene: Scene, situation: Situation, tools: { counters: Counters; dice: Dice }) {
    this.#scene = scene;
    this.#situation = situation;
    this.#counters = tools.counters;
    this.#dice = tools.dice;
    this.#home = join(scene.folder, "home");
    mkdirSync(this.#home);
    const begins: Record<string, Record<string, unknown>> = {
      auth: { mode: "none" },
      connection: { address: scene.simulator.address, timeout_seconds: 8 },
      schedule: { cron_expression: "0 0 1 1 *", paused: true, timezone: "UTC" },
      sync: { retry_failed_after: "1s" },
      // This value counts as the user's choice.
      retention: { keep: "", max_used_disk_percent: 100 },
    };
    for (const [section, fields] of Object.entries(situation.settings))
      begins[section] = { ...begins[section], ...fields };
    this.#settings = new SettingsBook(scene.config, begins);
    this.#stage = {
      scene,
      dice: tools.dice.fork(1),
      note: (line) => this.#notes.push(line),
      sent: (bytes) =>
        Promise.race([
          new Promise<void>((resolve) => this.#counters.when({ of: "byte", count: bytes }, resolve)),
          this.#over.promise,
        ]),
      edit: (section, fields) => this.#edit(section, fields),
    };
  }

  async furnish(): Promise<void> {
    await this.#situation.furnish?.(this.#stage);
  }

  async visit(visit: number): Promise<Played> {
    const situation = this.#situation;
    this.#notes = [];
    await situation.before?.(this.#stage, visit);
    const kill = this.#planKill(visit);
    const played = await this.#play(situation.deletes(visit), kill, async (talk) => {
      if (situation.act) await situation.act(this.#stage, talk, visit);
      else await talk.sync();
    });
    const wrong = [...played.wrong, ...(await situation.after(this.#stage, visit)), ...(await this.#check())];
    return { ...played, wrong };
  }

  /** Nothing goes wrong any more. */
  async finish(): Promise<Played> {
    const situation = this.#situation;
    this.#notes = [];
    this.#scene.simulator.clearFaults();
    this.#scene.simulator.rate = null;
    // A failure is tried again after a second at the earliest.
    if (this.#scene.hasMarkers()) await Bun.sleep(1100);
    const played = await this.#play(situation.deletes(situation.visits), null, async (talk) => {
      if (situation.finish) await situation.finish(this.#stage, talk);
      else await talk.sync();
    });
    const after = await situation.after(this.#stage, situation.visits);
    const wrong = [...played.wrong, ...after, ...(await this.#check()), ...(await situation.check(this.#stage))];
    return { ...played, wrong };
  }

  /** The round is over. */
  end(isKept: boolean): void {
    this.#situation.end?.(this.#stage, isKept);
  }

  async #check(): Promise<string[]> {
    return [...(await checkFiles(this.#scene, false)), ...this.#settings.check()];
  }

  /** Plans a kill after so many bytes over the wire, after a line of the program, or after a while. */
  #planKill(visit: number): Trigger | { of: "ms"; count: number } | null {
    const dice = this.#dice.fork(100 + visit);
    if (dice.chance(0.2)) return null;
    const bytes = this.#situation.card.reduce((sum, video) => sum + video.bytes, 0);
    return dice.pick([
      { of: "byte", count: dice.spread(1, bytes) },
      { of: "byte", count: dice.spread(1, bytes) },
      { of: "request", count: dice.spread(1, 30) },
      { of: "line", count: dice.spread(2, 20) },
      { of: "ms", count: dice.spread(100, 2500) },
    ] as const);
  }

  async #play(
    deletes: boolean,
    planned: Trigger | { of: "ms"; count: number } | null,
    act: (talk: ServiceTalk) => Promise<void>,
  ): Promise<Played> {
    const { config, destination, simulator } = this.#scene;
    this.#counters.restart();
    this.#over = Promise.withResolvers();
    const wrong: string[] = [];
    const args = ["serve", "--config", config, "--destination", destination, "--port", "0", "--host", "127.0.0.1"];
    const options = { home: this.#home, onLine: () => this.#counters.add("line") };
    const program = new Program(args, deletes ? { ...options, main: SCHEDULING } : options);
    let isKilled = false;
    const kill = () => {
      if (isKilled) return;
      isKilled = true;
      program.signal("SIGKILL");
    };
    const tooLong = setTimeout(() => {
      wrong.push("it did not come to an end");
      kill();
    }, MOST_MS);
    let timer: Timer | undefined;
    if (planned?.of === "ms") timer = setTimeout(kill, planned.count);
    else if (planned !== null) this.#counters.when(planned, kill);
    void program.ended.then(() => this.#over.resolve());
    try {
      await act(new ServiceTalk(program, { counters: this.#counters, settings: this.#settings }));
    } catch (error) {
      if (!isKilled) wrong.push(`${error instanceof Error ? error.message : error}`);
    }
    this.#over.resolve();
    // The event that was to kill it may not have happened.
    if (planned !== null) kill();
    else program.signal("SIGTERM");
    const { code, signal } = await program.ended;
    clearTimeout(tooLong);
    clearTimeout(timer);
    if (!isKilled && code !== 0) wrong.push(`it ended with ${code ?? signal}`);
    await simulator.quiet();
    const story = `ended with ${code ?? signal}\n${this.#notes.join("\n")}\n${program.text}`;
    return { wrong, killed: isKilled, story };
  }

  #edit(section: string, fields: Readonly<Record<string, unknown>>): void {
    const path = join(this.#scene.config, "settings.json");
    const stored = JSON.parse(readFileSync(path, "utf8"));
    stored[section] = { ...stored[section], ...fields };
    writeFileSync(path, JSON.stringify(stored), { mode: 0o600 });
    this.#settings.sent({ section, body: fields } as never);
  }
}
