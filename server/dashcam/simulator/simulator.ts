import { createServer, type Server, type Socket } from "node:net";
import type { GenerationName } from "../generation.ts";
import type { SimulatedCard } from "./simulated_card.ts";
import { type ConfigFiles, configFiles, named } from "./simulated_config.ts";
import type { ModelName } from "./simulated_models.ts";
import { type ArmedFault, ArmedFaults, type Fault, type FaultName, shapesText } from "./simulator_faults.ts";
import type { Generation } from "./simulator_generation.ts";
import { LEGACY } from "./simulator_legacy.ts";
import { type SeenRequest, SeenRequests } from "./simulator_seen.ts";
import { ServedCard } from "./simulator_served_card.ts";
import { ELSEWHERE, staged, withholds } from "./simulator_staging.ts";
import { type Answer, Pace, send, transmissionOf, withValidators } from "./simulator_transmission.ts";
import { type V1009Options, v1009 } from "./simulator_v1009.ts";
import { Wire, type WireRequest } from "./simulator_wire.ts";

export interface SimulatorOptions {
  card: SimulatedCard;
  /** Wire generation that it answers as at first; `legacy` when left out. */
  generation?: GenerationName;
  /** Behaviour of a newer camera, where that is not known of real ones. */
  v1009?: V1009Options;
  /** True: connections outlast a change of the generation; else they end, as with a camera that starts again. */
  keepsConnections?: boolean;
  /** Model whose settings it tells; `dr900x-plus` when left out. */
  model?: ModelName;
  /** Name that it tells of its hotspot and of its vehicle; that of the model when left out. */
  name?: string | undefined;
  /** 127.0.0.1 when left out. */
  host?: string;
  /** 0, a free one, when left out. */
  port?: number;
  /** Bytes per second for all bodies together; null is as fast as it goes. */
  rate?: number | null;
  /** False: closes the connection after each answer. */
  keepAlive?: boolean;
  /** True: the listing of the legacy interface names companions too. */
  listCompanions?: boolean;
  /** True: the same listing has real sizes instead of the constant. */
  listSizes?: boolean;
  /** True: files are answered with `ETag` and `Last-Modified`, which change when their bytes do. */
  validators?: boolean;
  /** Called with every request and every piece of a body, as soon as it is sent. */
  onTraffic?: (traffic: Readonly<Traffic>) => void;
  /** Faults in force from the start. */
  faults?: readonly (Fault | FaultName)[];
}

/** Counts of the wire's traffic since the camera was opened. */
export interface Traffic {
  requests: number;
  /** Bytes of bodies. */
  bytes: number;
}

/** A camera that really listens, on real HTTP, and misbehaves on request. */
export interface Simulator extends AsyncDisposable {
  /** `host:port`. */
  readonly address: string;
  readonly url: string;
  readonly card: SimulatedCard;
  /** Requests, oldest first; may be emptied with `requests.length = 0`. */
  readonly requests: SeenRequest[];
  /** Connections that are open now. */
  readonly connections: number;
  /** Bytes per second for all bodies together; may be changed while they run. */
  rate: number | null;
  /** The wire generation it speaks; may be changed at any time, as a firmware update does. */
  generation: GenerationName;
  /** Its settings; may be changed between visits. */
  settings: ConfigFiles;
  /** Puts a fault in force; returns the way to lift it. */
  fault(fault: Fault | FaultName): () => void;
  clearFaults(): void;
  /**
   * Resolves with the first request, past or coming, in whose path this is found, or in the path and the body behind it;
   * of this method, when one is given.
   */
  asked(match: RegExp, method?: string): Promise<SeenRequest>;
  /** Resolves when no connection is open. */
  quiet(): Promise<void>;
  /** Stops listening and drops every connection, as when the car drives off. */
  goAway(): Promise<void>;
  /** Listens again, on the same port. */
  comeBack(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a simulated camera; resolves when it listens. */
export async function openSimulator(options: SimulatorOptions): Promise<Simulator> {
  const simulator = new ListeningSimulator(options);
  await simulator.comeBack();
  return simulator;
}

class ListeningSimulator implements Simulator {
  readonly card: SimulatedCard;
  readonly #seen = new SeenRequests();
  readonly #options: SimulatorOptions;
  readonly #generations: Readonly<Record<GenerationName, Generation>>;
  #generation: GenerationName;
  readonly #faults: ArmedFaults;
  readonly #served: ServedCard;
  readonly #pace: Pace;
  readonly #wires = new Set<Wire>();
  readonly #quietWaiters = new Set<() => void>();
  readonly #traffic: Traffic = { requests: 0, bytes: 0 };
  #server: Server | null = null;
  /** Resolves when it does not listen any more; at once while it does. */
  #gone: Promise<void> = Promise.resolve();
  #port: number;
  #accepted = 0;

  constructor(options: SimulatorOptions) {
    this.#options = options;
    this.#generations = { legacy: LEGACY, v1009: v1009(options.v1009) };
    this.#generation = options.generation ?? "legacy";
    this.#faults = new ArmedFaults(this.#generations[this.#generation]);
    this.#served = new ServedCard(options.card, this.#faults, options.listCompanions === true);
    this.#served.settings = configFiles(options.name === undefined ? {} : named(options.name), options.model);
    this.#port = options.port ?? 0;
    this.#pace = new Pace(options.rate ?? null, (bytes) => this.#count(0, bytes));
    this.card = options.card;
    for (const fault of options.faults ?? []) this.fault(fault);
  }

  get address(): string {
    const host = this.#options.host ?? "127.0.0.1";
    if (host === "0.0.0.0") return `127.0.0.1:${this.#port}`;
    return host.includes(":") ? `[${host}]:${this.#port}` : `${host}:${this.#port}`;
  }

  get url(): string {
    return `http://${this.address}`;
  }

  get requests(): SeenRequest[] {
    return this.#seen.latest;
  }

  get connections(): number {
    return this.#wires.size;
  }

  get settings(): ConfigFiles {
    return this.#served.settings;
  }

  set settings(files: ConfigFiles) {
    this.#served.settings = files;
  }

  get generation(): GenerationName {
    return this.#generation;
  }

  set generation(name: GenerationName) {
    if (name === this.#generation) return;
    this.#generation = name;
    this.#faults.places = this.#generations[name];
    if (this.#options.keepsConnections !== true) for (const wire of this.#wires) wire.destroy();
  }

  get rate(): number | null {
    return this.#pace.rate;
  }

  set rate(bytesPerSecond: number | null) {
    this.#pace.rate = bytesPerSecond;
  }

  fault(fault: Fault | FaultName): () => void {
    return this.#faults.arm(typeof fault === "string" ? { name: fault } : fault);
  }

  clearFaults(): void {
    this.#faults.clear();
  }

  asked(match: RegExp, method?: string): Promise<SeenRequest> {
    return this.#seen.asked(match, method);
  }

  quiet(): Promise<void> {
    if (this.#wires.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#quietWaiters.add(resolve));
  }

  async comeBack(): Promise<void> {
    // Its port is free again only when every connection is closed.
    await this.#gone;
    if (this.#server) return;
    const server = createServer((socket) => this.#accept(socket));
    this.#server = server;
    await new Promise<void>((resolve, reject) => {
      server.once("error", (error) => {
        this.#server = null;
        reject(error);
      });
      server.listen(this.#port, this.#options.host ?? "127.0.0.1", () => {
        const bound = server.address();
        if (typeof bound === "object" && bound !== null) this.#port = bound.port;
        resolve();
      });
    });
  }

  async goAway(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (server) this.#gone = new Promise((resolve) => server.close(() => resolve()));
    for (const wire of this.#wires) wire.destroy();
    await this.#gone;
  }

  async close(): Promise<void> {
    await this.goAway();
    await this.quiet();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #accept(socket: Socket): void {
    const wire = new Wire(socket, ++this.#accepted);
    // One that was accepted at the last moment would keep a camera that leaves.
    if (this.#server === null || this.#faults.takeSleep()) {
      wire.destroy();
      return;
    }
    this.#wires.add(wire);
    wire.gone.addEventListener("abort", () => this.#forget(wire), { once: true });
    // Whatever goes wrong with one connection ends that connection, never the camera.
    this.#serve(wire).catch(() => wire.destroy());
  }

  #forget(wire: Wire): void {
    this.#wires.delete(wire);
    if (this.#wires.size > 0) return;
    for (const resolve of this.#quietWaiters) resolve();
    this.#quietWaiters.clear();
  }

  async #serve(wire: Wire): Promise<void> {
    for (;;) {
      const request = await wire.next();
      if (request === null) return wire.destroy();
      this.#seen.add(request, wire.number);
      this.#count(1, 0);
      if (!(await this.#answer(request, wire))) return;
    }
  }

  #count(requests: number, bytes: number): void {
    this.#traffic.requests += requests;
    this.#traffic.bytes += bytes;
    this.#options.onTraffic?.(this.#traffic);
  }

  /** Answers one request; true when the connection can take another. */
  async #answer(wireRequest: WireRequest, wire: Wire): Promise<boolean> {
    const request = { ...wireRequest, keepsAlive: wireRequest.keepsAlive && this.#options.keepAlive !== false };
    // A change meanwhile is seen by the next request.
    const generation = this.#generations[this.#generation];
    const struck = this.#faults.take(request);
    const fault = struck.find(({ name }) => !shapesText(name));
    if (fault && (await withholds(fault, wire, () => this.goAway()))) return false;
    const name = fileNameOf(request.path);
    if (fault?.name === "vanishing") this.card.overwrite(name);
    this.#faults.count(name);
    const answer = await this.#answerTo(request, generation, struck);
    if (answer === null) {
      wire.finish();
      return false;
    }
    const out = fault ? staged(fault, answer, request) : transmissionOf(answer, request);
    const open = await send(out, wire, this.#pace, request.method !== "HEAD");
    if (fault?.name === "goes-away") await this.goAway();
    return open;
  }

  /** The right answer, but for what goes wrong with its text; null when it hangs up. */
  async #answerTo(request: WireRequest, generation: Generation, struck: readonly ArmedFault[]): Promise<Answer | null> {
    const listsSizes = this.#options.listSizes === true || struck.some(({ name }) => name === "list-real-sizes");
    const moved = request.path.startsWith(`${ELSEWHERE}/`);
    const path = moved ? request.path.slice(ELSEWHERE.length) : request.path;
    let answer = await generation.answer({ ...request, path }, this.#served, listsSizes);
    if (answer === null) return null;
    for (const fault of struck)
      if (shapesText(fault.name) && answer.status === 200) answer = await generation.misshapen(fault, answer);
    const isFile = answer.status === 200 && this.#served.file(fileNameOf(path)) !== null;
    return this.#options.validators === true && isFile ? withValidators(answer) : answer;
  }
}

/** The last part of a path. */
function fileNameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
