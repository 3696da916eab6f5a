import type { SectionName } from "../../../server/domain/settings/settings.ts";
import type { CameraAnswer } from "../../../server/domain/status/cameras_schema.ts";
import type { PlateCamera } from "../../parts/plate.tsx";

/** A camera of the list. */
export interface ListedCamera extends CameraAnswer {
  /** The letter that was chosen for it; null where it is made from the name. */
  readonly chosenLetter: string | null;
}

/** The settings page of one of several cameras, or of what all of them share. */
export interface CameraPage {
  /** The id of the camera, or `all`. */
  readonly id: string;
  /** The sections that are on this page. */
  readonly sections: readonly SectionName[];
  /** The page that has the others. */
  readonly elsewhere: string;
}

/** A camera as its plate shows it, by its place in the list. */
export function platedAt({ name, letter }: ListedCamera, place: number): PlateCamera {
  return { name, letter, place };
}

/** The cameras that can be opened: the others have no pages. */
export function usable(cameras: readonly ListedCamera[]): readonly ListedCamera[] {
  return cameras.filter(({ refused }) => refused !== true);
}
