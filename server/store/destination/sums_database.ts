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
 * while the bytes on the disk have not been read. `is_away`: moved to the trash.
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
  is_away integer not null default 0,
  primary key (moment, ending, folder)
) without rowid`;

const CHECKED = "create index if not exists checked on files (checked_at) where is_away = 0";
const DAMAGED = "create index if not exists damaged on files (damage) where damage is not null";
const FACTS = "create table if not exists facts (name text primary key, value text not null) without rowid";

type Step = (db: Database) => void;

/** Schema steps in order; `user_version` counts those done. A released step never changes, and may be done again. */
const STEPS = [
  (db) => {
    for (const table of [FILES, CHECKED, DAMAGED, FACTS]) db.run(table);
  },
] as const satisfies readonly Step[] & { readonly length: typeof SUMS_VERSION };

/** A newer program has written the file. */
export class NewerSums extends Error {}

/** A link or something else lies where the file belongs, which is not followed. */
export class SumsInTheWay extends Error {}

/**
 * Opens the file, and creates it when it may be written. It may lie on a network disk: so there is no journal that needs
 * shared memory, which such disks do not have.
 * @throws NewerSums, SumsInTheWay, or SQLite's own error
 */
export function openSums(root: string, mayWrite: boolean): Database {
  const path = join(root, SUMS_PATH);
  for (const [part, isRight] of [
    [join(root, OWN_FOLDER), "isDirectory"],
    [path, "isFile"],
  ] as const) {
    const found = lstatSync(part, { throwIfNoEntry: false });
    if (found && !found[isRight]()) throw new SumsInTheWay(`${part} is not what it should be; remove it`);
  }
  const db = new Database(path, mayWrite ? { create: true, strict: true } : { readonly: true, strict: true });
  try {
    db.run("pragma busy_timeout = 100");
    db.run("pragma cache_size = -1024");
    const version = versionOf(db);
    if (version > SUMS_VERSION)
      throw new NewerSums(`it is of version ${version}, newer than version ${SUMS_VERSION} that this program reads`);
    if (!mayWrite) return db;
    db.run("pragma journal_mode = delete");
    db.run("pragma synchronous = full");
    if (version < STEPS.length) {
      migrate(db, version);
      giveToOwnerOf(join(root, OWN_FOLDER), path);
    }
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** True for the error of a file that is damaged, or that this program has not written. */
export function isSumsDamage(error: unknown): boolean {
  const isOther = error instanceof Error && /^no such (table|column)/.test(error.message);
  return isOther || /^SQLITE_(CORRUPT|NOTADB)/.test(errorCode(error));
}

function migrate(db: Database, version: number): void {
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
