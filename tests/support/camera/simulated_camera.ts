import { afterEach } from "bun:test";
import { connect } from "node:net";
import { SimulatedCard, syntheticFootage } from "../../../server/dashcam/simulator/simulated_card.ts";
import { openSimulator, type Simulator, type SimulatorOptions } from "../../../server/dashcam/simulator/simulator.ts";
import type { Fault } from "../../../server/dashcam/simulator/simulator_faults.ts";
import { type Listing, parseListing } from "../../../server/domain/recordings/camera_listing.ts";

export const NOW = Date.UTC(2026, 10, 21, 10, 0, 0);
export const LIST = "/blackvue_vod.cgi";
export const VIDEO = "20261121_101500_NF.mp4";
export const PATH = `/Record/${VIDEO}`;
/** Larger than one write, and no round number. */
export const SIZE = 150_001;

/** A card with one small moment, front and rear. */
export function oneMoment(): SimulatedCard {
  const card = new SimulatedCard(syntheticFootage(SIZE));
  card.record(VIDEO);
  card.record("20261121_101500_NR.mp4");
  return card;
}

/** Opens cameras for the tests of one file, and closes each after its test. */
export function simulatedCameras() {
  const open: Simulator[] = [];
  afterEach(async () => {
    for (const simulator of open.splice(0)) await simulator.close();
  });

  /** A camera with one small moment on its card, unless told otherwise. */
  async function camera(options: Partial<SimulatorOptions> = {}): Promise<Simulator> {
    const simulator = await openSimulator({ card: oneMoment(), ...options });
    open.push(simulator);
    return simulator;
  }

  /** Answer of a camera with this fault to one request, and the bytes it should have sent. */
  async function faulty(
    fault: Fault,
    ask: Ask = {},
    path = PATH,
  ): Promise<Raw & { content: Buffer; simulator: Simulator }> {
    const simulator = await camera();
    simulator.fault(fault);
    const content = Buffer.from(await simulator.card.bytes(VIDEO));
    return { ...(await raw(simulator, path, ask)), content, simulator };
  }

  return { camera, faulty };
}

/** Answer over a raw connection: the head's lines, the body's bytes as they were sent, and how it ended. */
export interface Raw {
  status: string;
  headers: Map<string, string>;
  body: Buffer;
  all: Buffer;
  end: "closed" | "reset" | "left";
}

interface Ask {
  method?: string;
  range?: string;
  /** Hangs up as soon as so many bytes have come in. */
  leaveAfter?: number;
  version?: string;
}

/** One request over a socket of its own: nothing is repaired on the way. Reads until the connection ends. */
export function raw(simulator: Simulator, path: string, ask: Ask = {}): Promise<Raw> {
  const [host = "", port = ""] = simulator.address.split(":");
  const parts: Buffer[] = [];
  let length = 0;
  return new Promise((resolve) => {
    const socket = connect(Number(port), host);
    let end: Raw["end"] = "closed";
    socket.on("connect", () => {
      const range = ask.range === undefined ? "" : `Range: ${ask.range}\r\n`;
      const version = ask.version ?? "1.1";
      socket.write(
        `${ask.method ?? "GET"} ${path} HTTP/${version}\r\nHost: camera\r\n${range}Connection: close\r\n\r\n`,
      );
    });
    socket.on("data", (bytes) => {
      parts.push(Buffer.from(bytes));
      length += bytes.length;
      if (length < (ask.leaveAfter ?? Number.POSITIVE_INFINITY)) return;
      end = "left";
      socket.destroy();
    });
    socket.on("error", () => {
      end = "reset";
    });
    socket.on("close", () => {
      const all = Buffer.concat(parts);
      const blank = all.indexOf("\r\n\r\n");
      const [status = "", ...lines] = all.subarray(0, Math.max(0, blank)).toString().split("\r\n");
      const headers = new Map(lines.map((line) => [line.split(": ", 1)[0] ?? "", line.slice(line.indexOf(": ") + 2)]));
      resolve({ status, headers, body: all.subarray(blank < 0 ? all.length : blank + 4), all, end });
    });
  });
}

/** The camera's listing, as it is read here. */
export const list = async (simulator: Simulator): Promise<Listing> =>
  parseListing((await raw(simulator, LIST)).body.toString());
