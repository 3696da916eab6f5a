/** A file of a pack that is looked at, wherever it lies. */
export interface PackFile {
  /** Path within the pack, parts separated by `/`. */
  readonly name: string;
  readonly size: number;
  /** Its bytes; never more than `size`. @throws UnreadablePart */
  readonly pieces: () => AsyncIterable<Uint8Array>;
}

/** A pack that is open. */
export interface PackContent extends AsyncDisposable {
  readonly files: readonly PackFile[];
  /** Sentences about what should not be in it, apart from the content of its files. */
  readonly problems: readonly string[];
}

/** A part of a pack that cannot be read; a sentence without its end. */
export class UnreadablePart extends Error {
  override name = "UnreadablePart";
}

/** There is no pack; a sentence. */
export class NoPack extends Error {
  override name = "NoPack";
}

/** Files that are looked at: far more than any pack has. */
export const MOST_FILES = 100_000;
/** Bytes read at once. */
export const CHUNK_BYTES = 512 * 1024;
