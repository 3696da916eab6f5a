import type { LogFilter } from "../../server/domain/logs/log_filter.ts";
import { LEVELS } from "../../server/domain/logs/log_line.ts";
import type { LineTime } from "../../server/domain/logs/log_time.ts";
import type { Entry, LineEntry } from "./received_log.ts";

/** Reads a line's `ts` in the chosen zone. */
export type ReadTime = (ts: string) => LineTime;

/** The lines that pass a filter, and how many there were to choose from. */
export interface Shown {
  /** With the cuts between them, unless a search is on. */
  readonly entries: readonly Entry[];
  /** Lines among them. */
  readonly lines: number;
  /** Lines of the level and the logger, whatever is searched for. */
  readonly searched: number;
  /** All lines of the view. */
  readonly all: number;
}

/** Tells if a line has the text that is searched for. */
export type Matches = (entry: LineEntry) => boolean;

/** Remembers its results: all lines of a long log are tested again with each new one. */
export function matcher(filter: LogFilter, time: ReadTime): Matches {
  const needle = needleOf(filter);
  const known = new WeakMap<LineEntry, boolean>();
  return (entry) => {
    const found = known.get(entry) ?? placesOf(needle, columnsOf(entry, time)).length > 0;
    known.set(entry, found);
    return found;
  };
}

/** Chooses from the entries after `clearedAt`. */
export function shownEntries(
  entries: readonly Entry[],
  filter: LogFilter,
  matches: Matches,
  clearedAt = Number.NEGATIVE_INFINITY,
): Shown {
  const { from, logger } = filter;
  const isSearching = needleOf(filter) !== "";
  const chosen: Entry[] = [];
  let lines = 0;
  let searched = 0;
  let all = 0;
  for (const entry of entries) {
    if (entry.key <= clearedAt) continue;
    if (entry.kind !== "line") {
      if (!isSearching) chosen.push(entry);
      continue;
    }
    all++;
    const { line } = entry;
    if (line.level_no < LEVELS[from] || (logger !== "" && line.logger !== logger)) continue;
    searched++;
    if (isSearching && !matches(entry)) continue;
    lines++;
    chosen.push(entry);
  }
  return { entries: chosen, lines, searched, all };
}

/** Search text in the form that is compared; empty for no search. */
export function needleOf({ find }: LogFilter): string {
  return find.trim() === "" ? "" : fold(find);
}

/** The columns of a line as they are shown. */
export type Columns = readonly [clock: string, level: string, logger: string, message: string];

export function columnsOf({ line }: LineEntry, time: ReadTime): Columns {
  return [time(line.ts).clock, line.level.toLowerCase(), line.logger, line.message];
}

/**
 * Places of a text in a row, which has a space between its columns. A text may reach over columns, as in `info sync`.
 * The level is one of four words and only found whole: else every `info` would be a hit for `NF`.
 */
function placesOf(needle: string, columns: Columns): [start: number, end: number][] {
  const row = fold(columns.join(" "));
  const level = columns[0].length + 1;
  const levelEnd = level + columns[1].length;
  const places: [start: number, end: number][] = [];
  let at = needle === "" ? -1 : row.indexOf(needle);
  while (at >= 0) {
    const end = at + needle.length;
    const isPartOfLevel = (at > level && at < levelEnd) || (end > level && end < levelEnd);
    if (!isPartOfLevel) places.push([at, end]);
    at = row.indexOf(needle, isPartOfLevel ? at + 1 : end);
  }
  return places;
}

/** A piece of text, found or not. */
export interface Piece {
  readonly text: string;
  readonly isFound: boolean;
}

/** A row's columns, cut into what was found and what was not. */
export function markedColumns(columns: Columns, needle: string): Piece[][] {
  const found = placesOf(needle, columns);
  let offset = 0;
  return columns.map((text) => {
    const pieces = cutUp(text, offset, found);
    offset += text.length + 1;
    return pieces;
  });
}

function cutUp(text: string, offset: number, found: readonly (readonly [number, number])[]): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const [start, end] of found) {
    const from = Math.max(start - offset, 0);
    const to = Math.min(end - offset, text.length);
    if (from >= to) continue;
    if (from > at) pieces.push({ text: text.slice(at, from), isFound: false });
    pieces.push({ text: text.slice(from, to), isFound: true });
    at = to;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), isFound: false });
  return pieces;
}

/** Without the difference between capitals and small letters; a text never changes its length by it. */
function fold(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text;
}

/** Number of rows drawn together; a part that is out of sight costs nothing. */
const PART = 50;

/** Entries that are drawn and kept together. */
export interface Part {
  readonly key: number;
  readonly entries: readonly Entry[];
}

/** Divides the entries by their keys, so that what comes or goes at the ends leaves the parts between as they are. */
export function partsOf(entries: readonly Entry[]): Part[] {
  const parts: { key: number; entries: Entry[] }[] = [];
  for (const entry of entries) {
    const key = Math.floor(entry.key / PART);
    const last = parts.at(-1);
    if (last?.key === key) last.entries.push(entry);
    else parts.push({ key, entries: [entry] });
  }
  return parts;
}
