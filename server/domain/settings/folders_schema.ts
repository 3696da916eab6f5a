import * as v from "valibot";

const FOLDER = v.object({
  name: v.string(),
  path: v.string(),
  in_use: v.pipe(v.boolean(), v.description("Recordings go here now")),
  can_be_used: v.pipe(v.boolean(), v.description("The service can write here, and it is no folder of the system")),
  is_empty: v.boolean(),
});

export const FOLDERS = v.object({
  path: v.pipe(v.string(), v.description("The folder that was asked for")),
  parent: v.pipe(v.nullable(v.string()), v.description("Null for the uppermost")),
  free_bytes: v.pipe(v.nullable(v.number()), v.description("On its disk; null while that cannot be read")),
  folders: v.pipe(v.array(FOLDER), v.description("Those in it that the service may see, by name")),
  is_cut: v.pipe(v.boolean(), v.description("There are more than are listed")),
});

/** The folders that a destination can be chosen from. */
export type FoldersAnswer = v.InferOutput<typeof FOLDERS>;
