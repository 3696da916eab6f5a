import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseArtifact } from "../../domain/recordings/recording_name.ts";
import { counted } from "../../domain/text/format.ts";
import { readIdNow } from "./destination_id.ts";
import { DestinationProblem } from "./destination_problem.ts";

/** The folder at a path, on its file system. */
interface Seen {
  readonly dev: number;
  readonly ino: number;
}

/** For what is written below a destination: called directly before. */
export interface SameFolder {
  /** @throws DestinationProblem when the folder at its path is not the one that work began with */
  requireSame(): void;
}

/** For a folder of which nothing is compared, as before anything is known of it. */
export const ANY_FOLDER: SameFolder = { requireSame() {} };

/** A mount point that is looked through may hold anything. */
const MOST_LOOKED_AT = 10_000;

/**
 * Compares the folder at the destination's path with the one that work began with. A disk may leave between two files,
 * and the path then shows the empty folder it was mounted on. It is compared before anything is written, which takes
 * some millionths of a second.
 */
export class DestinationPlace implements SameFolder {
  readonly #root: string;
  #seen: Seen | null = null;
  #id: string | null = null;

  constructor(root: string) {
    this.#root = root;
  }

  /** False before the first `begin`: then nothing is compared. */
  get isKnown(): boolean {
    return this.#seen !== null;
  }

  /** From now on the folder that is there is the one; `id` is what it carries, null for nothing. */
  begin(id: string | null): void {
    this.#seen = seenAt(this.#root);
    this.#id = id;
  }

  forget(): void {
    this.#seen = null;
  }

  /** True when the folder is there that work began with, and before any did. */
  isSame(): boolean {
    if (this.#seen === null) return true;
    const found = seenAt(this.#root);
    if (found === null) return false;
    if (found.dev === this.#seen.dev && found.ino === this.#seen.ino) return true;
    // A network share or a USB disk that was mounted again may have got other numbers.
    if (this.#id === null || readIdNow(this.#root) !== this.#id) return false;
    this.#seen = found;
    return true;
  }

  /** @throws DestinationProblem when another folder is there, or none */
  requireSame(): void {
    if (!this.isSame()) throw this.left();
  }

  /** The error of a disk that left, with what lies in the folder that is left. */
  left(): DestinationProblem {
    if (seenAt(this.#root) === null)
      return new DestinationProblem("the destination folder is gone; is its disk mounted?", "disk");
    const what = "the recordings folder was taken away while it was in use; is its disk mounted?";
    return new DestinationProblem(`${what} ${whatLiesAt(this.#root)}`.trim(), "disk");
  }
}

function seenAt(root: string): Seen | null {
  try {
    const found = statSync(root);
    return found.isDirectory() ? { dev: found.dev, ino: found.ino } : null;
  } catch {
    return null;
  }
}

/**
 * Says how many files lie in a folder that has no id, which may be the one a disk is mounted on: mounted again, the disk
 * hides them. Empty for none, and for a folder that is a destination of its own.
 */
export function whatLiesAt(root: string): string {
  const files = readIdNow(root) === null ? filesIn(root) : 0;
  if (files === 0) return "";
  const lie = files === 1 ? "of a recording lies" : "of recordings lie";
  return `${counted(files, "file")} ${lie} in ${root} as it is now; a disk that is mounted there hides them`;
}

/** Files of recordings, unfinished ones among them, in a folder and in those in it. */
function filesIn(root: string): number {
  let files = 0;
  let looked = 0;
  const look = (folder: string, isDeeper: boolean) => {
    try {
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        if (++looked > MOST_LOOKED_AT) return;
        if (entry.isDirectory() && isDeeper) look(join(folder, entry.name), false);
        else if (entry.isFile() && parseArtifact(entry.name.replace(/^\./, "")) !== null) files++;
      }
    } catch {
      // It says only what can be seen.
    }
  };
  look(root, true);
  return files;
}
