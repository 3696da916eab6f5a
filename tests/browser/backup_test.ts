import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect, setDefaultTimeout, test } from "bun:test";
import { temporaryPlace } from "../support/app/process.ts";
import { openSettings, putSettings, serve } from "../support/app/service.ts";
import { accessibilityProblems } from "../support/browser/axe.ts";
import { describeInBrowser, WatchedPage } from "../support/browser/browser.ts";

setDefaultTimeout(60_000);

describeInBrowser("the page of backups", (browser) => {
  test("shows what a restore would change and asks, restores it, and says how it went; then what a support file has", async () => {
    await using place = await temporaryPlace();
    putSettings(place, openSettings("", { viewer: { trip_gap_minutes: 17 } }));
    await using service = await serve(place);
    const stored = () => JSON.parse(readFileSync(place.at("config", "settings.json"), "utf8"));
    const file = place.at("one.zip");
    writeFileSync(file, await (await service.client.fetch("/api/backup")).bytes());
    await service.client.open("/");
    await service.client.send("PATCH", "/api/settings/viewer", { trip_gap_minutes: 3 });
    await using watched = await WatchedPage.open(browser(), { url: service.url, width: 390 });
    const { page } = watched;
    await watched.open("/settings/backup");
    expect(await page.getByRole("link", { name: "Save a backup" }).getAttribute("href")).toBe("/api/backup");
    const input = page.getByLabel("Backup to restore");
    await input.setInputFiles({ name: "no.zip", mimeType: "application/zip", buffer: Buffer.from("hello") });
    await page.getByRole("alert").getByText("is no backup of Dashdock").waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);

    await input.setInputFiles(file);
    const dialog = page.getByRole("dialog", { name: "Restore this backup?" });
    await dialog.getByText("Settings change: Viewer.").waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(stored().viewer.trip_gap_minutes).toBe(3);
    await input.setInputFiles(file);
    await dialog.getByRole("button", { name: "Restore the backup" }).click();
    await page.getByText("The backup is restored").waitFor();
    expect(stored().viewer.trip_gap_minutes).toBe(17);
    const [kept = "none"] = readdirSync(place.at("config")).filter((name) => name.startsWith("restore-"));
    expect(await page.locator(".note code").textContent()).toBe(kept);

    await page.getByRole("button", { name: "See what is in it…" }).click();
    await page.getByText(/^log\.txt, .*replaced$/).waitFor();
    expect(await page.getByRole("link", { name: "Save the support file" }).getAttribute("href")).toBe("/api/support");
    expect(await accessibilityProblems(page)).toEqual([]);
    // While it is closed, pages ask in vain: that is no problem of theirs.
    expect(
      (await watched.problems()).filter((problem) => !/refused|Failed to (load|fetch)|50\d|status|422/i.test(problem)),
    ).toEqual([]);
  });
});
