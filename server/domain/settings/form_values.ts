import { codeProblem, upperCode } from "../recordings/selection_codes.ts";
import { formatBytes, formatCount } from "../text/format.ts";
import { addressProblem, networkProblem, tidyAddress } from "./address.ts";
import { AGE_UNITS, ALWAYS, DELAY_UNITS, durationInWords, parseDuration, shortDuration } from "./duration.ts";
import type { FormField } from "./form_fields.ts";
import { gatewayProblem } from "./gateway.ts";
import type { Reading } from "./settings.ts";
import { wholePathProblem } from "./whole_path.ts";

/** What somebody types into a setting: how it becomes a value, what is wrong with it, and what it means in words. */

const NBSP = "\u00a0";
const LINE = "\n";

/** Without end, and what an empty keep time of a kind of its own follows. */
const FOR_EVER = "for ever";
const AS_NORMAL = "as Normal";

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

/** Which units are allowed is told while it is typed; here it only matters that both ways say the same. */
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
export function draftProblem(path: string, field: Pick<FormField, "widget">, text: string): string | null {
  const { widget } = field;
  const plain = normalText(field, text);
  if (widget.kind === "number") return widget.nullable && plain === "" ? null : numberProblem(plain, widget);
  if (path === "connection.address") return sentence(addressProblem(plain));
  if (path === "metrics.pushgateway_url") return sentence(gatewayProblem(plain));
  if (widget.kind === "text" && widget.reading === "path") return sentence(wholePathProblem(plain));
  if (widget.kind === "text" && widget.reading === "age")
    return plain === "" ? null : durationProblem(plain, AGE_UNITS, "Write a number and d, w or y, such as 2w.");
  if (widget.kind === "text" && widget.reading === "age_or_always")
    return plain === "" || plain === ALWAYS
      ? null
      : durationProblem(plain, AGE_UNITS, "Write a number and d, w or y, such as 1y, or always.");
  if (widget.kind === "text" && widget.reading === "delay")
    return durationProblem(plain, DELAY_UNITS, "Write a number and s, h, d, w or y, such as 12h.");
  if (widget.kind !== "lines") return null;
  // What is wrong with a host name the service says when it is saved: the page has no room for its rules.
  if (widget.reading === "host_name") return null;
  const check = widget.reading === "network" ? networkProblem : unknownCode;
  return sentence(
    linesOf(plain)
      .map(check)
      .find((problem) => problem !== null) ?? null,
  );
}

function unknownCode(code: string): string | null {
  if (codeProblem(code) === null) return null;
  return `"${code}" is no recording code. "More kinds" shows all letters.`;
}

function numberProblem(
  text: string,
  { whole, min, max, above, nullable }: Extract<FormField["widget"], { kind: "number" }>,
) {
  const value = Number(text);
  const isLow = above ? value <= min : value < min;
  const fits = text !== "" && !isLow && value <= (max ?? Number.MAX_SAFE_INTEGER);
  if (fits && (!whole || Number.isInteger(value))) return null;
  if (nullable) return `Write a number above ${min} and at most ${formatCount(max ?? 0)}, or nothing for no limit.`;
  if (above) return `Write a number above ${min} and at most ${max}.`;
  const range = max === undefined ? `from ${min}` : `from ${min} to ${max}`;
  return `Write a ${whole ? "whole number" : "number"} ${range}.`;
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
  return problem === null || /[.!?]$/.test(problem) ? problem : `${problem}.`;
}

/** What a text means, in a few words to stand beside it; empty when the text says it all. */
export function draftInWords(path: string, field: Pick<FormField, "widget">, text: string): string {
  const plain = normalText(field, text);
  if (draftProblem(path, field, plain) !== null) return "";
  const count = Number(plain);
  // How it was understood, where that is not how it was typed.
  const { widget } = field;
  const isRead = widget.kind === "text" && (widget.reading === "address" || (isDuration(widget) && plain !== ALWAYS));
  if (isRead && plain !== text.trim()) return `= ${plain}`;
  switch (path) {
    case "sync.retry_failed_after":
      return durationInWords(plain, DELAY_UNITS);
    case "retention.keep":
    case "retention.keep_event":
    case "retention.keep_parking":
    case "retention.keep_manual":
      if (plain === "") return path === "retention.keep" ? FOR_EVER : AS_NORMAL;
      return plain === ALWAYS ? FOR_EVER : durationInWords(plain, AGE_UNITS);
    case "retention.event_context":
      if (count === 0) return "the event alone";
      return `${count === 1 ? "clip" : "clips"} before and ${count} after`;
    case "retention.trash_days":
      if (count === 0) return "deleted at once, without a way back";
      return count >= 60 ? `about ${plural(count / 30.4, "month")}` : "";
    case "logging.file_max_bytes":
      return formatBytes(count);
    case "logging.file_backup_count":
      return count === 0 ? "what is put aside is lost" : "";
    case "logging.verbose":
      return ["normal", "verbose"][count] ?? "debug, every step";
    case "stats.retention_days":
      if (count === 0) return "all runs are kept";
      return count < 60
        ? ""
        : `about ${plural(count < 365 ? count / 30.4 : count / 365, count < 365 ? "month" : "year")}`;
    case "web.session_lifetime_hours":
      return count < 24 ? "" : plural(count / 24, "day");
    default:
      return "";
  }
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
