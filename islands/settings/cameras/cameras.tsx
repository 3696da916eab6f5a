/** @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { refreshWhileVisible } from "../../browser/refresh_while_visible.ts";
import type { PartProps } from "../later_place.tsx";
import { AddCamera } from "./add_camera.tsx";
import { CameraRow } from "./camera_row.tsx";
import { readCameras } from "./change_cameras.ts";
import { OtherCamera } from "./other_camera.tsx";
import { RenameDialog } from "./rename_dialog.tsx";
import { TakeAwayDialog } from "./take_away_dialog.tsx";

/** Time between two looks at the cameras. */
const EVERY_MS = 10_000;

/** All cameras where there are several, and the way to add one. */
export function Cameras({ shared, drawn }: PartProps) {
  const { cameras } = shared;
  const open = useSignal<{ readonly kind: "rename" | "away"; readonly id: string } | null>(null);
  const place = useRef<HTMLDivElement>(null);
  const list = cameras.value;
  const isSeveral = list.length > 1;
  useEffect(() => {
    if (!isSeveral) return;
    const ask = (signal: AbortSignal) => readCameras(shared, signal);
    return refreshWhileVisible({ page: document, everyMs: EVERY_MS, onReturn: true, ask }).stop;
  }, [isSeveral]);
  if (!isSeveral)
    return (
      <>
        {list[0]?.state === "other_camera" && <OtherCamera shared={shared} camera={list[0]} isHere />}
        <AddCamera shared={shared} drawn={drawn} />
      </>
    );
  const { kind, id } = open.value ?? {};
  const at = list.findIndex((one) => one.id === id);
  const camera = list[at];
  const close = () => {
    const opener = place.current?.querySelector<HTMLElement>(`[data-camera="${id}"] [data-action=${kind}]`);
    open.value = null;
    (opener ?? place.current?.querySelector<HTMLElement>("summary"))?.focus();
  };
  return (
    <div ref={place}>
      <h2 id="cameras-title">Cameras</h2>
      <p>Each camera has its own folder, schedule and rules. They sync side by side.</p>
      <ul class="cams">
        {list.map((one, index) => (
          <CameraRow
            key={one.id}
            shared={shared}
            camera={one}
            place={index}
            rename={() => {
              open.value = { kind: "rename", id: one.id };
            }}
            takeAway={() => {
              open.value = { kind: "away", id: one.id };
            }}
          />
        ))}
      </ul>
      <AddCamera shared={shared} drawn={drawn} />
      {camera && kind === "rename" && <RenameDialog shared={shared} camera={camera} place={at} onClosed={close} />}
      {camera && kind === "away" && <TakeAwayDialog shared={shared} camera={camera} onClosed={close} />}
    </div>
  );
}
