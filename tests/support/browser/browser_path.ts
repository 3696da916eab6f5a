import { existsSync } from "node:fs";

/** Chromium without a window; the usual one draws its own for each page, which takes as much processor as the page. */
export const HEADLESS = "/usr/bin/chromium-headless-shell";
const PLACES: readonly string[] = [
  HEADLESS,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

/** Path of Chromium; `CHROMIUM` names another one. Null when there is none. */
export function chromiumPath(): string | null {
  const named = process.env["CHROMIUM"];
  return [...(named ? [named] : []), ...PLACES].find((path) => existsSync(path)) ?? null;
}
