/**
 * Times and dates on a page that are in the form of another language. Runs in tests and in pages, so that it holds all
 * that it needs.
 * @param form of the language that is asked for
 */
export function strangeTimes(text: string, form: "american" | "usual"): string[] {
  const months = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)";
  const words = text.replaceAll(/[\u00a0\u202f]/g, " ");
  const strange =
    form === "american"
      ? [
          // The first of two times of one half of the day goes without `am`.
          "\\b[012]\\d:[0-5]\\d(?::[0-5]\\d)?\\b(?! [ap]m\\b| to \\d+:\\d\\d [ap]m\\b|:)",
          `\\b\\d{1,2} ${months}\\b`,
        ]
      : ["\\b\\d{1,2}:[0-5]\\d(?::[0-5]\\d)? [ap]m\\b", `\\b${months} \\d{1,2}\\b(?! \\d{4})(?!:)`];
  return strange.flatMap((pattern) => words.match(new RegExp(pattern, "g")) ?? []);
}
