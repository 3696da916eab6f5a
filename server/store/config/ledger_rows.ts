import type { Database } from "bun:sqlite";
import type { Trouble } from "../../domain/coverage/judgement.ts";
import { TROUBLES } from "../../domain/coverage/judgement.ts";
import {
  LEFT_OUT_RULES,
  type LeftOutRule,
  RECORDING_STATES,
  type RecordingState,
  STATE_CAUSES,
  type StateCause,
} from "../../domain/coverage/recording_state.ts";
import { dayOfMoment, firstMomentOf } from "../../domain/recordings/moment_number.ts";

/** A recording by the numbers of its moment and of its ending in `VIDEO_ENDINGS`. */
export interface RecordingId {
  readonly moment: number;
  readonly ending: number;
}

/** All that the ledger has of a recording. Times are epoch milliseconds. */
export interface LedgerRow extends RecordingId {
  readonly state: RecordingState;
  readonly cause: StateCause | null;
  /** Number of the rule that left it out, see `rule`. */
  readonly rule: number | null;
  /** The card with this number is known to hold it. */
  readonly isListed: boolean;
  readonly card: number | null;
  /** Number of good lists in a row that lacked it, and when the first of them came. */
  readonly missing: number;
  readonly missingSince: number | null;
  readonly trouble: Trouble | null;
  readonly firstSeen: number;
  /** When a list had it last; null while its card's last one has it, and when none ever did. */
  readonly lastSeen: number | null;
  /** Since when it is in this state. */
  readonly at: number;
  /** When it was at home first; null when it never was. */
  readonly homeAt: number | null;
  readonly by: string | null;
  readonly size: number | null;
}

/** A card, by the good lists that have come of it. */
export interface KnownCard {
  readonly firstSeen: number;
  readonly lastSeen: number;
  /** Length of the last one, and lines of it that were no recordings. */
  readonly size: number;
  readonly strangeLines: number;
  /** Number of short lists since. */
  readonly shortLists: number;
}

/** A rule that left recordings out, with what it said. */
export interface RuleUsed {
  readonly name: LeftOutRule;
  readonly value: string;
}

type Cells = [
  moment: number,
  ending: number,
  state: number,
  cause: string | null,
  rule: number | null,
  isListed: number,
  card: number | null,
  missing: number,
  missingSince: number | null,
  trouble: string | null,
  firstSeen: number,
  lastSeen: number | null,
  at: number,
  homeAt: number | null,
  by: string | null,
  size: number | null,
];

const COLUMNS =
  "moment, ending, state, cause, rule, is_listed, card, missing, missing_since, trouble, first_seen, last_seen, at, home_at, by_name, size";
const PLACES = `(${COLUMNS.replaceAll(/[a-z_]+/g, "?")})`;
const SAVE = `insert or replace into recordings (${COLUMNS}) values ${PLACES}`;
/** Rows of one statement, where there are that many: each call of SQLite costs as much as the row it writes. */
const SAVED_TOGETHER = 50;
const SAVE_MANY = SAVE + `, ${PLACES}`.repeat(SAVED_TOGETHER - 1);
/** Before the first recording. */
export const BEFORE_ALL: RecordingId = { moment: -1, ending: -1 };

/** The statements of the ledger. All are short; callers make slices of long work. Errors are SQLite's own. */
export class LedgerRows {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Does changes that belong together: all of them or none. */
  together<T>(work: () => T): T {
    return this.#db.transaction(work).immediate();
  }

  /** A fact about the ledger itself; null for one that was never set. */
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

  /** The newest moment that a recording is known of; -1 for none. */
  newestMoment(): number {
    return (
      this.#db.query<{ moment: number | null }, []>("select max(moment) as moment from recordings").get()?.moment ?? -1
    );
  }

  /** Recordings after one, in their order. */
  after({ moment, ending }: RecordingId, most: number): LedgerRow[] {
    const sql = `select ${COLUMNS} from recordings where (moment, ending) > (?, ?) order by moment, ending limit ?`;
    return this.#rows(sql, [moment, ending, most]);
  }

  /** Recordings that a card is known to hold, after one, in their order. */
  onCardAfter(card: number, { moment, ending }: RecordingId, most: number): LedgerRow[] {
    const sql = `select ${COLUMNS} from recordings where is_listed = 1 and card = ? and (moment, ending) > (?, ?) order by moment, ending limit ?`;
    return this.#rows(sql, [card, moment, ending, most]);
  }

  /** The newest recording that a card is known to hold; null for none. */
  newestOnCard(card: number): RecordingId | null {
    const sql =
      "select moment, ending from recordings where is_listed = 1 and card = ? order by moment desc, ending desc limit 1";
    return this.#db.query<RecordingId, [number]>(sql).get(card);
  }

  /** Counts the recordings that a card is known to hold, and that are to come. */
  waitingOnCard(card: number): number {
    const sql = "select count(*) as count from recordings where is_listed = 1 and card = ? and state in (1, 7)";
    return this.#db.query<{ count: number }, [number]>(sql).get(card)?.count ?? 0;
  }

  /** Notes that what was taken for two cards is one. */
  joinCards(card: number, other: number): void {
    this.#db.query("update recordings set card = ? where is_listed = 1 and card = ?").run(other, card);
  }

  inTrash(): LedgerRow[] {
    return this.#rows(`select ${COLUMNS} from recordings where state = 5`, []);
  }

  /** The recordings of one moment. */
  ofMoment(moment: number): LedgerRow[] {
    return this.#rows(`select ${COLUMNS} from recordings where moment = ? order by ending`, [moment]);
  }

  find({ moment, ending }: RecordingId): LedgerRow | null {
    return this.#rows(`select ${COLUMNS} from recordings where moment = ? and ending = ?`, [moment, ending])[0] ?? null;
  }

  /** The recordings of a day, `YYYYMMDD`, by time. */
  ofDay(day: number): LedgerRow[] {
    const sql = `select ${COLUMNS} from recordings where moment >= ? and moment < ? order by moment, ending`;
    return this.#rows(sql, [firstMomentOf(day), firstMomentOf(day + 1)]);
  }

  count(): number {
    return this.#db.query<{ count: number }, []>("select count(*) as count from recordings").get()?.count ?? 0;
  }

  /** Writes recordings, and marks the counts of their days as old. One that is there already is replaced. */
  save(rows: readonly LedgerRow[]): void {
    if (rows.length === 0) return;
    const many = rows.length - (rows.length % SAVED_TOGETHER);
    for (let at = 0; at < many; at += SAVED_TOGETHER)
      this.#db.query(SAVE_MANY).run(...rows.slice(at, at + SAVED_TOGETHER).flatMap(cellsOf));
    for (const row of rows.slice(many)) this.#db.query(SAVE).run(...cellsOf(row));
    this.#markOld(rows);
  }

  #markOld(rows: readonly RecordingId[]): void {
    const days = new Set(rows.map(({ moment }) => dayOfMoment(moment)));
    const mark = this.#db.query(
      "insert into days (day, is_old) values (?, 1) on conflict (day) do update set is_old = 1 where is_old = 0",
    );
    for (const day of days) mark.run(day);
  }

  /** Forgets recordings that are known as others, and marks the counts of their days as old. */
  remove(rows: readonly RecordingId[]): void {
    const remove = this.#db.query("delete from recordings where moment = ? and ending = ?");
    for (const { moment, ending } of rows) remove.run(moment, ending);
    this.#markOld(rows);
  }

  /** Days whose counts are to be made anew, oldest first. */
  oldDays(most: number): number[] {
    const sql = "select day from days where is_old = 1 order by day limit ?";
    return this.#db
      .query<{ day: number }, [number]>(sql)
      .all(most)
      .map(({ day }) => day);
  }

  setDay(day: number, lost: number, counts: string): void {
    this.#db
      .query("insert or replace into days (day, is_old, lost, counts) values (?, 0, ?, ?)")
      .run(day, lost, counts);
  }

  /** Counts of the days from one to another, by date; of those that have any. */
  daysBetween(from: number, to: number): { readonly day: number; readonly counts: string }[] {
    const sql = "select day, counts from days where day between ? and ? and counts is not null order by day";
    return this.#db.query<{ day: number; counts: string }, [number, number]>(sql).all(from, to);
  }

  /** The last day from one on, `YYYYMMDD`, on which something was lost; null for none. */
  lastLoss(from: number): number | null {
    const sql = "select max(day) as day from days where lost > 0 and day >= ?";
    return this.#db.query<{ day: number | null }, [number]>(sql).get(from)?.day ?? null;
  }

  /** The number of a rule with its value, which is noted when it is new. */
  ruleId({ name, value }: RuleUsed, now: number): number {
    const find = this.#db.query<{ id: number }, [string, string]>("select id from rules where name = ? and value = ?");
    const known = find.get(name, value);
    if (known !== null) return known.id;
    this.#db.query("insert into rules (name, value, first_used) values (?, ?, ?)").run(name, value, now);
    return find.get(name, value)?.id ?? 0;
  }

  rule(id: number): RuleUsed | null {
    const row = this.#db
      .query<{ name: string; value: string }, [number]>("select name, value from rules where id = ?")
      .get(id);
    const name = LEFT_OUT_RULES.find((one) => one === row?.name);
    return row === null || name === undefined ? null : { name, value: row.value };
  }

  /** A card that lists have come of; null for another one. */
  card(id: number): KnownCard | null {
    const sql = `select first_seen as firstSeen, last_seen as lastSeen, size, strange_lines as strangeLines,
      short_lists as shortLists from cards where id = ?`;
    return this.#db.query<KnownCard, [number]>(sql).get(id);
  }

  /** Notes that a good list of this card has come. */
  sawCard(id: number, now: number, { size, strangeLines }: Pick<KnownCard, "size" | "strangeLines">): void {
    const sql = `insert into cards (id, first_seen, last_seen, size, strange_lines) values (?, ?, ?, ?, ?)
      on conflict (id) do update set last_seen = excluded.last_seen, size = excluded.size,
      strange_lines = excluded.strange_lines, short_lists = 0`;
    this.#db.query(sql).run(id, now, now, size, strangeLines);
  }

  /** Notes that a short list of this card has come. */
  sawShortList(id: number): void {
    this.#db.query("update cards set short_lists = short_lists + 1 where id = ?").run(id);
  }

  newestCard(): number {
    return this.#db.query<{ id: number | null }, []>("select max(id) as id from cards").get()?.id ?? 0;
  }

  /** Times in which syncing was paused that had not ended by then, oldest first. */
  pausesSince(since: number): { readonly from: number; readonly to: number | null }[] {
    const sql =
      'select from_ms as "from", to_ms as "to" from pauses where to_ms is null or to_ms >= ? order by from_ms';
    return this.#db.query<{ from: number; to: number | null }, [number]>(sql).all(since);
  }

  /** Begins a pause, unless one goes on. */
  beginPause(now: number): void {
    if (this.#db.query("select 1 from pauses where to_ms is null").get() !== null) return;
    this.#db.query("insert or ignore into pauses values (?, null)").run(now);
  }

  /** Ends the pause that goes on, if there is one. A clock that was set back ends it where it began. */
  endPause(now: number): void {
    this.#db.query("update pauses set to_ms = max(from_ms, ?) where to_ms is null").run(now);
  }

  #rows(sql: string, parameters: number[]): LedgerRow[] {
    return (this.#db.query(sql).values(...parameters) as Cells[]).map(rowOf);
  }
}

/** By place: destructuring would make a list of each row, and there are 50,000 of them. */
function rowOf(cells: Cells): LedgerRow {
  const [cause, trouble] = [cells[3], cells[9]];
  return {
    moment: cells[0],
    ending: cells[1],
    state: RECORDING_STATES[cells[2]] ?? "unknown",
    cause: cause === null ? null : (STATE_CAUSES.find((one) => one === cause) ?? null),
    rule: cells[4],
    isListed: cells[5] !== 0,
    card: cells[6],
    missing: cells[7],
    missingSince: cells[8],
    trouble: trouble === null ? null : (TROUBLES.find((one) => one === trouble) ?? null),
    firstSeen: cells[10],
    lastSeen: cells[11],
    at: cells[12],
    homeAt: cells[13],
    by: cells[14],
    size: cells[15],
  };
}

function cellsOf(row: LedgerRow): Cells {
  return [
    row.moment,
    row.ending,
    RECORDING_STATES.indexOf(row.state),
    row.cause,
    row.rule,
    Number(row.isListed),
    row.card,
    row.missing,
    row.missingSince,
    row.trouble,
    row.firstSeen,
    row.lastSeen,
    row.at,
    row.homeAt,
    row.by,
    row.size,
  ];
}
