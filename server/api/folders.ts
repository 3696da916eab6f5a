import { dirname, resolve } from "node:path";
import * as v from "valibot";
import { AppError } from "../domain/answers/errors.ts";
import { FOLDERS } from "../domain/settings/folders_schema.ts";
import { wholePathProblem } from "../domain/settings/whole_path.ts";
import { roomOfNewFolder } from "../engine/transfer/disk_space.ts";
import { foldersIn } from "../store/destination/folder_choice.ts";
import { endpoint } from "./endpoint.ts";

export const folders = endpoint({
  summary: "The folders that recordings might go to, one level at a time",
  description:
    "Only folders that the service may read. Links and hidden folders are left out, as are those of the system.",
  parameters: {
    path: {
      in: "query",
      description: "A whole path; the one above the recordings folder when left out",
      schema: v.string(),
    },
  },
  shape: FOLDERS,
  returns: "Also when there is none in it",
  errors: ["NOT_FOUND", "VALIDATION_ERROR"],
  async answer({ url }, { recordings }) {
    const asked = url.searchParams.get("path") || dirname(recordings.root);
    const problem = wholePathProblem(asked);
    if (problem !== null)
      throw new AppError("VALIDATION_ERROR", problem, { field_errors: [{ path: "path", message: problem }] });
    const path = resolve(asked);
    const found = await foldersIn(path).catch(() => {
      throw new AppError("NOT_FOUND", "This folder is not there, or Dashdock may not read it.");
    });
    const room = await roomOfNewFolder(path);
    return {
      path,
      parent: path === "/" ? null : dirname(path),
      free_bytes: room?.free_bytes ?? null,
      folders: found.folders.map(({ name, path: below, canBeUsed, isEmpty }) => ({
        ...{ name, path: below, in_use: below === recordings.root },
        ...{ can_be_used: canBeUsed, is_empty: isEmpty },
      })),
      is_cut: found.isCut,
    };
  },
});
