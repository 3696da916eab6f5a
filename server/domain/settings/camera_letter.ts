const LETTER = /^[\p{L}\p{N}]{1,2}$/u;

/** True for text that can stand for a camera. */
export function isCameraLetter(text: string): boolean {
  return LETTER.test(text);
}

/**
 * One or two characters for a camera: the first character of its name that is free; where names begin alike, the number
 * in its name, else a number that is free.
 * @param isAlike true when another camera's name begins with the same character
 * @param taken letters of other cameras
 */
function letterOf(name: string, isAlike: boolean, taken: ReadonlySet<string>): string {
  const characters = [...name.toUpperCase()].filter((one) => /[\p{L}\p{N}]/u.test(one));
  const number = /[0-9]{1,2}(?![0-9])/.exec(name)?.[0] ?? null;
  if (isAlike && number !== null && !taken.has(number)) return number;
  // The capital of some letters is two characters, such as ß.
  const free = characters.find((one) => !taken.has(one));
  if (free !== undefined) return free;
  for (let next = 1; ; next++) if (!taken.has(String(next))) return String(next);
}

/** A camera's name, and the letter that was chosen for it; null where it is made from the name. */
export interface LetteredName {
  readonly name: string;
  readonly letter: string | null;
}

/** Letters of all cameras, in their order: each is another one. */
export function lettersOf(cameras: readonly LetteredName[]): string[] {
  const taken = new Set(cameras.flatMap(({ letter }) => letter ?? []));
  const initials = cameras.map(({ name }) => initialOf(name));
  return cameras.map(({ name, letter }, at) => {
    const isAlike = initials.some((initial, other) => other !== at && initial === initials[at]);
    const found = letter ?? letterOf(name, isAlike, taken);
    taken.add(found);
    return found;
  });
}

function initialOf(name: string): string {
  return (/[\p{L}\p{N}]/u.exec(name)?.[0] ?? "").toUpperCase();
}
