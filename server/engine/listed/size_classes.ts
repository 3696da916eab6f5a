import { letterOfMoment, TYPE_LETTERS } from "../../domain/recordings/moment_number.ts";
import { type CameraList, VIDEO_ENDINGS } from "../../domain/sync/camera_list.ts";
import { type SizeClass, videoClass } from "../../domain/sync/expected_sizes.ts";

/** The class of sizes of a listed video, by its place in the list. */
export function sizeClassAt(list: CameraList, at: number): SizeClass {
  return CLASSES[letterOfMoment(list.momentAt(at)) * VIDEO_ENDINGS.length + list.endingAt(at)] ?? "";
}

/** Texts that are made once: each is looked up for thousands of recordings. */
const CLASSES: readonly SizeClass[] = [...TYPE_LETTERS].flatMap((type) =>
  VIDEO_ENDINGS.map((ending) => videoClass(type, ending)),
);
