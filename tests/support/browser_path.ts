import { existsSync } from "node:fs";

const PLACES: readonly string[] = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Where Chromium is; `CHROMIUM` names another one. Null when there is none. */
export function chromiumPath(): string | null {
  const named = process.env["CHROMIUM"];
  return [...(named ? [named] : []), ...PLACES].find((path) => existsSync(path)) ?? null;
}
