/** @jsxImportSource preact */
import { Icon } from "./icon.tsx";
import { Plate, type PlateCamera } from "./plate.tsx";

export interface SwitchCamera extends PlateCamera {
  readonly id: string;
  /** It cannot be opened, and has no pages: the list of cameras tells why. */
  readonly isRefused?: boolean;
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

/** More cameras than these would take half of a phone. */
const MOST_IN_SIGHT = 4;

/** Says whose page this is, and leads to that of each other camera; nothing where there is one camera. */
export function CameraLinks({ cameras, path, current, hasAll = false }: CameraLinksProps) {
  if (cameras.length < 2) return null;
  const currentOf = (id: string) => (id === current ? "page" : undefined);
  return (
    <nav class={cameras.length > MOST_IN_SIGHT ? "cam-nav cam-nav-many" : "cam-nav"} aria-label="Cameras">
      {hasAll && (
        <a class="chip" href={`${path}?camera=all`} aria-current={currentOf("all")}>
          All cameras
        </a>
      )}
      {cameras.map((camera) =>
        camera.isRefused === true ? (
          <a key={camera.id} class="chip" href="/settings?camera=all#cameras" title={`${camera.name} cannot be used`}>
            <Plate camera={camera} />
            {camera.name}
            <Icon name="s-failed" />
            <span class="sr">cannot be used</span>
          </a>
        ) : (
          <a key={camera.id} class="chip" href={`${path}?camera=${camera.id}`} aria-current={currentOf(camera.id)}>
            <Plate camera={camera} />
            {camera.name}
          </a>
        ),
      )}
    </nav>
  );
}
