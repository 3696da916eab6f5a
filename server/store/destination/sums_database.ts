import { Database } from "bun:sqlite";
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../error_code.ts";
import { SUMS_VERSION } from "../file_versions.ts";
import { giveToOwnerOf, OWN_FOLDER } from "./own_folder.ts";

/** Path of the checksums, relative to the destination. */
export const SUMS_PATH = join(OWN_FOLDER, "sums.db");

/**
 * A row for each file of a recording. `moment` and `ending` are its name, see `momentNumber` and `nameOf`, and `folder`
 * is relative to the destination. `damage` is a place in `DAMAGES`. Times are epoch milliseconds; `checked_at` is 0
 * while the bytes on the disk have not been read.
 */
const FILES = `create table if not exists files (
  moment integer not null,
  ending text not null,
  folder text not null,
  size integer not null,
  modified integer not null,
  sha256 blob not null,
  crc integer not null,
  is_whole integer not null,
  taken_at integer not null,
  checked_at integer not null,
  damage integer,
  damaged_at integer,
  primary key (moment, ending, folder)
) without rowid`;

const CHECKED = "create index if not exists checked on files (checked_at)";
const DAMAGED = "create index if not exists damaged on files (damage) where damage is not null";

/** Moments that were moved to the trash from a folder: their files are not missed. */
const AWAY = `create table if not exists away (
  moment integer not null,
  folder text not null,
  at integer not null,
  primary key (moment, folder)
) without rowid`;

const FACTS = "create table if not exists facts (name text primary key, value text not null) without rowid";

type Step = (db: Database) => void;

/** Schema steps in order; `user_version` counts those done. A released step never changes, and may be done again. */
const STEPS = [
  (db) => {
    for (const table of [FILES, CHECKED, DAMAGED, AWAY, FACTS]) db.run(table);
  },
] as const satisfies readonly Step[] & { readonly length: typeof SUMS_VERSION };

/** A newer program has written the file. */
export class NewerSums extends Error {}

/** A link or something else lies where the file belongs, which is not followed. */
export class SumsInTheWay extends Error {}

/** Opens a file that is there, or creates it. */
export type SumsMode = "read" | "change";

/** Answers of SQLite for a file, or a disk, that this user may not write. */
const READ_ONLY = /^SQLITE_(READONLY|CANTOPEN|PERM)/;

/**
 * Opens the file; to read it, also on a disk that cannot be written. It may lie on a network disk: so there is no journal
 * that needs shared memory, which such disks do not have. What a killed program left half written is taken back.
 * @throws NewerSums, SumsInTheWay, or SQLite's own error
 */
export function openSums(root: string, mode: SumsMode): Database {
  requirePlain(root);
  try {
    return openAs(root, { create: mode === "change", readwrite: true });
  } catch (error) {
    if (mode === "change" || !READ_ONLY.test(errorCode(error))) throw error;
    return openAs(root, { readonly: true });
  }
}

/** True for the error of a file that is damaged, or that this program has not written. */
export function isSumsDamage(error: unknown): boolean {
  const isOther = error instanceof Error && /^no such (table|column)/.test(error.message);
  return isOther || /^SQLITE_(CORRUPT|NOTADB)/.test(errorCode(error));
}

function openAs(root: string, how: { create?: boolean; readwrite?: boolean; readonly?: boolean }): Database {
  const path = join(root, SUMS_PATH);
  const db = new Database(path, { ...how, strict: true });
  try {
    db.run("pragma busy_timeout = 100");
    db.run("pragma cache_size = -1024");
    const version = versionOf(db);
    if (version > SUMS_VERSION)
      throw new NewerSums(`it is of version ${version}, newer than version ${SUMS_VERSION} that this program reads`);
    if (version === STEPS.length) return db;
    migrate(db, version);
    giveToOwnerOf(join(root, OWN_FOLDER), path);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Nothing is written through a link. */
function requirePlain(root: string): void {
  const path = join(root, SUMS_PATH);
  for (const [part, isRight] of [
    [join(root, OWN_FOLDER), "isDirectory"],
    [path, "isFile"],
    [`${path}-journal`, "isFile"],
  ] as const) {
    const found = lstatSync(part, { throwIfNoEntry: false });
    if (found && !found[isRight]()) throw new SumsInTheWay(`${part} is not what it should be; remove it`);
  }
}

function migrate(db: Database, version: number): void {
  db.run("pragma journal_mode = delete");
  db.run("begin immediate");
  for (const step of STEPS.slice(version)) step(db);
  db.run(`pragma user_version = ${STEPS.length}`);
  db.run("commit");
}

/** A statement left open keeps the file open. */
function versionOf(db: Database): number {
  using statement = db.prepare<{ user_version: number }, []>("pragma user_version");
  return statement.get()?.user_version ?? 0;
}
