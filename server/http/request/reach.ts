import type { networkInterfaces } from "node:os";
import { isPublic, isWithin } from "./client_address.ts";

export interface ReachParts {
  /** The addresses of this machine at this moment. */
  readonly interfaces: typeof networkInterfaces;
}

/** Finds out if this service can be reached from the internet: the dashboard warns of it in mode `none`. */
export class Reach {
  readonly #interfaces: typeof networkInterfaces;
  #host = "";
  #seen = "";
  #cameFrom: string | null = null;

  constructor({ interfaces }: ReachParts) {
    this.#interfaces = interfaces;
  }

  /** Called by the listener. @param host as it was given: an address, a name, or one that stands for all addresses */
  listens(host: string): void {
    this.#host = host;
  }

  /** Called in mode `none` with the other end of the connection of each request. */
  note(peer: string): void {
    if (peer === this.#seen || this.#cameFrom !== null) return;
    this.#seen = peer;
    // With IPv6 the devices of one household have addresses of the internet as well.
    const own = this.#own().flatMap(({ cidr }) => cidr ?? []);
    if (isPublic(peer) && !isWithin(peer, own)) this.#cameFrom = peer;
  }

  /** An address of the internet that a request came from since the start; null when none did. */
  get cameFrom(): string | null {
    return this.#cameFrom;
  }

  /**
   * An address of the internet that the service listens on; null without. Only a machine's IPv4 addresses count: nearly
   * every household has IPv6 ones, behind a router that lets no connection in.
   */
  get listensOn(): string | null {
    if (isPublic(this.#host)) return this.#host;
    if (this.#host !== "0.0.0.0" && this.#host !== "::") return null;
    return this.#own().find(({ family, address }) => family === "IPv4" && isPublic(address))?.address ?? null;
  }

  #own() {
    return Object.values(this.#interfaces()).flatMap((addresses) => addresses ?? []);
  }
}
