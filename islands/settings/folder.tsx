/** @jsxImportSource preact */
import { Icon } from "../parts/icon.tsx";
import { showFolders } from "./choose_folder.tsx";
import { contentsOf, type FolderUse, HOME } from "./folder_use.ts";
import type { PartProps } from "./later_place.tsx";
import { focusControl } from "./typing.ts";

/** A button beside the setting of a folder: choosing one out of those that are there. It is saved with the form. */
export function FolderChoice({ shared: { at, change }, path }: PartProps) {
  const isForCards = path === "system.import_folder";
  const entry = at("system", isForCards ? "import_folder" : "destination");
  const choose = async () => {
    const now = entry.draft.value.trim();
    await showFolders({
      // Beside the folder that is set.
      first: now === "" ? null : now.replace(/\/+[^/]*\/*$/, "") || "/",
      use: isForCards ? FOR_CARDS : FOR_RECORDINGS,
      take: (chosen) => change(entry, chosen),
      onClosed: () => focusControl(entry.id),
    });
  };
  return (
    <button
      class="b"
      type="button"
      data-action={isForCards ? "choose-card-folder" : "choose-folder"}
      aria-haspopup="dialog"
      onClick={() => void choose()}
    >
      <Icon name="i-folder" />
      Choose…
    </button>
  );
}

const USUAL = { title: "Choose a folder", take: "Use this folder" } as const;

const FOR_RECORDINGS: FolderUse = {
  ...USUAL,
  about(folder) {
    const { in_use: inUse, can_be_used: isFree } = folder;
    if (inUse) return { isOff: !isFree, says: "In use" };
    return isFree
      ? { isOff: false, says: contentsOf(folder) }
      : { isOff: true, says: "Cannot be used: Dashdock may not write here" };
  },
};

const FOR_CARDS: FolderUse = {
  ...USUAL,
  about: (folder) => (folder.in_use ? HOME : { isOff: false, says: contentsOf(folder) }),
};
