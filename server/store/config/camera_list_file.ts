import * as v from "valibot";
import { type CameraList, CameraListBuilder, MOST_LISTED } from "../../domain/sync/camera_list.ts";
import type { Log } from "../../log.ts";
import { eachInSlices, linesInSlices } from "../../turns.ts";
import { CAMERA_LIST_VERSION } from "../file_versions.ts";
import { RememberedFile } from "../remembered_file.ts";

/** More than the longest list takes. */
const MOST_BYTES = 8 * 1024 * 1024;

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
/** Every line but the first: `20260607_101500_NF`, and after it what the camera lacks of it, see `MARK_BITS`. */
const LINE = /^([0-9]{8}_[0-9]{6}_[A-Z]{2}[LS]?(?:\.[1-9][0-9]?)?)(?: ([1-9][0-9]?))?$/;

/**
 * `camera-list.txt` in the config folder: what the camera listed last, a line for each recording. Without the file nothing
 * is known of the camera until the next run.
 */
export class CameraListFile extends RememberedFile<CameraList> {
  constructor(path: string, log: Log) {
    super({
      path,
      log,
      logger: "camera-list",
      mostBytes: MOST_BYTES,
      format: { parse: listOf, format: textOf },
      loss: "the next sync writes it anew",
      unwritten: "after a restart it is not known what is on the camera until the next sync",
    });
  }
}

async function textOf(list: CameraList): Promise<string> {
  const { owner, unknown, size: recordings } = list;
  const head = JSON.stringify({ version: CAMERA_LIST_VERSION, ...owner, recordings, unknown });
  const lines = await linesInSlices(placesOf(list), (at) => {
    const name = list.nameAt(at).slice(0, -".mp4".length);
    return list.marksAt(at) === 0 ? name : `${name} ${list.marksAt(at)}`;
  });
  return `${head}\n${lines}`;
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
