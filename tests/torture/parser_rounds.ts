import { damaged } from "./damage.ts";
import { Dice } from "./dice.ts";
import { PARSED_KINDS, type ParsedKind } from "./parsers.ts";

/** No input takes longer, unless the processor is busy elsewhere: it is tried again before it counts. */
const LONGEST_MS = 50;
const TRIES = 5;
/** Most bytes that memory may grow by between a tenth of the inputs and the last. */
const MOST_GROWTH = 64 * 1024 * 1024;

export interface ParserRound {
  readonly kind: string;
  readonly inputs: number;
  readonly seconds: number;
  /** The longest that one input took, in milliseconds. */
  readonly longestMs: number;
  readonly grownBytes: number;
  /** Problems, with the number of the input. */
  readonly wrong: readonly string[];
}

export interface ParserOptions {
  readonly inputs: number;
  /** The first input's number. */
  readonly first: number;
  /** True when time and memory count, which is no matter of a test. */
  readonly measures: boolean;
}

/** Gives each parser so many damaged files: it must neither throw, nor tell what is no number, nor take long. */
export async function damageParsers(
  seed: number,
  options: ParserOptions,
  kinds: readonly string[] = Object.keys(PARSED_KINDS),
): Promise<ParserRound[]> {
  const rounds: ParserRound[] = [];
  for (const kind of kinds) {
    const parsed = PARSED_KINDS[kind];
    if (!parsed) throw new Error(`There is no parser "${kind}": ${Object.keys(PARSED_KINDS).join(", ")}`);
    rounds.push(await round(kind, parsed, seed, options));
  }
  return rounds;
}

async function round(kind: string, parsed: ParsedKind, seed: number, options: ParserOptions): Promise<ParserRound> {
  const { inputs, first, measures } = options;
  const began = performance.now();
  const wrong: string[] = [];
  let longestMs = 0;
  let memory = 0;
  for (let input = first; input < first + inputs && wrong.length < 10; input++) {
    const dice = new Dice(seed).fork(input);
    const bytes = damaged(dice.pick(parsed.samples), dice);
    const result = await tried(parsed, bytes);
    let { ms } = result;
    for (let again = 1; measures && ms > LONGEST_MS && again < TRIES; again++)
      ms = Math.min(ms, (await tried(parsed, bytes)).ms);
    longestMs = Math.max(longestMs, ms);
    if (result.problem !== null) wrong.push(`input ${input}: ${result.problem}`);
    if (measures && ms > LONGEST_MS) wrong.push(`input ${input}: took ${ms.toFixed(0)} ms`);
    if (measures && input - first === Math.floor(inputs / 10)) memory = memoryNow();
  }
  const grownBytes = measures ? Math.max(0, memoryNow() - memory) : 0;
  if (grownBytes > MOST_GROWTH) wrong.push(`memory grew by ${(grownBytes / 1e6).toFixed(0)} MB`);
  return { kind, inputs, seconds: (performance.now() - began) / 1000, longestMs, grownBytes, wrong };
}

async function tried({ check }: ParsedKind, bytes: Uint8Array): Promise<{ problem: string | null; ms: number }> {
  const began = performance.now();
  try {
    await check(bytes);
    return { problem: null, ms: performance.now() - began };
  } catch (error) {
    return { problem: String(error), ms: performance.now() - began };
  }
}

function memoryNow(): number {
  Bun.gc(true);
  return process.memoryUsage().rss;
}
