/** Causes that leave a file of a card where it is. The list is closed: each has its sentence. */
export const LEFT_CAUSES = [
  "foreign",
  "impossible",
  "link",
  "unreadable",
  "recordings-folder",
  "retention",
  "selection",
  "deleted",
  "unwanted",
  "no-video",
  "empty",
  "unfinished",
  "differs",
  "unknown-home",
  "too-long",
  "no-room",
  "in-the-way",
  "changed",
  "not-removed",
] as const;
export type LeftCause = (typeof LEFT_CAUSES)[number];

/** Sentences for the reader, of one file or of several. */
export const LEFT_SENTENCES: Readonly<Record<LeftCause, string>> = {
  foreign: "Not a recording of a camera.",
  impossible: "The name has a date that never was.",
  link: "Links are never followed.",
  unreadable: "It cannot be read. Check the card and its permissions.",
  "recordings-folder": "It is a folder of recordings at home. Name this folder to import it.",
  retention: "It is older than recordings are kept.",
  selection: "Your choice of recordings and files leaves it out.",
  deleted: "It was deleted here. Restore it from the trash instead.",
  unwanted: "You said that it is not needed.",
  "no-video": "Its video is neither here nor at home.",
  empty: "It is empty.",
  unfinished: "The end of the video is missing, and it was written just now. Try again in ten minutes.",
  differs: "Another file of this name is at home. Both stay as they are.",
  "unknown-home": "The folder at home where it may be cannot be read.",
  "too-long": "It is longer than a video may be (sync.max_video_gb).",
  "no-room": "The disk has no room for it.",
  "in-the-way": "Something at home is where it belongs.",
  changed: "It changed while it was read. Import again when nothing writes to the card.",
  "not-removed": "It is at home, and could not be removed from the card.",
};

/** Number of files that are named for each cause; all are counted. */
const MOST_NAMED = 20;

/** Files that one cause left where they are. */
export interface LeftFiles {
  readonly cause: LeftCause;
  readonly sentence: string;
  readonly files: number;
  /** The first of them, by their paths below the folder. */
  readonly first: string[];
}

/** Counts the files that an import leaves, by cause. */
export class LeftCounts {
  readonly #byCause = new Map<LeftCause, { files: number; first: string[] }>();

  add(cause: LeftCause, path: string): void {
    const of = this.#byCause.get(cause) ?? { files: 0, first: [] };
    this.#byCause.set(cause, of);
    of.files++;
    if (of.first.length < MOST_NAMED) of.first.push(path);
  }

  get files(): number {
    return this.#byCause.values().reduce((sum, { files }) => sum + files, 0);
  }

  /** Those that there are, in the order of the causes. */
  get all(): LeftFiles[] {
    return LEFT_CAUSES.flatMap((cause) => {
      const found = this.#byCause.get(cause);
      return found ? [{ cause, sentence: LEFT_SENTENCES[cause], files: found.files, first: [...found.first] }] : [];
    });
  }
}
