import type { Run } from "../../domain/runs/run.ts";

interface Column {
  /** Schema step that brings it; see `run_database.ts`. */
  readonly step: number;
  /** Declaration behind its name. A released one never changes. */
  readonly sql: string;
  /** Value of a run in it. The type is what a row of any program may have there. */
  readonly of: (run: Run) => string | number | null;
}

/** Columns of the table `runs`, in order. A new one goes to the end, with the number of a new step. */
export const RUN_COLUMNS = {
  ts_seconds: { step: 1, sql: "real primary key", of: (run) => run.ts },
  success: { step: 1, sql: "integer not null", of: (run) => bitOf(run.success) },
  exit_code: { step: 1, sql: "integer", of: (run): number | null => run.exitCode },
  duration_seconds: { step: 1, sql: "real not null default 0", of: (run) => run.durationSeconds },
  files: { step: 1, sql: "integer not null default 0", of: (run) => run.files },
  bytes: { step: 1, sql: "integer not null default 0", of: (run) => run.bytes },
  recordings_seen: { step: 1, sql: "integer not null default 0", of: (run) => run.recordingsSeen },
  recordings_selected: { step: 1, sql: "integer not null default 0", of: (run) => run.recordingsSelected },
  disk_used_ratio: { step: 1, sql: "real", of: (run) => run.diskUsedRatio },
  failed_markers: { step: 1, sql: "integer not null default 0", of: (run) => run.failedMarkers },
  failures_json: { step: 1, sql: "text", of: (run): string | null => JSON.stringify(run.failures) },
  dry_run: { step: 1, sql: "integer not null default 0", of: (run) => bitOf(run.dryRun) },
  stopped: { step: 2, sql: "integer not null default 0", of: (run) => bitOf(run.stopped) },
  address: { step: 2, sql: "text", of: (run) => run.address ?? null },
  message: { step: 2, sql: "text", of: (run) => run.message ?? null },
  left_out_json: { step: 2, sql: "text", of: (run) => jsonOrNull(run.leftOut) },
  deleted_recordings: { step: 2, sql: "integer not null default 0", of: (run) => run.deleted?.recordings ?? 0 },
  deleted_bytes: { step: 2, sql: "integer not null default 0", of: (run) => run.deleted?.bytes ?? 0 },
  trash_ratio: { step: 2, sql: "real", of: (run) => run.trashRatio ?? null },
  cause: { step: 2, sql: "text", of: (run): string | null => run.cause ?? null },
  counts_json: { step: 2, sql: "text", of: (run) => jsonOrNull(run.counts) },
  trigger: { step: 2, sql: "text", of: (run): string | null => run.trigger ?? null },
} as const satisfies Readonly<Record<string, Column>>;

type Columns = typeof RUN_COLUMNS;

/** A run as the table `runs` has it. */
export type Row = { readonly [Name in keyof Columns]: ReturnType<Columns[Name]["of"]> };

/** Columns of a sample, in the order in which its row has them. */
export const SAMPLE_COLUMNS = [
  ...(["ts_seconds", "success", "duration_seconds", "files", "bytes"] as const),
  ...(["disk_used_ratio", "failures_json", "dry_run", "stopped", "trash_ratio"] as const),
] as const;

type ValuesOf<Names extends readonly (keyof Row)[]> = { -readonly [At in keyof Names]: Row[Names[At]] };
/** The values alone: there may be 350,000 of these rows. */
export type SampleRow = ValuesOf<typeof SAMPLE_COLUMNS>;

const ALL: readonly [name: string, column: Column][] = Object.entries(RUN_COLUMNS);

export const COLUMN_NAMES: readonly string[] = ALL.map(([name]) => name);

/** Columns that steps up to this one bring. */
export function columnsUpTo(last: number): readonly string[] {
  return ALL.filter(([, { step }]) => step <= last).map(([name]) => name);
}

/** Declarations of the columns that one step brings. */
export function declarationsOf(wanted: number): ReadonlyMap<string, string> {
  return new Map(ALL.filter(([, { step }]) => step === wanted).map(([name, { sql }]) => [name, `${name} ${sql}`]));
}

/** Values of a run in the order of the columns. */
export function valuesOf(run: Run): (string | number | null)[] {
  return ALL.map(([, { of }]) => of(run));
}

function bitOf(value: boolean | undefined): number {
  return value ? 1 : 0;
}

function jsonOrNull(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}
