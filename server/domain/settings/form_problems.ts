import { codeProblem } from "../recordings/selection_codes.ts";
import { asSentence, formatCount } from "../text/format.ts";
import { addressProblem, networkProblem } from "./address.ts";
import { AGE_UNITS, ALWAYS, DELAY_UNITS, parseDuration } from "./duration.ts";
import { type Range, rangeInWords, type TextReading } from "./field.ts";
import type { FormField } from "./form_fields.ts";
import { fittingInWords, linesOf, normalText } from "./form_values.ts";
import { gatewayProblem } from "./gateway.ts";
import { brokerProblem } from "./mqtt_address.ts";
import { targetProblem } from "./notify_address.ts";
import { timeOfDayProblem } from "./time_of_day.ts";
import { wholePathProblem } from "./whole_path.ts";

/** Faults of a text that is typed into a setting. */

/** Returns a sentence about a plain fault of a text, or null. The service knows some rules more. */
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

/**
 * Returns a sentence about the fault of a text of this reading. Null also for readings that only the service checks.
 */
function readingProblem(reading: TextReading | undefined, text: string): string | null {
  switch (reading) {
    case "address":
      return addressProblem(text);
    case "age":
      return text === "" ? null : durationProblem(text, AGE_UNITS, "Write a number and d, w or y, such as 2w.");
    case "age_or_always":
      return text === "" || text === ALWAYS
        ? null
        : durationProblem(text, AGE_UNITS, "Write a number and d, w or y, such as 1y, or always.");
    case "broker":
      return text === "" ? null : brokerProblem(text);
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
    case "target":
      // As it was shown: the service has the secret parts.
      return text.includes("***") ? null : targetProblem(text);
    case "time":
      return timeOfDayProblem(text);
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
/**
 * Units that people try and durations do not have, with the right way to say them: `m` is a minute to wait, but a
 * month to keep.
 */
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

/** Says in a few words what a text means, to stand beside it. Empty when it is wrong, or there is nothing to add. */
export function draftInWords(field: Pick<FormField, "widget" | "unit" | "empty" | "meaning">, text: string): string {
  return draftProblem(field, text) === null ? fittingInWords(field, text) : "";
}
