/** One line of a list of checksums. */
export interface ChecksumLine {
  /** Path below the folder of the list, parts separated by `/`. */
  readonly name: string;
  /** SHA-256 in hexadecimal digits. */
  readonly sha256: string;
}

/** A name that begins with a backslash's line has these escaped, as GNU coreutils writes them. */
const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", "\n": "\\n", "\r": "\\r" };
const MEANT: Readonly<Record<string, string>> = { "\\\\": "\\", "\\n": "\n", "\\r": "\r" };
const LINE = /^(\\?)([0-9a-fA-F]{64}) [ *](.+)$/;

/** The text of a list, as `sha256sum` of GNU coreutils writes it and `sha256sum -c` reads it. */
export function checksumText(lines: readonly ChecksumLine[]): string {
  return lines
    .map(({ name, sha256 }) => {
      const escaped = name.replace(/[\\\n\r]/g, (one) => ESCAPES[one] ?? one);
      return `${escaped === name ? "" : "\\"}${sha256}  ${escaped}\n`;
    })
    .join("");
}

/** Reads a list. A line that is none, and a name that has one already, is told with its number in `problems`. */
export function readChecksums(text: string): { readonly sums: ReadonlyMap<string, string>; problems: string[] } {
  const sums = new Map<string, string>();
  const problems: string[] = [];
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  for (const [at, line] of lines.entries()) {
    const [, isEscaped, sha256, written] = LINE.exec(line.endsWith("\r") ? line.slice(0, -1) : line) ?? [];
    if (sha256 === undefined || written === undefined) {
      problems.push(`line ${at + 1} is no checksum`);
      continue;
    }
    const name = isEscaped ? written.replace(/\\[\\nr]/g, (one) => MEANT[one] ?? one) : written;
    if (sums.has(name)) problems.push(`line ${at + 1} names a file that has a line already`);
    else sums.set(name, sha256.toLowerCase());
  }
  return { sums, problems };
}
