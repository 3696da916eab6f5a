const TIME = /^([01][0-9]|2[0-3]):([0-5][0-9])$/;

/** Returns a sentence about the fault of a time of day, or null; an empty text is none. */
export function timeOfDayProblem(text: string): string | null {
  return text === "" || TIME.test(text) ? null : "expected a time such as 22:00, or nothing";
}

/** Minutes since midnight of `HH:MM`; null for an empty text. */
export function minuteOfDay(text: string): number | null {
  const [, hour, minute] = TIME.exec(text) ?? [];
  return hour === undefined ? null : Number(hour) * 60 + Number(minute);
}
