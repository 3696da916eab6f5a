/** Longest part of an answer that is told. */
export const TOLD_LENGTH = 500;
const HIDDEN = "***";

/** An answer of another service as it may be shown: without control characters and secrets, and short. */
export function toldText(text: string, secrets: readonly string[]): string {
  let clean = text.slice(0, TOLD_LENGTH * 20);
  for (const secret of [...secrets].sort((one, other) => other.length - one.length))
    if (secret !== "") clean = clean.replaceAll(secret, HIDDEN);
  clean = clean
    // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
    .replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]+/g, " ")
    .trim();
  return clean.length > TOLD_LENGTH ? `${clean.slice(0, TOLD_LENGTH - 1)}…` : clean;
}
