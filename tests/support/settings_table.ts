import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Field, type Reading, rangeInWords, type Tier } from "../../server/domain/settings/field.ts";
import { fieldsOf, SECTION_NAMES, SECTIONS } from "../../server/domain/settings/settings.ts";

/** The README's table of every setting, made from the schema. `bun tests/support/settings_table.ts` writes it there. */

export const README = join(import.meta.dir, "..", "..", "README.md");
const HEADING = "### Every setting\n";
const INTRO = `
As the file and the API name them; the page has the same in words. The recordings folder is as here in the image
only: elsewhere the first start writes \`data/recordings\` below the folder that it is started in, or what it is told.

| setting | is | at first | may be | variable |
|---|---|---|---|---|
`;
const COUNTS = "\n| a change counts | of |\n|---|---|\n";
const WHEN = [
  ["at once", "immediate"],
  ["with the next sync", "next_tick"],
  ["after a restart", "restart"],
] as const satisfies readonly (readonly [words: string, tier: Tier])[];

const TEXTS: Readonly<Record<Reading, string>> = {
  address: "empty, or a host name or IP address, with `:port` where it is not 80",
  age: "empty, or a duration in `d w y`",
  age_or_always: "empty, a duration in `d w y`, or `always`",
  code: "codes such as `P` and `NF`",
  cron: "five fields, as in cron",
  delay: "a duration in `s h d w y`",
  gateway: "an address with `http://` or `https://`",
  host_name: "host names",
  network: "IP addresses and ranges",
  path: "a whole path",
  time_zone: "a name such as `Europe/Rome`",
};

export function settingsTable(): string {
  const rows = SECTION_NAMES.flatMap((section) =>
    fieldsOf(section).map(([name, field]) =>
      [
        `\`${section}.${name}\``,
        field.unread ? `${field.label} (not used yet)` : field.label,
        code(field.initial) + (field.unit && typeof field.initial === "number" ? ` ${field.unit}` : ""),
        valuesOf(field),
        field.env ? code(field.env.name, String) : "",
      ].join(" | "),
    ),
  );
  const counts = WHEN.map(([words, tier]) => `| ${words} | ${countingAt(tier).join(", ")} |`);
  return HEADING + INTRO + [...rows.map((row) => `| ${row.trimEnd()} |`), ""].join("\n") + COUNTS + counts.join("\n");
}

/** Whole sections, and single settings of the others. */
function countingAt(tier: Tier): string[] {
  return SECTION_NAMES.flatMap((section) => {
    const fields = fieldsOf(section);
    const mine = fields.filter(([, { applies = SECTIONS[section].tier }]) => applies === tier);
    return mine.length === fields.length ? [`\`${section}\``] : mine.map(([name]) => `\`${section}.${name}\``);
  });
}

function valuesOf({ widget, secret }: Field<unknown>): string {
  switch (widget.kind) {
    case "switch":
      return "`true`, `false`";
    case "select":
      return widget.options.map(({ value }) => code(value, String)).join(", ");
    case "choices":
      return `a list of ${widget.options.map(({ value }) => code(value, String)).join(", ")}`;
    case "number":
      return `${rangeInWords(widget)}${widget.nullable ? ", or `null`" : ""}`;
    case "lines":
      return `a list of ${widget.reading ? TEXTS[widget.reading] : "texts"}`;
    case "text":
      return `${widget.reading ? TEXTS[widget.reading] : "a text"}${widget.nullable ? ", or `null`" : ""}`;
    case "secret":
      return "a text that is never shown, or `null`";
    default:
      return `never shown; ${secret?.remedy}`;
  }
}

function code(value: unknown, say: (value: unknown) => string = JSON.stringify): string {
  return `\`${say(value)}\``;
}

if (import.meta.main) {
  const readme = readFileSync(README, "utf8");
  const at = readme.indexOf(HEADING);
  writeFileSync(
    README,
    `${readme.slice(0, at)}${settingsTable()}\n${readme.slice(at + HEADING.length + readme.slice(at + HEADING.length).search(/\n##/))}`,
  );
}
