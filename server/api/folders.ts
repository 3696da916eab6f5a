import { dirname, resolve } from "node:path";
import * as v from "valibot";
import { orNull } from "../domain/answers/answer_fields.ts";
import { AppError } from "../domain/answers/errors.ts";
import { FOLDERS } from "../domain/settings/folders_schema.ts";
import { wholePathProblem } from "../domain/settings/whole_path.ts";
import { roomOfNewFolder } from "../engine/transfer/disk_space.ts";
import { noProblem, refusedAs } from "../http/request/read_request.ts";
import { foldersIn } from "../store/destination/folder_choice.ts";
import { endpoint } from "./endpoint.ts";

const PATH = v.pipe(
  v.string(),
  noProblem((path) => (path === "" ? null : wholePathProblem(path))),
);

export const folders = endpoint({
  summary: "The folders that recordings might go to, one level at a time",
  description:
    "Only folders that the service may read. Links and hidden folders are left out, as are those of the system.",
  query: v.pipe(
    v.object({ path: orNull(PATH, "A whole path; the one above the recordings folder when left out") }),
    refusedAs("VALIDATION_ERROR"),
  ),
  shape: FOLDERS,
  returns: "Also when there is none in it",
  errors: ["NOT_FOUND"],
  async answer({ query }, { recordings }) {
    const path = resolve(query.path || dirname(recordings.root));
    const found = await foldersIn(path).catch(() => {
      throw new AppError("NOT_FOUND", "This folder is not there, or Dashdock may not read it.");
    });
    const room = await roomOfNewFolder(path);
    return {
      path,
      parent: path === "/" ? null : dirname(path),
      free_bytes: room?.free_bytes ?? null,
      folders: found.folders.map(({ name, path: below, canBeUsed, isEmpty }) => ({
        name,
        path: below,
        in_use: below === recordings.root,
        can_be_used: canBeUsed,
        is_empty: isEmpty,
      })),
      is_cut: found.isCut,
    };
  },
});
