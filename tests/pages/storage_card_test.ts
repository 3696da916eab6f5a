import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { type DiskRoom, StorageCard } from "../../islands/cards/storage.tsx";
import type { StorageForecast, StorageHealth } from "../../server/domain/status/health.ts";
import { describeCards, EVIL, poll, SYDNEY } from "../support/app/cards.ts";

const DISK = {
  available: true,
  destination: "/recordings",
  total_bytes: 4e12,
  free_bytes: 1.1e12,
  available_bytes: 1.1e12,
  used_bytes: 2.9e12,
  used_percent: 71.4,
  recording_count: 3918,
  trash_bytes: 0,
  trash_recordings: 0,
  room_bytes: 7e11,
  waiting_bytes: 0,
} as const;

const KEEP = { keep: "2w", keep_event: "", keep_parking: "", keep_manual: "" } as const;
const LAST_KNOWN = {
  at: 0,
  recordings: 3918,
  home: 412,
  waiting: 0,
  newest: null,
  kept: 23,
  trash_recordings: 41,
  available_bytes: 1.1e12,
  used_percent: 71.4,
};
const TRASH = { recordings: 0, bytes: 0, days: 7 } as const;

const storage = (health: StorageHealth, changes: Partial<StorageForecast> & { first?: DiskRoom } = {}) =>
  renderToString(
    h(StorageCard, {
      health,
      stops_at_percent: 90,
      too_much: "",
      full_at: null,
      days_with_runs: 3,
      keep: KEEP,
      trash: TRASH,
      last_known: null,
      ...SYDNEY,
      ...changes,
      poll,
    }),
  );

describeCards([
  {
    name: "storage: there",
    html: storage(DISK),
    has: [
      "1.1 TB <small>free of 4 TB",
      'role="meter"',
      'aria-valuenow="71.4"',
      'width="71.4%"',
      'x1="90%"',
      "71.4 % used. Syncing stops at 90 %.",
      "3 918 recordings, 2 weeks kept<",
      "Nothing in the trash",
      "/recordings",
    ],
    hasNot: ["state is-"],
  },
  {
    name: "storage: the day it will be full",
    html: storage(DISK, { full_at: Date.parse("2027-03-03T01:00:00Z"), keep: { ...KEEP, keep: "" } }),
    has: ["about", "3 Mar 2027", "kept for ever"],
  },
  {
    name: "storage: recordings and trash are counted apart",
    html: storage(DISK, {
      keep: { ...KEEP, keep_event: "always" },
      trash: { recordings: 41, bytes: 5_900_000_000, days: 7 },
    }),
    has: ["3 918 recordings, 2 weeks kept, events for ever", '<a href="/trash">41 in the trash, 5.9 GB</a>'],
    hasNot: ["Nothing in the trash"],
  },
  {
    name: "storage: there is no trash",
    html: storage(DISK, { trash: { recordings: 0, bytes: 0, days: 0 } }),
    has: ["No trash: what is deleted is gone"],
    hasNot: ['href="/trash"'],
  },
  {
    name: "storage: nearly full, and full",
    html: storage({ ...DISK, used_percent: 86 }) + storage({ ...DISK, used_percent: 90 }),
    has: ["Nearly full", "is-attention", "Full", "is-failed", "Syncing is stopped at 90 %."],
  },
  {
    name: "storage: what waits does not fit",
    html: storage(DISK, { too_much: "About 1.2 TB wait on the camera." }),
    has: ["is-attention", "Too little room", "About 1.2 TB wait on the camera.", 'href="/settings#retention"'],
    hasNot: ["Nearly full"],
  },
  {
    name: "storage: not there",
    html: storage({ available: false, reason: "destination not configured" }),
    has: ["Not known", "destination not configured", "is-attention", "It was there before."],
    hasNot: ["meter", "free of", "first sync"],
  },
  {
    name: "storage: not there, and known from before",
    html: storage(
      { available: false, reason: "another folder is in its place" },
      { last_known: { ...LAST_KNOWN, at: SYDNEY.now - 5_940_000, used_percent: 71.4 } },
    ),
    has: ["Not known", "is-unknown", "71.4 % used at 06:12", "Forecast not available"],
    hasNot: ["free of", "0 recordings"],
  },
  {
    name: "storage: not made yet",
    html: storage(
      { available: false, reason: "destination not configured" },
      { first: { total_bytes: 350e9, free_bytes: 100e9, available_bytes: 84e9, used_percent: 71.4 } },
    ),
    has: [
      "No folder yet",
      "is-waiting",
      "free of",
      "71.4",
      "The first sync makes the folder",
      'href="/settings#system"',
    ],
    hasNot: ["is-attention", "No recordings folder"],
  },
  {
    name: "storage: not made yet, on a disk that is too full for it",
    html: storage(
      { available: false, reason: "destination not configured" },
      { first: { total_bytes: 350e9, free_bytes: 10e9, available_bytes: 10e9, used_percent: 97.1 } },
    ),
    has: ["Full", "is-failed", "Syncing is stopped at", "The first sync makes the folder"],
    hasNot: ["No folder yet"],
  },
  {
    name: "storage: a folder with markup in its name",
    html: storage({ ...DISK, destination: EVIL }),
    has: ["&lt;script"],
    hasNot: ["<script"],
  },
]);
