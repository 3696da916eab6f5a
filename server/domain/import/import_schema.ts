import * as v from "valibot";
import { orNull, text, whole } from "../answers/answer_fields.ts";
import { SNAPSHOT } from "../sync/job_schema.ts";
import { LEFT_CAUSES } from "./left_out.ts";

const STEPS = ["waiting", "looking", "copying", "comparing"] as const;
export type ImportStep = (typeof STEPS)[number];

/** The state of the import of a folder; that of the last one stays until the next. */
export const IMPORT = v.object({
  ...SNAPSHOT.entries,
  path: orNull(
    v.string(),
    "The folder, below `system.import_folder`; empty for that itself, null before the first import",
  ),
  step: orNull(
    v.picklist(STEPS),
    "`waiting` for a sync to end, `looking` through the folder, `copying`, `comparing` with what is at home; null at rest",
  ),
  recordings_imported: whole("Recordings whose video came home"),
  files_imported: whole("Files of all kinds that came home"),
  files_present: whole("Files that are the same at home"),
  files_to_compare: whole("Files of which one of their name was at home before"),
  files_compared: whole("Of them those that were compared"),
  left: v.pipe(
    v.array(
      v.object({
        cause: v.picklist(LEFT_CAUSES),
        sentence: text("The same for a reader"),
        files: whole("How many"),
        first: v.pipe(v.array(v.string()), v.description("The first of them, by their paths below the folder")),
      }),
    ),
    v.description("What was left where it is, and why"),
  ),
});

export type ImportState = v.InferOutput<typeof IMPORT>;

export const IMPORT_STARTED = v.object({ job_id: v.string() });
export const IMPORT_STOPPING = v.object({ job_id: v.string(), stopping: v.literal(true) });
