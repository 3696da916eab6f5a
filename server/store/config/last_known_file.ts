import * as v from "valibot";
import type { RememberedFolder } from "../../domain/status/last_known.ts";
import type { Log } from "../../log.ts";
import { jsonFormat, RememberedFile } from "../remembered_file.ts";

const COUNT = v.pipe(v.number(), v.minValue(0));
const KNOWN_COUNT = v.nullable(COUNT);

const CLIP = v.looseObject({
  key: v.string(),
  mtime: v.nullable(v.number()),
  cameras: v.array(v.string()),
  paths: v.array(v.string()),
  thumb: v.nullable(v.string()),
  duration_seconds: v.nullable(v.number()),
});
const FOLDER = v.object({
  path: v.string(),
  at: COUNT,
  recordings: COUNT,
  home: KNOWN_COUNT,
  waiting: KNOWN_COUNT,
  newest: v.nullable(v.string()),
  available_bytes: KNOWN_COUNT,
  used_percent: KNOWN_COUNT,
  kept: KNOWN_COUNT,
  trash_recordings: KNOWN_COUNT,
  clips: v.array(CLIP),
});

/** Remembers what the recordings folder held when it was last there. Without the file nothing is known of it. */
export class LastKnownFile extends RememberedFile<RememberedFolder> {
  constructor(path: string, log: Log) {
    const loss = "what the recordings folder held before is not known";
    super({ path, log, logger: "destination", level: "debug", format: jsonFormat(FOLDER), loss });
  }
}
