/** @jsxImportSource preact */
import { Plate, type PlateCamera } from "./plate.tsx";

export interface SwitchCamera extends PlateCamera {
  readonly id: string;
}

export interface CameraLinksProps {
  readonly cameras: readonly SwitchCamera[];
  /** The page, which is shown for each camera. */
  readonly path: string;
  /** The id of the camera that the page is about, or `all`. */
  readonly current: string;
  /** The page has a form for all cameras together. */
  readonly hasAll?: boolean;
}

/** Says whose page this is, and leads to that of each other camera; nothing where there is one camera. */
export function CameraLinks({ cameras, path, current, hasAll = false }: CameraLinksProps) {
  if (cameras.length < 2) return null;
  const currentOf = (id: string) => (id === current ? "page" : undefined);
  return (
    <nav class="cam-nav" aria-label="Cameras">
      {hasAll && (
        <a class="chip" href={`${path}?camera=all`} aria-current={currentOf("all")}>
          All cameras
        </a>
      )}
      {cameras.map((camera) => (
        <a key={camera.id} class="chip" href={`${path}?camera=${camera.id}`} aria-current={currentOf(camera.id)}>
          <Plate camera={camera} />
          {camera.name}
        </a>
      ))}
    </nav>
  );
}
