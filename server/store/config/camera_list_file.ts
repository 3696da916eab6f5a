import { readFile, stat } from "node:fs/promises";
import * as v from "valibot";
import { type CameraList, CameraListBuilder, MOST_LISTED } from "../../domain/sync/camera_list.ts";
import type { Log } from "../../log.ts";
import { eachInSlices, linesInSlices } from "../../turns.ts";
import { replaceFile } from "../atomic_file.ts";
import { errorCode } from "../error_code.ts";

const LOGGER = "camera-list";
/** More than the longest list takes. */
const MOST_BYTES = 8 * 1024 * 1024;

/** Of the shape of the file. */
export const CAMERA_LIST_VERSION = 1;

const HEAD = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    version: v.literal(CAMERA_LIST_VERSION),
    address: v.string(),
    destination: v.string(),
    recordings: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MOST_LISTED)),
    unknown: v.pipe(v.number(), v.integer(), v.minValue(0)),
  }),
);
/** Every line but the first: `20260607_101500_NF`, and after it what the camera lacks of it, see `MARKS`. */
const LINE = /^([0-9]{8}_[0-9]{6}_[A-Z]{2}[LS]?(?:\.[1-9][0-9]?)?)(?: ([1-9][0-9]?))?$/;

/**
 * What the camera listed last, in the config folder: a line for each recording. Without the file, or when it cannot be
 * used, nothing is known of the camera until the next run; what cannot be written is known until the restart.
 */
export class CameraListFile {
  readonly #path: string;
  readonly #log: Log;
  #queue: Promise<void> = Promise.resolve();
  #isWarned = false;

  constructor(path: string, log: Log) {
    this.#path = path;
    this.#log = log;
  }

  /** The list as it was written last; null when there is none that can be used. */
  async read(): Promise<CameraList | null> {
    try {
      const { size } = await stat(this.#path);
      const list = size > MOST_BYTES ? null : await listOf(await readFile(this.#path, "utf8"));
      if (list === null) this.#log.warning(LOGGER, `${this.#path} is damaged; the next sync writes it anew`);
      return list;
    } catch (error) {
      if (errorCode(error) !== "ENOENT")
        this.#log.warning(LOGGER, `${this.#path} cannot be read (${errorCode(error) || error})`);
      return null;
    }
  }

  /** Writes the list as it is now; resolves when it is written, or was refused. */
  write(list: CameraList): Promise<void> {
    this.#queue = this.#queue.then(() => this.#write(list));
    return this.#queue;
  }

  /** Resolves when everything is written. */
  close(): Promise<void> {
    return this.#queue;
  }

  async #write(list: CameraList): Promise<void> {
    try {
      const { owner, unknown, size: recordings } = list;
      const head = JSON.stringify({ version: CAMERA_LIST_VERSION, ...owner, recordings, unknown });
      const lines = await linesInSlices(placesOf(list), (at) => {
        const name = list.nameAt(at).slice(0, -".mp4".length);
        return list.marksAt(at) === 0 ? name : `${name} ${list.marksAt(at)}`;
      });
      await replaceFile(this.#path, `${head}\n${lines}`);
      this.#isWarned = false;
    } catch (error) {
      if (!this.#isWarned)
        this.#log.warning(
          LOGGER,
          `${this.#path} could not be written (${errorCode(error) || error}); after a restart it is not known what is on the camera until the next sync`,
        );
      this.#isWarned = true;
    }
  }
}

/** The list that a file holds; null when any of it is not as it was written. */
async function listOf(text: string): Promise<CameraList | null> {
  const end = text.indexOf("\n");
  const head = v.safeParse(HEAD, text.slice(0, Math.max(0, end)));
  if (!head.success) return null;
  const { address, destination, recordings, unknown } = head.output;
  const builder = new CameraListBuilder({ address, destination }, recordings);
  builder.unknown = unknown;
  let isGood = true;
  await eachInSlices(linesOf(text, end + 1), (line) => {
    const [, name, marks] = LINE.exec(line) ?? [];
    isGood &&= name !== undefined && builder.add(`${name}.mp4`, Number(marks ?? 0));
  });
  const list = isGood ? builder.list() : null;
  return list?.size === recordings ? list : null;
}

/** The lines from one place on; what has no end is no line. */
function* linesOf(text: string, start: number): Generator<string> {
  for (let from = start; from < text.length; ) {
    const end = text.indexOf("\n", from);
    yield end < 0 ? "" : text.slice(from, end);
    from = end < 0 ? text.length : end + 1;
  }
}

function* placesOf({ size }: CameraList): Generator<number> {
  for (let at = 0; at < size; at++) yield at;
}
