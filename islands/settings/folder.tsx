/** @jsxImportSource preact */
import { render } from "preact";
import { Icon } from "../parts/icon.tsx";
import type { PartProps } from "./later_place.tsx";
import { focusControl } from "./typing.ts";

/** A button beside the recordings folder: choosing one out of those that are there. */
export function FolderChoice({ shared: { at, change } }: PartProps) {
  const entry = at("system", "destination");
  const choose = async () => {
    const { FolderDialog } = await import("./folder_dialog.tsx");
    const place = document.createElement("div");
    // Outside the settings form: a form has no form in it.
    document.body.append(place);
    const close = () => {
      render(null, place);
      place.remove();
      focusControl(entry.id);
    };
    const take = (path: string) => change(entry, path);
    render(<FolderDialog now={entry.draft.value.trim()} take={take} onClosed={close} />, place);
  };
  return (
    <button class="b" type="button" data-action="choose-folder" aria-haspopup="dialog" onClick={() => void choose()}>
      <Icon name="i-folder" />
      Choose…
    </button>
  );
}
