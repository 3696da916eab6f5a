/** The most of a value that a message repeats. */
const LONGEST_SHOWN = 80;

/**
 * A value as it can be shown in a message: one line of at most 80 characters, without the credentials an address may
 * carry. Takes no longer for a long text, and never looks into lists and objects.
 */
export function shown(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value) return "an object";
  if (typeof value !== "string") return String(value);
  const host = value.lastIndexOf("@");
  const open = host > 0 ? `***${value.slice(host, host + LONGEST_SHOWN)}` : value.slice(0, LONGEST_SHOWN);
  const text = JSON.stringify(open);
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN - 1)}…` : text;
}
