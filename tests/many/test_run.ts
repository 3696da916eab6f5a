/** One run of the tests, as its output tells it. */
export interface TestRun {
  /** Number of tests that ran; null when the run broke off before it said so. */
  readonly tests: number | null;
  /** Each red test with its file, and what else went wrong. */
  readonly red: readonly string[];
  readonly seconds: number;
}

/** A line that names the file of those below it. */
export const FILE = /^(\S+\.tsx?):$/;
const FAILED = /^\(fail\) (.*?)(?: \[[0-9.]+m?s\])?$/;
const OUTSIDE = "# Unhandled error between tests";
const TOTAL = /^Ran ([0-9]+) tests? across/;

/** Above the list of what was printed before, without its files. */
const AGAIN = /^[0-9]+ tests? (failed|skipped):$/;
const SUM = /^ *[0-9]+ (pass|skip|todo|fail)$/;

/** Returns whether the lists and sums of a run's end begin with this line. */
export function isOfTheEnd(line: string): boolean {
  return AGAIN.test(line) || SUM.test(line);
}

/** Reads what one or more runs of `bun test` printed. @param code their exit code */
export function readTestRun(output: string, code: number, seconds: number): TestRun {
  let file = "";
  let tests: number | null = null;
  const red: string[] = [];
  let isAgain = false;
  for (const line of Bun.stripANSI(output).split("\n")) {
    isAgain ||= AGAIN.test(line);
    file = FILE.exec(line)?.[1] ?? file;
    const failed = isAgain ? undefined : FAILED.exec(line)?.[1];
    if (failed !== undefined) red.push(`${file}: ${failed}`);
    if (line === OUTSIDE) red.push(`${file}: an error outside of its tests`);
    const total = TOTAL.exec(line)?.[1];
    if (total !== undefined) tests = (tests ?? 0) + Number(total);
  }
  if (tests === null) red.push(`the run broke off with exit code ${code}`);
  else if (code !== 0 && red.length === 0) red.push(`the run ended with exit code ${code}, and no test says why`);
  return { tests, red, seconds };
}

const SKIPPED = /^\(skip\) (.*?)(?: \[[0-9.]+m?s\])?$/;

/** Names of the tests that `bun test` printed as skipped, each with its file. */
export function skippedTests(output: string): string[] {
  let file = "";
  const names: string[] = [];
  for (const line of Bun.stripANSI(output).split("\n")) {
    if (AGAIN.test(line)) break;
    file = FILE.exec(line)?.[1] ?? file;
    const name = SKIPPED.exec(line)?.[1];
    if (name !== undefined) names.push(`${file}: ${name}`);
  }
  return names;
}

/** The last line of a run in which tests were skipped. */
export function skippedLine(skipped: readonly string[]): string {
  return `Cannot run here, and skipped: ${skipped.length} (${skipped.join("; ")})`;
}

/** The line of one run. */
export function runLine({ tests, red, seconds }: TestRun, number: number, isBusy: boolean): string {
  const ran = tests === null ? "broke off" : `${tests} tests`;
  const said = red.length === 0 ? "all green" : `${red.length} red`;
  return `Run ${number}${isBusy ? " (one core busy)" : ""}: ${ran}, ${said}, ${Math.round(seconds)} s`;
}

/** Red tests of all the runs, with their counts: the most frequent first. */
export function redLines(runs: readonly TestRun[]): string[] {
  const times = new Map<string, number>();
  for (const { red } of runs) for (const name of new Set(red)) times.set(name, (times.get(name) ?? 0) + 1);
  const sorted = [...times].sort(([, one], [, other]) => other - one);
  return sorted.map(([name, count]) => `${count} of ${runs.length}: ${name}`);
}
