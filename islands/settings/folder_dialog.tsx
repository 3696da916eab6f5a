/** @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { FoldersAnswer } from "../../server/domain/settings/folders_schema.ts";
import { formatBytes } from "../../server/domain/text/format.ts";
import { send, sentenceOfError } from "../browser/client.ts";
import { Dialog, useOpenDialog } from "../parts/dialog.tsx";
import { Icon } from "../parts/icon.tsx";
import { FieldProblem } from "../parts/note.tsx";

interface FolderDialogProps {
  /** The folder that is set. */
  readonly now: string;
  readonly take: (path: string) => void;
  readonly onClosed: () => void;
}

/** Chooses a folder for the recordings, one level at a time; it is saved with the form. */
export function FolderDialog({ now, take, onClosed }: FolderDialogProps) {
  const dialogRef = useOpenDialog(onClosed);
  const shown = useSignal<FoldersAnswer | null>(null);
  const problem = useSignal<string | null>(null);
  const chosen = useSignal<string | null>(null);
  const open = async (path: string) => {
    problem.value = null;
    try {
      shown.value = await send<FoldersAnswer>(`GET /api/folders?path=${encodeURIComponent(path)}`);
      chosen.value = null;
    } catch (error) {
      problem.value = sentenceOfError(error);
    }
  };
  useEffect(() => {
    // Beside the folder that is set; where that is not there, beside the one in use.
    const above = now.replace(/\/+[^/]*\/*$/, "") || "/";
    void open(above).then(() => (shown.value === null ? open("") : undefined));
  }, []);
  const here = shown.value;
  return (
    <Dialog name="folders" title="Choose a folder" dialogRef={dialogRef}>
      <p>Only folders that Dashdock may see are listed.</p>
      {here && (
        <p class="codeline">
          <code>{here.path}</code>
          {here.parent !== null && (
            <button
              class="b b-icon"
              type="button"
              aria-label="Up to the folder above"
              title="Up"
              onClick={() => void open(here.parent ?? "/")}
            >
              <Icon name="i-left" />
            </button>
          )}
        </p>
      )}
      {problem.value !== null && <FieldProblem id="folders-problem" text={problem.value} />}
      <ul class="folders" aria-busy={here === null || undefined}>
        {here?.folders.map(({ name, path, in_use: inUse, can_be_used: isFree, is_empty: isEmpty }) => (
          <li key={path}>
            <label class={isFree ? "fo" : "fo is-off"}>
              <input
                type="radio"
                name="folder"
                disabled={!isFree}
                checked={chosen.value === path}
                onChange={() => {
                  chosen.value = path;
                }}
              />
              <Icon name="i-folder" />
              <span>
                <b>{name}</b>
                <span class="small soft">{aboutFolder(inUse, isFree, isEmpty)}</span>
              </span>
            </label>
            <button
              class="b b-icon"
              type="button"
              aria-label={`Open ${name}`}
              title="Open"
              onClick={() => void open(path)}
            >
              <Icon name="i-right" />
            </button>
          </li>
        ))}
      </ul>
      {here?.folders.length === 0 && <p class="soft">This folder has no folders that Dashdock may see.</p>}
      {here?.is_cut && <p class="soft">There are more folders. Type the path instead.</p>}
      {here?.free_bytes != null && <p class="small soft">{formatBytes(here.free_bytes)} free on this disk.</p>}
      <div class="row">
        <button class="b" type="submit" value="no" autofocus>
          Cancel
        </button>
        <button
          class="b b-primary"
          type="submit"
          value="yes"
          disabled={chosen.value === null}
          onClick={() => {
            if (chosen.value !== null) take(chosen.value);
          }}
        >
          Use this folder
        </button>
      </div>
    </Dialog>
  );
}

function aboutFolder(inUse: boolean, isFree: boolean, isEmpty: boolean): string {
  if (inUse) return "In use";
  if (!isFree) return "Cannot be used: Dashdock may not write here";
  return isEmpty ? "Empty" : "Holds files";
}
