import { existsSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { inTurn, measure } from "./measure.ts";
import { emptyFolder, openStage, type StageOptions } from "./stage.ts";

const MAIN = resolve(import.meta.dir, "../../server/main.ts");

/** One whole `sync` against `curl` fetching the same files in one process, in turn. */
export async function benchTransfer(options: StageOptions, rounds: number) {
  await using stage = await openStage(options);
  const sync = async () => {
    const folder = emptyFolder(stage, "home");
    const command = [process.execPath, MAIN, "sync", stage.address, "-d", folder, "-q", "-u", "98"];
    const figures = await measure(command);
    const missing = stage.names.filter((name) => !existsSync(join(folder, name)));
    if (missing.length > 0) throw new Error(`${missing.length} files did not come home, ${missing[0]} among them`);
    rmSync(folder, { recursive: true });
    return figures;
  };
  const curl = async () => {
    const folder = emptyFolder(stage, "curl");
    const list = stage.names
      .map((name) => `url = "http://${stage.address}/Record/${name}"\noutput = "${join(folder, name)}"\n`)
      .join("");
    const figures = await measure(["curl", "--silent", "--show-error", "--fail", "-K", "-"], { stdin: list });
    rmSync(folder, { recursive: true });
    return figures;
  };
  return { files: stage.names.length, ...(await inTurn(rounds, sync, curl)) };
}

/** 4.2 GB in 52 MB files with companions. */
export const BIG: StageOptions = {
  moments: 40,
  directions: ["F", "R"],
  videoBytes: 52_400_000,
  companionBytes: 20_000,
};
/** 3,000 recordings of 100 KB with companions: 12,000 files. */
export const SMALL: StageOptions = { moments: 3000, directions: ["F"], videoBytes: 100_000, companionBytes: 8_000 };

if (import.meta.main) {
  const [kind, rounds = "3"] = process.argv.slice(2);
  console.log(kind, await benchTransfer(kind === "big" ? BIG : SMALL, Number(rounds)));
}
