import * as v from "valibot";
import { isGroupKey } from "../../domain/recordings/moment_number.ts";
import type { Log } from "../../log.ts";
import { jsonFormat, RememberedFile } from "../remembered_file.ts";

const SCHEMA = v.array(v.pipe(v.string(), v.check(isGroupKey)));

/** `given-up.json` in the config folder: keys of recordings that the camera cannot read, and that nobody waits for. */
export class GivenUpFile extends RememberedFile<v.InferOutput<typeof SCHEMA>> {
  constructor(path: string, log: Log) {
    const loss = "the page of the card waits again for recordings that were given up";
    super({ path, log, logger: "card", format: jsonFormat(SCHEMA), loss });
  }
}
