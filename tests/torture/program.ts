import { EXECUTABLE } from "../support/app/executable.ts";

/** Exit of a program. */
export interface Ended {
  /** Null when a signal ended it. */
  code: number | null;
  signal: string | null;
}

/** The program as a process of its own, started by a round and ended with it. */
export class Program {
  readonly #child: Bun.Subprocess<"ignore", "pipe", "pipe">;
  readonly ended: Promise<Ended>;
  /** All it wrote, both streams as they came. */
  text = "";
  #hasEnded = false;

  /** @param onLine told of every line it writes; `main`: what to start in place of the program itself */
  constructor(args: readonly string[], options: { home: string; onLine: () => void; main?: string }) {
    const program = options.main === undefined ? [EXECUTABLE] : [process.execPath, options.main];
    this.#child = Bun.spawn([...program, ...args], {
      cwd: options.home,
      env: { PATH: process.env["PATH"], HOME: options.home, TMPDIR: options.home, TZ: "UTC" },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    const collect = async (stream: ReadableStream<Uint8Array>) => {
      const decoder = new TextDecoder();
      for await (const bytes of stream) {
        const text = decoder.decode(bytes, { stream: true });
        this.text += text;
        for (let lines = text.split("\n").length - 1; lines > 0; lines--) options.onLine();
      }
    };
    const all = [collect(this.#child.stdout), collect(this.#child.stderr), this.#child.exited];
    this.ended = Promise.all(all).then((): Ended => {
      this.#hasEnded = true;
      return { code: this.#child.exitCode, signal: this.#child.signalCode?.toString() ?? null };
    });
  }

  get hasEnded(): boolean {
    return this.#hasEnded || this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  signal(name: "SIGKILL" | "SIGTERM"): void {
    if (!this.hasEnded) this.#child.kill(name);
  }
}
