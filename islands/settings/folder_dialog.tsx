/** @jsxImportSource preact */
import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { FoldersAnswer } from "../../server/domain/settings/folders_schema.ts";
import { formatBytes } from "../../server/domain/text/format.ts";
import { send, sentenceOfError } from "../browser/client.ts";
import { Dialog, useOpenDialog } from "../parts/dialog.tsx";
import { Icon } from "../parts/icon.tsx";
import { FieldProblem } from "../parts/note.tsx";
import type { Folder, FolderUse } from "./folder_use.ts";

interface FolderDialogProps {
  /** The folder that is shown first; null for the one that holds the recordings folder. */
  readonly first: string | null;
  readonly use: FolderUse;
  readonly take: (path: string) => void;
  readonly onClosed: () => void;
}

/** Chooses a folder, one level at a time. */
export function FolderDialog({ first, use, take, onClosed }: FolderDialogProps) {
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
    void open(first ?? "").then(() => (shown.value === null && use.top === undefined ? open("") : undefined));
  }, []);
  const here = shown.value;
  const taken = chosen.value ?? (use.top === undefined ? null : (here?.path ?? null));
  return (
    <Dialog name="folders" title={use.title} dialogRef={dialogRef}>
      <p>Only folders that Dashdock may see are listed.</p>
      {here && (
        <p class="codeline">
          <code>{here.path}</code>
          {here.parent !== null && here.path !== use.top && (
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
        {here?.folders.map((folder) => (
          <FolderRow key={folder.path} folder={folder} {...use.about(folder)} chosen={chosen} open={open} />
        ))}
      </ul>
      {here?.folders.length === 0 && <p class="soft">This folder has no folders that Dashdock may see.</p>}
      {here?.is_cut && <p class="soft">There are more folders. Type the path instead.</p>}
      {use.top === undefined && here?.free_bytes != null && (
        <p class="small soft">{formatBytes(here.free_bytes)} free on this disk.</p>
      )}
      <div class="row">
        <button class="b" type="submit" value="no" autofocus>
          Cancel
        </button>
        <button
          class="b b-primary"
          type="submit"
          value="yes"
          disabled={taken === null}
          onClick={() => {
            if (taken !== null) take(taken);
          }}
        >
          {use.take}
        </button>
      </div>
    </Dialog>
  );
}

interface FolderRowProps {
  readonly folder: Folder;
  readonly isOff: boolean;
  readonly says: string;
  readonly chosen: Signal<string | null>;
  readonly open: (path: string) => Promise<void>;
}

function FolderRow({ folder: { name, path }, isOff, says, chosen, open }: FolderRowProps) {
  return (
    <li>
      <label class={isOff ? "fo is-off" : "fo"}>
        <input
          type="radio"
          name="folder"
          disabled={isOff}
          checked={chosen.value === path}
          onChange={() => {
            chosen.value = path;
          }}
        />
        <Icon name="i-folder" />
        <span>
          <b>{name}</b>
          <span class="small soft">{says}</span>
        </span>
      </label>
      <button class="b b-icon" type="button" aria-label={`Open ${name}`} title="Open" onClick={() => void open(path)}>
        <Icon name="i-right" />
      </button>
    </li>
  );
}
