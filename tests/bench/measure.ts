import { readFileSync } from "node:fs";

export interface Figures {
  wallSeconds: number;
  cpuSeconds: number;
  /** The most memory it held, in MB; where the system does not tell, NaN. */
  peakMegabytes: number;
}

/** Looks at a running process's high-water mark this often. */
const LOOK_MS = 20;

/** Runs a command to its end and accounts for the whole process. */
export async function measure(command: readonly string[], options: { stdin?: string } = {}): Promise<Figures> {
  const began = performance.now();
  const child = Bun.spawn([...command], {
    stdout: "ignore",
    stderr: "inherit",
    stdin: options.stdin === undefined ? "ignore" : new Blob([options.stdin]),
  });
  // The system's own figure for a finished child counts what its parent held when it was made.
  let peakMegabytes = Number.NaN;
  const looking = setInterval(() => {
    const now = highWater(child.pid);
    if (!(now <= peakMegabytes) && !Number.isNaN(now)) peakMegabytes = now;
  }, LOOK_MS);
  const code = await child.exited;
  clearInterval(looking);
  const wallSeconds = (performance.now() - began) / 1000;
  if (code !== 0) throw new Error(`${command[0]} ended with exit code ${code}`);
  const usage = child.resourceUsage();
  if (!usage) throw new Error("The system does not account for finished processes");
  return { wallSeconds, cpuSeconds: Number(usage.cpuTime.total) / 1e6, peakMegabytes };
}

/** VmHWM of a process in MB. */
function highWater(pid: number): number {
  try {
    const found = /VmHWM:\s+([0-9]+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
    return (Number(found?.[1] ?? Number.NaN) * 1024) / 1e6;
  } catch {
    return Number.NaN;
  }
}

/** The middle value; of an even count the lower middle, so that it is one that was measured. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
}

/** Runs A and B in turn, `rounds` times: the median of the ratios pair by pair, and the medians of each. */
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
