import { bodyText, isFound, type WireRequest } from "./simulator_wire.ts";

/** One request that came in; `connection` counts accepted connections from 1. */
export interface SeenRequest {
  method: string;
  path: string;
  range: string | null;
  /** Body sent with it, as text; null when there was none. */
  body: string | null;
  connection: number;
}

/** Only the latest requests are kept. */
const MAX_REQUESTS = 10_000;

/** The requests that came in, and who waits for one. */
export class SeenRequests {
  /** Oldest first. */
  readonly latest: SeenRequest[] = [];
  readonly #waiting = new Set<{ isIt: (request: SeenRequest) => boolean; found: (request: SeenRequest) => void }>();

  /** Adds one, and tells those that wait for such a one. */
  add(request: WireRequest, connection: number): void {
    const { method, path, range } = request;
    const seen = { method, path, range, body: bodyText(request), connection };
    this.latest.push(seen);
    if (this.latest.length > MAX_REQUESTS) this.latest.shift();
    for (const waiter of this.#waiting) {
      if (!waiter.isIt(seen)) continue;
      this.#waiting.delete(waiter);
      waiter.found(seen);
    }
  }

  /** Resolves with the first request, past or coming, in which this is found. */
  asked(match: RegExp, method?: string): Promise<SeenRequest> {
    const isIt = (seen: SeenRequest) => isFound(match, seen.path, seen.body) && (method ?? seen.method) === seen.method;
    const past = this.latest.find(isIt);
    if (past) return Promise.resolve(past);
    return new Promise((found) => this.#waiting.add({ isIt, found }));
  }
}
