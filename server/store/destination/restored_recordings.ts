import { join } from "node:path";
import * as v from "valibot";
import { momentKey, momentNumber } from "../../domain/recordings/moment_number.ts";
import { DELETION_CAUSES } from "../../domain/retention/deletion_cause.ts";
import { messageOf } from "../../log.ts";
import { replaceFile, stampOf } from "../atomic_file.ts";
import { errorCode } from "../error_code.ts";
import { readPlainText } from "../plain_file.ts";
import { ANY_FOLDER, type SameFolder } from "./destination_place.ts";
import { OWN_FOLDER } from "./own_folder.ts";
import { TrashUnusable } from "./own_folder_guard.ts";

const RESTORED = v.object({
  /** Epoch milliseconds of the restoring. */
  at: v.number(),
  /** Cause of its deletion. */
  cause: v.picklist(DELETION_CAUSES),
  /** The rules by which it could be deleted then, as texts that are others when they change. */
  age: v.string(),
  room: v.string(),
});
export type RestoredRecording = Readonly<v.InferOutput<typeof RESTORED>>;

const TEXT = v.pipe(v.string(), v.parseJson(), v.object({ recordings: v.record(v.string(), RESTORED) }));

/**
 * Recordings that were restored from the trash, in `.dashdock/restored.json`. The rule that took one leaves it alone
 * for a while. Without the file, or when it cannot be used, no recording is known to be restored. All changes run in
 * the own folder's guard.
 */
export class RestoredRecordings {
  readonly #path: string;
  readonly #place: SameFolder;
  #known: { readonly stamp: string | null; readonly map: ReadonlyMap<number, RestoredRecording> } | null = null;
  #version = 0;

  constructor(root: string, place: SameFolder = ANY_FOLDER) {
    this.#path = join(root, OWN_FOLDER, "restored.json");
    this.#place = place;
  }

  /** Grows when another one may have come back. */
  get version(): number {
    return this.#version;
  }

  /** By moment. */
  async all(): Promise<ReadonlyMap<number, RestoredRecording>> {
    const stamp = await stampOf(this.#path).catch(() => null);
    if (this.#known?.stamp === stamp) return this.#known.map;
    const text = stamp === null ? "" : await readPlainText(this.#path).catch(() => "");
    const found = v.safeParse(TEXT, text);
    const all = found.success ? Object.entries(found.output.recordings) : [];
    const map = new Map(all.map(([key, one]) => [momentNumber(key), one] as const).filter(([moment]) => moment >= 0));
    this.#version++;
    this.#known = { stamp, map };
    return map;
  }

  /** Adds these, and forgets what is not remembered any more. @throws TrashUnusable */
  async add(
    moments: ReadonlyMap<number, RestoredRecording>,
    isRemembered: (moment: number, one: RestoredRecording) => boolean,
  ): Promise<void> {
    const before = [...(await this.all())].filter(([moment, one]) => isRemembered(moment, one));
    const all = [...new Map([...before, ...moments])].sort(([one], [other]) => one - other);
    const recordings = Object.fromEntries(all.map(([moment, one]) => [momentKey(moment), one]));
    try {
      this.#place.requireSame();
      await replaceFile(this.#path, `${JSON.stringify({ version: 1, recordings }, null, 1)}\n`, { mode: 0o644 });
    } catch (error) {
      const why = errorCode(error) || messageOf(error);
      throw new TrashUnusable(`what comes back cannot be written down (${why})`, { cause: error });
    }
  }
}
