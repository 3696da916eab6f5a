import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { ReceiptsCard } from "../../islands/cards/receipts.tsx";
import type { DeletionNote, DeletionReceipt } from "../../server/domain/retention/deletion.ts";
import { idleSnapshot } from "../../server/domain/sync/job_progress.ts";
import { BUSY, describeCards, poll, SYDNEY, statusCard } from "../support/app/cards.ts";

const receipts = (all: readonly DeletionReceipt[]) =>
  renderToString(h(ReceiptsCard, { receipts: all, ...SYDNEY, poll }));

const QUESTION: DeletionNote = {
  about: "held",
  mood: "attention",
  sentence: "60 recordings here are older than 2 weeks. Keep them?",
  detail: "9.1 GB.",
};
const CONFIRMED: DeletionNote = {
  about: "confirmed",
  mood: "waiting",
  sentence: "60 recordings go to the trash with the next run, 08:00.",
  detail: "9.1 GB.",
};
const PROBLEM: DeletionNote = {
  about: "problem",
  mood: "attention",
  sentence: "The list of kept recordings cannot be read.",
  detail: "",
};
const RECEIPT: DeletionReceipt = {
  id: "41",
  at: "2026-11-20T16:00:00Z",
  recordings: 12,
  bytes: 1_300_000_000,
  cause: "age",
  by: null,
  oldest: "2026-11-06",
  newest: "2026-11-08",
  until: "2026-11-27T16:00:00Z",
};

describeCards([
  {
    name: "status: the sentence asks about what is held, and its safe answer is the main button",
    html: statusCard(idleSnapshot("b"), { ...QUESTION, deletion_notes: [QUESTION] }),
    has: [
      'class="b b-primary" type="button" data-action="keep-everything"',
      'href="/viewer?only=due" data-action="look-at-held"',
      'class="b b-danger" type="button" data-action="confirm-deletion"',
      'class="b" type="button" data-action="sync-now"',
    ],
    hasNot: ["note is-attention"],
  },
  {
    name: "status: what is held is asked in a note while a sync runs",
    html: statusCard(BUSY, { ...QUESTION, deletion_notes: [QUESTION] }),
    has: [
      'class="note is-attention"',
      '<b class="strong">60 recordings here are older than 2 weeks. Keep them?</b><p>9.1 GB.</p>',
      'class="b" type="button" data-action="keep-everything"',
      'data-action="look-at-held"',
      'data-action="confirm-deletion"',
    ],
    hasNot: ["b-primary"],
  },
  {
    name: "status: what is held is asked in a note after a failure",
    html: statusCard(idleSnapshot("b"), { mood: "failed", sentence: "Sync failed.", deletion_notes: [QUESTION] }),
    has: [
      "hero is-failed",
      'class="note is-attention"',
      'class="b b-primary" type="button" data-action="sync-now"',
      'class="b" type="button" data-action="keep-everything"',
      'data-action="confirm-deletion"',
    ],
  },
  {
    name: "status: what was confirmed can still be kept",
    html: statusCard(idleSnapshot("b"), { ...CONFIRMED, deletion_notes: [CONFIRMED] }),
    has: [
      "hero is-waiting",
      'class="b" type="button" data-action="keep-everything"',
      'data-action="look-at-held"',
      'class="b b-primary" type="button" data-action="sync-now"',
    ],
    hasNot: ["confirm-deletion", "note is-"],
  },
  {
    name: "status: something keeps recordings from being deleted, and some are held",
    html: statusCard(idleSnapshot("b"), {
      mood: "attention",
      sentence: PROBLEM.sentence,
      deletion_notes: [PROBLEM, QUESTION],
    }),
    has: ['href="/logs?level=warning">Open the log', "note is-attention", "Keep them?"],
  },
  {
    name: "receipts: none",
    html: receipts([]),
    has: ['id="receipts-card"', " hidden"],
    hasNot: ["<button", "<details"],
  },
  {
    name: "receipts: one",
    html: receipts([RECEIPT]),
    has: [
      "<p>Moved 12 old recordings, 6 to 8 Nov, 1.3 GB, to the trash at 03:00.</p>",
      'data-action="undo-deletion" data-receipt="41"',
      'href="/trash"',
      'data-action="seen-deletion" data-receipt="41"',
    ],
    hasNot: [" hidden", "<details"],
  },
  {
    name: "receipts: one whose time in the trash is over",
    html: receipts([{ ...RECEIPT, until: "2026-11-20T16:00:01Z" }]),
    has: ["Moved 12 old recordings", 'href="/trash"'],
    hasNot: ["undo-deletion"],
  },
  {
    name: "receipts: several, one of them for good",
    html: receipts([{ ...RECEIPT, until: null }, RECEIPT, { ...RECEIPT, id: "39" }]),
    has: [
      "Deleted 12 old recordings",
      "<summary>and 2 more</summary>",
      'data-action="undo-deletion" data-receipt="39"',
    ],
  },
]);
