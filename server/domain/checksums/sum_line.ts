/**
 * A line as `sha256sum` of the GNU coreutils writes it, without its end. A path with a backslash or a line break in it
 * is escaped, and the line begins with a backslash then.
 */
export function sumLine(sha256: string, path: string): string {
  const escaped = path.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("\r", "\\r");
  return `${escaped === path ? "" : "\\"}${sha256}  ${escaped}`;
}
