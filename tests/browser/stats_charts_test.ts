import { expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { chartData, nearest } from "../../server/domain/runs/chart_data.ts";
import { readingAt, statsView } from "../../server/domain/runs/statistics_text.ts";
import { startApp } from "../support/app/app.ts";
import { FakeClock } from "../support/app/clock.ts";
import { awayAt, runAt } from "../support/app/history.ts";
import { accessibilityProblems } from "../support/browser/axe.ts";
import { WatchedPage, WIDTHS } from "../support/browser/browser.ts";
import { CHARTS, chart, describeStatsPage, drawn, NOW, plain, textsOf } from "../support/browser/stats_page.ts";

setDefaultTimeout(60_000);

/** Drawing of each chart, to see when it changes. */
function pictures(page: Page): Promise<string[]> {
  return page.$$eval("div.plot canvas", (all) => (all as HTMLCanvasElement[]).map((canvas) => canvas.toDataURL()));
}

describeStatsPage(["a few runs", "many runs"], ({ browser, appOf, open, statistics }) => {
  test("draws nothing between two stretches of a line", async () => {
    await using app = await startApp({ clock: new FakeClock(NOW * 1000), settings: { retention: { keep: "" } } });
    // Short runs, an absence, long runs: a line between them would be steep.
    for (let at = 0; at < 100; at++) {
      const durationSeconds = at < 50 ? 4 : at === 50 ? 0 : 60;
      const changes = { ts: NOW - 3300 + at * 32 + durationSeconds, durationSeconds };
      app.app.history.append(at === 50 ? awayAt(NOW, changes) : runAt(NOW, changes));
    }
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    await watched.open("/stats?range=all");
    await drawn(watched.page);
    const canvas = chart(watched.page, "duration").locator("canvas");
    /** Pixels of the line in each row. */
    const ink = await canvas.evaluate((drawing: HTMLCanvasElement) => {
      const { width, height } = drawing;
      const { data = [] } = drawing.getContext("2d")?.getImageData(0, 0, width, height) ?? {};
      const isInk = (at: number) => (data[at + 3] ?? 0) > 20 && (data[at + 1] ?? 0) - (data[at] ?? 0) > 60;
      return Array.from(
        { length: height },
        (_, y) => Array.from({ length: width }, (_, x) => isInk((y * width + x) * 4)).filter(Boolean).length,
      );
    });
    const high = ink.findIndex((most) => most > 100);
    const low = ink.findLastIndex((most) => most > 100);
    expect(low - high).toBeGreaterThan(60);
    expect(ink.slice(high + 4, low - 3).filter((some) => some > 0)).toEqual([]);
  });

  test("shows runs within minutes, and the whole of the last label of the axis", async () => {
    const noon = Date.parse("2026-06-07T12:00:00Z") / 1000;
    await using app = await startApp({ clock: new FakeClock(noon * 1000), settings: { retention: { keep: "" } } });
    for (const ago of [300, 240, 180, 120, 60]) app.app.history.append(runAt(noon - ago));
    await using watched = await WatchedPage.open(browser(), { url: app.url, width: 1440 });
    for (const range of ["24h", "7d"]) {
      await watched.open(`/stats?range=${range}`);
      await drawn(watched.page);
      const seen = await watched.page.$$eval("div.plot canvas", (all) =>
        (all as HTMLCanvasElement[]).map((drawing) => {
          const { width, height } = drawing;
          const { data = [] } = drawing.getContext("2d")?.getImageData(0, 0, width, height) ?? {};
          const alpha = (x: number, y: number) => data[(y * width + x) * 4 + 3] ?? 0;
          const isInk = (x: number, y: number) => {
            const at = (y * width + x) * 4;
            return alpha(x, y) > 200 && (data[at + 1] ?? 0) - (data[at] ?? 0) > 60;
          };
          const rows = Array.from({ length: height }, (_, y) => y);
          const columns = Array.from({ length: width }, (_, x) => x);
          return {
            isCut: rows.some((y) => alpha(width - 1, y) > 0),
            rows: rows.filter((y) => columns.some((x) => isInk(x, y))).length,
          };
        }),
      );
      expect([range, ...seen.map(({ isCut }) => isCut)]).toEqual([range, false, false, false, false]);
      // The disk and the durations are points, higher than a line.
      for (const at of [0, 3]) expect([range, at, (seen[at]?.rows ?? 0) > 3]).toEqual([range, at, true]);
    }
  });

  test("draws the trash above what is used, in a quieter colour, and only where there is one", async () => {
    await using app = await startApp({ clock: new FakeClock(NOW * 1000), settings: { retention: { keep: "" } } });
    const add = (trashRatio: number) => {
      for (let at = 0; at < 100; at++)
        app.app.history.append(runAt(NOW - 3200 + at * 32, { diskUsedRatio: 0.3 + trashRatio, trashRatio }));
    };
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    const disk = chart(page, "disk");
    /** Rows of pixels, in percent of the disk, that are a line from side to side: what is used, and with the trash. */
    const lines = async () => {
      const over = await disk.locator(".u-over").boundingBox();
      const canvas = disk.locator("canvas");
      const box = await disk.locator("canvas").boundingBox();
      const top = (over?.y ?? 0) - (box?.y ?? 0);
      const height = over?.height ?? 0;
      const rows = await canvas.evaluate((drawing: HTMLCanvasElement) => {
        const { width, height } = drawing;
        const { data = [] } = drawing.getContext("2d")?.getImageData(0, 0, width, height) ?? {};
        const x = Math.round(width / 3);
        const colour = (y: number) => Array.from(data.slice((y * width + x) * 4, (y * width + x) * 4 + 4));
        return Array.from({ length: height }, (_, y) => colour(y)).map(([red = 0, green = 0, , alpha = 0]) => ({
          used: alpha > 200 && green - red > 60,
          trash: alpha > 200 && Math.abs(green - red) < 40,
        }));
      });
      const at = (name: "used" | "trash") => {
        const ys = rows.flatMap((row, y) => (row[name] && y > top + 1 && y < top + height - 1 ? [y] : []));
        return ys.map((y) => Math.round(100 * (1 - (y + 0.5 - top) / height)));
      };
      return { used: at("used"), trash: at("trash") };
    };
    add(0);
    await watched.open("/stats?range=all");
    await drawn(page);
    const without = await lines();
    expect(without.used.every((percent) => Math.abs(percent - 30) <= 2)).toBe(true);
    expect(without.used.length).toBeGreaterThan(0);
    expect(await disk.locator(".keys").textContent()).not.toContain("trash");

    add(0.33);
    await page.reload();
    await drawn(page);
    const { used, trash } = await lines();
    expect(used).toEqual(without.used);
    expect(trash.some((percent) => Math.abs(percent - 63) <= 2)).toBe(true);
    expect(without.trash.some((percent) => Math.abs(percent - 63) <= 2)).toBe(false);
    expect(await textsOf(disk.locator(".keys li"))).toEqual(["Used", "With the trash", "Stops at 90 %"]);
    expect(await textsOf(disk.locator(".read"))).toEqual([expect.stringContaining(" · 30 % + 33 % trash")]);
    expect(await accessibilityProblems(page, "[data-chart=disk]")).toEqual([]);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      const read = await disk.locator(".read").evaluate((words) => words.scrollWidth - words.clientWidth);
      expect([width, read]).toEqual([width, 0]);
    }
  });

  test("points at the same run in all charts, and reads it out", async () => {
    await using watched = await open("a few runs");
    const { page } = watched;
    const stats = await statistics("a few runs", "7d");
    const data = chartData(stats);
    const zone = appOf("a few runs").app.zone;
    const place = await chart(page, "bytes").locator(".u-over").boundingBox();
    if (!place) throw new Error("The chart has no place");
    for (const share of [0.02, 0.35, 0.6, 0.98]) {
      await page.mouse.move(place.x + place.width * share, place.y + 20);
      const at = nearest(data.moments, data.from + (data.to - data.from) * share);
      for (const name of CHARTS) {
        const words = plain(readingAt(name, data, at, zone));
        await chart(page, name).locator(".read", { hasText: words }).waitFor();
        // The line stands where the run is, on every chart's own axis.
        const line = chart(page, name).locator(".u-cursor-x");
        const over = chart(page, name).locator(".u-over");
        const from = (await line.boundingBox())?.x ?? 0;
        const box = await over.boundingBox();
        const end = name === "disk" ? data.until : data.to;
        const expected =
          (box?.x ?? 0) + (((data.moments[at] ?? 0) - data.from) / (end - data.from)) * (box?.width ?? 0);
        expect(Math.abs(from - expected)).toBeLessThan(8);
      }
    }
    await page.mouse.move(5, 5);
    await chart(page, "bytes")
      .locator(".read", { hasText: plain(statsView(stats, zone, "").charts.bytes.rest) })
      .waitFor();
    expect(await page.locator(".u-cursor-x:visible").count()).toBe(0);
  });

  test("can be read run by run with the keyboard alone", async () => {
    await using watched = await open("a few runs");
    const { page } = watched;
    const slider = page.getByRole("slider", { name: "Point at a run in all charts" });
    await slider.focus();
    await page.keyboard.press("Home");
    expect(plain((await slider.getAttribute("aria-valuetext")) ?? "")).toBe("Sun 7 Jun, 09:08 · 67 %, camera away");
    await page.keyboard.press("ArrowRight");
    await chart(page, "files").locator(".read", { hasText: "09:24 · 3" }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  test("paints anew when the theme changes, and again when the window does", async () => {
    await using watched = await open("many runs", "/stats?range=7d");
    const { page } = watched;
    const dark = await pictures(page);
    expect(dark).toHaveLength(CHARTS.length);
    const isOther = (before: string[]) =>
      page.waitForFunction((old) => {
        const all = [...document.querySelectorAll<HTMLCanvasElement>("div.plot canvas")];
        return all.every((canvas, at) => canvas.toDataURL() !== old[at]);
      }, before);
    // From the system's to the light one.
    await page.locator("[data-theme-switch]").click();
    await isOther(dark);
    const light = await pictures(page);
    await page.locator("[data-theme-switch]").click();
    await isOther(light);
    expect(await pictures(page)).toEqual(dark);
    await page.emulateMedia({ colorScheme: "light" });
    await page.locator("[data-theme-switch]").click();
    await isOther(dark);
    expect(await pictures(page)).toEqual(light);
    await page.setViewportSize({ width: 800, height: 900 });
    await page.waitForFunction(() =>
      [...document.querySelectorAll("div.plot")].every(
        (plot) => plot.querySelector("canvas")?.getBoundingClientRect().width === plot.clientWidth,
      ),
    );
  });
});
