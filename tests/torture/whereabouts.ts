import { readdirSync } from "node:fs";
import { join } from "node:path";
import { parseArtifact } from "../../server/domain/recordings/recording_name.ts";

/** Places of the files of one moment, each with their names. */
export type Places = ReadonlyMap<string, ReadonlySet<string>>;

/** Everything in a destination that bears a recording's name, by the moment's key. */
export interface Whereabouts {
  /** Places of each moment, by folder. */
  readonly home: ReadonlyMap<string, Places>;
  /** Places of each moment, by `<batch>/<folder>`. */
  readonly trash: ReadonlyMap<string, Places>;
}

export const TRASH = ".dashdock/trash";
const KEY_LENGTH = 17;

/** @param foreign paths below the destination that are not ours */
export function findOut(destination: string, foreign: (path: string) => boolean): Whereabouts {
  return {
    home: placesIn(destination, foreign, (name) => name === ".dashdock"),
    // Names with a dot are notes, or on their way out.
    trash: placesIn(
      join(destination, TRASH),
      () => false,
      (name) => name.startsWith("."),
    ),
  };
}

/** Notes of work that was begun, and batches on their way out. */
export function unfinishedWork(destination: string): string[] {
  return namesIn(join(destination, TRASH)).filter((name) => name.startsWith("."));
}

/** All names of a moment in these places. */
export function namesAt(places: Places | undefined): ReadonlySet<string> {
  return new Set([...(places?.values() ?? [])].flatMap((names) => [...names]));
}

function placesIn(
  root: string,
  foreign: (path: string) => boolean,
  isLeftOut: (name: string) => boolean,
): Map<string, Map<string, Set<string>>> {
  const found = new Map<string, Map<string, Set<string>>>();
  const look = (folder: string) => {
    for (const entry of entriesIn(join(root, folder))) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!isLeftOut(entry.name)) look(path);
      } else if (parseArtifact(entry.name) && !foreign(path)) {
        const key = entry.name.slice(0, KEY_LENGTH);
        const places = found.get(key) ?? new Map<string, Set<string>>();
        places.set(folder, (places.get(folder) ?? new Set()).add(entry.name));
        found.set(key, places);
      }
    }
  };
  look("");
  return found;
}

function entriesIn(path: string) {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    // A folder may leave while it is looked at.
    return [];
  }
}

function namesIn(path: string): string[] {
  return entriesIn(path).map(({ name }) => name);
}
