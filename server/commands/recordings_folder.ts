import { join } from "node:path";
import * as v from "valibot";
import type { EarlyApp } from "../app.ts";
import { jsonFormat, RememberedFile } from "../store/remembered_file.ts";
import type { AppPaths } from "./paths.ts";

const LOGGER = "serve";
/** In the config folder: the recordings folder that the last start used. */
const FILE = "last-start.json";

/**
 * Tells which folder this start uses and which one later starts will. A flag holds for one process, and a person who
 * forgets it would look for the recordings in the other folder.
 */
export async function tellFolder({ log, boot }: Pick<EarlyApp, "log" | "boot">, paths: AppPaths): Promise<void> {
  const file = new RememberedFile({
    path: join(paths.configDir, FILE),
    log,
    logger: LOGGER,
    format: jsonFormat(v.object({ destination: v.string() })),
    loss: "the folder that the last start used is not known",
  });
  const last = (await file.read())?.destination ?? null;
  const set = boot.system.destination;
  const used = paths.destination ?? set;
  if (paths.destination !== undefined)
    log.info(LOGGER, `Recordings go to ${used}. A start without --destination uses ${set}.`);
  else if (last !== null && last !== used)
    log.warning(
      LOGGER,
      `Recordings go to ${used}, as the settings say. The last start used ${last}; --destination ${last} uses it again.`,
    );
  if (last !== used) await file.write({ destination: used });
}
