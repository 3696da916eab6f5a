import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { type FurtherCamera, type ParkedCameras, parkedCameras } from "../app/several_cameras.ts";
import { putFootage } from "../camera/footage.ts";
import { type TestBrowser, WatchedPage } from "./browser.ts";
import { row } from "./viewer_page.ts";

/** The car's: two drives of one day, between which the van's lies, and an older event. */
export const CAR = {
  MORNING: "20261120_080000_N",
  SECOND: "20261120_080100_N",
  EVENING: "20261120_173000_N",
  AUTUMN: "20261001_120000_E",
} as const;
/** The van's: at the time of the car's first drive and between the two, and on days on which the car stood. */
export const VAN = {
  BESIDE: "van~20261120_080030_N",
  NOON: "van~20261120_120000_E",
  BEFORE: "van~20261119_070000_N",
  AUTUMN: "van~20261003_120000_E",
} as const;

export const TWO: readonly FurtherCamera[] = [{ id: "van", name: "Van" }];
export const TEN: readonly FurtherCamera[] = [
  ...TWO,
  { id: "estate", name: "Anna’s old estate car with a box" },
  ...["Bus", "Truck", "Lorry", "Pickup", "Digger", "Zoë", "Mini"].map((name, at) => ({ id: `more-${at}`, name })),
];

/** A service whose car and van have these recordings, and each further camera one of its own. */
export async function carWith(further: readonly FurtherCamera[]): Promise<ParkedCameras> {
  const app = await parkedCameras(further);
  const videosOf = (keys: readonly string[]) => keys.map((key) => `${key.slice(key.indexOf("~") + 1)}F.mp4`);
  await putFootage(app.destination, videosOf(Object.values(CAR)));
  for (const { id } of further)
    await putFootage(app.folderOf(id), videosOf(id === "van" ? Object.values(VAN) : [VAN.NOON]));
  for (const { library } of app.app.cameras.all) await library.refresh();
  const named = await app.client.send("PATCH", "/api/cameras/main", { name: "Car" });
  expect(named.status).toBe(200);
  return app;
}

/** A page of it. */
export async function openViewer(browser: TestBrowser, { url }: { readonly url: string }, path: string) {
  const watched = await WatchedPage.open(browser, { url });
  await watched.open(path);
  return watched;
}

export const toast = (page: Page, words: string) => page.locator(".toast").filter({ hasText: words });
/** Text as it is read, without the spaces that keep words together. */
export const said = (text: string | null) => (text ?? "").replaceAll("\u00a0", " ");
/** Resolves when this is on show, in the list and in the address. */
export const isShown = async (page: Page, key: string) => {
  await page.waitForURL((address) => address.searchParams.get("key") === key);
  await row(page, key).and(page.locator("[aria-current]")).waitFor();
};
/** Whose it is, letter and name, of each row of the list. */
export const whoseInList = (page: Page) => page.locator(".trips .trip .whose").allTextContents();
export const chips = (page: Page) => page.getByRole("navigation", { name: "Whose clips" });
/** Without how the pictures find their place, which is a matter of the test of the page as a whole. */
export const problems = async (watched: WatchedPage) =>
  (await watched.problems()).filter((problem) => !problem.startsWith("the page jumped"));
