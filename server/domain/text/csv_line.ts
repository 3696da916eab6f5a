export type CsvCell = string | number | boolean | null;

/** Programs for tables take a text that begins so for a formula. */
const FORMULA = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/;
const NUMBER = /^[+-]?[0-9]+(\.[0-9]+)?$/;

/**
 * RFC 4180: a cell with a comma, a quote or a line break stands in quotes, and quotes in it are doubled. A text that
 * would be a formula gets an apostrophe, which makes it one that is shown.
 */
export function csvLineOf(cells: readonly CsvCell[]): string {
  return `${cells.map(cellOf).join(",")}\r\n`;
}

function cellOf(cell: CsvCell): string {
  const plain = cell === null ? "" : String(cell);
  const isText = typeof cell === "string" && !NUMBER.test(cell);
  const text = isText && FORMULA.test(cell) ? `'${cell}` : plain;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
