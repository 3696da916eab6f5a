import type { GenerationName } from "../generation.ts";
import { fileOf } from "./simulated_video.ts";
import type { ArmedFault, Places } from "./simulator_faults.ts";
import type { ServedCard } from "./simulator_served_card.ts";
import type { Answer } from "./simulator_transmission.ts";
import type { WireRequest } from "./simulator_wire.ts";

/** The wire generations that a camera may speak, oldest first. */
export const GENERATION_NAMES: readonly GenerationName[] = ["legacy", "v1009"];

/** One wire generation of the camera: where things are, and how it answers a request. */
export interface Generation extends Places {
  /** Null: it hangs up instead. */
  answer(request: WireRequest, served: ServedCard, listsSizes: boolean): Answer | null | Promise<Answer | null>;
  /** A right answer as a fault of its text leaves it; others leave it as it is. */
  misshapen(fault: ArmedFault, answer: Answer): Promise<Answer>;
}

/** A short answer in words. */
export function notice(status: number, words: string): Answer {
  return { ...textAnswer(`${words}\n`), status };
}

/** A method that is not understood at this path, and those that are. */
export function refusedMethod(allowed: string): Answer {
  return { ...notice(405, "method not allowed"), headers: [["Allow", allowed]] };
}

/** 200 with this text. */
export function textAnswer(content: string, type = "text/plain"): Answer {
  return plainAnswer(new TextEncoder().encode(content), type);
}

/** 200 with these bytes. */
export function plainAnswer(content: Uint8Array, type = "text/plain"): Answer {
  return { status: 200, type, content: fileOf(content) };
}
