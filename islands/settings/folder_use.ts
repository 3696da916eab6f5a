import type { FoldersAnswer } from "../../server/domain/settings/folders_schema.ts";

export type Folder = FoldersAnswer["folders"][number];

/** Purpose of a chosen folder. */
export interface FolderUse {
  readonly title: string;
  /** The words of the button. */
  readonly take: string;
  /** Tells whether a folder can be chosen, and what there is to say of it. */
  readonly about: (folder: Folder) => { readonly isOff: boolean; readonly says: string };
  /** The folder that is shown can be chosen, too; the dialog does not lead out of this one. */
  readonly top?: string;
}

/** Says what is in a folder, unless there is more to say. */
export function contentsOf({ is_empty: isEmpty }: Folder): string {
  return isEmpty ? "Empty" : "Holds files";
}

/** Words about the folder of the recordings, from which nothing is imported. */
export const HOME = { isOff: true, says: "The recordings are here" } as const;
