import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { runId } from "../../server/domain/runs/run_id.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { cardOf, VIDEOS } from "../support/app/sync.ts";

setDefaultTimeout(60_000);

/** Words that are gone, on a page or in what its scripts say, and what is said in its place. */
const RETIRED: readonly (readonly [word: RegExp, instead: string])[] = [
  [/\bListing\b/, "Asking the camera"],
  [/as a partial/, "half-finished, goes on next time"],
  [/not looked at|looked at the disk/, "not measured"],
  [/Show from|Service writes|\bLogger\b/, "Level, Detail recorded, Part"],
  [/Affinity key/i, "Camera ID for a shared proxy"],
  [/Play on\b/, "Play clips of other types as well"],
  [/\bAt [0-9]{2}:[0-9]{2}\./, "Every day at"],
  [/\b(?:in 0 s|0 s ago|about 0 s)\b/, "now"],
  // A clip is what is listed and played, a recording is what is counted.
  [
    /(?:[Pp]revious|[Nn]ewest|Choose|Keep this|Delete this|The|This|Chosen) recording(?:s? (?:\(|is not|cannot be|of )|")/,
    "clip",
  ],
  [/No recordings (?:yet|on )|Skip to recordings|all recordings$/, "clip"],
];
/** Besides, in what is read: scripts have such names for things of their own. */
const RETIRED_IN_TEXT: readonly (readonly [word: RegExp, instead: string])[] = [
  [/\bmoments\b|[0-9] moment\b/, "clip"],
  [/\bpartials?\b/, "half-finished"],
  [/\b(?:some|no|any|every)body\b/i, "you, or nothing"],
  [/\bcron\b(?! expression|:)/, "download"],
];

/** Texts that are read or heard on a page: its text, and the words of its labels, tips and fields. */
function readable(html: string): string[] {
  const bare = html.replaceAll(/<svg hidden.*?<\/svg>|<script.*?<\/script>|data-props="[^"]*"/gs, "");
  const attributes = [...bare.matchAll(/ (?:aria-label|aria-valuetext|title|placeholder|alt)="([^"]+)"/g)];
  const texts = bare.replaceAll(/<[^>]*>/g, "\n").split("\n");
  return [...texts, ...attributes.map(([, words = ""]) => words)]
    .map((words) => words.replaceAll(/[\s\u00a0\u202f]+/g, " ").trim())
    .filter((words) => words !== "");
}

function found(texts: readonly string[], retired: typeof RETIRED): string[] {
  return retired.flatMap(([word, instead]) =>
    texts
      .filter((text) => word.test(text))
      .map((text) => `${word.exec(text)?.[0]} → ${instead}, in: ${text.slice(0, 200)}`),
  );
}

describe("the retired words", () => {
  let running: RunningApp;
  let run = "";
  /** Addresses of scripts, from all pages. */
  const scripts = new Set<string>();

  /** After a run in which two videos failed; one clip is kept, another is in the trash. */
  beforeAll(async () => {
    running = await startApp({
      card: cardOf(["20260607_080000_PF.mp4", "20260607_090000_EF.mp4", "20260607_090000_ER.mp4", ...VIDEOS]),
      settings: { retention: { keep: "" }, sync: { include: ["P", "E", "NF"] }, viewer: { continuous_play: true } },
    });
    running.simulator.fault({ name: "error-500", match: /101500_NF/ });
    running.app.job.start("manual");
    await running.synced();
    const latest = running.app.history.latest();
    run = latest === null ? "" : runId(latest);
    await running.client.open("/");
    const answers = [
      await running.client.send("PUT", "/api/recordings/20260607_090000_E/keep", { note: "The truck" }),
      await running.client.send("DELETE", "/api/recordings/20260607_080000_P"),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });
  afterAll(() => running[Symbol.asyncDispose]());

  const pages: [what: string, path: () => string, has: string][] = [
    ["the dashboard", () => "/", "Recent clips"],
    ["the viewer", () => "/viewer", "Keep this clip"],
    ["the viewer's kept clips", () => "/viewer?only=kept", "Only what is kept"],
    ["the viewer's clips that are due", () => "/viewer?only=due", "Nothing to delete"],
    ["a clip that is gone", () => "/viewer?key=20260101_080000_N", "This clip is not here any more"],
    ["a day without clips", () => "/viewer?date=2026-01-01", "No clips on"],
    ["the trash", () => "/trash", "Restore all"],
    ["the statistics", () => "/stats?range=all", "Download as CSV"],
    ["what was missed", () => "/stats/coverage?from=2026-06-01&to=2026-06-07", "Nothing was lost"],
    ["the card", () => "/stats/card", "How the card is doing"],
    ["a run", () => `/stats/runs/${run}`, "failed"],
    ["the settings", () => "/settings", "Camera ID for a shared proxy"],
    ["the logs", () => "/logs", "Detail recorded"],
    ["the list of runs that is polled", () => "/hx/stats/runs", "Partly"],
    ["the last run that is polled", () => "/hx/sync/last-run-card", "Show the files"],
  ];
  for (const [what, path, has] of pages)
    test(`are not on ${what}`, async () => {
      const { text } = await running.client.open(path());
      for (const [, script = ""] of text.matchAll(/(?:src|href)="(\/[^"]+\.js)"/g)) scripts.add(script);
      const texts = readable(text);
      expect(texts.join("\n")).toContain(has);
      expect(found(texts, [...RETIRED, ...RETIRED_IN_TEXT])).toEqual([]);
    });

  test("are in no script, so in no toast and no dialog either", async () => {
    // The parts that come later are named in those that come first.
    for (const script of scripts) {
      const text = await (await running.client.fetch(script)).text();
      for (const [, part = ""] of text.matchAll(/["'](?:\.\/|\/assets\/)?([\w-]+\.js)["']/g))
        scripts.add(new URL(part, `http://x${script}`).pathname);
      const texts = [...text.matchAll(/"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g)].map(([literal]) => literal);
      expect([script, ...found(texts, RETIRED)]).toEqual([script]);
    }
    expect(scripts.size).toBeGreaterThan(10);
  });

  test("are not in the lines of the log", async () => {
    const { lines } = running.app.log;
    const texts = lines.map(({ logger, message }) => `${logger}: ${message}`);
    expect(texts.length).toBeGreaterThan(3);
    expect(found(texts, [...RETIRED, ...RETIRED_IN_TEXT])).toEqual([]);
  });
});
