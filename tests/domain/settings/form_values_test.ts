import { describe, expect, test } from "bun:test";
import { partsOfCode } from "../../../server/domain/recordings/selection_codes.ts";
import { type FormField, settingsForm, textOf } from "../../../server/domain/settings/form_fields.ts";
import { draftInWords, draftProblem } from "../../../server/domain/settings/form_problems.ts";
import { draftValue, normalText, shortly } from "../../../server/domain/settings/form_values.ts";
import {
  fieldsOf,
  initialSettings,
  SECTION_NAMES,
  type SectionName,
  settingOf,
} from "../../../server/domain/settings/settings.ts";
import { applyPatch } from "../../../server/domain/settings/settings_patch.ts";

const INITIAL = initialSettings();
const FIELDS: ReadonlyMap<string, FormField> = new Map(
  settingsForm(INITIAL, INITIAL).flatMap(({ sections }) =>
    sections.flatMap(({ name, fields }) =>
      fields.map((field): [string, FormField] => [`${name}.${field.name}`, field]),
    ),
  ),
);

function fieldOf(path: string): FormField {
  const field = FIELDS.get(path);
  if (!field) throw new Error(`${path} is not in the form`);
  return field;
}

const words = (path: string, text: string) => draftInWords(fieldOf(path), text).replaceAll("\u00a0", " ");
const problem = (path: string, text: string) => draftProblem(fieldOf(path), text);

describe("a draft", () => {
  test("of every initial value becomes that value again, and nothing is wrong with it", () => {
    for (const name of SECTION_NAMES)
      for (const [key, { secret, unread, widget }] of fieldsOf(name)) {
        if (secret?.remedy || unread || widget.kind === "page") continue;
        const value = settingOf(INITIAL, name, key);
        const field = fieldOf(`${name}.${key}`);
        expect(draftValue(field, textOf(value))).toEqual(value);
        expect([key, problem(`${name}.${key}`, textOf(value))]).toEqual([key, null]);
      }
  });

  const values: [path: string, text: string, value: unknown][] = [
    ["schedule.paused", "true", true],
    ["connection.timeout_seconds", " 2.50 ", 2.5],
    ["connection.timeout_seconds", "", null],
    ["connection.address", " 192.168.1.20 ", "192.168.1.20"],
    ["connection.address", "http://192.168.1.20/", "192.168.1.20"],
    ["connection.address", " https://dashcam.lan:8080/blackvue_vod.cgi", "dashcam.lan:8080"],
    ["connection.address", "http://[fd00::20]:8080/", "[fd00::20]:8080"],
    ["sync.include", " P \n\nNF\n", ["P", "NF"]],
    ["sync.skip_metadata", "g\nt", ["t", "g"]],
    ["sync.affinity_key", "", null],
    ["metrics.scrape_token", "", null],
    ["metrics.job", "", ""],
    ["retention.keep", " 2 Weeks ", "2w"],
    ["retention.keep", "365", "365"],
    ["retention.keep", "soon", "soon"],
    ["retention.keep_event", " ALWAYS ", "always"],
    ["retention.keep_event", "1 Year", "1y"],
    ["retention.keep_event", "", ""],
    ["retention.max_gb", "", null],
    ["retention.max_gb", " 500.0 ", 500],
    ["retention.max_percent", " ", null],
    ["sync.retry_failed_after", "12 hours", "12h"],
    ["sync.include", "nf\np", ["NF", "P"]],
  ];
  for (const [path, text, value] of values)
    test(`of ${path}, ${JSON.stringify(text)}, is sent as ${JSON.stringify(value)}`, () => {
      expect(draftValue(fieldOf(path), text)).toEqual(value);
    });

  test("that says the same in another way is no change", () => {
    expect(normalText(fieldOf("connection.timeout_seconds"), "10.0")).toBe("10");
    expect(normalText(fieldOf("sync.skip_metadata"), "g\n3\nt")).toBe(
      normalText(fieldOf("sync.skip_metadata"), "t\n3\ng"),
    );
    expect(normalText(fieldOf("sync.include"), "P\n")).toBe("P");
    expect(normalText(fieldOf("sync.include"), "nf")).toBe("NF");
    expect(normalText(fieldOf("retention.keep"), "2 weeks")).toBe("2w");
  });

  const wrong: [path: string, text: string, says: string | null][] = [
    ["retention.max_used_disk_percent", "101", "Write a whole number from 1 to 100."],
    ["retention.max_used_disk_percent", "50.5", "Write a whole number from 1 to 100."],
    ["retention.max_used_disk_percent", "", "Write a whole number from 1 to 100."],
    ["connection.timeout_seconds", "0", "Write a number above 0 and at most 300."],
    ["connection.timeout_seconds", "", "Write a number above 0 and at most 300."],
    ["connection.timeout_seconds", "301", "Write a number above 0 and at most 300."],
    ["connection.timeout_seconds", "0.5", null],
    [
      "system.destination",
      "recordings",
      '"recordings" does not begin with /: write the whole path, such as /volume1/dashcam.',
    ],
    [
      "system.destination",
      "~/recordings",
      '"~/recordings" does not begin with /: write the whole path, such as /volume1/dashcam.',
    ],
    ["system.destination", " /volume1/dashcam ", null],
    [
      "metrics.file",
      "./dashdock.prom",
      '"./dashdock.prom" does not begin with /: write the whole path, such as /volume1/dashcam.',
    ],
    ["metrics.file", "", null],
    [
      "metrics.state_file",
      "state.json",
      '"state.json" does not begin with /: write the whole path, such as /volume1/dashcam.',
    ],
    ["metrics.state_file", "", null],
    ["connection.address", "http://192.168.1.20/", null],
    ["connection.address", "HTTP://dashcam.lan:8080/blackvue_vod.cgi", null],
    ["logging.verbose", "-1", "Write a whole number from 0."],
    ["sync.retry_failed_after", "90m", "Minutes are not known here. Write 5400s."],
    ["sync.retry_failed_after", "120 min", "Minutes are not known here. Write 2h."],
    ["sync.retry_failed_after", "", "Write a number and s, h, d, w or y, such as 12h."],
    ["sync.retry_failed_after", "0h", "Write a number and s, h, d, w or y, such as 12h."],
    ["sync.retry_failed_after", "1 year", null],
    ["sync.retry_failed_after", "30 Seconds", null],
    ["retention.keep", "2 weeks", null],
    ["retention.keep", "", null],
    ["retention.keep", "6m", "Months are not known here. Write 180d."],
    ["retention.keep", "1y", null],
    ["retention.keep", "always", "Write a number and d, w or y, such as 2w."],
    ["retention.keep_manual", "Always", null],
    ["retention.keep_manual", "", null],
    ["retention.keep_manual", "ever", "Write a number and d, w or y, such as 1y, or always."],
    ["retention.keep_manual", "6m", "Months are not known here. Write 180d."],
    ["retention.event_context", "11", "Write a whole number from 0 to 10."],
    ["retention.event_context", "", "Write a whole number from 0 to 10."],
    ["retention.max_percent", "", null],
    ["retention.max_percent", "0.5", null],
    ["retention.max_percent", "0", "Write a number above 0 and at most 100, or nothing for no limit."],
    ["retention.max_gb", "1000001", "Write a number above 0 and at most 1\u202f000\u202f000, or nothing for no limit."],
    ["retention.trash_days", "366", "Write a whole number from 0 to 365."],
    ["retention.keep", "36h", "Hours are not known here. Write 2d."],
    ["retention.keep", "soon", "Write a number and d, w or y, such as 2w."],
    ["sync.include", "P\nNF", null],
    ["sync.include", "p\nnf", null],
    ["connection.address", "dashcam.lan:8080", null],
    ["auth.trusted_proxies", "10.0.0.0/8\n::1", null],
    ["metrics.pushgateway_url", "", null],
    ["metrics.pushgateway_url", " http://pushgateway:9091/ ", null],
  ];
  for (const [path, text, says] of wrong)
    test(`of ${path}, ${JSON.stringify(text)}: ${says ?? "nothing is wrong"}`, () => {
      expect(problem(path, text)).toBe(says);
    });

  test("names the first line that is wrong", () => {
    expect(problem("sync.include", "P\nQ\nZZZ")).toStartWith('"Q" is no recording code.');
    expect(problem("auth.trusted_proxies", "10.0.0.1\nproxy")).toStartWith('"proxy" is neither an IP address');
    expect(problem("metrics.pushgateway_url", "pushgateway:9091")).toMatch(/^"pushgateway:9091" is not the address/);
    expect(problem("metrics.pushgateway_url", "http://gate?a")).toMatch(/without \? and #\.$/);
    expect(problem("connection.address", "http://camera one/")).toStartWith('"camera one" is not an address');
  });

  test("that the check lets through is taken by the schema", () => {
    for (const [path, text, says] of wrong) {
      if (says !== null) continue;
      const [section = "", key = ""] = path.split(".");
      expect(() =>
        applyPatch(INITIAL, section as SectionName, { [key]: draftValue(fieldOf(path), text) }),
      ).not.toThrow();
    }
  });
});

describe("the words for a draft", () => {
  const said: [path: string, text: string, says: string][] = [
    ["sync.retry_failed_after", "12h", "12 hours"],
    ["sync.retry_failed_after", "3", "3 days"],
    ["sync.retry_failed_after", "90m", ""],
    ["retention.keep", "6w", "6 weeks"],
    ["retention.keep", "1 Year", "= 1y"],
    ["connection.address", "http://cam/", "= cam"],
    ["connection.address", "cam", ""],
    ["connection.address", "http://always/", "= always"],
    ["sync.retry_failed_after", "12 hours", "= 12h"],
    ["sync.retry_failed_after", "12h", "12 hours"],
    ["retention.keep", "", "for ever"],
    ["retention.keep_event", "", "as Normal"],
    ["retention.keep_event", "Always", "for ever"],
    ["retention.keep_event", "1 year", "= 1y"],
    ["retention.keep_event", "1y", "1 year"],
    ["retention.keep_event", "soon", ""],
    ["retention.event_context", "0", "the event alone"],
    ["retention.event_context", "1", "clip before and 1 after"],
    ["retention.event_context", "3", "clips before and 3 after"],
    ["retention.trash_days", "0", "deleted at once, and cannot be restored"],
    ["retention.trash_days", "7", ""],
    ["retention.trash_days", "365", "about 12 months"],
    ["retention.max_gb", "", ""],
    ["logging.file_max_bytes", "10485760", "10.5 MB"],
    ["offsite.rate_limit", "4000000", "4 MB/s"],
    ["offsite.rate_limit", "", ""],
    ["logging.verbose", "0", "normal"],
    ["logging.verbose", "1", "verbose"],
    ["logging.verbose", "7", "debug, every step"],
    ["stats.retention_days", "0", "all runs are kept"],
    ["stats.retention_days", "14", ""],
    ["stats.retention_days", "365", "about 1 year"],
    ["web.session_lifetime_hours", "12", ""],
    ["web.session_lifetime_hours", "36", "1.5 days"],
    ["web.port", "8080", ""],
  ];
  for (const [path, text, says] of said)
    test(`of ${path}, ${JSON.stringify(text)}: ${says || "none are needed"}`, () => {
      expect(words(path, text)).toBe(says);
    });

  test("tell what a code is made of", () => {
    expect(partsOfCode("NF")).toEqual({ type: "N", direction: "F" });
    expect(partsOfCode("P")).toEqual({ type: "P", direction: "" });
    expect(partsOfCode("nf")).toEqual({ type: "N", direction: "F" });
    expect(partsOfCode("Q")).toBeNull();
  });

  test("for a remark are short", () => {
    const remark = (path: string, text: string) => shortly(fieldOf(path), text);
    expect(remark("schedule.paused", "true")).toEqual({ text: "on", isCode: false });
    expect(remark("sync.priority", "rdate")).toEqual({ text: "newest first", isCode: false });
    expect(remark("logging.format", "json")).toEqual({ text: "JSON, one object per line", isCode: false });
    expect(remark("sync.include", "")).toEqual({ text: "all", isCode: false });
    expect(remark("sync.include", "P\nNF")).toEqual({ text: "P, NF", isCode: true });
    expect(remark("sync.skip_metadata", "t\ng")).toEqual({ text: "thumbnails, GPS", isCode: false });
    expect(remark("connection.timeout_seconds", "10")).toEqual({ text: "10\u00a0s", isCode: false });
    expect(remark("retention.keep_event", "")).toEqual({ text: "as Normal", isCode: false });
    expect(remark("retention.keep_event", "always")).toEqual({ text: "for ever", isCode: false });
    expect(remark("retention.keep_event", "1y")).toEqual({ text: "1 year", isCode: false });
    expect(remark("schedule.cron_expression", "*/10 * * * *")).toEqual({ text: "every 10 minutes", isCode: false });
    expect(remark("retention.max_gb", "")).toEqual({ text: "no limit", isCode: false });
    expect(remark("metrics.scrape_token", "***")).toEqual({ text: "set", isCode: false });
  });
});
