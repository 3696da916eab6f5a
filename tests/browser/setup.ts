import { existsSync } from "node:fs";
import { chromiumPath, HEADLESS } from "../support/browser/browser_path.ts";

/**
 * Sees to it that the browser tests have a browser, the one without a window where it can be had: on Debian and its
 * relatives Debian's own package is installed. Elsewhere, and without the right to install, another one is taken, and
 * where there is none it says what is missing; the other tests run all the same.
 */
const TIMEOUT = ["-o", "Acquire::http::Timeout=20", "-o", "Acquire::Retries=0"];

function isDebian(): boolean {
  return existsSync("/etc/debian_version") && Bun.which("apt-get") !== null;
}

/** Installs the first of these packages that is to be had. */
function install(names: readonly string[]): void {
  const run = (...command: string[]) => {
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    const { success, stderr } = Bun.spawnSync(["apt-get", "-qq", ...TIMEOUT, ...command], {
      env,
      stdout: "ignore",
      stderr: "pipe",
    });
    if (!success) console.error(`apt-get ${command.join(" ")} failed:\n${stderr.toString().trim()}`);
    return success;
  };
  if (run("update")) names.some((name) => run("install", "-y", "--no-install-recommends", name));
}

const isNamed = process.env["CHROMIUM"] !== undefined && chromiumPath() === process.env["CHROMIUM"];
if (!isNamed && !existsSync(HEADLESS) && isDebian() && process.getuid?.() === 0) {
  console.log("Installing Chromium without a window for the browser tests (Debian's package)");
  install(["chromium-headless-shell", ...(chromiumPath() === null ? ["chromium"] : [])]);
}
if (chromiumPath() === null)
  console.log(
    [
      "No Chromium found: the browser tests are skipped.",
      isDebian()
        ? "To run them too: apt-get install chromium-headless-shell (as root)."
        : "To run them too, install Chromium or Chrome and set CHROMIUM to the path of its executable.",
    ].join("\n"),
  );
