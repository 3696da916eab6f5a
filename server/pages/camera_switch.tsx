/** @jsxImportSource preact */
import { CameraLinks } from "../../islands/parts/camera_switch.tsx";
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
  const cameras = app.cameras.all.map(({ camera }, place) => ({ ...camera, place }));
  return <CameraLinks cameras={cameras} path={path} current={isAll ? ALL_CAMERAS : app.camera.id} hasAll={hasAll} />;
}
