// Apart from what reads and writes these files: the start looks at the versions before any of that is loaded.

/** Version of the schema of `stats.db`: as many steps lead to it. */
export const RUN_DATABASE_VERSION = 3;

/** Version of `library.db`. A file of another version is made anew: everything in it can be read again. */
export const FACTS_VERSION = 6;

/** Version of `places.db`. A file of another version is made anew: everything in it can be read again. */
export const PLACES_VERSION = 3;

/** Version of the schema of `ledger.db`: as many steps lead to it. A newer file is left alone, and the service starts. */
export const LEDGER_VERSION = 1;

/** Version of the schema of `.dashdock/sums.db`: as many steps lead to it. A newer file is left alone. */
export const SUMS_VERSION = 1;

/** Version of the shape of `camera-list.txt`. */
export const CAMERA_LIST_VERSION = 1;

/** Version of the shape of `card-history.txt`. A file of another one is left alone. */
export const CARD_HISTORY_VERSION = 1;

/** Version of the shape of `.dashdock/kept.json`. */
export const KEPT_VERSION = 1;

/**
 * Version of all that lies in a destination, as this program reads and writes it. It grows when an older program would
 * misread what is there. In `.dashdock/format`, a whole number.
 */
export const DESTINATION_FORMAT = 1;

/**
 * The format that the text of the file names. Null for a file that is empty or holds something else: it is damaged, and
 * not a newer one's, which begins with a number. To bring nothing home for it would cost more recordings than to go on.
 */
export function formatIn(text: string): number | null {
  const [, digits] = /^\s*([0-9]+)/.exec(text) ?? [];
  return digits === undefined ? null : Number(digits.slice(0, 9));
}

/** In the config folder from the moment that a restore is decided until all of it is in place. */
export const RESTORE_JOURNAL = "restore-pending.json";

/** Begins the name of a folder with what a restore will put in place. */
export const RESTORE_STAGE = ".restore-";
