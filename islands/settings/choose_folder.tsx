/** @jsxImportSource preact */
import { render } from "preact";
import type { FolderUse } from "./folder_use.ts";

interface Choosing {
  readonly first: string | null;
  readonly use: FolderUse;
  readonly take: (path: string) => void;
  readonly onClosed: () => void;
}

/** Opens the dialog with the folders of the machine. */
export async function showFolders({ onClosed, ...choosing }: Choosing): Promise<void> {
  const { FolderDialog } = await import("./folder_dialog.tsx");
  const place = document.createElement("div");
  // Outside the settings form: a form has no form in it.
  document.body.append(place);
  const close = () => {
    render(null, place);
    place.remove();
    onClosed();
  };
  render(<FolderDialog {...choosing} onClosed={close} />, place);
}
