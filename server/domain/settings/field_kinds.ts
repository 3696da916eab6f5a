import * as v from "valibot";
import { codeProblem } from "../recordings/selection_codes.ts";
import { upperCode } from "../recordings/upper_code.ts";
import { withoutDirectionMarks } from "../text/direction_marks.ts";
import { shown } from "../text/shown.ts";
import { LONGEST_ADDRESS, networkProblem } from "./address.ts";
import { AGE_UNITS, ALWAYS, DELAY_UNITS, parseDuration, shortDuration } from "./duration.ts";
import { type Kind, type Range, rangeInWords, type TextReading, type Widget } from "./field.ts";
import { hostNameProblem } from "./host_names.ts";
import { MOST_TARGETS, targetProblem } from "./notify_address.ts";

/** The kinds of values that settings have: what each accepts, and how a form asks for it. */

/** Returns a sentence about the fault of a text, or null. */
type Problem = (text: string) => string | null;

const must = (rule: string) => (issue: { input: unknown }) => `must be ${rule}, got ${shown(issue.input)}`;

/** The sentence of the rule that `problem` finds broken. */
const unusable = (problem: Problem) => (issue: { input: unknown }) => `is not usable: ${problem(String(issue.input))}`;

/** Yes or no, with what each means. */
export function flag(on: string, off: string): Kind<boolean> {
  return { check: v.boolean(must("true or false")), widget: { kind: "switch", on, off } };
}

/** One of a few, with what each means. */
export function choice<const T extends readonly string[]>(options: T, words: WordsFor<T>): Kind<T[number]> {
  const message = must(`one of ${options.join(", ")}`);
  return { check: v.picklist(options, message), widget: { kind: "select", options: withWords(options, words) } };
}

/** Any of a few, with what each means. */
export function choices<const T extends readonly string[]>(options: T, words: WordsFor<T>): Kind<readonly T[number][]> {
  const strings = entries(v.string(must("a list of strings")));
  const each = v.picklist(options, must(`a list of ${options.join(", ")}, one per entry`));
  return {
    check: v.pipe(strings, v.array(each), v.readonly()),
    widget: { kind: "choices", options: withWords(options, words) },
  };
}

type WordsFor<T extends readonly string[]> = Readonly<Record<T[number], string>>;

function withWords<T extends readonly string[]>(options: T, words: WordsFor<T>) {
  return options.map((value: T[number]) => ({ value, words: words[value] }));
}

function numberCheck(range: Range, rule: string) {
  const { whole, min, max = Number.MAX_SAFE_INTEGER, above } = range;
  const message = must(rule);
  return v.pipe(
    v.number(message),
    whole ? v.safeInteger(message) : v.finite(message),
    above ? v.gtValue(min, message) : v.minValue(min, message),
    v.maxValue(max, message),
  );
}

/** Whole numbers, both bounds included. */
export function whole(min: number, max?: number): Kind<number> {
  return number({ whole: true, min, ...(max !== undefined && { max }) });
}

/** Numbers within a range. */
export function number(range: Range): Kind<number> {
  return { check: numberCheck(range, rangeInWords(range)), widget: { kind: "number", ...range } };
}

/** A limit, or null for none. */
export function limit(max: number): Kind<number | null> {
  const range = { whole: false, min: 0, max, above: true } as const;
  const check = v.nullable(numberCheck(range, `null or ${rangeInWords(range)}`));
  return { check, widget: { kind: "number", ...range, nullable: true } };
}

/** Longer than any path, address or name; what a message repeats stays short. */
const LONGEST_TEXT = 4096;

/** Direction marks are taken out of all texts but paths: the name of a folder may have them. */
function checkedText(type: string, problem: Problem, reading?: TextReading) {
  return v.pipe(
    v.string(must(type)),
    v.maxLength(LONGEST_TEXT, `must be at most ${LONGEST_TEXT} characters long`),
    v.transform((text) => (reading === "path" ? text : withoutDirectionMarks(text))),
    v.check((text) => problem(text) === null, unusable(problem)),
  );
}

function textWidget(nullable: boolean, reading: TextReading | undefined): Widget {
  return { kind: "text", nullable, ...(reading && { reading }) };
}

/** A text of at most 4096 characters in which `problem` finds nothing: by default no control character. */
export function text(problem: Problem = controlProblem, reading?: TextReading): Kind<string> {
  return { check: checkedText("a string", problem, reading), widget: textWidget(false, reading) };
}

/** Kind like `text`, or null. */
export function nullableText(problem: Problem = controlProblem, reading?: TextReading): Kind<string | null> {
  return { check: v.nullable(checkedText("a string or null", problem, reading)), widget: textWidget(true, reading) };
}

/** A duration in every form that `parseDuration` knows, kept in the short one. An age may be empty. */
export function duration(reading: "age" | "age_or_always" | "delay"): Kind<string> {
  const units = reading === "delay" ? DELAY_UNITS : AGE_UNITS;
  const isAlways = (value: string) => reading === "age_or_always" && value.trim().toLowerCase() === ALWAYS;
  const isEmpty = (value: string) => reading !== "delay" && value === "";
  const problem = (value: string) => {
    const wrong = isEmpty(value) || isAlways(value) ? null : durationProblem(value, units);
    return wrong !== null && reading === "age_or_always" ? `${wrong}, or always` : wrong;
  };
  const short = v.transform((value: string) =>
    isEmpty(value) ? "" : isAlways(value) ? ALWAYS : shortDuration(value, units),
  );
  return { check: v.pipe(checkedText("a string", problem), short), widget: textWidget(false, reading) };
}

/** The longest list a setting takes: checking a longer one would keep the service busy. */
export const MOST_ENTRIES = 1000;

function entry(problem: Problem) {
  const short = v.maxLength<string, number, string>(
    LONGEST_ADDRESS,
    `must have entries of at most ${LONGEST_ADDRESS} characters`,
  );
  return v.pipe(
    v.string(must("a list of strings")),
    short,
    v.check((text) => problem(text) === null, unusable(problem)),
  );
}

function entries<T>(each: v.GenericSchema<unknown, T>) {
  const most = v.maxLength<T[], number, string>(MOST_ENTRIES, `must have at most ${MOST_ENTRIES} entries`);
  return v.pipe(v.array(each, must("a list of strings")), most);
}

function lines(each: v.GenericSchema<unknown, string>, reading: TextReading): Kind<readonly string[]> {
  return { check: v.pipe(entries(each), v.readonly()), widget: { kind: "lines", reading } };
}

/** IP addresses and CIDR ranges. */
export function networks(): Kind<readonly string[]> {
  return lines(entry(networkProblem), "network");
}

/** Host names without a port. */
export function hostNames(): Kind<readonly string[]> {
  return lines(entry(hostNameProblem), "host_name");
}

/** Addresses of services that messages are sent to. */
export function targets(): Kind<readonly string[]> {
  const { widget } = lines(entry(targetProblem), "target");
  // No message repeats a value: most of an address may be a secret.
  const text = v.string("must be a list of addresses");
  const short = v.maxLength<string, number, string>(
    LONGEST_ADDRESS,
    `must have at most ${LONGEST_ADDRESS} characters each`,
  );
  const each = v.pipe(
    text,
    short,
    v.check((address) => targetProblem(address) === null, unusable(targetProblem)),
  );
  const most = v.maxLength<string[], number, string>(MOST_TARGETS, `must have at most ${MOST_TARGETS} entries`);
  return { check: v.pipe(v.array(each, "must be a list of addresses"), most, v.readonly()), widget };
}

/** Codes in any case, kept in capitals. */
export function codes(): Kind<readonly string[]> {
  return lines(v.pipe(entry(codeProblem), v.transform(upperCode)), "code");
}

/** A text whose value no message repeats, changed by an action of its own. */
export function secretOf(action: "password" | "sessions" | "viewer", rule: RegExp, inWords: string): Kind<string> {
  const check = v.pipe(v.string("must be a string"), v.regex(rule, `must be ${inWords}`));
  return { check, widget: { kind: action } };
}

/** A text whose value no message repeats, and that can be replaced. */
export function secretText(rule: RegExp, inWords: string): Kind<string | null> {
  const check = v.nullable(v.pipe(v.string("must be a string or null"), v.regex(rule, `must be ${inWords}`)));
  return { check, widget: { kind: "secret", nullable: true } };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
const CONTROL = /[\u0000-\u001f\u007f]/;
/** Returns a sentence about the fault of a text that must fit on a line, or null. */
export function controlProblem(text: string): string | null {
  return CONTROL.test(text) ? `${shown(text)} holds a control character` : null;
}

/** Finds the faults of `controlProblem`; a blank text is wrong, too. */
export function filledProblem(text: string): string | null {
  return text.trim() === "" ? "it is empty" : controlProblem(text);
}

/** The longest duration a date can be moved by without leaving the calendar: a hundred years. */
const LONGEST_DURATION_MS = 36_500 * 86_400_000;

function durationProblem(text: string, units: string): string | null {
  try {
    return parseDuration(text, units).ms > LONGEST_DURATION_MS ? `${shown(text)} is longer than 36500 days` : null;
  } catch (error) {
    return error instanceof RangeError ? error.message : String(error);
  }
}
