import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Clock, systemClock } from "../../../server/clock.ts";
import { AppError } from "../../../server/domain/answers/errors.ts";
import { initialSettings, type Settings } from "../../../server/domain/settings/settings.ts";
import { Log } from "../../../server/log.ts";
import { SettingsFile } from "../../../server/store/config/settings_file.ts";

/** Hash of a password. */
export const HASH = "$argon2id$v=19$m=64,t=1,p=1$c2FsdHNhbHQ$aGFzaGhhc2g";

/** Secret of sessions. */
export const SECRET = "0123456789abcdef".repeat(4);

/** Sleeps until it is told that the time has passed. */
class ManualClock implements Clock {
  readonly asked: number[] = [];
  #wake: (() => void) | null = null;

  now = () => Date.now();
  elapsed = () => performance.now();
  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    this.asked.push(ms);
    return new Promise((resolve, reject) => {
      this.#wake = resolve;
      signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
  }
  wake(): void {
    this.#wake?.();
  }
}

/** A config folder of its own, and the settings files opened in it. */
export class SettingsPlace {
  readonly folder = mkdtempSync(join(tmpdir(), "settings-"));
  readonly path = join(this.folder, "config", "settings.json");
  readonly log = new Log(systemClock);
  readonly clock = new ManualClock();
  readonly #opened: SettingsFile[] = [];

  async open(seed: () => Settings = initialSettings): Promise<SettingsFile> {
    const file = await SettingsFile.open({ path: this.path, log: this.log, seed, clock: this.clock });
    this.#opened.push(file);
    return file;
  }

  /** Writes the file as a user with an editor would: in place, mode kept or given. */
  write(content: string | object, mode = 0o600): void {
    mkdirSync(join(this.folder, "config"), { recursive: true });
    writeFileSync(this.path, typeof content === "string" ? content : JSON.stringify(content), { mode });
    chmodSync(this.path, mode);
  }

  get text(): string {
    return readFileSync(this.path, "utf8");
  }
  get stored(): Settings & { readonly version: number; readonly plugins?: unknown } {
    return JSON.parse(this.text);
  }
  get names(): string[] {
    return readdirSync(join(this.folder, "config")).sort();
  }
  get warnings(): string[] {
    return this.log.lines.filter((line) => line.level_no >= 30).map((line) => line.message);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const file of this.#opened) await file.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Error of a rejected promise. */
export async function rejection(promise: Promise<unknown>): Promise<Error> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Error)) throw new Error("it was not rejected with an error");
  return error;
}

export const codeOf = (error: Error): string => (error instanceof AppError ? error.code : error.message);
