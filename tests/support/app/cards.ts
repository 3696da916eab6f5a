import { describe, expect, test } from "bun:test";
import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { StatusCard } from "../../../islands/cards/status.tsx";
import type { Overview } from "../../../server/domain/status/overview.ts";
import type { CurrentFile } from "../../../server/domain/sync/current_transfer.ts";
import { idleSnapshot, type Snapshot } from "../../../server/domain/sync/job_progress.ts";
import { ZoneTime } from "../../../server/domain/text/zone_time.ts";
import { nothingDeleted } from "./deletion.ts";

/** 07:51 on Saturday in Sydney. */
export const NOW = Date.parse("2026-11-20T20:51:00Z");
export const SYDNEY = { now: NOW, zone: new ZoneTime("Australia/Sydney") } as const;

/** Text that must never come into a page as it is. */
export const EVIL = `<script>alert("&'")</script>`;
export const poll = { path: "/hx/some/card", every: 5 };

/** Snapshot of a running job of which nothing is known yet. */
export function snapshot(changes: Partial<Snapshot> = {}): Snapshot {
  return { ...idleSnapshot("b".repeat(32)), job_id: "0f3c5d7e9a1b4c2d8e6f7a8b9c0d1e2f", state: "running", ...changes };
}

export const FILE: CurrentFile = {
  filename: "20261120_081503_EF.mp4",
  recording_base: "20261120_081503_EF",
  artifact: "mp4",
  direction: "F",
  total_bytes: 152_000_000,
  expected_bytes: null,
  downloaded_bytes: 61_400_000,
  bytes_per_second: 12_300_000,
  eta_seconds: 7,
  state: "downloading",
  failure_reason: null,
  percent: 40.39,
};
/** A job in the middle of its files. */
export const BUSY = snapshot({
  phase: "downloading",
  current_file: FILE,
  recordings: { on_camera: 412, chosen: 412, home: 309, waiting: 103 },
  files_total: 64,
  files_completed: 17,
  files_failed: 1,
  files_skipped: 3930,
  files_here: 3918,
  files_absent: 9,
  recordings_total: 64,
  recordings_completed: 17,
  recordings_failed: 1,
  bytes_expected: 9_200_000_000,
  bytes_expected_is_guess: true,
  bytes_downloaded_total: 2_600_000_000,
  bytes_per_second: 12_300_000,
  eta_seconds: 540,
  percent: 28.12,
});

/** All that is on the camera is safe here, and nothing runs. */
export const OVERVIEW: Overview = {
  now: NOW,
  time_zone: SYDNEY.zone.id,
  mood: "fine",
  sentence: "All 412 recordings on the camera are safe here.",
  detail: "The camera is away. Last seen 07:42, 9 min ago.",
  more: "",
  action: null,
  address: "192.168.1.64",
  plan: null,
  paused: false,
  looks: null,
  next_at: NOW + 540_000,
  destination: "known",
  last_known: null,
  on_camera: 412,
  chosen: 412,
  home: 412,
  waiting: 0,
  waiting_files: 0,
  waiting_bytes: 0,
  last_seen_at: NOW - 540_000,
  newest: "20261120_083902",
  newest_key: "20261120_083902_N",
  recordings: 3918,
  retention: nothingDeleted(),
  deletion_notes: [],
  available_bytes: 1.1e12,
  max_used_percent: 90,
  unusable_settings: [],
  access_notes: [],
  notify_notes: [],
};

export const statusCard = (job: Snapshot, changes: Partial<Overview> = {}) =>
  renderToString(h(StatusCard, { snapshot: job, overview: { ...OVERVIEW, ...changes }, zone: SYDNEY.zone, poll }));

/** A state of a card, and what is read in it. */
interface CardRow {
  name: string;
  html: string;
  has: string[];
  hasNot?: string[];
}

/** Text as it is read on the page: no-break spaces as plain ones. */
const plain = (text: string) => text.replace(/[\u00a0\u202f]|&nbsp;/g, " ");

const VOID: ReadonlySet<string> = new Set(["br", "hr", "img", "input", "link", "meta"]);

/** The tags of a text's outermost elements. @throws when an element is not closed in its place */
export function outermost(html: string): string[] {
  const open: string[] = [];
  const found: string[] = [];
  let at = 0;
  for (const match of html.matchAll(/<(\/?)([a-z][a-z0-9]*)((?:\s+[a-zA-Z0-9-]+(?:="[^"<]*")?)*)\s*(\/?)>/g)) {
    const [tag, closing, name = "", , selfClosed] = match;
    const between = html.slice(at, match.index);
    if (between.includes("<") || (open.length === 0 && between.trim() !== ""))
      throw new Error(`stray text: ${between}`);
    at = match.index + tag.length;
    if (closing) {
      if (open.pop() !== name) throw new Error(`</${name}> closes nothing`);
    } else {
      if (open.length === 0) found.push(name);
      if (!selfClosed && !VOID.has(name)) open.push(name);
    }
  }
  if (open.length > 0 || html.slice(at).trim() !== "") throw new Error(`not closed: ${open} ${html.slice(at)}`);
  return found;
}

/** Tests what cards show in these states, and that all of it is good HTML. */
export function describeCards(rows: readonly CardRow[]): void {
  describe("a card", () => {
    for (const { name, html, has, hasNot = [] } of rows) {
      test(name, () => {
        const text = plain(html).replaceAll("\n", " ");
        for (const part of has) expect(text).toContain(part);
        for (const part of hasNot) expect(text).not.toContain(part);
        expect(text).not.toMatch(/style=|undefined|NaN|\[object/);
      });
    }

    test("is well-formed HTML in every state", () => {
      for (const { html } of rows) expect([...new Set(outermost(html))]).toEqual(["section"]);
    });
  });
}
