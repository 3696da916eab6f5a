import { Database } from "bun:sqlite";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PlannedPatch } from "./plan_patches.ts";

type Stored = Record<string, Record<string, unknown>>;

/** The settings file as it must be: what was acknowledged, or what was sent and never answered. */
export class SettingsBook {
  readonly #path: string;
  /** Values by `section.field`, as JSON: the value in force, and those that may have come into force. */
  readonly #fields = new Map<string, { acknowledged: string; pending: string[] }>();

  /** Writes the file with which the service is to begin. */
  constructor(config: string, settings: Stored) {
    this.#path = join(config, "settings.json");
    writeFileSync(this.#path, JSON.stringify({ version: 2, ...settings }), { mode: 0o600 });
    for (const [key, value] of fieldsOf(settings)) this.#fields.set(key, { acknowledged: value, pending: [] });
  }

  sent({ section, body }: PlannedPatch): void {
    for (const [key, value] of fieldsOf({ [section]: body })) {
      const known = this.#fields.get(key);
      if (known) known.pending.push(value);
      // The value before it is the default, which is not repeated here.
      else this.#fields.set(key, { acknowledged: "", pending: [value] });
    }
  }

  acknowledged({ section, body }: PlannedPatch): void {
    for (const [key, value] of fieldsOf({ [section]: body }))
      this.#fields.set(key, { acknowledged: value, pending: [] });
  }

  /** Problems of the file; no program runs meanwhile. */
  check(): string[] {
    let stored: Stored;
    try {
      stored = JSON.parse(readFileSync(this.#path, "utf8"));
    } catch (error) {
      return [`settings.json cannot be read: ${error}`];
    }
    const wrong: string[] = [];
    for (const [key, { acknowledged, pending }] of this.#fields) {
      const [section = "", field = ""] = key.split(".");
      const found = JSON.stringify(stored[section]?.[field]);
      const isAsBefore = acknowledged === "" || found === acknowledged;
      if (!isAsBefore && !pending.includes(found))
        wrong.push(`settings.json: ${key} is ${found}, not ${[acknowledged, ...pending].join(" or ")}`);
      this.#fields.set(key, { acknowledged: found ?? "", pending: [] });
    }
    return wrong;
  }
}

function fieldsOf(settings: Readonly<Record<string, Readonly<Record<string, unknown>>>>): [string, string][] {
  return Object.entries(settings).flatMap(([section, fields]) =>
    Object.entries(fields).map(([field, value]): [string, string] => [`${section}.${field}`, JSON.stringify(value)]),
  );
}

/** The history as it must be: no run that was there is ever gone, and every run that began is there after a start. */
export class HistoryBook {
  readonly #config: string;
  readonly #scratch: string;
  #seen: ReadonlySet<number> = new Set();
  /** Ends of runs that were there before a start and after it: what a start may mend of a killed one is done. */
  #settled: ReadonlySet<number> = new Set();
  #hasStarted = false;
  /** Runs of the service that must be there, and those killed since its last start. */
  #before = 0;
  #since = 0;

  constructor(config: string, scratch: string) {
    this.#config = config;
    this.#scratch = scratch;
  }

  /** The service is up, and has taken notice of what its last life left. */
  started(): void {
    this.#before += this.#since;
    this.#since = 0;
    this.#hasStarted = true;
  }

  /** A run has asked the camera for something, and was killed. */
  began(): void {
    this.#since++;
  }

  /** A run's end was told: it is in the history. */
  ended(): void {
    this.#before++;
  }

  /** Problems of the history; no program runs meanwhile. A copy is looked at, so that nothing is repaired. */
  check(): string[] {
    const aside = readdirSync(this.#config).filter((name) => name.includes(".corrupt-"));
    if (aside.length > 0) return [`the history was set aside as damaged: ${aside.join(", ")}`];
    if (!existsSync(join(this.#config, "stats.db"))) return [];
    rmSync(this.#scratch, { recursive: true, force: true });
    mkdirSync(this.#scratch, { recursive: true });
    for (const name of ["stats.db", "stats.db-wal"])
      if (existsSync(join(this.#config, name))) copyFileSync(join(this.#config, name), join(this.#scratch, name));
    const wrong: string[] = [];
    try {
      using db = new Database(join(this.#scratch, "stats.db"));
      const integrity = db.query<{ integrity_check: string }, []>("pragma integrity_check").all();
      if (integrity[0]?.integrity_check !== "ok") wrong.push(`stats.db is damaged: ${JSON.stringify(integrity[0])}`);
      const hasTable = db.query("select 1 from sqlite_master where name = 'runs'").get() !== null;
      const rows = hasTable ? db.query<{ ts_seconds: number }, []>("select ts_seconds from runs").all() : [];
      const found = new Set(rows.map(({ ts_seconds }) => ts_seconds));
      const gone = this.#settled.difference(found).size;
      if (gone > 0) wrong.push(`${gone} of ${this.#settled.size} runs are gone from the history`);
      if (found.size < this.#seen.size) wrong.push(`of ${this.#seen.size} runs ${found.size} are in the history`);
      if (this.#hasStarted) this.#settled = this.#seen.intersection(found);
      this.#hasStarted = false;
      if (found.size < this.#before)
        wrong.push(`the history has ${found.size} runs, though ${this.#before} began before the last start or ended`);
      this.#seen = found;
      // Told once.
      this.#before = Math.min(this.#before, found.size);
    } catch (error) {
      wrong.push(`stats.db cannot be read: ${error}`);
    }
    return wrong;
  }
}
