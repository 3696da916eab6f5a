import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startApp } from "../support/app/app.ts";

setDefaultTimeout(20_000);

const CARDS: readonly (readonly [id: string, path: string, every: number])[] = [
  ["status-card", "/hx/sync/status-card", 5],
  ["last-run-card", "/hx/sync/last-run-card", 5],
  ["storage-card", "/hx/storage-card", 5],
  ["dashcam-card", "/hx/dashcam-card", 5],
  ["next-scheduled-card", "/hx/next-scheduled-card", 5],
  ["recent-activity-card", "/hx/recent-activity-card", 5],
  ["day-of-runs-card", "/hx/day-of-runs-card", 60],
];

describe("the dashboard", () => {
  test("holds every card as its fragment sends it: name, source and how often", async () => {
    await using app = await startApp({ settings: { retention: { keep: "" } } });
    const html = await (await app.client.fetch("/")).text();
    for (const [id, path, every] of CARDS) {
      const [tag = ""] = new RegExp(`<section [^>]*id="${id}"[^>]*>`).exec(html) ?? [];
      expect(tag).toContain(`data-poll="${path}"`);
      expect(tag).toContain(`data-every="${every}"`);
    }
  });

  test("offers what fits the state, and says the state on its body", async () => {
    await using app = await startApp({ settings: { retention: { keep: "" } }, rate: 1000 });
    const look = async () => (await app.client.fetch("/")).text();
    const before = await look();
    expect(before).toContain('<body class="app" data-state="idle">');
    for (const action of ["sync-now", "pause"]) expect(before).toContain(`data-action="${action}"`);
    expect(before).toContain('data-modal="stop-confirm"');
    await app.app.settings.update((latest) => ({ ...latest, schedule: { ...latest.schedule, paused: true } }));
    app.app.job.start("manual");
    const during = await look();
    expect(during).toContain('data-state="running"');
    for (const action of ["stop", "resume"]) expect(during).toContain(`data-action="${action}"`);
    expect(during).not.toContain('data-action="sync-now"');
    app.app.job.stop();
    await app.synced();
    expect(await look()).toContain('data-state="failed"');
  });

  test("tells the version only to those who are signed in, and no secret to any visitor", async () => {
    await using app = await startApp({ mode: "login", password: "three quiet green harbours" });
    const { text: login } = await app.client.open("/login");
    expect(login).not.toContain("ver: ");
    await app.client.signIn("admin", "three quiet green harbours");
    const { text } = await app.client.open("/");
    expect(text).toMatch(/ver: \d+\.\d+\.\d+/);
    const { password_hash, session_secret } = app.app.settings.current.auth;
    for (const path of ["/", "/settings", "/logs", "/stats", "/viewer"]) {
      const page = await (await app.client.fetch(path)).text();
      expect(page).not.toContain(password_hash);
      expect(page).not.toContain(session_secret);
      expect(page).not.toMatch(/ style="/);
    }
  });

  test("loads nothing from elsewhere, and each of its files for ever", async () => {
    await using app = await startApp();
    const answer = await app.client.fetch("/");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const html = await answer.text();
    const links = [...html.matchAll(/<(?:link|script)[^>]* (?:href|src)="([^"]+)"/g)].map(
      ([, address = ""]) => address,
    );
    expect(links.length).toBeGreaterThan(4);
    for (const link of links) {
      expect(link).toStartWith("/");
      const file = await fetch(app.url + link);
      expect(file.status).toBe(200);
      await file.body?.cancel();
      if (link.startsWith("/assets/"))
        expect(file.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    }
    expect((await fetch(`${app.url}/assets/none-00000000.js`)).status).toBe(404);
  });

  test("never says that all is safe while the recordings folder is gone", async () => {
    await using app = await startApp({ settings: { retention: { keep: "" } } });
    app.app.job.start("manual");
    await app.synced();
    const look = async (path: string) => (await app.client.fetch(path)).text();
    expect(await look("/")).toContain("recordings on the camera are safe here");
    await rename(app.destination, `${app.destination}.gone`);
    await app.app.library.refresh();
    for (const path of ["/", "/hx/state", "/api/overview", "/logs"]) {
      const text = await look(path);
      expect(text).toContain("The recordings folder is not available");
      expect(text).not.toContain("safe here");
    }
  });

  test("asks about what is held wherever the state is told, and tells of it until it has happened and was seen", async () => {
    await using app = await startApp();
    await mkdir(app.destination);
    await writeFile(join(app.destination, "20240103_101500_NF.mp4"), "a video");
    await app.app.library.refresh();
    const look = async (path: string) =>
      (await (await app.client.fetch(path)).text()).replaceAll(/[\u00a0\u202f]/g, " ");
    const states = ["/", "/hx/state", "/api/overview", "/logs"];
    for (const path of states) expect(await look(path)).toContain("1 recording here is older than 2 weeks. Keep it?");
    const html = await look("/");
    for (const action of ["confirm-deletion", "keep-everything", "look-at-held"])
      expect(html).toContain(`data-action="${action}"`);
    expect(html).toMatch(/<section class="receipts" id="receipts-card"[^>]* hidden/);

    await app.client.open("/");
    expect((await app.client.send("POST", "/api/retention/confirm")).status).toBe(200);
    for (const path of states) expect(await look(path)).toMatch(/1 recording goes to the trash with the next run/);
    expect(await look("/")).not.toContain('data-action="confirm-deletion"');

    app.app.job.start("schedule");
    await app.synced();
    for (const path of states) expect(await look(path)).not.toMatch(/goes to the trash|Keep it\?/);
    for (const path of ["/", "/hx/receipts-card"])
      expect(await look(path)).toMatch(/<p>Moved 1 old recording, 3 Jan 2024, 7 B, to the trash at [\d:]+\.<\/p>/);
    expect(await look("/")).toContain('<a href="/trash">1 in the trash, 7 B</a>');
    const { unseen } = await app.app.deletions.state();
    expect((await app.client.send("POST", "/api/retention/seen", { id: unseen[0]?.id })).status).toBe(200);
    expect(await look("/hx/receipts-card")).toContain(" hidden");
    expect(await look("/stats/runs.csv?range=all")).toMatch(/,1,7\r\n$/);
  });

  test("can be installed: the manifest names icons that are there, in their sizes", async () => {
    await using app = await startApp({ mode: "login", password: "three quiet green harbours" });
    const manifest = await (await fetch(`${app.url}/manifest.webmanifest`)).json();
    expect(manifest).toMatchObject({ name: "Dashdock", start_url: "/", display: "standalone" });
    for (const { src, sizes, type } of manifest.icons as { src: string; sizes: string; type: string }[]) {
      const icon = await fetch(app.url + src);
      expect(icon.headers.get("content-type")).toBe(type);
      const bytes = new DataView(await icon.arrayBuffer());
      if (type === "image/png") expect(`${bytes.getUint32(16)}x${bytes.getUint32(20)}`).toBe(sizes);
    }
  });
});
