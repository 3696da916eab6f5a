export interface Figures {
  wallSeconds: number;
  cpuSeconds: number;
  peakMegabytes: number;
}

/** Runs a command to its end and accounts for the whole process. */
export async function measure(command: readonly string[], options: { cwd?: string; stdin?: string } = {}) {
  const began = performance.now();
  const child = Bun.spawn([...command], {
    stdout: "ignore",
    stderr: "inherit",
    stdin: options.stdin === undefined ? "ignore" : new Blob([options.stdin]),
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  });
  const code = await child.exited;
  const wallSeconds = (performance.now() - began) / 1000;
  if (code !== 0) throw new Error(`${command[0]} ended with exit code ${code}`);
  const usage = child.resourceUsage();
  if (!usage) throw new Error("The system does not account for finished processes");
  return {
    wallSeconds,
    cpuSeconds: Number(usage.cpuTime.total) / 1e6,
    peakMegabytes: usage.maxRSS / 1e6,
  } satisfies Figures;
}

/** The middle value; of an even count the lower middle, so that it is one that was measured. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
}

/** Runs A and B in turn, `rounds` times, and gives the median of the ratios pair by pair, with medians of each. */
export async function inTurn(rounds: number, a: () => Promise<Figures>, b: () => Promise<Figures>) {
  const pairs: [Figures, Figures][] = [];
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) {
      const first = await a();
      pairs.push([first, await b()]);
    } else {
      const second = await b();
      pairs.push([await a(), second]);
    }
  }
  const ratio = (of: (figures: Figures) => number) => median(pairs.map(([one, other]) => of(one) / of(other)));
  const middle = (which: 0 | 1): Figures => ({
    wallSeconds: median(pairs.map((pair) => pair[which].wallSeconds)),
    cpuSeconds: median(pairs.map((pair) => pair[which].cpuSeconds)),
    peakMegabytes: Math.max(...pairs.map((pair) => pair[which].peakMegabytes)),
  });
  return { a: middle(0), b: middle(1), wall: ratio((f) => f.wallSeconds), cpu: ratio((f) => f.cpuSeconds) };
}
