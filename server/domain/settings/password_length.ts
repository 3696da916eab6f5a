export const SHORTEST_PASSWORD = 12;
export const LONGEST_PASSWORD = 1024;

/** Returns a sentence about the fault of a new password, or null. */
export function passwordProblem(password: string): string | null {
  const length = lengthOf(password);
  if (length < SHORTEST_PASSWORD) return `The password must have at least ${SHORTEST_PASSWORD} characters.`;
  return length > LONGEST_PASSWORD ? `The password must have at most ${LONGEST_PASSWORD} characters.` : null;
}

/** Characters as people count them. */
export function lengthOf(text: string): number {
  return [...text].length;
}
