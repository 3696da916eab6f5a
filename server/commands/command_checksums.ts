import type { Clock } from "../clock.ts";
import { MAIN_CAMERA } from "../domain/settings/camera_key.ts";
import { Checksums } from "../engine/checksums/checksums.ts";
import type { Log } from "../log.ts";
import type { DestinationIdentity } from "../store/destination/destination_identity.ts";
import { SumsFile } from "../store/destination/sums.ts";
import type { Library } from "../store/library/library.ts";
import { isFolder } from "../store/path_facts.ts";

/**
 * At the end of a command, checksums of files that came faster than they can be read are taken for so long, as a share of
 * the time that the command took.
 */
const SHARE = 0.02;
/** At least for so long where only a few files are left: the next command may come in a day. */
const LEAST_MS = 300;
const FEW = 24;

/** The checksums of a destination for a command that brings files there. */
export function checksumsOfCommand(place: {
  readonly root: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly library: Library;
  readonly identity: DestinationIdentity;
  /** Id of the camera; the first one when left out. */
  readonly camera?: string | undefined;
}): Checksums {
  const { root, clock, log, library, identity, camera = MAIN_CAMERA } = place;
  return new Checksums({
    clock,
    log,
    root,
    library,
    file: new SumsFile({ root, clock, log, place: identity }),
    isHere: () => isFolder(root) && identity.isSame,
    isBusy: () => true,
    isCommand: true,
    camera,
  });
}

/** Takes what is left, for a short time; the rest is left for the next command. */
export async function finishChecksums(checksums: Checksums, seconds: number, signal: AbortSignal): Promise<void> {
  const least = checksums.left <= FEW ? LEAST_MS : 0;
  await checksums.finish(Math.max(least, seconds * 1000 * SHARE), signal);
}
