import { existsSync } from "node:fs";
import { chromiumPath } from "../support/browser_path.ts";

/**
 * Sees to it that the browser tests have a browser: on Debian and its relatives Debian's own package is installed when
 * there is none. Elsewhere, and without the right to install, it says what is missing; the other tests run all the same.
 */
const INSTALL = [
  ["apt-get", "update", "-qq"],
  ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium"],
] as const;

function isDebian(): boolean {
  return existsSync("/etc/debian_version") && Bun.which("apt-get") !== null;
}

function install(): boolean {
  for (const command of INSTALL) {
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    const { success, stderr } = Bun.spawnSync([...command], { env, stdout: "ignore", stderr: "pipe" });
    if (!success) {
      console.error(`${command.join(" ")} failed:\n${stderr.toString().trim()}`);
      return false;
    }
  }
  return chromiumPath() !== null;
}

if (chromiumPath() === null) {
  const mayInstall = isDebian() && process.getuid?.() === 0;
  if (mayInstall) console.log("Installing Chromium for the browser tests (Debian's package)");
  if (!mayInstall || !install()) {
    console.log(
      [
        "No Chromium found: the browser tests are skipped.",
        isDebian()
          ? "To run them too: apt-get install chromium (as root)."
          : "To run them too, install Chromium or Chrome and set CHROMIUM to the path of its executable.",
      ].join("\n"),
    );
  }
}
