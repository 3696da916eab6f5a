import { dirname, resolve } from "node:path";
import { deviceAbove } from "../path_facts.ts";

/**
 * The folder in which further cameras get theirs where none is given: the one that holds that of the first camera. Where
 * that is a disk or a volume of its own, what lies beside it is on another one, in a container one that is thrown away:
 * then they lie below.
 * @param first the folder of the first camera
 */
export async function folderForCameras(first: string): Promise<string> {
  const above = dirname(resolve(first));
  return (await deviceAbove(above)) === (await deviceAbove(first)) ? above : first;
}
