import { describe, expect, test } from "bun:test";
import { signal } from "@preact/signals";
import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { DrawnPart } from "../../../../islands/settings/drawn_part.tsx";
import { entriesOf } from "../../../../islands/settings/entry.ts";
import type { ConsentState } from "../../../../islands/settings/keep/shared.ts";
import { systemClock } from "../../../../server/clock.ts";
import type { VerifyState } from "../../../../server/domain/checksums/verify_schema.ts";
import { NOT_PUBLISHED } from "../../../../server/domain/mqtt/not_published.ts";
import { OFFSITE_OFF } from "../../../../server/domain/offsite/offsite_off.ts";
import type { NotifyState } from "../../../../server/domain/notify/notify_schema.ts";
import type { HeldDeletion, KeptList } from "../../../../server/domain/retention/deletion.ts";
import type { RetentionPreview } from "../../../../server/domain/retention/deletion_schema.ts";
import { settingsForm } from "../../../../server/domain/settings/form_fields.ts";
import { draftProblem } from "../../../../server/domain/settings/form_problems.ts";
import type { SchedulePreview } from "../../../../server/domain/settings/schedule_preview.ts";
import { initialSettings } from "../../../../server/domain/settings/settings.ts";
import { USUAL_FORMAT } from "../../../../server/domain/text/time_format.ts";
import { ImportJob } from "../../../../server/engine/import/import_job.ts";
import { Log } from "../../../../server/log.ts";
import { previewOf } from "../../../support/app/deleting.ts";

const INITIAL = initialSettings();
const NOW = Date.UTC(2026, 10, 21, 7, 51);
const SCHEDULE: SchedulePreview = {
  valid: true,
  words: "",
  next: [Date.UTC(2026, 10, 21, 8, 0)],
  time_zone: "UTC",
  now: NOW,
};
const NOTHING_KEPT: KeptList = { entries: [], count: 0, amount: { recordings: 0, bytes: 0 } };
const STANDING: ConsentState = {
  kept: NOTHING_KEPT,
  trash: { recordings: 0, bytes: 0, next: null, parts: [] },
  state: { held: null, problem: null, kept: { recordings: 0, bytes: 0 } },
  disk: { used_percent: 71.44, total_bytes: 100e9, says: "71.4\u00a0%, 24\u00a0GB free" },
};
const DUE = previewOf({ normal: [3402, 8], parking: [488, 88] });
const HELD: HeldDeletion = {
  reason: "adopted",
  recordings: 96,
  bytes: 9.6e9,
  oldest: "2026-10-24",
  newest: "2026-11-06",
  since: "2026-11-20T10:00:00Z",
};

interface Shown {
  readonly preview?: RetentionPreview;
  readonly standing?: Partial<ConsentState>;
  /** Typed values, by path. */
  readonly typed?: Readonly<Record<string, string>>;
  readonly verify?: Partial<VerifyState>;
}

/** The section as HTML, with plain blanks. */
const NOBODY_TOLD: NotifyState = { targets: [], waiting: 0, ping: null };

function drawn({ preview = DUE, standing = {}, typed = {}, verify = {} }: Shown = {}): string {
  const entries = entriesOf(settingsForm(INITIAL, INITIAL), signal(draftProblem));
  const entryOf = (path: string) => {
    const entry = entries.find((one) => one.path === path);
    if (!entry) throw new Error(`There is no ${path}`);
    return entry;
  };
  for (const [path, text] of Object.entries(typed)) entryOf(path).draft.value = text;
  const shared = {
    entries,
    at: (section: string, field: string) => entryOf(`${section}.${field}`),
    cameras: signal([]),
    query: signal(""),
    change: () => {},
    format: USUAL_FORMAT,
    runs: signal(SCHEDULE),
    deletes: signal(""),
    isSignedOut: signal(false),
    isSaving: signal(false),
    trouble: signal(null),
    discard: () => {},
    check: signal(draftProblem),
    keep: { current: null },
    wake: async () => {},
    show: () => {},
  };
  const props = {
    part: "retention",
    shared,
    drawn: {
      now: NOW,
      format: USUAL_FORMAT,
      preview,
      standing: { ...STANDING, ...standing },
      cameras: [],
      camerasFolder: "/",
      verify: { ...UNCHECKED, ...verify },
      importedFor: "main",
      listed: {},
      browsers: [],
      keys: [],
      notify: NOBODY_TOLD,
      mqtt: NOT_PUBLISHED,
      offsite: OFFSITE_OFF,
      imported: new ImportJob({ clock: systemClock, log: new Log(systemClock), bootId: "", run: never }).state,
    },
  } as const;
  return renderToString(h(DrawnPart, props)).replace(/[\u00a0\u202f]|&nbsp;/g, " ");
}
const UNCHECKED: VerifyState = {
  ...{ running: false, waiting: false, checked: 0, total: 0, bytes: 0, taken: 0, damaged: [], damaged_files: 0 },
  ...{ not_judged: 0, started_at: null, finished_at: null, ended: null, problem: null },
};
const never = () => Promise.reject(new Error("Nothing is imported here"));
/** Only its words. */
const said = (shown?: Shown) =>
  drawn(shown)
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");

describe("Keep and delete", () => {
  test("has a row for each kind, in words, with what there is of it", () => {
    const words = said({ typed: { "retention.keep_event": "1y", "retention.keep_manual": "always" } });
    expect(words).toContain("Keep forever Default 2 weeks 3 402 here, 340 GB");
    expect(words).toContain("Was as Normal, the default none here Undo");
    expect(words).toContain("Same as Normal 2 weeks Default as Normal 488 here, 48.8 GB");
    const html = drawn({ typed: { "retention.keep_event": "1y", "retention.keep_manual": "always" } });
    const chosen = (name: string) =>
      new RegExp(`aria-label="${name}: unit".*?<option(?=[^>]* selected)[^>]*>(.*?)<`).exec(html)?.[1];
    expect(["Normal", "Event", "Parking", "Manual"].map(chosen)).toEqual([
      "weeks",
      "years",
      "Same as Normal",
      "Keep forever",
    ]);
    expect(html).toMatch(/name="keep_event"[^>]* value="1"/);
    expect(said({ typed: { "retention.keep": "" } })).toContain("Same as Normal for ever");
  });

  test("says how full the disk is, and how much there is", () => {
    const words = said();
    expect(words).toContain("% of the disk, now 71.4 %, 24 GB free");
    expect(words).toContain("GB for recordings, now 389 GB");
    expect(words).toContain("Downloading stops at 90 %");
    const unknown = said({ standing: { disk: null }, preview: { ...DUE, forecast: null, recordings: null } });
    expect(unknown).not.toContain(", now");
  });

  test("tells and draws what the next run deletes", () => {
    const html = drawn();
    expect(said()).toContain("What the next run will delete, 08:00");
    expect(said()).toContain("96 recordings, 9.6 GB go to the trash, 9.6 % of the disk");
    expect(html).toContain('aria-label="Parking: 88 recordings, 8.8 GB go, 400 recordings stay"');
    expect(html).toContain('aria-label="Event: none goes, 0 recordings stay"');
    expect(html).toContain('href="/viewer?only=due"');
    expect(said()).toContain("Look through all 96");
  });

  test("does not lead to what the viewer would show otherwise", () => {
    expect(drawn({ typed: { "retention.keep": "1w" } })).not.toContain("only=due");
  });

  test("names no time when no run comes", () => {
    expect(said({ typed: { "schedule.paused": "true" } })).toContain("What the next run will delete Stays");
  });

  const states: [name: string, shown: Shown, says: string[], not: string[]][] = [
    ["nothing is due", { preview: previewOf({ normal: [5, 0] }) }, ["Nothing Normal none"], ["Look through"]],
    [
      "it is a dry run",
      { preview: { ...DUE, dry_run: true } },
      ["would go. This is a dry run: nothing is deleted"],
      ["go to the trash,"],
    ],
    [
      "the folder cannot be read",
      { preview: { ...DUE, recordings: null, bytes: null, forecast: null } },
      ["Dashdock cannot count now. The recordings folder cannot be read, or is still being measured."],
      ["Look through"],
    ],
    [
      "the trash is off",
      { typed: { "retention.trash_days": "0" } },
      ["are deleted for good", "deleted at once, and cannot be restored"],
      ["go to the trash,"],
    ],
    [
      "deleting is held",
      { standing: { state: { ...STANDING.state, held: HELD } } },
      [
        "96 recordings, 9.6 GB are due. Deletion is on hold",
        "Deletion is on hold. 96 recordings, 9.6 GB wait for your approval on the dashboard . Saving a change here approves, too.",
      ],
      [],
    ],
    [
      "something is in the way",
      { standing: { state: { ...STANDING.state, problem: "The list of kept recordings cannot be read." } } },
      ["The list of kept recordings cannot be read."],
      [],
    ],
    [
      "what is typed is wrong",
      { typed: { "retention.keep": "soon" } },
      ["96 recordings, 9.6 GB", "Correct the marked values above to see what it would delete."],
      [],
    ],
  ];
  for (const [name, shown, says, not] of states)
    test(`says so when ${name}`, () => {
      const words = said(shown);
      for (const one of says) expect(words).toContain(one);
      for (const one of not) expect(words).not.toContain(one);
    });

  test("says how to keep a recording while none is", () => {
    expect(said()).toContain("Nothing is marked as kept. The bookmark in the viewer , or the key B , keeps a clip");
  });

  test("lists what is kept, with its note and a way to let it go", () => {
    const entry = {
      key: "20261120_082400_E",
      kept: { at: "2026-11-20T10:00:00Z", note: "Truck <cut in>" },
      recordings: 3,
      bytes: 912e6,
      thumb: "/api/viewer/thumb?x=1&y=2",
    };
    const kept: KeptList = { entries: [entry], count: 23, amount: { recordings: 23, bytes: 3.4e9 } };
    const html = drawn({ standing: { kept } });
    expect(html).toContain("Truck &lt;cut in>");
    expect(html).toContain('aria-label="Kept: Fri 20 Nov, 08:24. Press to remove the protection"');
    expect(html).toContain('href="/viewer?key=20261120_082400_E"');
    const words = said({ standing: { kept } });
    expect(words).toContain("23 recordings, 3.4 GB. They count for the limits but are not touched by them.");
    expect(words).toContain("3 cameras, 912 MB");
    expect(words).toContain("All 23 in the viewer");
  });

  test("says what lies in the trash, when it leaves, and what fewer days take out of it", () => {
    expect(said()).toContain("Nothing is in the trash.");
    expect(drawn()).not.toContain("empty-trash");
    const day = (days: number) => new Date(NOW + days * 86_400_000).toISOString();
    const trash = {
      recordings: 41,
      bytes: 5.9e9,
      next: { at: day(1), recordings: 6 },
      parts: [
        { amount: { recordings: 6, bytes: 1e9 }, purge_from: day(1), purge_to: day(1) },
        { amount: { recordings: 35, bytes: 4.9e9 }, purge_from: day(6), purge_to: day(6.5) },
      ],
    };
    const words = said({ standing: { trash }, typed: { "retention.trash_days": "5" } });
    expect(words).toContain("41 recordings, 5.9 GB. The next 6 leave for good tomorrow, Sun 22 Nov.");
    expect(words).toContain("With what is typed, 6 recordings, 1 GB leave the trash for good at the next run.");
    expect(said({ standing: { trash } })).not.toContain("With what is typed");
    const later = { ...trash, next: { at: day(3), recordings: 1 } };
    expect(said({ standing: { trash: later } })).toContain("The next 1 leaves for good on Tue 24 Nov.");
    const over = { ...trash, next: { at: day(-1), recordings: 2 } };
    expect(said({ standing: { trash: over } })).toContain("The next 2 leave for good at the next run.");
  });
});

describe("Are the recordings still whole?", () => {
  const DONE = { checked: 4000, total: 4000, bytes: 90e9, finished_at: "2026-11-21T07:10:00Z", ended: "done" } as const;
  const [bit, end, gone] = [
    { path: "2026-11-20/20261120_080000_NF.mp4", why: "other_bytes" },
    { path: "2026-11-20/20261120_080100_NF.mp4", why: "cut_short" },
    { path: "2026-11-20/20261120_080200_NF.mp4", why: "missing" },
  ] as const;
  const states: [name: string, verify: Partial<VerifyState>, says: string[], not: string[]][] = [
    ["no check was made", {}, ["No check was made yet", "Check every file"], ["Stop", "what is wrong"]],
    ["all are whole", DONE, ["All recordings are whole Today, Sat 21 Nov: 4 000 files, 90 GB read"], ["Forget"]],
    [
      "the files are counted",
      { running: true, started_at: "2026-11-21T07:10:00Z" },
      ["Counting the files …", "Stop"],
      ["Check every file", "0 of"],
    ],
    [
      "they are read, and one is damaged",
      { running: true, checked: 120, total: 4000, bytes: 3e9, damaged: [bit], damaged_files: 1 },
      ["Reading … 1 file is damaged 120 of 4 000 files, 3 GB read", "1 file, and what is wrong"],
      [],
    ],
    ["a sync goes on", { running: true, waiting: true, total: 9 }, ["Waiting for a sync to end … 0 of 9 files"], []],
    [
      "some are damaged and missing",
      { ...DONE, damaged: [bit, end, gone], damaged_files: 3 },
      [
        "2 files are damaged, 1 is missing",
        `${bit.path} Its content has changed, though no program wrote to it.`,
        `${end.path} Its end is missing.`,
        "Forget the missing file",
      ],
      [],
    ],
    [
      "more than can be named",
      { ...DONE, damaged: Array.from({ length: 30 }, (_, at) => ({ ...bit, path: `${at}.mp4` })), damaged_files: 1200 },
      ["1 200 files are damaged or missing", "The log names all 1 200 files"],
      ["25.mp4"],
    ],
    [
      "the folder was away",
      { ...DONE, ended: "away", checked: 7 },
      ["The recordings folder was not there", "7 files"],
      ["All recordings are whole"],
    ],
    ["it was stopped", { ...DONE, ended: "stopped" }, ["The last check did not come to its end"], ["are whole"]],
    [
      "files could not be judged, and nothing can be written down",
      { ...DONE, not_judged: 2, problem: "Checksums cannot be written down: the disk of the recordings is full." },
      ["2 files could not be judged", "the disk of the recordings is full."],
      [],
    ],
  ];
  for (const [name, verify, says, not] of states)
    test(name, () => {
      const all = said({ verify });
      const words = all.slice(all.indexOf("Are the recordings still whole?"));
      for (const text of says) expect(words).toContain(text);
      for (const text of not) expect(words).not.toContain(text);
    });

  test("says when nothing is checked in the background", () => {
    expect(said({ typed: { "retention.scrub_days": "0" } })).toContain("never checked in the background");
  });
});
