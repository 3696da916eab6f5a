import { expect, setDefaultTimeout, test } from "bun:test";
import { describeInBrowser } from "../support/browser/browser.ts";
import { carWith, chips, openViewer, said, TEN, TWO, VAN } from "../support/browser/viewer_cameras.ts";
import { fitProblems, orderProblems } from "../support/camera/in_order.ts";

setDefaultTimeout(60_000);

describeInBrowser("the viewer", (browser) => {
  test("shows nothing of cameras while there is one", async () => {
    await using app = await carWith([]);
    await using watched = await openViewer(browser(), app, "/viewer");
    const { page } = watched;
    expect(await page.locator(".who, .whose, .whose-line, .vw-whose, .vw-cars").count()).toBe(0);
    expect(await page.locator("[href*='camera=']").count()).toBe(0);
    expect(await fitProblems(watched)).toEqual([]);
  });

  test.each([
    ["two", TWO],
    ["ten", TEN],
  ] as const)("is in order at every width with %s cameras", async (_, further) => {
    await using app = await carWith(further);
    await using watched = await openViewer(browser(), app, `/viewer?key=${VAN.NOON}`);
    const { page } = watched;
    const menu = page.locator(".vw-cars > summary");
    const isMenu = further.length > 3;
    expect(await menu.count()).toBe(isMenu ? 1 : 0);
    expect(await page.locator(".vw-whose .who").allTextContents()).toHaveLength(further.length + 1);
    if (isMenu) {
      await menu.focus();
      await page.keyboard.press("Enter");
      await chips(page).getByRole("link", { name: "Pickup" }).waitFor();
    }
    // No two look alike: another letter, and another colour or an outline in its place.
    const looks = await page
      .locator(".vw-whose .who")
      .evaluateAll((all) => all.map((one) => [one.textContent, one.className]));
    for (const of of [0, 1] as const) expect(new Set(looks.map((look) => look[of])).size).toBe(further.length + 1);
    expect(await orderProblems(watched)).toEqual([]);
    if (!isMenu) return;
    await chips(page).getByRole("link", { name: "Anna" }).click();
    await page.waitForURL((address) => address.searchParams.get("camera") === "estate");
    await watched.ready();
    expect(said(await menu.textContent())).toBe("AAnna’s old estate car with a box 1");
    expect(await fitProblems(watched)).toEqual([]);
  });
});
