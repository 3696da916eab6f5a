import { expect, test } from "bun:test";
import { startTheme } from "../../../islands/browser/theme.ts";
import { DomPage } from "../../support/browser/dom.ts";

const SWITCH = '<button id="s" data-theme-switch title="Theme: system" aria-label="Theme: system"></button>';

test("startTheme() goes through system, light and dark, and names each", async () => {
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

test("startTheme() sets the color around the page with it", async () => {
  const media = (theme: string) => `(prefers-color-scheme: ${theme})`;
  const head = `<meta name="theme-color" content="#10161b" media="${media("dark")}"><meta name="theme-color" content="#f4f6f8" media="${media("light")}">`;
  await using dom = new DomPage(SWITCH, { head });
  startTheme(dom.page);
  const colors = () =>
    [...dom.page.querySelectorAll<HTMLMetaElement>("meta[name=theme-color]")].map((meta) => [
      meta.content,
      meta.getAttribute("media"),
    ]);
  const seen = [];
  for (let turn = 0; turn < 3; turn++) {
    dom.get("s").click();
    seen.push(colors());
  }
  expect(seen).toEqual([
    [["#f4f6f8", null]],
    [["#10161b", null]],
    [
      ["#10161b", media("dark")],
      ["#f4f6f8", media("light")],
    ],
  ]);
});

test("startTheme() goes on from the theme that the server has drawn", async () => {
  await using dom = new DomPage(SWITCH);
  dom.page.documentElement.dataset["theme"] = "dark";
  startTheme(dom.page);
  dom.get("s").click();
  expect(dom.page.documentElement.dataset["theme"]).toBeUndefined();
});
