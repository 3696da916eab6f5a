import { MAIN_CAMERA, splitKey } from "../../server/domain/settings/camera_key.ts";
import type { WhoseCamera, WhoseProps } from "./viewer_props.ts";

/** The camera that a recording is of; null where there is one camera, or this one is gone. */
export function whoseOf(whose: WhoseProps | null | undefined, key: string): WhoseCamera | null {
  const id = splitKey(key).camera ?? MAIN_CAMERA;
  return whose?.cameras.find((camera) => camera.id === id) ?? null;
}

/** The same where clips of several are on the list, to be shown beside each. */
export function whoseInList(whose: WhoseProps | null, key: string): WhoseCamera | null {
  return whose?.only === null ? whoseOf(whose, key) : null;
}
