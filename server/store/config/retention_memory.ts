import { readFile } from "node:fs/promises";
import * as v from "valibot";
import { HELD_REASONS, type HeldReason } from "../../domain/retention/deletion_cause.ts";
import { SECTIONS } from "../../domain/settings/settings.ts";
import { isObject } from "../../domain/settings/settings_migrations.ts";
import type { Log } from "../../log.ts";
import { jsonFormat, RememberedFile } from "../remembered_file.ts";

/** Facts that the service remembers about the users' consent to deleting. */
export interface RetentionFacts {
  /** The destination for which `retention.keep` was chosen by a person; null for none: what seeding wrote is no choice. */
  readonly chosenFor: string | null;
  /** `retention.keep` as it was seen last; null before that. */
  readonly keep: string | null;
  /** The destination that the next two are about. */
  readonly destination: string;
  /** Recordings that were there when this service looked last; null before that. */
  readonly recordings: number | null;
  /** Recordings have been there that this service did not bring, and no user has released a deletion since. */
  readonly adopted: boolean;
  /** The clock was found to be implausible: why, and the newest recording then; null when it was not, or a user has released a deletion since. */
  readonly clock: { readonly newest: string | null; readonly why: string } | null;
  /** Cause that made the clock implausible when a user released a deletion: the end of that run, and that recording. */
  readonly accepted: { readonly run: number | null; readonly newest: string | null } | null;
  /** Epoch seconds of the end of the run before, by the clock of then. */
  readonly ranAt: number | null;
  /** A user has agreed to an unusually large pass. */
  readonly allowed: boolean;
  /** The rules of the last pass that ended; null before the first one. */
  readonly passed: string | null;
  /** Reason and start of a hold, ISO 8601 UTC. */
  readonly held: { readonly reason: HeldReason; readonly since: string } | null;
}

const FILE = v.object({
  chosenFor: v.nullable(v.string()),
  keep: v.nullable(v.string()),
  destination: v.string(),
  recordings: v.nullable(v.number()),
  adopted: v.boolean(),
  clock: v.nullable(v.object({ newest: v.nullable(v.string()), why: v.string() })),
  accepted: v.nullable(v.object({ run: v.nullable(v.number()), newest: v.nullable(v.string()) })),
  ranAt: v.nullable(v.number()),
  allowed: v.boolean(),
  passed: v.nullable(v.string()),
  held: v.nullable(v.object({ reason: v.picklist(HELD_REASONS), since: v.string() })),
});

const NOTHING: RetentionFacts = {
  chosenFor: null,
  keep: null,
  destination: "",
  recordings: null,
  adopted: false,
  clock: null,
  accepted: null,
  ranAt: null,
  allowed: false,
  passed: null,
  held: null,
};

const FORMAT = jsonFormat(v.pipe(v.unknown(), v.transform(inTodaysShape), FILE));

/**
 * `retention.json` in the config folder. Without it, or when it cannot be used, nothing is known of any consent, so the
 * service asks again; what cannot be written holds until the restart.
 */
export class RetentionMemory {
  readonly #file: RememberedFile<RetentionFacts>;
  #facts: RetentionFacts;

  private constructor(file: RememberedFile<RetentionFacts>, facts: RetentionFacts) {
    this.#file = file;
    this.#facts = facts;
  }

  static async open(path: string, log: Log): Promise<RetentionMemory> {
    const loss = "Dashdock asks again before it deletes";
    const file = new RememberedFile({
      path,
      log,
      logger: "retention",
      format: FORMAT,
      loss,
      unwritten: `after a restart ${loss}`,
    });
    return new RetentionMemory(file, (await file.read()) ?? NOTHING);
  }

  get facts(): RetentionFacts {
    return this.#facts;
  }

  /** Remembers; resolves when it is written, or was refused. */
  set(changes: Partial<RetentionFacts>): Promise<void> {
    const facts = { ...this.#facts, ...changes };
    if (JSON.stringify(facts) === JSON.stringify(this.#facts)) return this.#file.close();
    this.#facts = facts;
    return this.#file.write(facts);
  }

  /** Forgets everything but these. */
  begin(changes: Partial<RetentionFacts>): Promise<void> {
    return this.set({ ...NOTHING, ...changes });
  }

  /** Returns false when what was set last is not in the file: a restart forgets it. */
  get isSaved(): boolean {
    return this.#file.isSaved;
  }

  /** Resolves when everything is written. */
  close(): Promise<void> {
    return this.#file.close();
  }
}

/**
 * True when a person has written into a settings file how long recordings are kept. A program's own file always has all
 * fields of the section, and its default is no choice.
 */
export async function hasChoice(settingsPath: string): Promise<boolean> {
  try {
    const root: unknown = JSON.parse(await readFile(settingsPath, "utf8"));
    const retention = isObject(root) ? root["retention"] : null;
    if (!isObject(retention) || !("keep" in retention)) return false;
    return retention["keep"] !== SECTIONS.retention.fields.keep.initial || !("max_used_disk_percent" in retention);
  } catch {
    // SettingsFile reports what is wrong with the file.
    return false;
  }
}

/** Earlier versions did not say for which destination there was a choice: it counts for the one that the file is about. */
function inTodaysShape(root: unknown): unknown {
  if (!isObject(root) || typeof root["chosen"] !== "boolean") return root;
  const { chosen, ...facts } = root;
  return { ...NOTHING, ...facts, chosenFor: chosen ? facts["destination"] : null };
}
