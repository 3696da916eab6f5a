import * as v from "valibot";
import { count, moment, text } from "../answers/answer_fields.ts";

const WOULD_REPLACE = v.object({
  runs: count,
  recordings_in_ledger: count,
  kept: v.pipe(count, v.description("Kept recordings, to which those of the backup are added; none is taken off")),
  keys: count,
  settings: v.pipe(v.array(v.string()), v.description("Sections that are set otherwise here")),
});

export const RESTORE = v.object({
  version: text("The version that made the backup"),
  made_at: moment,
  would_replace: v.pipe(WOULD_REPLACE, v.description("Counts of what is here now")),
  returning_keys: v.exactOptional(
    v.pipe(v.array(v.string()), v.description("Names of keys for programs that are not here now and would work again")),
  ),
  applied: v.pipe(v.boolean(), v.description("True when it is restored, and the stores start anew")),
  boot_id: v.exactOptional(text("The `boot_id` of the process's stores before; others are open when it has changed")),
  kept_in: v.exactOptional(text("Folder in the config folder that keeps what was there")),
});

/** Facts about a backup, with all that a restore would change. */
export type RestoreCheck = v.InferOutput<typeof RESTORE>;

/** The end of a restore that was carried out with the start of the stores. */
export interface RestoreOutcome {
  /** Epoch milliseconds. */
  readonly at: number;
  /** Folder in the config folder that keeps what was there. */
  readonly keptIn: string;
  /** Null when all of it is in place; else the cause for which nothing was changed. */
  readonly problem: string | null;
}
