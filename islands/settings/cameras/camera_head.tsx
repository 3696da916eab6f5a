/** @jsxImportSource preact */
import { Plate } from "../../parts/plate.tsx";
import { type ListedCamera, platedAt } from "./listed_camera.ts";

interface CameraHeadProps {
  readonly camera: ListedCamera;
  /** Its place among the cameras, from 0 on. */
  readonly place: number;
}

/** Says whose settings the page has. */
export function CameraHead({ camera, place }: CameraHeadProps) {
  const { name, model, destination } = camera;
  return (
    <header class="cam-head">
      <Plate camera={platedAt(camera, place)} isLarge />
      <div>
        <p class="cam-head-name">
          Settings of <b>{name}</b> {model !== null && <span class="badge">{model}</span>}
        </p>
        <p class="small soft">
          Goes to <span class="mono">{destination}</span>
        </p>
      </div>
    </header>
  );
}
