import { Database } from "bun:sqlite";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { USED } from "../../fixtures/earlier/used.ts";
import type { Place } from "../app/process.ts";

const FOLDER = join(import.meta.dir, "../../fixtures/earlier");

/** The versions of which there is a fixture, the earliest first. */
export const EARLIER: readonly string[] = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".tar.gz"))
  .map((name) => name.slice(0, -".tar.gz".length))
  .sort();

/** Puts what an earlier version left into a place, and the place's folders in the stead of the fixture's. */
export function putEarlier(place: Place, name: string): void {
  const { exitCode, stderr } = Bun.spawnSync(["tar", "-xpzf", join(FOLDER, `${name}.tar.gz`), "-C", place.home]);
  if (exitCode !== 0) throw new Error(stderr.toString());
  for (const file of readdirSync(place.at("config")))
    if (/\.(json|txt)$/.test(file)) {
      const text = readFileSync(place.at("config", file), "utf8");
      const here = text
        .replaceAll(JSON.stringify(USED.folders.recordings), JSON.stringify(place.at("recordings")))
        .replaceAll(JSON.stringify(USED.folders.config), JSON.stringify(place.at("config")));
      if (here !== text) writeFileSync(place.at("config", file), here);
    }
}

/** Every file below the place's folders, with its size, mode and a digest of its bytes. */
export function filesIn(place: Place, ...below: string[]): Record<string, string> {
  const root = place.at(...below);
  const files: Record<string, string> = {};
  for (const name of readdirSync(root, { recursive: true, encoding: "utf8" }).sort()) {
    const stats = statSync(join(root, name));
    if (stats.isFile())
      files[name] = `${stats.size} ${(stats.mode & 0o777).toString(8)} ${Bun.hash(readFileSync(join(root, name)))}`;
  }
  return files;
}

/** Rows of a statement in a database that no program uses at the moment. */
export function rowsIn(path: string, sql: string): Record<string, unknown>[] {
  using db = new Database(path, { readonly: true });
  return db.query<Record<string, unknown>, []>(sql).all();
}
