import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { HeldDeletion, RetentionState } from "../../../server/domain/retention/deletion.ts";
import { type AppOptions, type RunningApp, startApp } from "./app.ts";
import { FakeClock } from "./clock.ts";
import { listTree } from "./sync.ts";

export const DAY = 86_400_000;
/** Options of a service with a chosen keep time. */
export const KEEPING = { settings: { retention: { keep: "4w" } } } as const;

/** A folder to start in more than once. */
export class House implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), "held-"));
  readonly destination = join(this.folder, "recordings");
  readonly clock = new FakeClock("2026-06-07T10:30:00Z");

  /** @param names of recordings that are there before the first start, and that no service has brought */
  constructor(names: readonly string[] = []) {
    put(this, names);
  }

  start(options: AppOptions = {}): Promise<RunningApp> {
    return startApp({ folder: this.folder, clock: this.clock, ...options });
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Names of front videos, a minute apart, from this day on: `20260101` and how many. */
export function namesFrom(day: string, count: number, type = "N"): string[] {
  return Array.from({ length: count }, (_, at) => {
    const hour = Math.floor(at / 60);
    const minute = at % 60;
    return `${day}_${String(hour).padStart(2, "0")}${String(minute).padStart(2, "0")}00_${type}F.mp4`;
  });
}

/** Puts files into the destination as another program would. */
export function put(
  { destination }: Pick<RunningApp, "destination">,
  names: readonly string[],
  content: string | Uint8Array = "old",
): void {
  for (const name of names) {
    mkdirSync(dirname(join(destination, name)), { recursive: true });
    writeFileSync(join(destination, name), content);
  }
}

/** Videos at home, sorted; those of the card's day are left out. */
export function atHome({ destination }: Pick<RunningApp, "destination">): string[] {
  return listTree(destination).filter(
    (path) => path.endsWith(".mp4") && !path.startsWith(".") && !path.includes("20260607"),
  );
}

/** Videos in the trash by their former places, sorted. */
export function inTrash({ destination }: Pick<RunningApp, "destination">): string[] {
  return listTree(join(destination, ".dashdock", "trash"))
    .filter((path) => path.endsWith(".mp4"))
    .map((path) => path.slice(path.indexOf("/") + 1))
    .sort();
}

export async function run(running: RunningApp, trigger: "schedule" | "manual" = "schedule"): Promise<void> {
  running.app.job.start(trigger);
  await running.synced();
}

/** Answer of `GET /api/retention`. */
export async function state(running: RunningApp): Promise<RetentionState> {
  return (await (await running.client.fetch("/api/retention")).json()) as RetentionState;
}

/** Deletion that waits for an answer, with the library read as for a page that has just been opened. */
export async function held(running: RunningApp): Promise<HeldDeletion | null> {
  await running.app.library.refresh();
  return (await state(running)).held;
}

/** A change as our own pages send it. */
export async function send(running: RunningApp, method: string, path: string, body?: unknown) {
  if (running.client.token === "") await running.client.open("/");
  const answer = await running.client.send(method, path, body);
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

/** Warnings in the log. */
export function warnings({ app }: RunningApp): string[] {
  return app.log.lines.filter(({ level }) => level === "WARNING").map(({ message }) => message);
}
