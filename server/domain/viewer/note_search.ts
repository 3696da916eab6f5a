/** Marks above and below letters. */
const MARKS = /\p{M}+/gu;

/** True when a note has all words that were typed, in any order. Capitals and accents do not count. */
export function noteMatches(note: string, typed: string): boolean {
  const text = plain(note);
  const words = plain(typed)
    .split(" ")
    .filter((word) => word !== "");
  return words.length > 0 && words.every((word) => text.includes(word));
}

function plain(text: string): string {
  return text.normalize("NFKD").replace(MARKS, "").toLowerCase().replace(/\s+/g, " ").trim();
}
