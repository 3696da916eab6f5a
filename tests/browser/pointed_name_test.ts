import { describe, expect, test } from "bun:test";
import { startApp } from "../support/app/app.ts";
import { openBrowser } from "../support/browser/browser.ts";
import { chromiumPath } from "../support/browser/browser_path.ts";

describe.skipIf(chromiumPath() === null)("a name that a stranger has pointed at the service, in a browser", () => {
  test("opens nothing and changes nothing", async () => {
    await using app = await startApp();
    await using elsewhere = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: () =>
        new Response("<!doctype html><title>elsewhere</title>", { headers: { "content-type": "text/html" } }),
    });
    const browser = await openBrowser(["--host-resolver-rules=MAP *.example 127.0.0.1"]);
    try {
      const page = await (await browser.newContext()).newPage();
      const answer = await page.goto(`http://evil.example:${app.listening.port}/`);
      expect(answer?.status()).toBe(421);
      expect(await page.textContent("main")).toContain("web.allowed_hosts");
      const change = (url: string) =>
        page.evaluate(async (address) => {
          const body = JSON.stringify({ keep: "1d" });
          // Sends it as a form would: without asking first.
          await fetch(address, { method: "POST", mode: "no-cors", credentials: "include", body }).catch(() => null);
          return fetch(address, { method: "PATCH", body, headers: { "content-type": "application/json" } })
            .then(({ status }) => status)
            .catch(() => 0);
        }, url);
      expect(await change("/api/settings/retention")).toBe(421);
      await page.goto(`http://other.example:${elsewhere.port}/`);
      expect(await change(`${app.url}/api/settings/retention`)).toBe(0);
      expect(app.app.settings.current.retention.keep).toBe("2w");
    } finally {
      await browser.close();
    }
  });
});
