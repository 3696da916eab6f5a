import { describe, expect, test } from "bun:test";
import { allHelp } from "../server/commands/command_help.ts";
import { OPTIONS_OF } from "../server/commands/option_texts.ts";
import { AppError } from "../server/domain/answers/errors.ts";
import { rangeInWords } from "../server/domain/settings/field.ts";
import {
  fieldsOf,
  initialSettings,
  SECTION_NAMES,
  SECTIONS,
  type SectionName,
} from "../server/domain/settings/settings.ts";
import { applyPatch } from "../server/domain/settings/settings_patch.ts";
import { SHOWN, GUIDE as TEXT } from "./support/app/guide.ts";

/** The rows of the table under a heading, by their first cell. */
function rowsUnder(head: string): string[][] {
  const [, after = ""] = TEXT.split(`\n${head}\n`);
  const lines = after.split("\n");
  const rows = lines.slice(
    1,
    lines.findIndex((line) => !line.startsWith("|")),
  );
  return rows.map((row) => row.split("|").map((cell) => cell.trim()));
}

describe("the guide", () => {
  test("has a paragraph for every setting, with its help, first value and variable", () => {
    for (const section of SECTION_NAMES)
      for (const [name, field] of fieldsOf(section)) {
        const [, after = ""] = SHOWN.split(`### ${field.label} \`${section}.${name}\`\n`);
        const [paragraph = ""] = after.split("\n## ")[0]?.split("\n### ") ?? [];
        expect([section, name, paragraph]).toEqual([section, name, expect.stringContaining(field.help)]);
        if (field.env) expect(paragraph).toContain(`variable: \`${field.env.name}\``);
        if (!field.secret?.remedy) expect(paragraph).toContain(`at first: \`${JSON.stringify(field.initial)}\``);
      }
  });

  test("explains every setting that decides about deleting", () => {
    const told = rowsUnder("| setting in `retention` | decides |").flatMap(([, names = ""]) =>
      names.split(", ").map((name) => name.replaceAll("`", "")),
    );
    expect(told.sort()).toEqual(
      fieldsOf("retention")
        .map(([name]) => name)
        .sort(),
    );
  });

  test("names no setting that there is not", () => {
    const named = [...TEXT.matchAll(/`([a-z]+)\.([a-z_]+)`/g)].flatMap(([, section = "", name = ""]) =>
      // The history is a file, `stats.db`.
      SECTION_NAMES.some((one) => one === section) && name !== "db" ? [[section, name] as const] : [],
    );
    const known = SECTION_NAMES.flatMap((section) => fieldsOf(section).map(([name]) => `${section}.${name}`));
    expect(named.length).toBeGreaterThan(20);
    expect(named.map((path) => path.join(".")).filter((path) => !known.includes(path))).toEqual([]);
  });
});

describe("what a table says of a number", () => {
  const INITIAL = initialSettings();
  /** True when the service takes it. */
  const isTaken = (section: SectionName, name: string, value: unknown) => {
    try {
      applyPatch(INITIAL, section, { [name]: value });
      return true;
    } catch (error) {
      if (error instanceof AppError) return false;
      throw error;
    }
  };
  for (const section of SECTION_NAMES)
    for (const [name, { widget }] of fieldsOf(section)) {
      if (widget.kind !== "number") continue;
      const { min, max, whole, above, nullable = false } = widget;
      test(`holds for ${section}.${name}: ${rangeInWords(widget)}`, () => {
        const taken = (value: unknown) => isTaken(section, name, value);
        expect([taken(min), taken(min - 1), taken(null)]).toEqual([!above, false, nullable]);
        expect(taken(min + 0.5)).toBe(!whole);
        if (max !== undefined) expect([taken(max), taken(max + 1)]).toEqual([true, false]);
      });
    }
});

describe("the help of sync", () => {
  const SYNC_OPTIONS = allHelp().find(({ name }) => name === "sync")?.options ?? [];
  const { sync, connection, retention, logging, metrics } = SECTIONS;
  const rows: [option: string, first: unknown][] = [
    ["--grouping", sync.fields.grouping.initial],
    ["--priority", sync.fields.priority.initial],
    ["--max-used-disk", retention.fields.max_used_disk_percent.initial],
    ["--timeout", connection.fields.timeout_seconds.initial],
    ["--retry-failed-after", sync.fields.retry_failed_after.initial],
    ["--log-format", logging.fields.format.initial],
  ];
  for (const [option, first] of rows)
    test(`tells that without ${option} it is ${first}, as in the settings`, () => {
      const told = SYNC_OPTIONS.find(({ long }) => long === option)?.text;
      expect(told).toMatch(new RegExp(`\\(default: (\\S+, else )?${first}\\)$`));
    });

  test("names every grouping and order, and the job that figures are sent under", () => {
    const words = OPTIONS_OF["sync"] ?? "";
    for (const { widget } of [sync.fields.grouping, sync.fields.priority])
      for (const { value } of "options" in widget ? widget.options : []) expect(words).toContain(value);
    expect(words).toContain(`the job that they are pushed as (default: ${metrics.fields.job.initial})`);
  });
});
