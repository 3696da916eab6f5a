import { expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync } from "node:fs";
import { parkedCameras } from "../support/app/several_cameras.ts";
import { describeInBrowser } from "../support/browser/browser.ts";
import { CAR, carWith, isShown, openViewer, problems, TWO, toast, VAN } from "../support/browser/viewer_cameras.ts";
import { button, chosen } from "../support/browser/viewer_page.ts";
import { putFootage } from "../support/camera/footage.ts";

setDefaultTimeout(60_000);

/** Names of the videos in a folder. */
const videos = (folder: string) => readdirSync(folder).filter((name) => /^[0-9].*\.mp4$/.test(name));

describeInBrowser("in the viewer of several cameras a clip", (browser) => {
  test("is kept, deleted and restored in the library of the car, also after loading the page again", async () => {
    await using app = await carWith(TWO);
    await using watched = await openViewer(browser(), app, `/viewer?key=${VAN.NOON}`);
    const { page } = watched;
    expect(await chosen(page)).toBe(VAN.NOON);
    await page.keyboard.press("b");
    await page.locator(".vw-head .badge").waitFor();
    const keptOf = async (id: string) => (await app.app.cameras.of(id)?.deletions.kept())?.length;
    expect([await keptOf("main"), await keptOf("van")]).toEqual([0, 1]);
    await page.reload();
    await watched.ready();
    await page.locator(".vw-head .badge").waitFor();
    await button(page, "Kept 1").waitFor();
    // The trip is read once more, and nothing else.
    const read = page.waitForResponse((answer) => answer.url().endsWith(`/api/viewer/trips/${VAN.NOON}`));
    await page.keyboard.press("b");
    await page.locator(".vw-head .badge").waitFor({ state: "detached" });
    await read;

    await page.keyboard.press("Delete");
    await toast(page, "Undo").waitFor();
    // The next one is the van's, too.
    await isShown(page, VAN.BESIDE);
    expect([videos(app.destination).length, videos(app.folderOf("van")).length]).toEqual([4, 3]);
    await page.getByRole("button", { name: "Undo" }).click();
    await isShown(page, VAN.NOON);
    expect(videos(app.folderOf("van"))).toHaveLength(4);
    expect(await problems(watched)).toEqual([]);
  });

  test("is asked about before it is deleted of a car without a trash, and of no other", async () => {
    await using app = await carWith([{ id: "van", name: "Van", retention: { trash_days: 0 } }]);
    await using watched = await openViewer(browser(), app, `/viewer?key=${VAN.NOON}`);
    const { page } = watched;
    await page.keyboard.press("Delete");
    const dialog = page.getByRole("dialog", { name: "Delete this clip?" });
    await dialog.getByRole("button", { name: "Leave it" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(videos(app.folderOf("van"))).toHaveLength(4);

    // Both at once: one is gone for good, the other waits in its trash.
    await button(page, "Select").click();
    for (const clock of ["12:00:00", "17:30:00"]) await page.getByRole("checkbox", { name: `Select ${clock}` }).click();
    await page.keyboard.press("Delete");
    await page.getByText(/1\sclip will be deleted for good.*1\sclip more goes to the trash\./).waitFor();
    await button(page, "Delete for good").click();
    await toast(page, "deleted for good").waitFor();
    expect([videos(app.destination).length, videos(app.folderOf("van")).length]).toEqual([3, 3]);
    await page.getByRole("button", { name: "Undo" }).click();
    await isShown(page, CAR.EVENING);
    expect([videos(app.destination).length, videos(app.folderOf("van")).length]).toEqual([4, 3]);
    expect(await problems(watched)).toEqual([]);
  });

  test("that is due waits for the answer of its own car, and counts with those of all", async () => {
    await using app = await parkedCameras([{ id: "van", name: "Van", retention: { keep: "2w" } }]);
    const old = ["20200607_101500_N", "20200607_101600_N"];
    await putFootage(app.destination, [`${old[0]}F.mp4`]);
    await putFootage(
      app.folderOf("van"),
      old.map((key) => `${key}F.mp4`),
    );
    for (const { library } of app.app.cameras.all) await library.refresh();
    await using watched = await openViewer(browser(), app, "/viewer?only=due");
    const { page } = watched;
    const notice = page.locator(".list-says");
    await notice.getByText(/Only what the next run would delete: 2\srecordings, \d/).waitFor();
    expect(await page.locator(".trip[data-key]").count()).toBe(2);
    await notice.getByText("Deletion is waiting for your approval.").waitFor();
    expect(await button(page, "Delete them").count()).toBe(0);
    await notice.getByRole("link", { name: "Decide for Van" }).click();
    await page.waitForURL((address) => address.searchParams.get("camera") === "van");
    await watched.ready();
    await button(page, "Keep everything").click();
    await notice.getByText("Everything is kept: no run deletes anything").waitFor();
    expect(app.app.cameras.of("van")?.settings.current.retention.keep).toBe("");
    expect(await problems(watched)).toEqual([]);
  });
});
