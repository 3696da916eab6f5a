import { describe, expect, test } from "bun:test";
import {
  afterBurst,
  afterFacts,
  BURST_MS,
  type CameraMemory,
  NEW_MEMORY,
} from "../../../server/domain/notify/camera_memory.ts";
import type { CameraFacts, EndedRun } from "../../../server/domain/notify/run_facts.ts";
import { NOTIFY_CODES } from "../../../server/domain/settings/sections/notify.ts";
import { ZoneTime } from "../../../server/domain/text/zone_time.ts";

const NOW = Date.parse("2026-11-21T08:00:00Z");
const MINUTE = 60_000;
const RUN: EndedRun = {
  ending: "completed",
  sentence: "",
  path: "/stats/runs/1",
  isDiskFull: false,
  recordings: 0,
  events: [],
  isFirst: false,
  isDry: false,
};
const FACTS: CameraFacts = { now: NOW, camera: "main", name: null, zone: new ZoneTime("UTC"), run: null };
const ALL = { events: NOTIFY_CODES, camera_missing_days: 3 };
const events = (...times: string[]) => times.map((time) => ({ key: `20261121_${time}_E` }));

function look(before: CameraMemory, facts: Partial<CameraFacts>, wanted = ALL) {
  const { memory, drafts } = afterFacts(before, { ...FACTS, ...facts }, wanted);
  return { memory, codes: drafts.map(({ code }) => code), drafts };
}

const rows: readonly (readonly [name: string, facts: Partial<CameraFacts>, codes: string])[] = [
  ["a run that failed", { run: { ...RUN, ending: "failed", sentence: "The card is broken." } }, "sync_failed"],
  ["a camera that is away", { run: { ...RUN, ending: "away" } }, ""],
  ["a run that was stopped", { run: { ...RUN, ending: "stopped" } }, ""],
  ["no contact for three days", { lastContact: NOW - 3 * 86_400_000 }, "camera_missing"],
  ["contact a minute less ago", { lastContact: NOW - 3 * 86_400_000 + MINUTE }, ""],
  ["a disk 5 % below the stop", { disk: { usedPercent: 85, stopsAt: 90 } }, "disk_nearly_full"],
  ["a disk with more room", { disk: { usedPercent: 84.9, stopsAt: 90 } }, ""],
  [
    "a run that the disk ended",
    { run: { ...RUN, ending: "failed", isDiskFull: true } },
    "sync_failed disk_nearly_full",
  ],
  ["what will be overwritten", { overwritten: { recordings: 3, sentence: "It is tight." } }, "overwritten"],
  ["a plan in time", { overwritten: { recordings: 0, sentence: "" } }, ""],
  ["deletion on hold", { held: 12 }, "held"],
  ["damaged files", { damaged: 2 }, "damaged"],
  [
    "three days in which nothing could be sent off-site",
    { offsite: { since: 0, sentence: "The bucket is full." } },
    "offsite_failed",
  ],
  ["the last that waited", { run: { ...RUN, recordings: 4 }, waiting: 0 }, "all_safe"],
  ["nothing new", { run: RUN, waiting: 0 }, ""],
  ["some that wait still", { run: { ...RUN, recordings: 4 }, waiting: 1 }, ""],
  ["an event", { run: { ...RUN, events: events("074500") } }, "event"],
  ["a dry run", { run: { ...RUN, recordings: 4, events: events("074500"), isDry: true }, waiting: 0 }, ""],
];

describe("a look at a camera tells", () => {
  for (const [name, facts, codes] of rows)
    test(`${codes || "nothing"}: ${name}`, () => {
      expect(look(NEW_MEMORY, facts).codes.join(" ")).toBe(codes);
      expect(look(NEW_MEMORY, facts, { events: [], camera_missing_days: 3 } as never).codes).toEqual([]);
    });

  test("changed settings of the camera after the first look, each visit once", () => {
    const first = look(NEW_MEMORY, { settings: { visit: 4, changes: 2 } });
    const same = look(first.memory, { settings: { visit: 4, changes: 2 } });
    const other = look(same.memory, { settings: { visit: 5, changes: 1 } });
    expect([first.codes, same.codes, other.codes]).toEqual([[], [], ["settings_changed"]]);
    expect(other.drafts[0]?.text.replaceAll("\u00a0", " ")).toBe("1 setting is not as at the last visit.");
  });

  test("that all is safe once in a visit", () => {
    const safe = (visit: number) => ({ run: { ...RUN, recordings: 2 }, waiting: 0, visit });
    const first = look(NEW_MEMORY, safe(1));
    const second = look(first.memory, safe(1));
    const waits = look(second.memory, { ...safe(1), waiting: 3 });
    const third = look(waits.memory, safe(1));
    expect([first, second, waits, third, look(third.memory, safe(2))].map(({ codes }) => codes.join(" "))).toEqual([
      "all_safe",
      "",
      "",
      "",
      "all_safe",
    ]);
  });

  test("a failed sync once, until one goes through", () => {
    const fail = { run: { ...RUN, ending: "failed" } as const };
    const first = look(NEW_MEMORY, fail);
    const second = look(first.memory, fail);
    const away = look(second.memory, { run: { ...RUN, ending: "away" } });
    const good = look(away.memory, { run: RUN });
    expect([second.codes, away.codes, good.codes, look(good.memory, fail).codes]).toEqual([
      [],
      [],
      [],
      ["sync_failed"],
    ]);
  });
});

describe("events", () => {
  test("of one sync come together, and further ones of ten minutes after it", () => {
    const first = look(NEW_MEMORY, { run: { ...RUN, events: events("070000", "074500") } });
    expect(first.drafts[0]).toMatchObject({ key: "20261121_074500_E", path: "/viewer?key=20261121_074500_E" });
    expect(first.drafts[0]?.title.replaceAll("\u00a0", " ")).toBe("2 events came home");
    const later = look(first.memory, { now: NOW + 4 * MINUTE, run: { ...RUN, events: events("080100") } });
    const last = look(later.memory, { now: NOW + 9 * MINUTE, run: { ...RUN, events: events("080500") } });
    expect([later.codes, last.codes]).toEqual([[], []]);
    expect(afterBurst(last.memory, { ...FACTS, now: NOW + BURST_MS - 1 }).drafts).toEqual([]);
    const ended = afterBurst(last.memory, { ...FACTS, now: NOW + BURST_MS });
    expect(ended.drafts.map(({ text }) => text.replaceAll("\u00a0", " "))).toEqual([
      "Event Sat 21 Nov, 08:01; Event Sat 21 Nov, 08:05.",
    ]);
    // These are a message of their own: further ones wait again.
    expect(look(ended.memory, { now: NOW + 15 * MINUTE, run: { ...RUN, events: events("081400") } }).codes).toEqual([]);
    const over = afterBurst(ended.memory, { ...FACTS, now: NOW + 2 * BURST_MS });
    expect([over.memory.burst, over.drafts]).toEqual([null, []]);
  });

  test("older than a week are only counted at the very first sync", () => {
    const old = [{ key: "20261101_070000_I" }, { key: "19700101_000000_E" }];
    const first = look(NEW_MEMORY, { run: { ...RUN, isFirst: true, events: [...old, ...events("074500")] } });
    const said = first.drafts.map(({ title, text }) => `${title}: ${text}`.replaceAll("\u00a0", " "));
    expect(said).toEqual(["3 events came home: Event Sat 21 Nov, 07:45. And 2 more."]);
    const onlyOld = look(NEW_MEMORY, { run: { ...RUN, isFirst: true, events: old } }).drafts[0];
    expect([onlyOld?.key, onlyOld?.text]).toEqual([null, "2 are older than a week."]);
    const usual = look(NEW_MEMORY, { run: { ...RUN, events: old.slice(0, 1) } }).drafts[0];
    expect([usual?.key, usual?.title.replaceAll("\u00a0", " ")]).toEqual([
      "20261101_070000_I",
      "Parking impact, Sun 1 Nov, 07:00",
    ]);
  });

  test("of a further camera carry its id and its name", () => {
    const draft = look(NEW_MEMORY, { camera: "van", name: "Van", run: { ...RUN, events: events("074500") } }).drafts[0];
    expect(draft).toMatchObject({
      key: "van~20261121_074500_E",
      camera: "Van",
      path: "/viewer?key=van~20261121_074500_E",
    });
    expect(draft?.title).toStartWith("Van: Event");
  });

  test("a hundred are named in part", () => {
    const many = Array.from({ length: 100 }, (_, at) => ({
      key: `20261121_07${String(at % 60).padStart(2, "0")}00_B`,
    }));
    const text = look(NEW_MEMORY, { run: { ...RUN, events: many } }).drafts[0]?.text.replaceAll("\u00a0", " ");
    expect(text).toEndWith(". And 95 more.");
    expect(text?.match(/Hard braking/g)).toHaveLength(5);
  });
});
