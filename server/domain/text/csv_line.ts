export type CsvCell = string | number | boolean | null;

/** RFC 4180: a cell with a comma, a quote or a line break stands in quotes, and quotes in it are doubled. */
export function csvLineOf(cells: readonly CsvCell[]): string {
  return `${cells.map(cellOf).join(",")}\r\n`;
}

function cellOf(cell: CsvCell): string {
  const text = cell === null ? "" : String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
