import type { StatusLevel } from "../answers/status_level.ts";
import { lengthOf, SHORTEST_PASSWORD } from "./password_length.ts";

/** Strength of a password against guessing. */
export interface PasswordStrength {
  /** Number of lit bars, of four. */
  readonly bars: 0 | 1 | 2 | 3 | 4;
  readonly level: StatusLevel;
  /** `Strong` */
  readonly word: string;
  /** Text beside the word, such as `26 characters; at least 12 are needed.` */
  readonly detail: string;
}

/** Points from which on a password is fair, strong and very strong. */
const FAIR = 26;
const STRONG = 42;
const VERY_STRONG = 64;

/** Points that a character adds, and those that a change from one kind of character to another adds. */
const CHARACTER = 2;
const CHANGE = 1.75;
/** Points of a character that goes on as the last two did, such as in `aaa` or `1234`. */
const FORESEEN = 0.2;

/** Passwords that are guessed first: in lower case, with letters for the digits and signs that stand for them. */
const COMMON: readonly string[] =
  "password passwort qwertyuiop qwertzuiop asdfghjkl zxcvbnm qwerty qwertz azerty asdf 1q2w3e4r 1qaz2wsx letmein welcome willkommen changeme default secret master access login admin administrator root guest user dashdock dashcam camera recordings iloveyou sunshine princess football baseball monkey dragon shadow superman batman spring summer autumn winter january february march april june july august september october november december monday friday sunday abc123".split(
    " ",
  );
const STANDS_FOR: Readonly<Record<string, string>> = { "@": "a", $: "s", "!": "i", 0: "o", 1: "i", 3: "e", 5: "s" };
const YEAR = /(19|20)[0-9]{2}/g;
/** Stands for a common part: it counts as one character of a kind of its own. */
const PART = "\u0000";

/**
 * Judges a new password by its length, its changes between kinds of characters, its repeats and sequences, and a short
 * list of common passwords. This is an estimate: no dictionary is asked, so a lone rare word looks better than it is.
 * @param known words that a guesser would try for this person, such as the user name
 */
export function strengthOf(password: string, known: readonly string[] = []): PasswordStrength {
  const length = lengthOf(password);
  const needed = `at least ${SHORTEST_PASSWORD} are needed.`;
  const count = `${length} ${length === 1 ? "character" : "characters"}`;
  if (length === 0) return { bars: 0, level: "waiting", word: "", detail: `At least ${SHORTEST_PASSWORD} characters.` };
  if (length < SHORTEST_PASSWORD)
    return { bars: 0, level: "waiting", word: "Too short", detail: `${count}; ${needed}` };
  const points = pointsOf(password, known);
  const more = `${count}. A few more unrelated words make it strong.`;
  if (points < FAIR) return { bars: 1, level: "failed", word: "Weak", detail: more };
  if (points < STRONG) return { bars: 2, level: "attention", word: "Fair", detail: more };
  const detail = `${count}; ${needed}`;
  return points < VERY_STRONG
    ? { bars: 3, level: "fine", word: "Strong", detail }
    : { bars: 4, level: "fine", word: "Very strong", detail };
}

function pointsOf(password: string, known: readonly string[]): number {
  const characters = [...withoutCommon(password, known)];
  const seen = new Set<string>();
  let points = 0;
  for (const [at, character] of characters.entries()) {
    const before = characters[at - 1];
    if (before === undefined) {
      points += CHARACTER;
      continue;
    }
    const pair = `${before}${character}`.toLowerCase();
    const isForeseen = seen.has(pair) || goesOn(characters[at - 2], before, character);
    seen.add(pair);
    points += isForeseen ? FORESEEN : CHARACTER + (kindOf(before) === kindOf(character) ? 0 : CHANGE);
  }
  return points;
}

/** True when a character follows in the same step as the one before it did: `abc`, `321`, `aaa`. */
function goesOn(second: string | undefined, last: string, character: string): boolean {
  const step = codeOf(character) - codeOf(last);
  if (step === 0) return true;
  return Math.abs(step) === 1 && second !== undefined && codeOf(last) - codeOf(second) === step;
}

function withoutCommon(password: string, known: readonly string[]): string {
  const plain = password.replace(YEAR, PART);
  // Both texts have as many characters as the password: a part found in one is cut out of the other.
  let folded = [...plain].map((character) => STANDS_FOR[character] ?? foldCase(character)).join("");
  let digits = [...plain].map(foldCase).join("");
  let rest = plain;
  const names = known.map((name) => name.toLowerCase()).filter((name) => name.length > 2);
  for (const part of [...names, ...COMMON]) {
    for (let at = found(part, folded, digits); at >= 0; at = found(part, folded, digits)) {
      [rest, folded, digits] = [rest, folded, digits].map(
        (text) => text.slice(0, at) + PART + text.slice(at + part.length),
      ) as [string, string, string];
    }
  }
  return rest;
}

/** Letters that take another number of characters in lower case stay as they are. */
function foldCase(character: string): string {
  const lower = character.toLowerCase();
  return lower.length === character.length ? lower : character;
}

function found(part: string, folded: string, digits: string): number {
  const at = folded.indexOf(part);
  return at >= 0 ? at : digits.indexOf(part);
}

/** Blanks count as the letters around them: they part words and make nothing harder to guess. */
function kindOf(character: string): string {
  if (/\s|\p{Ll}|\p{Lo}/u.test(character)) return "lower";
  if (/\p{Lu}/u.test(character)) return "upper";
  return /\p{N}/u.test(character) ? "digit" : "sign";
}

function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}

/** Compares the second field with the first, while it is typed. */
export function matchInWords(
  password: string,
  again: string,
): { readonly level: StatusLevel; readonly detail: string } {
  if (again === "") return { level: "waiting", detail: "The same password again." };
  if (again === password) return { level: "fine", detail: "Matches." };
  if (!password.startsWith(again)) return { level: "failed", detail: "Does not match." };
  const left = lengthOf(password) - lengthOf(again);
  return { level: "waiting", detail: `Matches so far, ${left} ${left === 1 ? "character" : "characters"} to go.` };
}
