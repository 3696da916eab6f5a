/** The id of the first camera, whose sections are those at the top of the settings file. */
export const MAIN_CAMERA = "main";

/** Stands for all cameras in `?camera=`; no camera has it as its id. */
export const ALL_CAMERAS = "all";

/** Stands between a camera's id and the key of its recording. */
const MARK = "~";

const ID = /^[a-z0-9][a-z0-9-]{0,30}$/;

/** True for text that can be the id of a camera. */
export function isCameraId(text: unknown): text is string {
  return typeof text === "string" && text !== ALL_CAMERAS && ID.test(text);
}

/** Splits a key `<id>~<key>` of any camera; `camera` is null for a bare key, which is one of the first camera. */
export function splitKey(key: string): { readonly camera: string | null; readonly bare: string } {
  const at = key.indexOf(MARK);
  return at < 0 ? { camera: null, bare: key } : { camera: key.slice(0, at), bare: key.slice(at + 1) };
}

/** A key as answers have it: those of the first camera are bare. */
export function keyIn(camera: string, bare: string): string {
  return camera === MAIN_CAMERA ? bare : `${camera}${MARK}${bare}`;
}

/** The address of a file or a page of one recording, with the camera in it. */
export function addressIn(camera: string, address: string): string {
  if (camera === MAIN_CAMERA) return address;
  if (address.startsWith("/media/")) return `/media/${MARK}${camera}/${address.slice("/media/".length)}`;
  return address.replace(/[0-9]{8}_[0-9]{6}_[A-Z]/g, (key) => keyIn(camera, key));
}

/** True when two keys are of recordings of one camera. */
export function isOfOneCamera(one: string, other: string): boolean {
  return splitKey(one).camera === splitKey(other).camera;
}

/** Sorts keys of several cameras by time; at the same time that of the first camera comes first. */
export function inTime(one: string, other: string): number {
  const [here, there] = [splitKey(one), splitKey(other)];
  if (here.bare !== there.bare) return here.bare < there.bare ? -1 : 1;
  if (here.camera === there.camera) return 0;
  // An id may begin with a digit, as a bare key does.
  return (here.camera ?? "") < (there.camera ?? "") ? -1 : 1;
}

/** Sorts keys by their camera, in the order in which each camera came first. */
export function keysByCamera(keys: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const key of keys) {
    const { camera, bare } = splitKey(key);
    const id = camera ?? MAIN_CAMERA;
    const list = found.get(id) ?? [];
    list.push(bare);
    found.set(id, list);
  }
  return found;
}
