import { isAcceptable } from "../../domain/status/destination_state.ts";
import { type CameraList, isSameOwner, type ListOwner } from "../../domain/sync/camera_list.ts";
import type { CameraListFile } from "../../store/config/camera_list_file.ts";
import type { DestinationIdentity } from "../../store/destination/destination_identity.ts";
import type { Library } from "../../store/library/library.ts";

export interface LatestListParts {
  readonly file: CameraListFile;
  readonly library: Library;
  readonly destination: Pick<DestinationIdentity, "standing">;
  /** Address of the camera in the settings. */
  readonly address: () => string;
}

/** The list that a camera sent last and that is to be believed, over restarts. */
export class LatestList {
  readonly #parts: LatestListParts;
  #list: CameraList | null = null;
  #isSaved = true;

  constructor(parts: LatestListParts) {
    this.#parts = parts;
  }

  /** The list of any camera and destination; null before the first. */
  get list(): CameraList | null {
    return this.#list;
  }

  /** The list of the camera and the destination in use; null while it is unknown what is at home. */
  get current(): CameraList | null {
    const { library, destination, address } = this.#parts;
    // Before the first sync there is no folder, and nothing at home.
    const isHomeKnown = library.available || library.rootProblem?.code === "ENOENT";
    return isHomeKnown && !isAcceptable(destination.standing) ? this.listOf(address()) : null;
  }

  /** Returns the list of the camera at this address, for the folder in use; null when there is none. */
  listOf(address: string): CameraList | null {
    return this.#list !== null && isSameOwner(this.#list.owner, this.ownerOf(address)) ? this.#list : null;
  }

  /** Whose a list of the camera at this address is. */
  ownerOf(address: string): ListOwner {
    return { address, destination: this.#parts.library.root };
  }

  /**
   * True when the camera lists a recording of this moment; null while there is no list, or none that proves anything.
   */
  lists(moment: number): boolean | null {
    const list = this.current;
    if (list === null || list.size === 0) return null;
    const [from, to] = list.rangeOf(moment);
    return to > from;
  }

  /** Takes a list, or the same one with other marks. */
  take(list: CameraList): void {
    this.#list = list;
    this.#isSaved = false;
  }

  /** Reads what was known before a restart. */
  async open(): Promise<void> {
    this.#list = await this.#parts.file.read();
  }

  /** Writes what is new, and what the disk refused before. */
  async save(): Promise<void> {
    const { file } = this.#parts;
    if (this.#list === null || (this.#isSaved && file.isSaved)) return;
    this.#isSaved = true;
    await file.write(this.#list);
  }

  /** Resolves when everything is written. */
  async close(): Promise<void> {
    await this.save();
    await this.#parts.file.close();
  }
}
