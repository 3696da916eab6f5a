import { readFile } from "node:fs/promises";
import { type Clock, within } from "../../clock.ts";
import {
  type BrokerFailure,
  brokerProblemInWords,
  mayBeOlder,
  refusalInWords,
  TAKEN_OVER,
} from "../../domain/mqtt/broker_problem.ts";
import type { MqttState } from "../../domain/mqtt/mqtt_schema.ts";
import { brokerAt } from "../../domain/settings/mqtt_address.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { type Log, messageOf } from "../../log.ts";
import {
  type BrokerConnection,
  BrokerError,
  type BrokerLogin,
  connectBroker,
  type MqttVersion,
  type Order,
} from "../../remote/mqtt/broker.ts";

const LOGGER = "mqtt";
const MINUTE_MS = 60_000;
/** Pauses after tries that did not work; the last one from then on. */
const PAUSES_MS: readonly number[] = [1000, 2000, 5000, 10_000, 30_000, MINUTE_MS];
/** After so many short connections in a row there is more to say than that the last one was lost. */
const MANY_LOSSES = 3;
/** Codes of a connection that was ended without a word. */
const LOST_CODES: ReadonlySet<string> = new Set(["ECONNRESET", "EPIPE"]);
/** A connection of so long was a good one: the next pause is the first again. */
const GOOD_MS = MINUTE_MS;
/** Two programs with one id would end each other's connection for ever: the one that lost waits so long. */
const TAKEN_OVER_MS = 5 * MINUTE_MS;
/** After that a connection of so long was a good one: a little more than the other one has waited. */
const GOOD_AFTER_LOSSES_MS = 6 * MINUTE_MS;

export type LinkState = Pick<MqttState, "state" | "problem"> & {
  /** Epoch milliseconds. */
  readonly since: number;
  readonly version: MqttVersion | null;
};

export interface BrokerLinkParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: Settings["mqtt"];
  readonly clientId: string;
  readonly will: BrokerLogin["will"];
  /** Publishes what there is, at each connection. Errors end it. */
  readonly onConnect: (connection: BrokerConnection) => Promise<void>;
  readonly onOrder: (order: Order) => void;
}

/** Keeps a connection to the broker: it waits and tries again until it is closed. */
export class BrokerLink {
  readonly #parts: BrokerLinkParts;
  readonly #closing = new AbortController();
  #state: LinkState;
  #connection: BrokerConnection | null = null;
  #loop: Promise<void> = Promise.resolve();
  #version: MqttVersion = 5;
  /** Connections in a row that were lost soon. */
  #losses = 0;
  /** Problem of something that the broker did not take in this connection. */
  #refusal: string | null = null;
  /** Problems since the last good connection: the log says each only once, however they take turns. */
  readonly #told = new Set<string>();

  constructor(parts: BrokerLinkParts) {
    this.#parts = parts;
    this.#state = { state: "connecting", problem: null, since: parts.clock.now(), version: null };
  }

  start(): void {
    this.#loop = this.#work();
  }

  get state(): LinkState {
    return this.#state;
  }

  /** The connection; null while there is none. */
  get connection(): BrokerConnection | null {
    return this.#connection;
  }

  /** Tells that the broker has not taken something, where it said so. The connection stays. */
  refused(error: unknown): void {
    const problem = error instanceof BrokerError ? refusalInWords(error.failure) : null;
    if (problem === null || this.#connection === null || this.#refusal !== null) return;
    this.#refusal = problem;
    if (this.#state.state === "connected") this.#state = { ...this.#state, problem };
    this.#parts.log.warning(LOGGER, problem.replace(/\.$/, ""));
  }

  /** Ends it in order, after `last` has published what comes last. @param ms limit for that; then the last will says it */
  async close(last: (connection: BrokerConnection) => Promise<void>, ms: number): Promise<void> {
    const connection = this.#connection;
    if (connection !== null) {
      let isDone = false;
      const done = last(connection).then(
        () => {
          isDone = true;
        },
        () => {},
      );
      await within(this.#parts.clock, ms, done);
      if (isDone) await connection.end();
      else connection.cut();
    }
    this.#closing.abort();
    await this.#loop;
  }

  /** One more try where there is no connection, for what must be published though all is switched off. @throws BrokerError */
  async once(work: (connection: BrokerConnection) => Promise<void>, signal: AbortSignal): Promise<void> {
    const connection = await this.#connect(signal);
    try {
      await work(connection);
    } finally {
      await connection.end();
    }
  }

  async #work(): Promise<void> {
    const { clock } = this.#parts;
    const { signal } = this.#closing;
    let tries = 0;
    while (!signal.aborted) {
      const began = clock.elapsed();
      const failure = await this.#hold(signal);
      if (signal.aborted) return;
      if (clock.elapsed() - began >= GOOD_MS) tries = 0;
      const pause = PAUSES_MS[Math.min(tries, PAUSES_MS.length - 1)] ?? MINUTE_MS;
      tries += 1;
      const isTakenOver = failure?.reason === TAKEN_OVER || failure?.isRepeated === true;
      await clock.sleep(isTakenOver ? TAKEN_OVER_MS : pause, signal).catch(() => {});
    }
  }

  /** Connects, and resolves when the connection is over. */
  async #hold(signal: AbortSignal): Promise<BrokerFailure | null> {
    const { clock, log, onConnect } = this.#parts;
    try {
      const connection = await this.#connect(signal);
      this.#connection = connection;
      this.#refusal = null;
      const began = clock.elapsed();
      await onConnect(connection);
      this.#state = { state: "connected", problem: this.#refusal, since: clock.now(), version: this.#version };
      log.info(LOGGER, `Connected to the broker, with MQTT ${this.#version === 5 ? "5" : "3.1.1"}`);
      if (this.#losses < MANY_LOSSES) this.#told.clear();
      const failure = await connection.closed;
      if (failure === null) return null;
      return this.#failed(this.#lost(failure, clock.elapsed() - began));
    } catch (error) {
      if (signal.aborted) return null;
      const failure =
        error instanceof BrokerError
          ? error.failure
          : { reason: null, code: null, isSilent: false, words: messageOf(error) };
      await this.#connection?.end();
      // An older broker does not know MQTT 5. One that says nothing to either is asked in turns.
      if (mayBeOlder(failure)) this.#version = this.#version === 5 ? 4 : 5;
      return this.#failed(this.#connection === null ? failure : this.#lost(failure, 0));
    } finally {
      this.#connection = null;
    }
  }

  /** Counts connections that were lost soon. @param ms how long this one was */
  #lost(failure: BrokerFailure, ms: number): BrokerFailure {
    if (!LOST_CODES.has(failure.code ?? "")) return failure;
    const good = this.#losses < MANY_LOSSES ? GOOD_MS : GOOD_AFTER_LOSSES_MS;
    this.#losses = ms < good ? this.#losses + 1 : 0;
    return this.#losses < MANY_LOSSES ? failure : { ...failure, isRepeated: true };
  }

  /** Tells it. */
  #failed(failure: BrokerFailure): BrokerFailure {
    const { clock, log, settings } = this.#parts;
    const isEncrypted = brokerAt(settings.url ?? "")?.isEncrypted ?? false;
    const problem = brokerProblemInWords(failure, isEncrypted);
    const isSame = this.#state.state === "failed" && this.#state.problem === problem;
    this.#state = {
      state: "failed",
      problem,
      since: isSame ? this.#state.since : clock.now(),
      version: null,
    };
    if (!this.#told.has(problem)) log.warning(LOGGER, problem.replace(/\.$/, ""));
    this.#told.add(problem);
    return failure;
  }

  async #connect(signal: AbortSignal): Promise<BrokerConnection> {
    const { clock, settings, clientId, will, onOrder } = this.#parts;
    const { url, username, password, ca_file } = settings;
    const broker = brokerAt(url ?? "");
    if (broker === null) throw new Error("it has no address");
    const login = { broker, version: this.#version, username, password, clientId, will } as const;
    const authority = ca_file === null || !broker.isEncrypted ? null : await authorityIn(ca_file);
    return await connectBroker({ ...login, authority }, { clock, signal, onOrder });
  }
}

/** Longer than any list of authorities. */
const MOST_BYTES = 4 * 1024 * 1024;

/** The text of the file. @throws BrokerError when it has none */
async function authorityIn(path: string): Promise<string> {
  const text = await readFile(path, "utf8").catch(() => "");
  if (text.length <= MOST_BYTES && text.includes("-----BEGIN CERTIFICATE-----")) return text;
  const words = "the file of the certificate authority cannot be read";
  throw new BrokerError({ reason: null, code: "ENOENT_CA", isSilent: false, words });
}
