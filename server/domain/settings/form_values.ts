import { upperCode } from "../recordings/upper_code.ts";
import { formatBytes, formatRate } from "../text/format.ts";
import { ALWAYS, durationInWords, shortDuration } from "./duration.ts";
import type { Meaning, TextReading } from "./field.ts";
import type { FormField } from "./form_fields.ts";
import { tidyAddress } from "./tidy_address.ts";
import { usualSchedule } from "./usual_schedules.ts";

/** Texts that are typed into a setting: their values, and their meaning in words. */

const NBSP = "\u00a0";
const LINE = "\n";

/** Meaning of `always`. */
const FOR_EVER = "for ever";

/**
 * Returns the same text for all ways to type the same value: `10.0` is `10`, `2 weeks` is `2w`, `nf` is `NF`,
 * `http://cam/` is `cam`. Blanks around it and empty lines do not count.
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

/** True when a text is a length of time, which is shown in words while it is typed. */
export function isDuration({ reading }: { readonly reading?: TextReading }): boolean {
  return reading === "age" || reading === "age_or_always" || reading === "delay";
}

/** Reads a duration with any unit: `draftProblem` checks which are allowed. */
function plainDuration(text: string): string {
  try {
    return shortDuration(text);
  } catch {
    return text;
  }
}

/** Returns the value to send for a text, in the field's own type. */
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

/** Says in a few words what a text that fits means, to stand beside it. Empty when there is nothing to add. */
export function fittingInWords(field: Pick<FormField, "widget" | "unit" | "empty" | "meaning">, text: string): string {
  const { widget, unit, empty, meaning = {} } = field;
  const plain = normalText(field, text);
  if (widget.kind === "number") {
    if (plain === "" || !Number.isFinite(Number(plain))) return "";
    if (unit === "bytes per second") return formatRate(Number(plain));
    return unit === "bytes" ? formatBytes(Number(plain)) : meaningOf(Number(plain), meaning);
  }
  if (widget.kind !== "text") return "";
  // Reading of the text, where that differs from the text as typed.
  const understood = plain === text.trim() ? "" : `= ${plain}`;
  if (!isDuration(widget)) return widget.reading === "address" ? understood : "";
  if (plain === ALWAYS) return FOR_EVER;
  return understood || (plain === "" ? empty : lengthInWords(plain));
}

function lengthInWords(plain: string): string {
  try {
    return durationInWords(plain);
  } catch {
    return "";
  }
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
  const usual = widget.kind === "text" && widget.reading === "cron" ? usualSchedule(plain) : null;
  if (usual !== null) return { text: uncapitalized(usual), isCode: false };
  if (widget.kind === "text" && isDuration(widget)) return { text: lengthInWords(plain) || plain, isCode: false };
  if (widget.kind === "number") return { text: unit === undefined ? plain : `${plain}${NBSP}${unit}`, isCode: false };
  return { text: linesOf(plain).join(", "), isCode: true };
}

/** `Oldest first` → `oldest first`, but `JSON` and `G-sensor` as they are. */
function uncapitalized(words: string): string {
  return /^[A-Z][a-z]/.test(words) ? words.charAt(0).toLowerCase() + words.slice(1) : words;
}
