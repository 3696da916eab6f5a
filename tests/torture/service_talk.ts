import { Client } from "../support/app/client.ts";
import { LISTENING } from "../support/app/service.ts";
import type { SettingsBook } from "./check_config.ts";
import type { Counters } from "./counters.ts";
import type { PlannedPatch } from "./plan_patches.ts";
import type { Program } from "./program.ts";

const LOOK_MS = 10;

/** A browser with the service open, as far as a round needs one. Everything fails when the service has ended. */
export class ServiceTalk {
  readonly #program: Program;
  readonly #counters: Counters;
  readonly #settings: SettingsBook;
  readonly #open: Promise<Client>;
  /** One change after the other: of two at once the last answer would not tell which one holds. */
  #patches: Promise<void> = Promise.resolve();

  constructor(program: Program, tools: { counters: Counters; settings: SettingsBook }) {
    this.#program = program;
    this.#counters = tools.counters;
    this.#settings = tools.settings;
    this.#open = this.#connect();
    // It may be killed before anything is asked.
    this.#open.catch(() => {});
  }

  async ready(): Promise<void> {
    await this.#open;
  }

  /** Starts a run and waits for its end; answers the state in which it ended. */
  async sync(): Promise<string> {
    const client = await this.#open;
    for (;;) {
      const started = await client.send("POST", "/api/sync/now");
      const answer = (await started.json()) as { job_id: string; code?: string };
      if (started.status === 202) return await this.#ended(answer.job_id);
      // The first run of all begins by itself.
      if (answer.code !== "SYNC_ALREADY_RUNNING")
        throw new Error(`the service answered Sync now with ${started.status}`);
      await Bun.sleep(LOOK_MS);
    }
  }

  /** Waits for the end of a job; answers the state in which it ended. */
  async #ended(job: string): Promise<string> {
    const client = await this.#open;
    for (;;) {
      const answer = await client.fetch("/api/sync/progress");
      const now = (await answer.json()) as { job_id: string; state: string };
      if (now.job_id !== job || now.state !== "running") return now.state;
      await Bun.sleep(LOOK_MS);
    }
  }

  /** Answer to a GET, as text of one byte a character. */
  async text(path: string, headers: Readonly<Record<string, string>>): Promise<string> {
    const client = await this.#open;
    const answer = await client.fetch(path, { headers });
    return Buffer.from(await answer.arrayBuffer()).toString("latin1");
  }

  /** Asks for anything; answers the status, and what the body says. */
  async ask(method: string, path: string, body?: unknown): Promise<{ status: number; body: Record<string, unknown> }> {
    const client = await this.#open;
    const answer = await client.send(method, path, body);
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  }

  async stop(): Promise<void> {
    const client = await this.#open;
    const answer = await client.send("POST", "/api/sync/stop");
    await answer.text();
    // The run may not have begun yet, or have ended just now.
    if (answer.status !== 202 && answer.status !== 404) throw new Error(`Stop was answered with ${answer.status}`);
  }

  patch(patch: PlannedPatch): Promise<void> {
    const turn = this.#patches.then(() => this.#patch(patch));
    this.#patches = turn.catch(() => {});
    return turn;
  }

  async #patch(patch: PlannedPatch): Promise<void> {
    const client = await this.#open;
    this.#settings.sent(patch);
    const answered = client.send("PATCH", `/api/settings/${patch.section}`, patch.body);
    // A moment later it is on its way.
    setImmediate(() => this.#counters.add("patch sent"));
    const answer = await answered;
    if (answer.status !== 200)
      throw new Error(`PATCH ${JSON.stringify(patch)} was answered with ${answer.status}: ${await answer.text()}`);
    this.#settings.acknowledged(patch);
    this.#counters.add("patch answered");
    await answer.text();
  }

  async #connect(): Promise<Client> {
    while (!LISTENING.test(this.#program.text)) {
      if (this.#program.hasEnded) throw new Error("the service ended before it listened");
      await Bun.sleep(LOOK_MS);
    }
    const client = new Client(LISTENING.exec(this.#program.text)?.[1] ?? "");
    await client.open("/");
    return client;
  }
}
