import { describe, expect, test } from "bun:test";
import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { StatusCard } from "../../islands/cards/status.tsx";
import { idleSnapshot } from "../../server/domain/sync/job_progress.ts";
import { BUSY, describeCards, EVIL, FILE, OVERVIEW, SYDNEY, snapshot, statusCard } from "../support/app/cards.ts";
import { NOW } from "../support/app/overview.ts";

const DRIVE = {
  key: "20260607_173200_N",
  chosen: 60,
  home: 12,
  sentence: "The drive of 17:32: 12 of 60 home.",
};

describeCards([
  {
    name: "status: at rest, all safe",
    html: statusCard(idleSnapshot("b")),
    has: [
      "hero is-fine",
      "All 412 recordings on the camera are safe here.",
      "The camera is away. Last seen 07:42, 9 min ago.",
      'data-action="sync-now"',
      'data-action="pause"',
      "Nothing waiting",
      "412 of 412 recordings<",
      "3 918 <small>recordings",
      "08:39 <small>Fri 20 Nov",
      "1.1 <small>TB",
      "Looks again in 9 min",
    ],
    hasNot: ['data-action="stop"', "data-action-error", "failed", "accept-destination"],
  },
  {
    name: "status: a camera that is away and looked for",
    html: statusCard(idleSnapshot("b"), { looks: { camera: "away", seconds: 30, next_at: NOW + 20_000 } }),
    has: ["Looks for the camera every 30 s"],
    hasNot: ["Looks again", "Next run", "No run is planned"],
  },
  {
    name: "status: a camera that is here, and looked at",
    html: statusCard(idleSnapshot("b"), { looks: { camera: "here", seconds: 30, next_at: NOW + 20_000 } }),
    has: ["Next run in 9 min"],
    hasNot: ["Looks again", "Looks for"],
  },
  {
    name: "status: another recordings folder than before",
    html: statusCard(idleSnapshot("b"), { mood: "attention", destination: "unmarked" }),
    has: ['data-action="accept-destination"', "Use this folder…", 'data-action="check-folder"'],
    hasNot: ['data-action="sync-now"'],
  },
  {
    name: "status: no recordings folder any more",
    html: statusCard(idleSnapshot("b"), { mood: "failed", destination: "gone" }),
    has: ['data-action="accept-destination"', "Start with a new folder…"],
  },
  {
    name: "status: asking the camera",
    html: statusCard(snapshot({ phase: "listing" })),
    has: [
      "is-busy",
      "Asking the camera what it has.",
      // The number of recordings at home was known before.
      '<progress class="gauge" max="100" value="100" aria-label="Recordings downloaded">',
      "412 of 412 recordings<",
      'data-action="stop"',
    ],
    hasNot: ['data-action="sync-now"'],
  },
  {
    name: "status: a setting that cannot be used, while a sync runs",
    html: statusCard(snapshot({ phase: "listing" }), {
      unusable_settings: [{ section: "retention", sentence: `${EVIL} cannot be used.` }],
    }),
    has: [
      "is-busy",
      "note is-attention",
      " cannot be used.</b>",
      '<a href="/settings#retention">Set it in Settings</a>',
    ],
    hasNot: [EVIL],
  },
  {
    name: "status: downloading",
    html: statusCard(BUSY),
    has: [
      "Downloading 17 of 64 recordings, 1 failed so far, 12.3 MB/s, about 9 min.",
      "17 <small>of 64 recordings",
      'value="28.12"',
      "28 %<",
      // This number comes from the stream, which is newer than the page.
      "309 <small>recordings",
      "Done about 08:00 AEDT",
      "20261120_081503_EF.mp4",
      "61.4 of 152 MB, 7 s",
      '2.6 <small>of <span aria-hidden="true">≈ </span><span class="sr">about </span>9.2 GB',
      "1 <small>recording",
      // Files are told in the details alone; what the camera does not have is nowhere, and not here.
      "17 of 64 files, 1 failed. 3 918 files were here already. The camera had no GPS or thumbnail for 9.",
    ],
  },
  {
    name: "status: all that was tried has failed",
    html: statusCard(
      snapshot({
        phase: "downloading",
        files_total: 84,
        files_failed: 27,
        recordings_total: 80,
        recordings_failed: 27,
        percent: 33.75,
        recordings: { on_camera: 80, chosen: 80, home: 0, waiting: 80, drive: DRIVE },
      }),
    ),
    has: [
      "The drive of 17:32: 12 of 60 home.",
      "Downloading 80 recordings, 27 failed so far.",
      "0 <small>of 80 recordings",
      "27 <small>recordings",
      '<progress class="gauge" max="100" value="33.75" aria-label="Recordings downloaded">',
    ],
    hasNot: ["27 of 80"],
  },
  {
    name: "status: nothing is chosen and nothing at home",
    html: statusCard(snapshot({ phase: "downloading", recordings: { on_camera: 80, chosen: 0, home: 0, waiting: 0 } })),
    has: ['<progress class="gauge" max="100" value="0" aria-label="Recordings downloaded">'],
  },
  {
    name: "status: the first file, before anything is known",
    html: statusCard(
      snapshot({
        phase: "downloading",
        files_total: 1,
        current_file: { ...FILE, total_bytes: 0, downloaded_bytes: 0, eta_seconds: null, percent: 0 },
      }),
    ),
    has: ["Downloading 1 small file.", "nothing yet", "not known yet"],
    hasNot: ["about", "NaN", "null", "0 B"],
  },
  {
    name: "status: a file whose length the camera does not say",
    html: statusCard({
      ...BUSY,
      current_file: { ...FILE, total_bytes: 0, expected_bytes: 150_000_000, percent: 40.93 },
    }),
    has: [
      '61.4 of <span aria-hidden="true">≈ </span><span class="sr">about </span>150 MB, 7 s',
      'max="100" value="40.93"',
    ],
  },
  {
    name: "status: a file of unknown length that has outgrown what was expected, and one of which nothing is known",
    html:
      statusCard({ ...BUSY, current_file: { ...FILE, total_bytes: 0, eta_seconds: null, percent: 99.9 } }) +
      statusCard({
        ...BUSY,
        bytes_expected: null,
        current_file: { ...FILE, total_bytes: 0, eta_seconds: null, percent: 0 },
      }),
    has: [
      '<span class="quiet">61.4 MB</span><progress class="gauge gauge-thin" max="100" value="99.9"',
      '<span class="quiet">61.4 MB</span><progress class="gauge gauge-thin" aria-label',
      "<dd>2.6 <small>GB</small></dd>",
    ],
    hasNot: ["NaN", "0 B", "Infinity"],
  },
  {
    name: "status: all lengths are known",
    html: statusCard({ ...BUSY, bytes_expected_is_guess: false }),
    has: ["2.6 <small>of 9.2 GB"],
    hasNot: ["≈"],
  },
  {
    name: "status: what waits has a size, about",
    html: statusCard(idleSnapshot("b"), { waiting: 6, waiting_files: 24, waiting_bytes: 1_230_000_000 }),
    has: ['6<small>, <span aria-hidden="true">≈ </span><span class="sr">about </span>1.2 GB</small>'],
  },
  {
    name: "status: what waits has no size that is known, or nothing waits",
    html:
      statusCard(idleSnapshot("b"), { waiting: 6, waiting_files: 24, waiting_bytes: null }) +
      statusCard(idleSnapshot("b")),
    has: ["<dt>Recordings waiting</dt><dd>6</dd>", "<dt>Recordings waiting</dt><dd>0</dd>"],
    hasNot: ["≈", "0 B"],
  },
  {
    name: "status: nothing to fetch",
    html: statusCard(snapshot({ phase: "downloading", files_skipped: 9 })),
    has: ["Everything on the camera is safe here."],
  },
  {
    name: "status: nothing to fetch but what failed lately",
    html: statusCard(
      snapshot({ phase: "downloading", recordings: { on_camera: 412, chosen: 412, home: 411, waiting: 1 } }),
    ),
    has: ["Nothing new to download.", "411 of 412 recordings<"],
    hasNot: ["safe here.</p>"],
  },
  {
    name: "status: retention",
    html: statusCard(snapshot({ phase: "retention", percent: 100 })),
    has: ["Deleting what is older than you keep."],
  },
  {
    name: "status: just completed",
    html: statusCard(
      snapshot({
        state: "completed",
        files_total: 8,
        files_completed: 8,
        recordings_total: 2,
        recordings_completed: 2,
        bytes_downloaded_total: 304_000_000,
      }),
    ),
    has: ["is-fine", "All 412 recordings", "2 recordings downloaded just now, 304 MB."],
  },
  {
    name: "status: files are left behind",
    html: statusCard(snapshot({ state: "completed", files_total: 4, files_completed: 3, files_failed: 1 }), {
      mood: "attention",
      sentence: "1 file could not be brought home yet.",
      waiting_files: 1,
    }),
    has: ["is-attention", "#s-attention", "1 small file waiting"],
    hasNot: ["Nothing waiting"],
  },
  {
    name: "status: no camera yet",
    html: statusCard(idleSnapshot("b"), {
      address: "",
      on_camera: null,
      chosen: null,
      newest: null,
      newest_key: null,
      last_seen_at: null,
    }),
    has: [],
    hasNot: ["null", "NaN", "<dl", "<progress", 'data-action="sync-now"'],
  },
  {
    name: "status: a camera that was never asked",
    html: statusCard(idleSnapshot("b"), {
      on_camera: null,
      chosen: null,
      newest: null,
      newest_key: null,
      last_seen_at: null,
    }),
    has: ["Not counted yet", "none yet", "never"],
    hasNot: ["null", "NaN", "disabled", "play=1"],
  },
  {
    name: "status: the newest clip can be played",
    html: statusCard(idleSnapshot("b")),
    has: ['href="/viewer?key=20261120_083902_N&amp;play=1"', "#i-play", "08:39"],
    hasNot: ["null", "none yet"],
  },
  {
    name: "status: failed before a restart",
    html: statusCard(idleSnapshot("b"), { mood: "failed", sentence: "Sync failed: the disk is full." }),
    has: ["is-failed", "Try again", "412 of 412 recordings<", 'href="/logs?level=warning"'],
    hasNot: ["Nothing to bring home"],
  },
  {
    name: "status: a full disk promises no download",
    html: statusCard(idleSnapshot("b"), { mood: "failed", waiting: 24, waiting_files: 2 }),
    has: ["24 recordings are still only on the camera."],
    hasNot: ["The next run downloads"],
  },
  {
    name: "status: recordings wait while the schedule is paused",
    html: statusCard(idleSnapshot("b"), { paused: true, waiting: 1, waiting_files: 3 }),
    has: ["1 recording is still only on the camera."],
    hasNot: ["The next run downloads"],
  },
  {
    name: "status: some are left out, and the disk cannot be read",
    html: statusCard(idleSnapshot("b"), { chosen: 224, home: 200, waiting: 24, available_bytes: null }),
    has: ["200 of 224 recordings chosen", "24 recordings waiting", "not known yet"],
    hasNot: ["up to"],
  },
  {
    name: "status: paused",
    html: statusCard(idleSnapshot("b"), { paused: true }),
    has: ['data-action="resume"', "Resume schedule", "No run is planned"],
    hasNot: ['data-action="pause"'],
  },
  {
    name: "status: an action that did not work",
    html: renderToString(
      h(StatusCard, { snapshot: BUSY, overview: OVERVIEW, zone: SYDNEY.zone, problem: EVIL, pending: "stop" }),
    ),
    has: ['role="alert"', "data-action-error", "&lt;script", 'aria-busy="true"'],
    hasNot: ["<script"],
  },
]);

describe("a card", () => {
  test("without a path says nothing of polling", () => {
    expect(renderToString(h(StatusCard, { snapshot: BUSY, overview: OVERVIEW, zone: SYDNEY.zone }))).not.toContain(
      "data-poll",
    );
  });
});
