import * as v from "valibot";
import type { Log } from "../../log.ts";
import { jsonFormat, RememberedFile } from "../remembered_file.ts";

const SCHEMA = v.object({ address: v.string(), camera: v.picklist(["here", "away"]) });

/** Remembers whether the camera was here, for the next start. Without the file nothing is known of it. */
export class PresenceFile extends RememberedFile<v.InferOutput<typeof SCHEMA>> {
  constructor(path: string, log: Log) {
    const loss = "the camera counts as away until it is seen";
    super({ path, log, logger: "arrival", level: "debug", format: jsonFormat(SCHEMA), loss });
  }
}
