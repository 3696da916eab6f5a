import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { RecentActivityCard } from "../../islands/cards/recent_activity.tsx";
import type { RecentClip } from "../../server/domain/status/card_data.ts";
import { describeCards, EVIL, NOW, poll, SYDNEY } from "../support/app/cards.ts";

const clip = (key: string, changes: Partial<RecentClip> = {}): RecentClip => ({
  key,
  mtime: NOW / 1000,
  cameras: ["F"],
  paths: [`${key}F.mp4`],
  thumb: null,
  duration_seconds: null,
  ...changes,
});
const recent = (clips: RecentClip[], total = clips.length) =>
  renderToString(h(RecentActivityCard, { clips, total, as_of: null, is_unknown: false, ...SYDNEY, poll }));

describeCards([
  {
    name: "recent: two",
    html: recent(
      [
        clip("20261120_083902_N", {
          mtime: NOW / 1000 - 30,
          cameras: ["F", "R"],
          paths: ["2026-11-20/20261120_083902_NF.mp4", "2026-11-20/20261120_083902_NR.mp4"],
          thumb: "/media/20261120_083902_NF.thm",
          duration_seconds: 60,
        }),
        clip("20261120_082347_E", { mtime: NOW / 1000 - 7200, cameras: ["I", "Q"] }),
      ],
      1959,
    ),
    has: [
      "All 1 959 clips",
      "2026-11-20/20261120_083902_NF.mp4, 2026-11-20/20261120_083902_NR.mp4, here since",
      "just now",
      "20261120_082347_EF.mp4",
      "2 h ago",
      'href="/viewer?key=20261120_083902_N&amp;play=1"',
      '<img src="/media/20261120_083902_NF.thm" alt loading="lazy"',
      "1:00",
      "08:39",
      "Normal",
      "Event",
      "Fri 20 Nov · Front, Rear<",
      "Fri 20 Nov · Interior, Camera Q<",
    ],
  },
  {
    name: "recent: none",
    html: recent([]),
    has: ["No clips yet"],
    hasNot: ["<ul"],
  },
  {
    name: "recent: a folder with markup in its name",
    html: recent([clip("20261120_083902_N", { mtime: 0, paths: [`"${EVIL}/20261120_083902_NF.mp4`] })]),
    has: ["&quot;&lt;script"],
    hasNot: ["<script", 'title=""'],
  },
]);
