import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { join } from "node:path";

/** Kind and content of a path: a file's hash, a link's target, or that it is a folder. */
export type Found = string;

/** Everything below a folder by its relative path; folders end in a slash. Links are not followed. */
export function look(root: string, below = ""): Map<string, Found> {
  const found = new Map<string, Found>();
  for (const entry of readdirSync(join(root, below), { withFileTypes: true })) {
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) {
      found.set(`${path}/`, "folder");
      for (const [deeper, what] of look(root, path)) found.set(deeper, what);
    } else found.set(path, lookAt(join(root, path)));
  }
  return found;
}

/** Kind and content of one path that is no folder. */
export function lookAt(path: string): Found {
  const stat = lstatSync(path);
  if (stat.isSymbolicLink()) return `link to ${readlinkSync(path)}`;
  if (!stat.isFile()) return "something else";
  return `${stat.size} bytes, ${createHash("sha1").update(readFileSync(path)).digest("hex")}`;
}

/** Bytes of a file; null when there is none. */
export function sizeOf(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.size ?? null;
}
