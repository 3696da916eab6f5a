import { createServer, type Server, type Socket } from "node:net";
import type { SimulatedCard } from "./simulated_card.ts";
import { type ConfigFiles, configFiles } from "./simulated_config.ts";
import type { ModelName } from "./simulated_models.ts";
import { fileOf } from "./simulated_video.ts";
import { type ArmedFault, ArmedFaults, type Fault, type FaultName, shapesListing } from "./simulator_faults.ts";
import { type Generation, LEGACY } from "./simulator_legacy.ts";
import { misshapen } from "./simulator_listing.ts";
import { ServedCard } from "./simulator_served_card.ts";
import { ELSEWHERE, staged, withholds } from "./simulator_staging.ts";
import { type Answer, Pace, send, transmissionOf, withValidators } from "./simulator_transmission.ts";
import { Wire, type WireRequest } from "./simulator_wire.ts";

export interface SimulatorOptions {
  card: SimulatedCard;
  /** Which wire generation it answers as; `legacy` when left out. */
  generation?: "legacy" | "v1009";
  /** Whose settings it tells; `dr900x-plus` when left out. */
  model?: ModelName;
  /** 127.0.0.1 when left out. */
  host?: string;
  /** 0, a free one, when left out. */
  port?: number;
  /** Bytes per second for all bodies together; null is as fast as it goes. */
  rate?: number | null;
  /** False: closes the connection after each answer. */
  keepAlive?: boolean;
  /** True: the listing names companions too. */
  listCompanions?: boolean;
  /** True: the listing has real sizes instead of the constant. */
  listSizes?: boolean;
  /** True: files are answered with `ETag` and `Last-Modified`, which change when their bytes do. */
  validators?: boolean;
  /** Called with every request and every piece of a body, as soon as it is sent. */
  onTraffic?: (traffic: Readonly<Traffic>) => void;
  /** Faults in force from the start. */
  faults?: readonly (Fault | FaultName)[];
}

/** What went over the wire since the camera was opened. */
export interface Traffic {
  requests: number;
  /** Of bodies. */
  bytes: number;
}

/** One request that came in; `connection` counts accepted connections from 1. */
export interface SeenRequest {
  method: string;
  path: string;
  range: string | null;
  connection: number;
}

/** Only the latest requests are kept. */
const MAX_REQUESTS = 10_000;

/** A camera that really listens, on real HTTP, and misbehaves on request. */
export interface Simulator extends AsyncDisposable {
  /** `host:port`. */
  readonly address: string;
  readonly url: string;
  readonly card: SimulatedCard;
  /** What was asked, oldest first; may be emptied with `requests.length = 0`. */
  readonly requests: SeenRequest[];
  /** Connections that are open now. */
  readonly connections: number;
  /** Bytes per second for all bodies together; may be changed while they run. */
  rate: number | null;
  /** Its settings; may be changed between visits. */
  settings: ConfigFiles;
  /** Puts a fault in force; returns the way to lift it. */
  fault(fault: Fault | FaultName): () => void;
  clearFaults(): void;
  /** Resolves with the first request, past or coming, whose path matches; of this method, when one is given. */
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
  if (options.generation === "v1009") throw new Error("The simulated camera does not speak the V1.009 generation yet");
  const simulator = new ListeningSimulator(options, LEGACY);
  await simulator.comeBack();
  return simulator;
}

class ListeningSimulator implements Simulator {
  readonly card: SimulatedCard;
  readonly requests: SeenRequest[] = [];
  readonly #options: SimulatorOptions;
  readonly #generation: Generation;
  readonly #faults: ArmedFaults;
  readonly #served: ServedCard;
  readonly #pace: Pace;
  readonly #wires = new Set<Wire>();
  readonly #waiting = new Set<{ isIt: (request: SeenRequest) => boolean; found: (request: SeenRequest) => void }>();
  readonly #quietWaiters = new Set<() => void>();
  readonly #traffic: Traffic = { requests: 0, bytes: 0 };
  #server: Server | null = null;
  /** Resolves when it does not listen any more; at once while it does. */
  #gone: Promise<void> = Promise.resolve();
  #port: number;
  #accepted = 0;

  constructor(options: SimulatorOptions, generation: Generation) {
    this.#options = options;
    this.#generation = generation;
    this.#faults = new ArmedFaults(generation);
    this.#served = new ServedCard(options.card, this.#faults, options.listCompanions === true);
    this.#served.settings = configFiles({}, options.model);
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

  get connections(): number {
    return this.#wires.size;
  }

  get settings(): ConfigFiles {
    return this.#served.settings;
  }

  set settings(files: ConfigFiles) {
    this.#served.settings = files;
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
    const isIt = (seen: SeenRequest) => seen.path.search(match) >= 0 && (method ?? seen.method) === seen.method;
    const past = this.requests.find(isIt);
    if (past) return Promise.resolve(past);
    return new Promise((found) => this.#waiting.add({ isIt, found }));
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
      this.#record(request, wire);
      if (!(await this.#answer(request, wire))) return;
    }
  }

  #record({ method, path, range }: WireRequest, wire: Wire): void {
    const seen = { method, path, range, connection: wire.number };
    this.requests.push(seen);
    this.#count(1, 0);
    if (this.requests.length > MAX_REQUESTS) this.requests.shift();
    for (const waiter of this.#waiting) {
      if (!waiter.isIt(seen)) continue;
      this.#waiting.delete(waiter);
      waiter.found(seen);
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
    const struck = this.#faults.take(request);
    const fault = struck.find(({ name }) => !shapesListing(name));
    if (fault && (await withholds(fault, wire, () => this.goAway()))) return false;
    const name = fileNameOf(request.path);
    if (fault?.name === "vanishing") this.card.overwrite(name);
    this.#faults.count(name);
    const answer = await this.#answerTo(request, struck);
    const out = fault ? staged(fault, answer, request) : transmissionOf(answer, request);
    const open = await send(out, wire, this.#pace, request.method !== "HEAD");
    if (fault?.name === "goes-away") await this.goAway();
    return open;
  }

  /** The right answer, but for what goes wrong with the listing's text. */
  async #answerTo(request: WireRequest, struck: readonly ArmedFault[]): Promise<Answer> {
    const listsSizes = this.#options.listSizes === true || struck.some(({ name }) => name === "list-real-sizes");
    const moved = request.path.startsWith(`${ELSEWHERE}/`);
    const path = moved ? request.path.slice(ELSEWHERE.length) : request.path;
    let answer = this.#generation.answer({ ...request, path }, this.#served, listsSizes);
    for (const { name } of struck) {
      if (!shapesListing(name)) continue;
      const text = await answer.content.read(0, answer.content.size);
      answer = { ...answer, content: fileOf(misshapen(name, text)) };
    }
    const isFile = answer.status === 200 && this.#served.file(fileNameOf(path)) !== null;
    return this.#options.validators === true && isFile ? withValidators(answer) : answer;
  }
}

/** The last part of a path. */
function fileNameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
