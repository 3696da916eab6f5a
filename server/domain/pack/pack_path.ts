// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
const CONTROL = /[\u0000-\u001f\u007f]/;

/** Tells why a name must not be in a pack, as the rest of a sentence about it; null for one that may. */
export function pathProblem(name: string): string | null {
  if (CONTROL.test(name)) return "has a control character in its name";
  if (name.includes("\\")) return "has a backslash in its name";
  if (name.startsWith("/") || /^[A-Za-z]:/.test(name)) return "leads to a place outside of the pack";
  const parts = name.split("/");
  if (parts.includes("..")) return "leads to a place outside of the pack";
  return parts.some((part) => part === "" || part === ".") ? "has a name that is no path" : null;
}
