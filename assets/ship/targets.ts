/** A machine that an executable is made for. */
export interface Target {
  /** Name of the machine in the file name, `dashdock-linux-x64`. */
  readonly name: string;
  /** Name that Bun has for it. */
  readonly bun: string;
}

/**
 * Every machine that has an executable. The small processors of many NAS devices have no AVX2, which Bun's usual program
 * for x64 may ask for; its "baseline" does without.
 */
export const TARGETS: readonly Target[] = [
  { name: "linux-x64", bun: "bun-linux-x64-baseline" },
  { name: "linux-arm64", bun: "bun-linux-arm64" },
  { name: "linux-x64-musl", bun: "bun-linux-x64-musl-baseline" },
  { name: "linux-arm64-musl", bun: "bun-linux-arm64-musl" },
];

/** One executable to make: for this machine when it has no target. */
export interface Wanted {
  readonly target: Target | null;
  readonly file: string;
}

/**
 * Executables that a command line of the build asks for: no word is this machine, `all` every target, else names.
 * @throws Error a sentence that names the mistake
 */
export function wantedFrom(words: readonly string[]): Wanted[] {
  if (words.length === 0) return [{ target: null, file: "dashdock" }];
  const names = words.includes("all") ? TARGETS.map(({ name }) => name) : words;
  return names.map((name) => {
    const target = TARGETS.find((one) => one.name === name);
    if (!target)
      throw new Error(`There is no build for "${name}". There is: all, ${TARGETS.map((one) => one.name).join(", ")}.`);
    return { target, file: `dashdock-${name}` };
  });
}

/**
 * Compiled ahead, so that a start does not wait for it; source maps, since log lines name places in the source; and
 * neither `.env` nor `bunfig.toml` of the folder that it is started in is read.
 */
export const COMPILE_FLAGS: readonly string[] = [
  "--compile",
  "--minify",
  "--sourcemap=inline",
  "--bytecode",
  "--splitting",
  "--format=esm",
  "--no-compile-autoload-dotenv",
  "--no-compile-autoload-bunfig",
];
