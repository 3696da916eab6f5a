import { codeProblem, upperCode } from "../recordings/selection_codes.ts";
import { asSentence, formatBytes, formatCount } from "../text/format.ts";
import { addressProblem, networkProblem, tidyAddress } from "./address.ts";
import { AGE_UNITS, ALWAYS, DELAY_UNITS, durationInWords, parseDuration, shortDuration } from "./duration.ts";
import { type Meaning, type Range, type Reading, rangeInWords } from "./field.ts";
import type { FormField } from "./form_fields.ts";
import { gatewayProblem } from "./gateway.ts";
import { wholePathProblem } from "./whole_path.ts";

/** What is typed into a setting: how it becomes a value, what is wrong with it, and what it means in words. */

const NBSP = "\u00a0";
const LINE = "\n";

/** What `always` means. */
const FOR_EVER = "for ever";

/**
 * The same text for all ways to type the same value: `10.0` is `10`, `2 weeks` is `2w`, `nf` is `NF`, `http://cam/` is
 * `cam`; blanks around it and empty lines do not count.
 */
export function normalText({ widget }: Pick<FormField, "widget">, text: string): string {
  switch (widget.kind) {
    case "lines":
      return (widget.reading === "code" ? linesOf(text).map(upperCode) : linesOf(text)).join(LINE);
    case "text":
      if (widget.reading === "age_or_always" && text.trim().toLowerCase() === ALWAYS) return ALWAYS;
      if (widget.reading === "address") return tidyAddress(text);
      return isDuration(widget) ? plainDuration(text.trim()) : text.trim();
    case "choices": {
      const chosen = linesOf(text);
      return widget.options.flatMap(({ value }) => (chosen.includes(value) ? [value] : [])).join(LINE);
    }
    case "number":
      return text.trim() === "" || !Number.isFinite(Number(text)) ? text.trim() : String(Number(text));
    default:
      return text.trim();
  }
}

/** Whether a text is a length of time, which is shown in words while it is typed. */
export function isDuration({ reading }: { readonly reading?: Reading }): boolean {
  return reading === "age" || reading === "age_or_always" || reading === "delay";
}

/** With any unit: `draftProblem` checks which are allowed. */
function plainDuration(text: string): string {
  try {
    return shortDuration(text);
  } catch {
    return text;
  }
}

/** What is sent for a text: the value in the field's own type. */
export function draftValue(field: Pick<FormField, "widget">, text: string): unknown {
  const { widget } = field;
  const plain = normalText(field, text);
  switch (widget.kind) {
    case "switch":
      return plain === "true";
    case "number":
      return plain === "" || !Number.isFinite(Number(plain)) ? null : Number(plain);
    case "lines":
    case "choices":
      return linesOf(plain);
    case "text":
    case "secret":
      return plain === "" && widget.nullable ? null : plain;
    default:
      return plain;
  }
}

/** The lines that say something, without the blanks around them. */
export function linesOf(text: string): string[] {
  return text
    .split(LINE)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** What is plainly wrong with a text, as a sentence, or null. The service knows some rules more. */
export function draftProblem(field: Pick<FormField, "widget">, text: string): string | null {
  const { widget } = field;
  const plain = normalText(field, text);
  switch (widget.kind) {
    case "number":
      return widget.nullable && plain === "" ? null : numberProblem(plain, widget);
    case "text":
      return sentence(readingProblem(widget.reading, plain));
    case "lines":
      return sentence(
        linesOf(plain)
          .map((line) => readingProblem(widget.reading, line))
          .find((problem) => problem !== null) ?? null,
      );
    default:
      return null;
  }
}

/** What is wrong with a text of this reading; null also for those that only the service checks. */
function readingProblem(reading: Reading | undefined, text: string): string | null {
  switch (reading) {
    case "address":
      return addressProblem(text);
    case "age":
      return text === "" ? null : durationProblem(text, AGE_UNITS, "Write a number and d, w or y, such as 2w.");
    case "age_or_always":
      return text === "" || text === ALWAYS
        ? null
        : durationProblem(text, AGE_UNITS, "Write a number and d, w or y, such as 1y, or always.");
    case "code":
      return unknownCode(text);
    case "delay":
      return durationProblem(text, DELAY_UNITS, "Write a number and s, h, d, w or y, such as 12h.");
    case "gateway":
      return gatewayProblem(text);
    case "network":
      return networkProblem(text);
    case "path":
      return wholePathProblem(text);
    default:
      return null;
  }
}

function unknownCode(code: string): string | null {
  if (codeProblem(code) === null) return null;
  return `"${code}" is no recording code. "More kinds" shows all letters.`;
}

function numberProblem(text: string, range: Range & { readonly nullable?: true }): string | null {
  const { whole, min, max = Number.MAX_SAFE_INTEGER, above, nullable } = range;
  const value = Number(text);
  const isLow = above ? value <= min : value < min;
  if (text !== "" && !isLow && value <= max && (!whole || Number.isInteger(value))) return null;
  return nullable
    ? `Write ${rangeInWords(range, formatCount)}, or nothing for no limit.`
    : `Write ${rangeInWords(range)}.`;
}

type OtherUnit = readonly [unit: RegExp, name: string, instead: (count: number) => string];
const MONTHS: OtherUnit = [/^(m|mo|months?)$/i, "Months", (count) => `${count * 30}d`];
/** What people try that durations do not know, and how to say it: `m` is a minute to wait, but a month to keep. */
const OTHER_UNITS: Readonly<Record<string, readonly OtherUnit[]>> = {
  [DELAY_UNITS]: [
    [/^(m|mins?|minutes?)$/i, "Minutes", (count) => (count % 60 === 0 ? `${count / 60}h` : `${count * 60}s`)],
    MONTHS,
  ],
  [AGE_UNITS]: [[/^(h|hours?)$/i, "Hours", (count) => `${Math.max(1, Math.round(count / 24))}d`], MONTHS],
};

function durationProblem(text: string, units: string, advice: string): string | null {
  try {
    parseDuration(text, units);
    return null;
  } catch {
    const [, digits = "", unit = ""] = /^([0-9]{1,6}) *([a-z]+)$/i.exec(text) ?? [];
    const count = Number(digits);
    const [, name, instead] = OTHER_UNITS[units]?.find(([pattern]) => pattern.test(unit)) ?? [];
    return instead && count > 0 ? `${name} are not known here. Write ${instead(count)}.` : advice;
  }
}

function sentence(problem: string | null): string | null {
  return problem && asSentence(problem);
}

/** What a text means, in a few words to stand beside it; empty when there is nothing to add. */
export function draftInWords(field: Pick<FormField, "widget" | "unit" | "empty" | "meaning">, text: string): string {
  const { widget, unit, empty, meaning = {} } = field;
  const plain = normalText(field, text);
  if (draftProblem(field, plain) !== null) return "";
  if (widget.kind === "number")
    return unit === "bytes" ? formatBytes(Number(plain)) : meaningOf(Number(plain), meaning);
  if (widget.kind !== "text") return "";
  // How it was understood, where that is not how it was typed.
  const understood = plain === text.trim() ? "" : `= ${plain}`;
  if (!isDuration(widget)) return widget.reading === "address" ? understood : "";
  if (plain === ALWAYS) return FOR_EVER;
  return understood || (plain === "" ? empty : durationInWords(plain));
}

function meaningOf(count: number, { of = {}, others = "", larger = [] }: Meaning): string {
  const unit = larger.findLast(({ from }) => count >= from);
  if (unit) return `${unit.about ? "about " : ""}${plural(count / unit.per, unit.unit)}`;
  return of[count] ?? others.replace("#", String(count));
}

function plural(count: number, unit: string): string {
  const rounded = Math.round(count * 10) / 10;
  return `${rounded}${NBSP}${unit}${rounded === 1 ? "" : "s"}`;
}

/** A value as a remark shows it, such as "Was `2w`": words, or a code that is set apart. */
export function shortly({ widget, unit, empty }: FormField, text: string): { text: string; isCode: boolean } {
  const plain = normalText({ widget }, text);
  if (widget.kind === "switch") return { text: plain === "true" ? "on" : "off", isCode: false };
  if (widget.kind === "secret") return { text: plain === "" ? "not set" : "set", isCode: false };
  if (plain === "") return { text: empty, isCode: false };
  if (plain === ALWAYS && widget.kind === "text" && widget.reading === "age_or_always")
    return { text: FOR_EVER, isCode: false };
  if (widget.kind === "select" || widget.kind === "choices") {
    const words = linesOf(plain).map(
      (value) => widget.options.find((option) => option.value === value)?.words ?? value,
    );
    return { text: words.map(uncapitalized).join(", "), isCode: false };
  }
  if (widget.kind === "number") return { text: unit === undefined ? plain : `${plain}${NBSP}${unit}`, isCode: false };
  return { text: linesOf(plain).join(", "), isCode: true };
}

/** `Oldest first` → `oldest first`, but `JSON` and `G-sensor` as they are. */
function uncapitalized(words: string): string {
  return /^[A-Z][a-z]/.test(words) ? words.charAt(0).toLowerCase() + words.slice(1) : words;
}

/** What a recording code means: `NF` → kind `N` and camera `F`, in that order; null when it is none. */
export function partsOfCode(code: string): { type: string; direction: string } | null {
  const [type = "", direction = ""] = upperCode(code);
  return codeProblem(code) === null ? { type, direction } : null;
}
