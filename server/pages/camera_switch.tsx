/** @jsxImportSource preact */
import { Plate } from "../../islands/parts/plate.tsx";
import type { App } from "../app.ts";
import { ALL_CAMERAS } from "../domain/settings/camera_key.ts";

interface CameraSwitchProps {
  readonly app: App;
  /** The page, which is shown for each camera. */
  readonly path: string;
  /** The page has a form for all cameras together. */
  readonly hasAll?: boolean;
  /** That form is on show. */
  readonly isAll?: boolean;
}

/** Says whose page this is, and leads to that of each other camera; nothing where there is one camera. */
export function CameraSwitch({ app, path, hasAll = false, isAll = false }: CameraSwitchProps) {
  const { all } = app.cameras;
  if (all.length < 2) return null;
  return (
    <nav class="cam-nav" aria-label="Cameras">
      {hasAll && (
        <a class="chip" href={`${path}?camera=${ALL_CAMERAS}`} aria-current={isAll ? "page" : undefined}>
          All cameras
        </a>
      )}
      {all.map(({ camera }, place) => (
        <a
          key={camera.id}
          class="chip"
          href={`${path}?camera=${camera.id}`}
          aria-current={!isAll && camera.id === app.camera.id ? "page" : undefined}
        >
          <Plate camera={{ ...camera, place }} />
          {camera.name}
        </a>
      ))}
    </nav>
  );
}
