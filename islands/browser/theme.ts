import { themeColors } from "../../server/domain/text/theme_color.ts";
import { reached } from "./address.ts";

const THEMES = ["system", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];

/** The server reads it, so that the very first paint has the chosen theme. */
const COOKIE = "dashdock_theme";
const YEAR_SECONDS = 31_536_000;

/** Makes `[data-theme-switch]` go through system, light and dark, and remembers the choice in a cookie. */
export function startTheme(page: Document): void {
  for (const button of page.querySelectorAll<HTMLElement>("[data-theme-switch]"))
    button.addEventListener("click", () => {
      const next = THEMES[(THEMES.indexOf(themeOf(page)) + 1) % THEMES.length] ?? "system";
      choose(page, next);
      button.title = `Theme: ${next}`;
      button.setAttribute("aria-label", button.title);
    });
}

function themeOf(page: Document): Theme {
  const chosen = page.documentElement.dataset["theme"];
  return THEMES.find((theme) => theme === chosen) ?? "system";
}

function choose(page: Document, theme: Theme): void {
  const root = page.documentElement;
  if (theme === "system") delete root.dataset["theme"];
  else root.dataset["theme"] = theme;
  setThemeColor(page, theme);
  page.cookie = `${COOKIE}=${theme}; path=${reached("/", page)}; max-age=${YEAR_SECONDS}; samesite=lax`;
}

/** Sets `theme-color`, with which browsers paint what is around the page. */
function setThemeColor(page: Document, theme: Theme): void {
  for (const meta of page.querySelectorAll("meta[name=theme-color]")) meta.remove();
  for (const { content, media } of themeColors(theme === "system" ? undefined : theme)) {
    const meta = page.createElement("meta");
    meta.name = "theme-color";
    meta.content = content;
    if (media !== null) meta.setAttribute("media", media);
    page.head.append(meta);
  }
}
