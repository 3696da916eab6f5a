import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { syntheticVideo } from "../../server/dashcam/simulator/simulated_video.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { play, type Scenario } from "../support/app/scenarios.ts";
import { parkedCameras } from "../support/app/several_cameras.ts";

setDefaultTimeout(20_000);

const JUNE_7 = "20260607_101500_N";
const HTML = { "content-type": "text/html; charset=utf-8" };

async function put(app: RunningApp, ...paths: string[]): Promise<void> {
  for (const path of paths) {
    mkdirSync(dirname(join(app.destination, path)), { recursive: true });
    const video = path.endsWith(".mp4") ? await syntheticVideo(path, 1_200_000, 60).read(0, 1_200_000) : "";
    writeFileSync(join(app.destination, path), video);
  }
}

describe("/viewer with recordings", () => {
  let app: RunningApp;
  beforeAll(async () => {
    app = await startApp({ settings: { retention: { keep: "" } } });
    await put(
      app,
      "2026-06-08/20260608_070000_PF.mp4",
      `2026-06-07/${JUNE_7}F.mp4`,
      `2026-06-07/${JUNE_7}R.mp4`,
      `2026-06-07/${JUNE_7}F.thm`,
      "2026-06-07/20260607_101600_EF.mp4",
      'by hand "<b>"/20250101_080000_MF.mp4',
    );
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const rows: Scenario[] = [
    {
      name: "without anything: the newest day is open and its newest recording chosen",
      ask: ["GET", "/viewer"],
      status: 200,
      headers: HTML,
      says: [
        /<video class="is-shown" src="\/media\/2026-06-08\/20260608_070000_PF\.mp4\?view=browser" controls/,
        'data-key="20260608_070000_P"',
        /href="\/viewer\?date=2026-06-07"[^>]*>.*?Sun 7\u00a0Jun<span>2\u00a0clips/,
        "Wed 1\u00a0Jan 2025",
        'href="#recordings"',
      ],
      // Other days have only their names.
      lacks: ['data-key="20260607'],
    },
    {
      name: "a day: its recordings, newest first",
      ask: ["GET", "/viewer?date=2026-06-07"],
      status: 200,
      says: [
        /20260607_101600_E[\s\S]*data-key="20260607_101600_E"[\s\S]*data-key="20260607_101500_N"/,
        "2.4\u00a0MB",
        "1:00",
      ],
      lacks: ['data-key="20260608'],
    },
    {
      name: "a recording: a labelled native player per camera, the front with its thumbnail and sound",
      ask: ["GET", `/viewer?key=${JUNE_7}`],
      status: 200,
      says: [
        /<h2>.*Sun 7\u00a0Jun, 10:15 to 10:17.*Normal/,
        new RegExp(
          `<video class="is-shown" src="/media/2026-06-07/${JUNE_7}F\\.mp4\\?view=browser" poster="/media/2026-06-07/${JUNE_7}F\\.thm" controls playsinline preload="metadata" aria-label="Front camera">`,
        ),
        new RegExp(
          `<video class="is-shown" src="/media/2026-06-07/${JUNE_7}R\\.mp4\\?view=browser" controls playsinline muted preload="metadata" aria-label="Rear camera">`,
        ),
        `href="/media/2026-06-07/${JUNE_7}R.mp4?download=1"`,
        /aria-current="true"[^>]*data-key="20260607_101500_N"/,
        /<img src="[^"]*F\.thm" alt width="88" height="50" loading="lazy" decoding="async"/,
        "Front, Rear",
      ],
    },
    {
      name: "its neighbours, also on other days",
      ask: ["GET", `/viewer?key=${JUNE_7}`],
      status: 200,
      says: [
        /href="\/viewer\?key=20250101_080000_M"[^>]*aria-label="Previous clip"/,
        /href="\/viewer\?key=20260607_101600_E"[^>]*aria-label="Next clip"/,
      ],
    },
    {
      name: "the newest has nothing after it",
      ask: ["GET", "/viewer"],
      status: 200,
      says: [
        /aria-disabled="true"[^>]*aria-label="Next clip"/,
        /href="\/viewer\?key=20260607_101600_E"[^>]*aria-label="Previous clip"/,
      ],
    },
    {
      name: "a moment of a recording: the players begin there, and no poster hides it",
      ask: ["GET", `/viewer?key=${JUNE_7}&t=12.5`],
      status: 200,
      says: [
        `src="/media/2026-06-07/${JUNE_7}F.mp4?view=browser#t=12.5"`,
        `src="/media/2026-06-07/${JUNE_7}R.mp4?view=browser#t=12.5"`,
        "10:15:12",
      ],
      lacks: ["poster="],
    },
    {
      name: "a recording that is gone: says so, and leads on",
      ask: ["GET", "/viewer?key=20260607_101700_N"],
      status: 404,
      headers: HTML,
      says: [
        "This clip is not here any more",
        "20260607_101700_N",
        /href="\/viewer\?date=2026-06-07"[^>]*>Clips of Sun 7\u00a0Jun/,
        /href="\/viewer"[^>]*>Newest trip/,
        'data-trip="20260607_101500_N"',
      ],
      lacks: ["<video"],
    },
    {
      name: "a key that is none is shown as text",
      ask: ["GET", "/viewer?key=%3Cscript%3Ealert(1)%3C/script%3E"],
      status: 404,
      says: ["&lt;script>alert(1)&lt;/script>"],
      lacks: ["<script>alert"],
    },
    {
      name: "a day without recordings",
      ask: ["GET", "/viewer?date=2026-06-06"],
      status: 404,
      says: ["No clips on Sat 6\u00a0Jun", "Newest trip", 'data-key="20260608_070000_P"'],
      lacks: ["<video", 'aria-current="true"'],
    },
    {
      name: "a day that is none",
      ask: ["GET", "/viewer?date=%22%3E%3Cb%3E"],
      status: 404,
      says: ["is not a day of the calendar"],
      lacks: ['"><b>'],
    },
    {
      name: "a folder named by hand stays inside its attribute",
      ask: ["GET", "/viewer?key=20250101_080000_M"],
      status: 200,
      says: ['src="/media/by%20hand%20%22%3Cb%3E%22/20250101_080000_MF.mp4?view=browser"'],
      lacks: ['"<b>"/'],
    },
    {
      name: "only what is kept, when nothing is: says so, and leads back to all",
      ask: ["GET", "/viewer?only=kept"],
      status: 200,
      says: [
        "Nothing is kept",
        /Only what is kept:<\/b> 0\u00a0recordings/,
        /href="\/viewer"[^>]*>Show all/,
        "the key B, are never deleted",
      ],
      lacks: ["<video", 'data-key="'],
    },
    {
      name: "only what would be deleted, when nothing would be",
      ask: ["GET", "/viewer?only=due"],
      status: 200,
      says: ["Nothing to delete", "The next run would delete nothing.", "Only what the next run would delete:"],
      lacks: ["<video", "Delete them"],
    },
    {
      name: "a recording beside a list it is not in",
      ask: ["GET", `/viewer?key=${JUNE_7}&only=kept`],
      status: 200,
      says: [
        `<video class="is-shown" src="/media/2026-06-07/${JUNE_7}F.mp4?view=browser"`,
        new RegExp(`href="/viewer\\?key=${JUNE_7}"[^>]*>Show all`),
      ],
      lacks: ['data-key="'],
    },
    {
      name: "another word than those two means all",
      ask: ["GET", "/viewer?only=all"],
      status: 200,
      lacks: ["Show all"],
    },
    { name: "HEAD", ask: ["HEAD", `/viewer?key=${JUNE_7}`], status: 200, headers: HTML },
  ];
  for (const row of rows) test(row.name, () => play(app.client, row));

  test("lists the keys of its players", async () => {
    const { text } = await app.client.open("/viewer");
    for (const does of [
      "30 s back, on",
      "One frame back, on",
      "Previous, next clip",
      "Keep, or let go",
      "Keep with a note",
      "Move to the trash",
    ])
      expect(text).toContain(does);
  });
});

describe("/viewer without recordings", () => {
  const nothing: [name: string, settings: Parameters<typeof startApp>[0], says: RegExp][] = [
    ["says when the next sync comes", {}, /The next sync comes at \d\d:\d\d [^,]+, in \d/],
    ["says that the schedule is paused", { settings: { schedule: { paused: true } } }, /The schedule is paused\./],
    ["asks for the camera", { settings: { connection: { address: "" } } }, /does not know your camera yet/],
  ];
  for (const [name, options, says] of nothing)
    test(name, async () => {
      await using app = await startApp(options);
      const { response, text } = await app.client.open("/viewer");
      expect(response.status).toBe(200);
      expect(text).toContain("No clips yet");
      expect(text).toMatch(says);
      expect(text).toMatch(/<a class="b b-primary" href="\/">Go to the dashboard/);
      expect(text).not.toContain('id="recordings"');
      expect(text).not.toContain("absent-of");
    });

  test("tells the reason of each of several cameras, and once what several have in common", async () => {
    const names = ["Van", "Bus", "Truck", "Mini"];
    await using app = await parkedCameras(names.map((name) => ({ id: name.toLowerCase(), name })));
    await app.client.send("PATCH", "/api/cameras/main", { name: "Car" });
    const { truck, mini } = Object.fromEntries(app.app.cameras.all.map((one) => [one.camera.id, one]));
    await truck?.settings.patch("connection", { address: "192.0.2.7" });
    await mini?.settings.patch("connection", { address: "192.0.2.8" });
    await mini?.settings.patch("schedule", { paused: false });
    const { response, text } = await app.client.open("/viewer");
    expect(response.status).toBe(200);
    expect(text).toContain("No clips yet");
    expect(reasonsIn(text)).toEqual([
      ["Car Truck", "The schedule is paused. Start a sync on the dashboard, and the first clips appear here."],
      ["Van Bus", "No address is set yet. Set it in the camera’s settings."],
      ["Mini", "Dashdock looks for the camera every 30 s. As soon as the first clips are home they appear here."],
    ]);
    // Those of one of them alone are only its own.
    const ofBus = (await app.client.open("/viewer?camera=bus")).text;
    expect(ofBus).toContain("does not know your camera yet");
    expect(reasonsIn(ofBus)).toEqual([]);
  });

  test("tells of a camera that cannot be opened beside the one that can", async () => {
    await using app = await startApp({ settings: { schedule: { paused: true } } });
    await app.client.open("/");
    const folder = join(app.folder, "van");
    mkdirSync(join(folder, ".dashdock"), { recursive: true });
    writeFileSync(join(folder, ".dashdock", "format"), "999\n");
    const van = { id: "van", name: "Van", destination: folder };
    await app.app.cameras.file.changeCameras((parts) => ({ ...parts, more_cameras: [van] }));
    await app.app.cameras.follow();
    expect(reasonsIn((await app.client.open("/viewer")).text)[1]).toEqual([
      "Van",
      expect.stringContaining("The camera cannot be used: "),
    ]);
  });

  /** Names and sentence of each reason. */
  function reasonsIn(page: string): string[][] {
    const list = page.match(/<dl class="absent-of">(.*?)<\/dl>/s)?.[1] ?? "";
    return [...list.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/gs)].map(([, names = "", sentence = ""]) => [
      [...names.matchAll(/class="whose-n">(.*?)</g)].map(([, name]) => name).join(" "),
      sentence.replaceAll("\u00a0", " "),
    ]);
  }
});

test("a day among 20,000 recordings is shown without those of the others", async () => {
  await using app = await startApp({ settings: { retention: { keep: "" } } });
  const start = Date.UTC(2024, 0, 1);
  const days = new Set<string>();
  for (let at = 0; at < 20_000; at++) {
    const stamp = new Date(start + at * 60 * 60_000).toISOString().replace(/[-:]/g, "");
    const folder = join(app.destination, stamp.slice(0, 8));
    if (!days.has(folder)) mkdirSync(folder, { recursive: true });
    days.add(folder);
    writeFileSync(join(folder, `${stamp.slice(0, 8)}_${stamp.slice(9, 15)}_NF.mp4`), "");
  }
  const { text } = await app.client.open("/viewer?date=2025-03-01");
  expect(text.match(/data-key=/g)).toHaveLength(24);
  expect(text).toContain("Normal <b>20\u202f000</b>");
  expect(text).toMatch(/Show 31 later days \(\d+ left\)<\/button>/);
  // A month of days, one line each, and one day's recordings.
  expect(text.length).toBeLessThan(300_000);
}, 60_000);
