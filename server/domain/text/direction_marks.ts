/** Marks that turn the direction of writing: behind one, a name or a sentence can be shown as another one. */
const MARKS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g;

export function withoutDirectionMarks(text: string): string {
  return text.replace(MARKS, "");
}
