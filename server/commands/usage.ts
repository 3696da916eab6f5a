import { type ParseArgsOptionsConfig, parseArgs } from "node:util";

/** The command line cannot be understood; the sentence names the mistake. Exit code 2. */
export class UsageProblem extends Error {
  override name = "UsageProblem";
}

/** Reads options strictly: an unknown one is a usage problem, never ignored. */
export function readArgs<T extends ParseArgsOptionsConfig>(args: readonly string[], options: T, positionals: number) {
  let parsed: ReturnType<typeof parseArgs<{ options: T; allowPositionals: true; strict: true }>>;
  try {
    parsed = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    // The first sentence names the mistake; the rest is advice about escaping.
    throw new UsageProblem(error instanceof Error ? error.message.replace(/\. .*/s, ".") : String(error));
  }
  if (parsed.positionals.length > positionals)
    throw new UsageProblem(
      `Too many arguments: "${parsed.positionals.slice(positionals).join(" ")}" has no meaning here`,
    );
  return parsed;
}

/** A whole number between two bounds. @throws UsageProblem naming the option */
export function readWhole(text: string, option: string, min: number, max: number): number {
  const value = Number(text);
  if (!/^[0-9]{1,15}$/.test(text) || value < min || value > max)
    throw new UsageProblem(`${option} must be a whole number from ${min} to ${max}, got "${text}"`);
  return value;
}

/** One of a closed set of words. @throws UsageProblem naming the option */
export function readChoice<T extends string>(text: string, option: string, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === text);
  if (found === undefined) throw new UsageProblem(`${option} must be one of ${choices.join(", ")}, got "${text}"`);
  return found;
}

/** A text that must not be empty: an empty one is a shell variable that was not set. @throws UsageProblem */
export function readText<T extends string | undefined>(text: T, option: string): T {
  if (text === "") throw new UsageProblem(`${option} must not be empty`);
  return text;
}
