/**
 * One or two characters for a camera: the first character of its name that is free; where names begin alike, the number
 * in its name, else a number that is free.
 * @param isAlike true when another camera's name begins with the same character
 * @param taken letters of other cameras
 */
export function letterOf(name: string, isAlike: boolean, taken: ReadonlySet<string>): string {
  const characters = [...name.toUpperCase()].filter((one) => /[\p{L}\p{N}]/u.test(one));
  const number = /[0-9]{1,2}(?![0-9])/.exec(name)?.[0] ?? null;
  if (isAlike && number !== null && !taken.has(number)) return number;
  // The capital of some letters is two characters, such as ß.
  const free = characters.find((one) => !taken.has(one));
  if (free !== undefined) return free;
  for (let next = 1; ; next++) if (!taken.has(String(next))) return String(next);
}
