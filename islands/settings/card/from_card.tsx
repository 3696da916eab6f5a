/** @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { ImportState } from "../../../server/domain/import/import_schema.ts";
import { send, sentenceOfError } from "../../browser/client.ts";
import { type Refresher, refreshWhileVisible } from "../../browser/refresh_while_visible.ts";
import { Icon } from "../../parts/icon.tsx";
import { FieldProblem } from "../../parts/note.tsx";
import { usable } from "../cameras/listed_camera.ts";
import { showFolders } from "../choose_folder.tsx";
import { contentsOf, type FolderUse, HOME } from "../folder_use.ts";
import type { PartProps } from "../later_place.tsx";
import { ImportPanel } from "./import_panel.tsx";

/** Time between two looks at an import that runs. */
const EVERY_MS = 1000;

/** Imports from a folder in the one that is set, and shows how far that is and what was left. */
export function FromCard({ shared, drawn }: PartProps) {
  const folder = shared.at("system", "import_folder").saved.value;
  const state = useSignal(drawn.imported);
  /** The camera that recordings are imported for. */
  const camera = useSignal(drawn.importedFor);
  const cameras = usable(shared.cameras.value);
  /** The address as it is of that camera; with one camera none is named. */
  const at = (path: "/api/import" | "/api/import/stop") =>
    usable(shared.cameras.value).length < 2 ? path : (`${path}?camera=${camera.value}` as const);
  const trouble = useSignal<string | null>(null);
  const isAsking = useSignal(false);
  const refresher = useRef<Refresher | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const isRunning = state.value.state === "running";
  /** The next question is planned before an answer is shown: a start must have been noted by then. */
  const isFollowed = useRef(isRunning);
  useEffect(() => {
    const mine = refreshWhileVisible<ImportState>({
      page: document,
      everyMs: () => (isFollowed.current ? EVERY_MS : null),
      onReturn: true,
      ask: (signal) => send<ImportState>(`GET ${at("/api/import")}`, undefined, signal),
      show(now) {
        state.value = now;
        isFollowed.current = now.state === "running";
      },
    });
    refresher.current = mine;
    return () => mine.stop();
  }, []);
  const act = async (path: "/api/import" | "/api/import/stop", body?: unknown) => {
    isAsking.value = true;
    isFollowed.current = true;
    trouble.value = null;
    try {
      await send(`POST ${at(path)}`, body);
    } catch (error) {
      trouble.value = sentenceOfError(error);
    }
    await refresher.current?.refresh();
    isAsking.value = false;
  };
  const choose = () =>
    showFolders({
      first: folder,
      use: { ...USE, top: folder },
      take: (path) => void act("/api/import", { path }),
      onClosed: () => button.current?.focus(),
    }).catch((error) => {
      trouble.value = sentenceOfError(error);
    });
  return (
    <>
      {folder === "" ? (
        <p class="says">
          Set the folder where cards are mounted, such as /media. Then recordings can be imported from it.
        </p>
      ) : (
        <>
          {cameras.length > 1 && (
            <div class="imp-for">
              <label for="import-camera-choice">Belongs to</label>
              <select
                class="in in-narrow"
                id="import-camera-choice"
                autocomplete="off"
                aria-describedby="import-camera-says"
                value={camera.value}
                onChange={({ currentTarget: { value } }) => {
                  camera.value = value;
                  trouble.value = null;
                  void refresher.current?.refresh();
                }}
              >
                {cameras.map(({ id, name }) => (
                  <option key={id} value={id} selected={id === camera.value}>
                    {name}
                  </option>
                ))}
              </select>
              <p class="says" id="import-camera-says">
                The rules of this camera decide what is taken.
              </p>
            </div>
          )}
          <div class="row imp-do">
            <button
              class="b"
              type="button"
              data-action="import"
              aria-haspopup="dialog"
              disabled={isRunning}
              ref={button}
              onClick={() => void choose()}
            >
              <Icon name="i-folder" />
              Import…
            </button>
            <p class="small soft">Copied, never moved, never written over.</p>
          </div>
        </>
      )}
      {trouble.value !== null && <FieldProblem id="import-problem" text={trouble.value} />}
      {state.value.path !== null && (
        <ImportPanel state={state.value} isStopping={isAsking.value} stop={() => void act("/api/import/stop")} />
      )}
    </>
  );
}

const USE: Omit<FolderUse, "top"> = {
  title: "Import from a folder",
  take: "Import this folder",
  about: (folder) => (folder.in_use ? HOME : { isOff: false, says: contentsOf(folder) }),
};
