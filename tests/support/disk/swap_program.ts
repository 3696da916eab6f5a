import { linkSync, renameSync, symlinkSync, unlinkSync } from "node:fs";

/**
 * Another program that puts links out of the destination in the place of what is there, and takes them away again.
 * Arguments: how many times, then path, what really belongs there, and what the link leads to, of each file or folder; a
 * folder's second is where it lies meanwhile.
 */
export function swap(times: number, what: readonly Swapped[]): void {
  for (let turn = 0; turn < times; turn += 2) {
    const one = what[(turn / 2) % what.length];
    if (!one) return;
    const { path, real, secret, isFolder } = one;
    if (isFolder) {
      renameSync(path, real);
      symlinkSync(secret, path);
      unlinkSync(path);
      renameSync(real, path);
      continue;
    }
    const beside = `${real}.beside`;
    symlinkSync(secret, beside);
    renameSync(beside, path);
    linkSync(real, beside);
    renameSync(beside, path);
  }
}

export interface Swapped {
  readonly path: string;
  readonly real: string;
  readonly secret: string;
  readonly isFolder: boolean;
}

if (import.meta.main) swap(Number(process.argv[2]), JSON.parse(process.argv[3] ?? "[]"));
