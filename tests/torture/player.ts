import { linkSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LIST_PATH } from "../../server/dashcam/legacy.ts";
import { HistoryBook, SettingsBook } from "./check_config.ts";
import { checkFiles } from "./check_files.ts";
import { checkLedger } from "./check_ledger.ts";
import type { Counters } from "./counters.ts";
import type { Happening, PlannedCommand, Visit } from "./plan.ts";
import { type Ended, Program } from "./program.ts";
import { foreignBytes, type Scene } from "./scene.ts";
import { ServiceTalk } from "./service_talk.ts";
import { lookAt } from "./tree.ts";

/** Until its first sign a program may need so long on a busy machine, and after a signal to end in good order. */
const START_MS = 15_000;
const LAST_MS = 7000;
/** Seconds that the program waits for an answer: longer than this machine is ever busy with other work. */
const PATIENT_SECONDS = 8;
/** A visit is long when a fault makes everything slow; what comes after is more of the same. */
const MOST_MS = 3000;
/** Most time that an undisturbed run may need for a round's few megabytes. */
const UNDISTURBED_MS = 40_000;
const LOOK_MS = 20;
/** Paths of the list with either interface. */
const LISTS: readonly string[] = [LIST_PATH, "/vodList"];

/** Result of a visit, for the log of a round that went wrong. */
export interface Played {
  wrong: string[];
  killed: boolean;
  /** Killed while something was under way in the trash. */
  isInside?: boolean;
  story: string;
}

/** Plays the visits of one round, one after the other, and looks at everything after each. */
export class Player {
  readonly #scene: Scene;
  readonly #counters: Counters;
  readonly #settings: SettingsBook;
  readonly #history: HistoryBook;
  readonly #home: string;

  constructor(scene: Scene, counters: Counters) {
    this.#scene = scene;
    this.#counters = counters;
    this.#home = join(scene.folder, "home");
    mkdirSync(this.#home);
    this.#settings = new SettingsBook(scene.config, {
      auth: { mode: "none" },
      connection: { address: scene.simulator.address, timeout_seconds: PATIENT_SECONDS },
      // Only what the round starts is to run.
      schedule: { cron_expression: "0 0 1 1 *", paused: true },
      sync: { include: [], exclude: [], skip_metadata: [], retry_failed_after: "1s" },
      retention: { keep: "", max_used_disk_percent: 100 },
    });
    this.#history = new HistoryBook(scene.config, join(this.#home, "history"));
  }

  /** One visit with everything that goes wrong in it. */
  async visit(visit: Visit): Promise<Played> {
    const scene = this.#scene;
    for (const change of visit.card) scene.change(change);
    if (visit.isUpdated) scene.update();
    this.#arm(visit);
    const turn = new Turn(this.#start(visit.by), this.#counters, { quietMs: visit.waitMs, allMs: MOST_MS });
    const service = visit.by === "service" ? this.#talkTo(turn) : null;
    for (const { at, what } of visit.happenings)
      this.#counters.when(at, () => turn.also(this.#happen(what, turn, service)));
    if (visit.end) {
      const { at, signal, delayMs } = visit.end;
      this.#counters.when(at, () => turn.end(signal, delayMs));
    }
    if (service) turn.also(this.#serve(service, turn, visit.end !== null));
    const ended = await turn.over();
    await this.#calm();
    const wrong = [...turn.wrong, ...endProblems(visit, turn, ended), ...(await this.#check(false))];
    return { wrong, killed: ended.signal === "SIGKILL", story: storyOf(turn, ended) };
  }

  /** The last run: nothing goes wrong any more, so everything must be at home afterwards. */
  async finish(by: "service" | "command"): Promise<Played> {
    await this.#calm();
    this.#counters.restart();
    // A failure is tried again after a second at the earliest.
    if (this.#scene.hasMarkers()) await Bun.sleep(1100);
    const plain = { grouping: "none", priority: "date", include: [], exclude: [], skip: "", verbose: 1 };
    const turn = new Turn(this.#start(by === "service" ? by : plain), this.#counters, {
      quietMs: UNDISTURBED_MS,
      allMs: UNDISTURBED_MS,
    });
    if (by === "service") turn.also(this.#serveToTheEnd(this.#talkTo(turn), turn));
    const ended = await turn.over();
    await this.#calm();
    if (ended.code !== 0) turn.wrong.push(`the undisturbed ${by} ended with ${ended.code ?? ended.signal}`);
    return { wrong: [...turn.wrong, ...(await this.#check(true))], killed: false, story: storyOf(turn, ended) };
  }

  async #check(complete: boolean): Promise<string[]> {
    const { config, card } = this.#scene;
    return [
      ...(await checkFiles(this.#scene, complete)),
      ...this.#settings.check(),
      ...this.#history.check(),
      ...checkLedger(config, join(this.#home, "ledger"), card.videos()),
    ];
  }

  #arm({ preallocated, faults, rate }: Visit): void {
    const { simulator, doubtful } = this.#scene;
    this.#counters.restart();
    simulator.requests.length = 0;
    simulator.rate = rate;
    if (preallocated) {
      const { name, from, until } = preallocated;
      const match = new RegExp(`/${name}$`);
      doubtful.add(name);
      simulator.fault({ name: "preallocated", match, after: from });
      // However often it comes back, it leaves before the end of this one.
      simulator.fault({ name: "goes-away", match, value: 0, after: until, times: Number.POSITIVE_INFINITY });
    }
    for (const { match, ...fault } of faults)
      simulator.fault({ ...fault, match: match === null ? undefined : new RegExp(match) });
  }

  /** Nothing goes wrong any more, and the camera is there. */
  async #calm(): Promise<void> {
    const { simulator } = this.#scene;
    simulator.clearFaults();
    simulator.rate = null;
    await simulator.quiet();
    await simulator.comeBack();
  }

  #start(by: Visit["by"]): Program {
    const { config, destination, simulator } = this.#scene;
    const service = ["serve", "--config", config, "--destination", destination, "--port", "0", "--host", "127.0.0.1"];
    const args = by === "service" ? service : ["sync", simulator.address, "-d", destination, ...optionsOf(by)];
    return new Program(args, { home: this.#home, onLine: () => this.#counters.add("line") });
  }

  #talkTo(turn: Turn): ServiceTalk {
    return new ServiceTalk(turn.program, { counters: this.#counters, settings: this.#settings });
  }

  /** Has the service run once, and ends it afterwards when nothing else does. */
  async #serve(service: ServiceTalk, turn: Turn, isKilled: boolean): Promise<void> {
    await this.#run(service, turn);
    this.#counters.add("run ended");
    if (!turn.isEnding) turn.end(isKilled ? "SIGKILL" : "SIGTERM");
  }

  async #serveToTheEnd(service: ServiceTalk, turn: Turn): Promise<void> {
    const body = { include: [], exclude: [], skip_metadata: [], retry_failed_after: "1s" };
    await service.patch({ section: "sync", body });
    const state = await this.#run(service, turn);
    if (state !== "completed") turn.wrong.push(`the undisturbed run of the service ended as ${state}`);
    turn.end("SIGTERM");
  }

  /** One run of the service; answers how it ended. */
  async #run(service: ServiceTalk, turn: Turn): Promise<string> {
    await service.ready();
    this.#history.started();
    const { requests } = this.#scene.simulator;
    const from = requests.length;
    // A second program on the same folder may have asked too.
    const asked = () =>
      turn.rivals.length === 0 &&
      requests.slice(from).some(({ method, path }) => method === "GET" && LISTS.includes(path));
    try {
      const state = await service.sync();
      this.#history.ended();
      return state;
    } catch (error) {
      if (asked()) this.#history.began();
      throw error;
    }
  }

  async #happen(what: Happening, turn: Turn, service: ServiceTalk | null): Promise<void> {
    const { simulator, destination } = this.#scene;
    switch (what.does) {
      case "away":
        await simulator.goAway();
        if (what.forMs === null) return;
        await Bun.sleep(what.forMs);
        return simulator.comeBack();
      case "update":
        return this.#scene.update();
      case "stop":
        return service?.stop();
      case "patch":
        return service?.patch(what.patch);
      case "put":
        return this.#put(what.name, what.bytes);
      case "rival": {
        const args = ["sync", simulator.address, "-d", destination, "-u", "98", "-t", `${PATIENT_SECONDS}`];
        turn.rivals.push(new Program(args, { home: this.#home, onLine: () => {} }));
      }
    }
  }

  /** The user copies a file of a recording's name to where the program would put it, if there is none yet. */
  #put(name: string, bytes: number): void {
    const from = join(this.#home, "put");
    const to = this.#scene.at(name);
    writeFileSync(from, foreignBytes(`put ${name}`, bytes));
    try {
      linkSync(from, to);
      this.#scene.foreign.set(`recordings/${name}`, lookAt(to));
    } catch {
      // It came home before.
    }
    rmSync(from);
  }
}

/** Limits for a program that makes no progress: it is killed after so long without any, and after so long in all. */
interface AnswerLimits {
  quietMs: number;
  allMs: number;
}

/** One start of the program, to its end. */
class Turn {
  readonly program: Program;
  readonly rivals: Program[] = [];
  readonly wrong: string[] = [];
  readonly #counters: Counters;
  readonly #waitLimits: AnswerLimits;
  readonly #began = performance.now();
  #also: Promise<void>[] = [];
  #signal: string | null = null;
  #signalledAt = 0;
  #firstSignAt: number | null = null;

  constructor(program: Program, counters: Counters, waitLimits: AnswerLimits) {
    this.program = program;
    this.#counters = counters;
    this.#waitLimits = waitLimits;
  }

  get isEnding(): boolean {
    return this.#signal !== null || this.program.hasEnded;
  }

  /** The signal it was sent. */
  get signalled(): string | null {
    return this.#signal;
  }

  /** Adds work that goes on meanwhile. A failure because the program has ended does not count. */
  also(work: Promise<void>): void {
    const settled = work.catch((error: unknown) => {
      if (!this.isEnding) this.wrong.push(`${error instanceof Error ? error.message : error}`);
    });
    this.#also.push(settled);
  }

  end(signal: "SIGKILL" | "SIGTERM", delayMs = 0): void {
    if (this.#signal !== null) return;
    this.#signal = signal;
    this.#signalledAt = performance.now();
    if (delayMs === 0) this.program.signal(signal);
    else setTimeout(() => this.program.signal(signal), delayMs);
  }

  /** Resolves when the program and all work beside it have ended; kills what makes no progress. */
  async over(): Promise<Ended> {
    const looking = setInterval(() => this.#look(), LOOK_MS);
    const ended = await this.program.ended;
    clearInterval(looking);
    for (const rival of this.rivals) rival.signal("SIGKILL");
    await Promise.all([...this.#also, ...this.rivals.map((rival) => rival.ended)]);
    return ended;
  }

  #look(): void {
    const now = performance.now();
    if (this.#signal === "SIGTERM") {
      if (now - this.#signalledAt < LAST_MS) return;
      this.wrong.push("it did not end in good time after a SIGTERM");
      this.program.signal("SIGKILL");
      return;
    }
    if (this.#counters.of("request") + this.#counters.of("line") > 0) this.#firstSignAt ??= now;
    const { quietMs, allMs } = this.#waitLimits;
    const isLate = this.#firstSignAt === null ? now - this.#began > START_MS : now - this.#firstSignAt > allMs;
    if (isLate || (this.#firstSignAt !== null && this.#counters.quietMs > quietMs)) this.end("SIGKILL");
  }
}

function optionsOf(command: PlannedCommand): string[] {
  const { grouping, priority, include, exclude, skip, verbose } = command;
  const options = [
    "-u",
    "98",
    "-t",
    `${PATIENT_SECONDS}`,
    "--retry-failed-after",
    "1s",
    "-g",
    grouping,
    "-p",
    priority,
  ];
  if (include.length > 0) options.push("-i", include.join(","));
  if (exclude.length > 0) options.push("-e", exclude.join(","));
  if (skip !== "") options.push("--skip-metadata", skip);
  return [...options, ...Array.from({ length: verbose }, () => "-v")];
}

/** Problems in the way that a program ended. */
function* endProblems(visit: Visit, turn: Turn, { code, signal }: Ended): Generator<string> {
  if (signal === "SIGKILL") return;
  if (signal !== null) yield `it was ended by ${signal}`;
  else if (visit.by === "service") {
    if (turn.signalled === null) yield `the service ended by itself, with ${code}`;
    else if (code !== 0) yield `the service ended with ${code} after a ${turn.signalled}`;
  } else if (code === 3 || code === null || code > 3) yield `the command ended with ${code}: something unexpected`;
}

function storyOf(turn: Turn, { code, signal }: Ended): string {
  return `ended with ${code ?? signal}${turn.signalled ? `, sent ${turn.signalled}` : ""}\n${turn.program.text}`;
}
