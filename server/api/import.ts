import { dirname } from "node:path";
import * as v from "valibot";
import type { App } from "../app.ts";
import { AppError } from "../domain/answers/errors.ts";
import { IMPORT, IMPORT_STARTED, IMPORT_STOPPING } from "../domain/import/import_schema.ts";
import { findImportFolder } from "../store/card/import_folder.ts";
import { endpoint } from "./endpoint.ts";

const OFF = "No folder to import from is set. Set it in the settings under system.import_folder.";
const NOT_BELOW = "There is no such folder in the folder for cards.";
const AT_HOME = "This folder holds recordings at home, or the settings.";

export const importProgress = endpoint({
  summary: "The import that runs, or the last one since the start",
  shape: IMPORT,
  returns: "The state",
  answer: async (_asked, { imports }: Pick<App, "imports">) => (await imports()).state,
});

export const importNow = endpoint({
  summary: "Imports the recordings of a folder in `system.import_folder`",
  description:
    "The same rules hold as from the camera. Nothing is written over, nothing in the folder is changed, and links are not followed. Beside a sync it waits, and it lets one go first that begins meanwhile.",
  body: v.message(
    v.object({
      path: v.pipe(v.string(), v.description("A whole path, or one below the folder; empty for the folder itself")),
    }),
    "path must be the path of a folder",
  ),
  status: 202,
  shape: IMPORT_STARTED,
  returns: "It begins",
  errors: ["IMPORT_OFF", "IMPORT_RUNNING", "NOT_BELOW_IMPORT_FOLDER"],
  async answer({ body: { path } }, { settings, imports, cameras }: Pick<App, "settings" | "imports" | "cameras">) {
    const { import_folder: source } = settings.current.system;
    if (!source) throw new AppError("IMPORT_OFF", OFF);
    const homes = cameras.all.map(({ recordings }) => recordings.root);
    const found = await findImportFolder(source, path, [...homes, dirname(settings.path)]);
    // Files that lie elsewhere are not told.
    if (found === "none") throw new AppError("NOT_BELOW_IMPORT_FOLDER", NOT_BELOW);
    if (found === "closed") throw new AppError("NOT_BELOW_IMPORT_FOLDER", AT_HOME);
    return { job_id: (await imports()).start({ ...found, homes }) };
  },
});

export const importStop = endpoint({
  summary: "Stops the import at once, keeping what is here",
  status: 202,
  shape: IMPORT_STOPPING,
  returns: "It ends",
  errors: ["IMPORT_NOT_RUNNING"],
  answer: async (_asked, { imports }: Pick<App, "imports">) =>
    ({ job_id: (await imports()).stop(), stopping: true }) as const,
});
