import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { DashcamCard } from "../../islands/cards/dashcam.tsx";
import type { DashcamHealth } from "../../server/domain/status/health.ts";
import { describeCards, EVIL, NOW, poll, SYDNEY } from "../support/app/cards.ts";

const dashcam = (health: DashcamHealth | null, last_seen_at: number | null = NOW - 540_000, hints = 0) =>
  renderToString(
    h(DashcamCard, {
      health,
      hints,
      asked_at: NOW,
      last_run: null,
      phase: null,
      last_seen_at,
      version: "DR900X Plus · fw 1.015",
      ...SYDNEY,
      poll,
    }),
  );

describeCards([
  {
    name: "camera: reachable",
    html: dashcam({ reachable: true, address: "192.168.1.64", latency_ms: 14.2 }),
    has: ["is-fine", "Reachable", "192.168.1.64", "Answered in 14.2 ms", "Last seen", "07:42", "9 min ago"],
    hasNot: ["away", "data-soon", "hint"],
  },
  {
    name: "camera: with two hints about it below",
    html: dashcam({ reachable: true, address: "192.168.1.64", latency_ms: 14.2 }, NOW, 2),
    has: ['<a href="#hints-card">2 hints</a>'],
    hasNot: [],
  },
  {
    name: "camera: has just been busy with us",
    html: dashcam({ reachable: true, address: "192.168.1.64", latency_ms: 0 }, NOW - 20_000),
    has: ["Reachable", "Connected just now"],
    hasNot: ["0 ms"],
  },
  {
    name: "camera: not asked yet",
    html: dashcam(null, null),
    has: ["Asking the camera", "data-soon", "Not seen yet"],
  },
  {
    name: "camera: away",
    html: dashcam({ reachable: false, address: "192.168.1.64", reason: "timeout" }, NOW - 86_400_000),
    has: ["is-waiting", "Camera away", "192.168.1.64", "The camera did not answer in time.", "Yesterday, Fri 20 Nov, "],
  },
  {
    name: "camera: away for a reason without words",
    html: dashcam({ reachable: false, address: EVIL, reason: EVIL }),
    has: ["Camera away", "&lt;script"],
    hasNot: ["<script"],
  },
  {
    name: "camera: none yet",
    html: dashcam({ reachable: false, reason: "no address configured" }),
    has: ["No camera yet", "no address configured", 'href="/settings#connection"'],
    hasNot: ["Camera away"],
  },
]);
