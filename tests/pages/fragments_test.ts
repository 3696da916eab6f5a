import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { FRAGMENTS } from "../../server/pages/fragments.tsx";
import { ROUTES } from "../../server/routes.ts";
import { startApp } from "../support/app/app.ts";
import { outermost } from "../support/app/cards.ts";

setDefaultTimeout(20_000);

describe("the fragments", () => {
  test("are those that pages and programs ask for, and no others", () => {
    const cards = ROUTES.filter(({ path }) => /^\/hx\/([a-z-]+|sync\/[a-z-]+)$/.test(path) && path !== "/hx/trash");
    expect(cards.map(({ method, path, access }) => `${method} ${path} ${access}`)).toEqual([
      "GET /hx/plan-card look",
      "GET /hx/sync/status-card look",
      "GET /hx/sync/last-run-card look",
      "GET /hx/folder-card look",
      "GET /hx/storage-card look",
      "GET /hx/dashcam-card look",
      "GET /hx/next-scheduled-card look",
      "GET /hx/recent-activity-card look",
      "GET /hx/receipts-card look",
      "GET /hx/hints-card look",
      "GET /hx/day-of-runs-card look",
      "GET /hx/dashcam-info-card look",
      "GET /hx/state look",
    ]);
    const slow = Object.values(FRAGMENTS).filter(({ every }) => every === 60);
    expect(slow.map(({ path }) => path).sort()).toEqual(["/hx/dashcam-info-card", "/hx/day-of-runs-card"]);
    expect(Object.values(FRAGMENTS).filter(({ every }) => every !== 60 && every !== 5)).toEqual([]);
  });

  test("are each one element that names itself, where it comes from and how often, before and after a sync", async () => {
    await using running = await startApp({ settings: { retention: { keep: "" } } });
    const check = async () => {
      for (const { path, every } of Object.values(FRAGMENTS)) {
        const answer = await running.client.fetch(path, { headers: { "hx-request": "true" } });
        const text = await answer.text();
        expect([path, answer.status]).toEqual([path, 200]);
        expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
        expect(answer.headers.get("cache-control")).toBe("no-store");
        expect(outermost(text)).toEqual(["section"]);
        const id = path.split("/").at(-1);
        const [start = ""] = /^<section [^>]*>/.exec(text) ?? [];
        for (const part of [`id="${id}"`, `data-poll="${path}"`, `data-every="${every}"`])
          expect(start).toContain(part);
        expect(text).not.toContain("style=");
      }
    };
    await check();
    running.app.job.start("manual");
    await running.synced();
    await check();
    const recentCard = await (await running.client.fetch("/hx/recent-activity-card")).text();
    expect(recentCard).toMatch(/[0-9]{8}_[0-9]{6}_[A-Z]{2}\.mp4/);
    expect(await (await running.client.fetch("/hx/sync/last-run-card")).text()).toContain("is-fine");
  });

  test("are not for strangers", async () => {
    await using running = await startApp({ mode: "login", password: "correct horse battery" });
    for (const { path } of Object.values(FRAGMENTS)) {
      const answer = await running.client.fetch(path, { headers: { "hx-request": "true" } });
      expect(answer.status).toBe(401);
      expect(answer.headers.get("hx-redirect")).toStartWith("/login");
      expect(await answer.text()).toBe("");
      expect((await running.client.fetch(path)).status).toBe(302);
    }
  });
});
