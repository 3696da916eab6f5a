import { expect, test } from "bun:test";
import { startTheme } from "../../islands/theme.ts";
import { DomPage } from "../support/dom.ts";

const SWITCH = '<button id="s" data-theme-switch title="Theme: system" aria-label="Theme: system"></button>';

test("startTheme() goes round system, light and dark, and says each time where it is", async () => {
  await using dom = new DomPage(SWITCH);
  startTheme(dom.page);
  const seen = [];
  for (let turn = 0; turn < 4; turn++) {
    dom.get("s").click();
    const { title } = dom.get("s");
    const label = dom.get("s").getAttribute("aria-label");
    seen.push([dom.page.documentElement.dataset["theme"], title, label === title, dom.page.cookie]);
  }
  const light = ["light", "Theme: light", true, "dashdock_theme=light"];
  expect(seen).toEqual([
    light,
    ["dark", "Theme: dark", true, "dashdock_theme=dark"],
    [undefined, "Theme: system", true, "dashdock_theme=system"],
    light,
  ]);
});

test("startTheme() goes on from the theme that the server has drawn", async () => {
  await using dom = new DomPage(SWITCH);
  dom.page.documentElement.dataset["theme"] = "dark";
  startTheme(dom.page);
  dom.get("s").click();
  expect(dom.page.documentElement.dataset["theme"]).toBeUndefined();
});
