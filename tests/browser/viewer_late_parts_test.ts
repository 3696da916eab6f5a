import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { readDay } from "../support/app/read_day.ts";
import { describeInBrowser, WatchedPage, WIDTHS, type Width } from "../support/browser/browser.ts";
import { LateParts, noteShifts, type Part } from "../support/browser/late_parts.ts";
import { putFootage } from "../support/camera/footage.ts";

setDefaultTimeout(180_000);

/** A drive with two cameras and an event, with satellites and g-sensor. */
const DRIVE = ["20261120_080000_N", "20261120_080012_E", "20261120_080030_N"] as const;
/** Without curves and pictures. */
const BARE = "20261120_120000_N";
/** Over midnight, with satellites and without a g-sensor; the camera's clock is wrong by two hours and a half. */
const NIGHT = ["20261119_235950_N", "20261120_000005_N"] as const;
const SATELLITES: Readonly<Record<string, readonly [time: string, date: string]>> = {
  [NIGHT[0]]: ["212950", "191126"],
  [NIGHT[1]]: ["213005", "191126"],
};
/** The camera found no satellites, and its g-sensor file is empty. */
const BLIND = "20261120_150000_N";
const PARKED = ["20261118_221000_P", "20261118_224100_P"] as const;

const gps = Array.from({ length: 12 }, (_, at) => {
  return `[${1_780_000_000_000 + at * 1000}]$GNRMC,080000.00,A,4800.${10_000 + at * 90},N,01100.00000,E,${20 + at},,201126,,,A*00\r\n`;
}).join("");
function gsensor(): Uint8Array {
  const view = new DataView(new ArrayBuffer(1200));
  for (let at = 0; at < 120; at++) {
    view.setUint32(at * 10, at * 100);
    view.setInt16(at * 10 + 4, 130 + (at % 9));
    view.setInt16(at * 10 + 8, at === 55 ? -300 : -9);
  }
  return new Uint8Array(view.buffer);
}

/** Parts in the order in which they come. */
const ORDERS: readonly (readonly Part[])[] = [
  ["script", "answer", "telemetry", "later script", "video", "picture"],
  ["picture", "video", "script", "telemetry", "later script", "answer"],
];

describeInBrowser("nothing in the viewer moves, however late its parts come:", (browser) => {
  let app: RunningApp;
  beforeAll(async () => {
    app = await startApp({ settings: { retention: { keep: "" }, schedule: { paused: true, timezone: "UTC" } } });
    const keys = [...DRIVE, BARE, BLIND, ...NIGHT, ...PARKED];
    await putFootage(app.destination, [...keys.map((key) => `${key}F.mp4`), ...DRIVE.map((key) => `${key}R.mp4`)]);
    for (const key of [...DRIVE, ...NIGHT]) {
      const [day = "", clock = ""] = key.split("_");
      const [time, date] = SATELLITES[key] ?? [clock, `${day.slice(6)}${day.slice(4, 6)}${day.slice(2, 4)}`];
      const told = gps.replaceAll("080000.00", `${time}.00`).replaceAll("201126", date);
      writeFileSync(join(app.destination, `${key}.gps`), told);
    }
    for (const key of DRIVE) writeFileSync(join(app.destination, `${key}.3gf`), gsensor());
    writeFileSync(join(app.destination, `${BLIND}.gps`), "$GNRMC,080000.00,V,,,,,,,201126,,,N*53\r\n");
    writeFileSync(join(app.destination, `${BLIND}.3gf`), "");
    rmSync(join(app.destination, `${BARE}F.thm`));
    await app.app.library.refresh();
    // Lengths and ways are known before a page is looked at.
    for (const date of ["2026-11-18", "2026-11-19", "2026-11-20"]) await readDay(app, date);
  });
  afterAll(() => app[Symbol.asyncDispose]());

  /** A tablet has the head of a desk above the rows of a phone: where neither is special, these two show it, too. */
  const ENDS = [390, 1440] as const;
  const pages: readonly (readonly [what: string, path: string, widths: readonly Width[]])[] = [
    ["a drive with everything", `/viewer?key=${DRIVE[1]}`, WIDTHS],
    ["a clip without curves", `/viewer?key=${BARE}`, ENDS],
    ["a clip whose camera found no satellites", `/viewer?key=${BLIND}`, ENDS],
    ["a night without forces", `/viewer?key=${NIGHT[1]}`, ENDS],
    ["movements around the parked car", `/viewer?key=${PARKED[0]}`, WIDTHS],
    ["a list of events", "/viewer?types=E", ENDS],
  ];
  // The drive with everything comes in each order at each width. The others lack some of its parts: each of them comes
  // in both orders, and at each width either order comes.
  for (const [which, [what, path, widths]] of pages.entries())
    for (const [at, width] of widths.entries())
      test(`${what} at ${width} px`, async () => {
        for (const order of which === 0 ? ORDERS : ORDERS.slice((which + at) % 2).slice(0, 1)) {
          await using watched = await WatchedPage.open(browser(), { url: app.url, width });
          const { page } = watched;
          const late = await LateParts.hold(page);
          await page.goto(path, { waitUntil: "commit" });
          await page.evaluate(noteShifts);
          await page.locator("#recordings").waitFor({ state: "attached" });
          await late.settled();
          for (const part of order) await late.come(part);
          await watched.ready();
          await late.settled();
          const { shifted, shifts } = await page.evaluate(() => {
            const seen = window as unknown as { shifted: number; shifts: string[] };
            return { shifted: seen.shifted, shifts: seen.shifts };
          });
          expect({ order, shifts: shifted < 0.02 ? [] : shifts }).toEqual({ order, shifts: [] });
          await page.unrouteAll({ behavior: "ignoreErrors" });
        }
      });
});
