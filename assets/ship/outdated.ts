import { join } from "node:path";
import { engines } from "../../package.json";

/**
 * `bun run outdated [FOLDER]`: which packages have a newer version, and which are known to be vulnerable. Ends with 1 when
 * there is any, so that the weekly check shows as failed and its owner is told.
 */
const ROOT = process.argv[2] ?? join(import.meta.dir, "../..");

function ask(...words: string[]): { text: string; code: number } {
  const { stdout, stderr, exitCode } = Bun.spawnSync([process.execPath, ...words], {
    cwd: ROOT,
    env: { ...process.env, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = `${stdout}${stderr}`.replace(/^bun (outdated|audit) v.*$/gm, "").trim();
  return { text: said, code: exitCode };
}

console.log(`Bun: ${engines.bun} asked for, ${Bun.version} in use`);
const newer = ask("outdated");
const vulnerable = ask("audit");
console.log(newer.text === "" ? "Every package is the newest one." : newer.text);
console.log(vulnerable.text);
process.exit(newer.code !== 0 || newer.text !== "" || vulnerable.code !== 0 ? 1 : 0);
