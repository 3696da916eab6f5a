import type { Thresholds } from "../../domain/places/moments.ts";
import type { ClockZone } from "../../domain/recordings/clock_change.ts";
import { PLACES_VERSION } from "../../store/file_versions.ts";
import type { Library } from "../../store/library/library.ts";
import { eachInSlices } from "../../turns.ts";

/** Settings that decide what places and moments there are. */
export interface PlaceRules {
  readonly thresholds: Thresholds;
  /** `viewer.trip_gap_minutes` */
  readonly gapMinutes: number;
  /** Zone of the camera's clock; null where it is not known. */
  readonly zone: ClockZone | null;
}

/** A number for the names of all recordings and the rules: it is the same while nothing came, went or was moved. */
export async function fingerprintOf(library: Pick<Library, "groups">, rules: PlaceRules): Promise<number> {
  let sum = Bun.hash.crc32(rulesText(rules));
  await eachInSlices(library.groups(), ({ key, folder, endings }) => {
    sum = (sum + Bun.hash.crc32(`${folder}/${key} ${endings.join(" ")}`)) | 0;
  });
  return sum;
}

/** Another text for other rules. */
export function rulesText({ thresholds, gapMinutes, zone }: PlaceRules): string {
  return JSON.stringify([PLACES_VERSION, thresholds, gapMinutes, zone?.id ?? null]);
}
