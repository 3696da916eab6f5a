import type { Database } from "bun:sqlite";
import { DAMAGES, type Damage, type FileSum } from "../../domain/checksums/file_judgement.ts";
import { momentKey, momentNumber } from "../../domain/recordings/moment_number.ts";
import { endingOf, nameOf } from "../../domain/recordings/recording_name.ts";

/** A file of a recording by its name and the folder it lies in. */
export interface FileId {
  readonly moment: number;
  readonly ending: string;
  /** Relative to the destination, empty for the destination itself. */
  readonly folder: string;
}

/** A moment in one folder. */
export type Place = Pick<FileId, "moment" | "folder">;

/** All that is known of a file's checksums. Times are epoch milliseconds. */
export interface SumRow extends FileId, FileSum {
  readonly takenAt: number;
  /** Time when its bytes were last read from the disk; 0 for never. */
  readonly checkedAt: number;
  readonly damage: Damage | null;
  /** Time when the damage was found. */
  readonly damagedAt: number | null;
}

/** A file of which checksums were taken. */
export interface CheckedFile extends FileId {
  readonly size: number;
  readonly isDamaged: boolean;
}

type Cells = [
  moment: number,
  ending: string,
  folder: string,
  size: number,
  modified: number,
  sha256: Uint8Array,
  crc: number,
  isWhole: number,
  takenAt: number,
  checkedAt: number,
  damage: number | null,
  damagedAt: number | null,
];
const COLUMNS =
  "moment, ending, folder, size, modified, sha256, crc, is_whole, taken_at, checked_at, damage, damaged_at";
/** The moment was moved to the trash from this folder, and the file was not read there since. */
const IS_AWAY = `exists (select 1 from away where away.moment = files.moment and away.folder = files.folder
  and away.at >= max(files.taken_at, files.checked_at))`;
const AT_HOME = `not ${IS_AWAY}`;

/** Before all files. */
export const BEFORE_ALL_FILES: FileId = { moment: -1, ending: "", folder: "" };

/** Path of a file, relative to the destination. */
export function pathOfFile({ moment, ending, folder }: FileId): string {
  const name = nameOf(momentKey(moment), ending);
  return folder === "" ? name : `${folder}/${name}`;
}

/** The file at a path that is relative to the destination; -1 stands for a moment that its name does not tell. */
export function fileAt(path: string): FileId {
  const at = path.lastIndexOf("/");
  const name = path.slice(at + 1);
  return { moment: momentNumber(name), ending: endingOf(name), folder: at < 0 ? "" : path.slice(0, at) };
}

/** The rows of an open file with checksums. */
export class SumRows {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Does several changes, all of them or none. */
  together<T>(work: () => T): T {
    return this.#db.transaction(work).immediate();
  }

  find({ moment, ending, folder }: FileId): SumRow | null {
    const sql = `select ${COLUMNS} from files where moment = ? and ending = ? and folder = ?`;
    return this.#rows(sql, [moment, ending, folder])[0] ?? null;
  }

  /** Files in one folder from one moment to another, both included, that have a row; none of the trash. */
  takenIn(folder: string, from: number, to: number): Omit<FileId, "folder">[] {
    const sql = `select moment, ending from files where moment between ? and ? and folder = ? and ${AT_HOME}`;
    return this.#db.query<Omit<FileId, "folder">, [number, number, string]>(sql).all(from, to, folder);
  }

  /** The files of one name, in all folders. */
  ofName(moment: number, ending: string): SumRow[] {
    return this.#rows(`select ${COLUMNS} from files where moment = ? and ending = ?`, [moment, ending]);
  }

  /** The files of one moment. */
  ofMoment(moment: number): SumRow[] {
    return this.#rows(`select ${COLUMNS} from files where moment = ?`, [moment]);
  }

  /** Files from one moment to another, both included, without those in the trash. */
  between(from: number, to: number): CheckedFile[] {
    const sql = `select moment, ending, folder, size, damage from files where moment between ? and ? and ${AT_HOME}`;
    const cells = this.#db.query(sql).values(from, to) as [number, string, string, number, number | null][];
    return cells.map(([moment, ending, folder, size, damage]) => {
      return { moment, ending, folder, size, isDamaged: damage !== null };
    });
  }

  /** Files after one, in their order. */
  after({ moment, ending, folder }: FileId, most: number): SumRow[] {
    const order = "order by moment, ending, folder";
    const sql = `select ${COLUMNS} from files where (moment, ending, folder) > (?, ?, ?) ${order} limit ?`;
    return this.#rows(sql, [moment, ending, folder, most]);
  }

  /** Files that were not read since then, those first that were read longest ago. */
  uncheckedSince(before: number, most: number): SumRow[] {
    const sql = `select ${COLUMNS} from files where checked_at < ? and ${AT_HOME} order by checked_at limit ?`;
    return this.#rows(sql, [before, most]);
  }

  /** Files that were read later than then: the clock was ahead. */
  checkedAfter(time: number, most: number): SumRow[] {
    return this.#rows(`select ${COLUMNS} from files where checked_at > ? and ${AT_HOME} limit ?`, [time, most]);
  }

  /** Time when the file was read that was read longest ago; null when there is none. */
  oldestCheck(): number | null {
    const sql = `select checked_at as at from files where ${AT_HOME} order by checked_at limit 1`;
    return this.#db.query<{ at: number }, []>(sql).get()?.at ?? null;
  }

  damaged(): SumRow[] {
    return this.#rows(`select ${COLUMNS} from files where damage is not null order by moment, ending, folder`, []);
  }

  count(): number {
    return this.#db.query<{ count: number }, []>("select count(*) as count from files").get()?.count ?? 0;
  }

  /** Writes files; one that is there already is replaced. */
  save(rows: readonly SumRow[]): void {
    const save = this.#db.query(
      `insert or replace into files (${COLUMNS}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    for (const row of rows) save.run(...cellsOf(row));
  }

  remove(ids: readonly FileId[]): void {
    const remove = this.#db.query("delete from files where moment = ? and ending = ? and folder = ?");
    for (const { moment, ending, folder } of ids) remove.run(moment, ending, folder);
  }

  /** Notes that moments are about to be moved to the trash from a folder. */
  setAway(moments: readonly Place[], at: number): void {
    const set = this.#db.query("insert or replace into away values (?, ?, ?)");
    // Else they stood in front of all that are to be read again; and a clock may have been ahead when they were read.
    const sql = "update files set checked_at = ?, taken_at = min(taken_at, ?) where moment = ? and folder = ?";
    const date = this.#db.query(sql);
    for (const { moment, folder } of moments) {
      set.run(moment, folder, at);
      date.run(at, at, moment, folder);
    }
  }

  /** True for a file that was moved to the trash, and was not read at its place since. */
  isAway({ moment, ending, folder }: FileId): boolean {
    const sql = `select 1 from files where moment = ? and ending = ? and folder = ? and ${IS_AWAY}`;
    return this.#db.query(sql).get(moment, ending, folder) !== null;
  }

  /** Moments that were moved to the trash, after one, in their order. */
  awayAfter({ moment, folder }: Place, most: number): (Place & { readonly at: number })[] {
    const sql = "select * from away where (moment, folder) > (?, ?) order by moment, folder limit ?";
    return this.#db.query<Place & { at: number }, [number, string, number]>(sql).all(moment, folder, most);
  }

  /** Moments are at home again, or gone for good: in that case their checksums go, too. */
  endAway(places: readonly Place[], areGone: boolean): void {
    const end = this.#db.query("delete from away where moment = ? and folder = ?");
    const remove = this.#db.query(`delete from files where moment = ? and folder = ? and ${IS_AWAY}`);
    for (const { moment, folder } of places) {
      if (areGone) remove.run(moment, folder);
      end.run(moment, folder);
    }
  }

  fact(name: string): string | null {
    return (
      this.#db.query<{ value: string }, [string]>("select value from facts where name = ?").get(name)?.value ?? null
    );
  }

  /** @param value null takes it away */
  setFact(name: string, value: string | null): void {
    if (value === null) this.#db.query("delete from facts where name = ?").run(name);
    else this.#db.query("insert or replace into facts values (?, ?)").run(name, value);
  }

  #rows(sql: string, parameters: (number | string)[]): SumRow[] {
    return (this.#db.query(sql).values(...parameters) as Cells[]).map(rowOf);
  }
}

function rowOf(cells: Cells): SumRow {
  const [moment, ending, folder, size, modified, sha256, crc, isWhole, takenAt, checkedAt, ...rest] = cells;
  const [damage, damagedAt] = rest;
  return {
    moment,
    ending,
    folder,
    size,
    modified,
    sha256: sha256.toHex(),
    crc,
    isWholeVideo: isWhole !== 0,
    takenAt,
    checkedAt,
    damage: damage === null ? null : (DAMAGES[damage] ?? "other_bytes"),
    damagedAt,
  };
}

function cellsOf(row: SumRow): Cells {
  return [
    row.moment,
    row.ending,
    row.folder,
    row.size,
    row.modified,
    Uint8Array.fromHex(row.sha256),
    row.crc,
    Number(row.isWholeVideo),
    row.takenAt,
    row.checkedAt,
    row.damage === null ? null : DAMAGES.indexOf(row.damage),
    row.damagedAt,
  ];
}
