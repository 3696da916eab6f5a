import { type CsvCell, csvLineOf } from "../text/csv_line.ts";
import type { CoverageOfDay } from "./coverage_schema.ts";

/** Names and contents of the columns. */
const COLUMNS: readonly (readonly [name: string, of: (day: CoverageOfDay) => CsvCell])[] = [
  ["date", ({ date }) => date],
  ["recorded", ({ recorded }) => recorded],
  ["home", ({ home }) => home],
  ["coming", ({ coming }) => coming],
  ["left_out", (day) => day.left_out],
  ["lost", ({ lost }) => lost],
  ["deleted", ({ deleted }) => deleted],
  ["damaged", ({ damaged }) => damaged],
  ["unknown", ({ unknown }) => unknown],
  ["unreadable", ({ unreadable }) => unreadable],
  ["minutes", ({ minutes }) => minutes],
  ["driven_minutes", (day) => day.driven_minutes],
  ["lost_minutes", (day) => day.lost_minutes],
  ["cause", ({ cause }) => cause],
];

/** The table as a file: a line for each day, by date. */
export function coverageCsv(days: readonly CoverageOfDay[]): string {
  const head = csvLineOf(COLUMNS.map(([name]) => name));
  return head + days.map((day) => csvLineOf(COLUMNS.map(([, of]) => of(day)))).join("");
}
