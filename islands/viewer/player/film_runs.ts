import { type Signal, signal } from "@preact/signals";
import type { Films } from "../../../server/domain/film/film_schema.ts";
import { clipsOfRun, type FilmRun, partIn, runOf, runQuery } from "../../../server/domain/viewer/film_run.ts";
import { JourneyClock } from "../../../server/domain/viewer/journey_clock.ts";
import { type CameraView, keyOf, playedPath } from "../../../server/domain/viewer/viewer_address.ts";
import type { Trip, ViewerRecording } from "../../../server/domain/viewer/viewer_schema.ts";
import { send } from "../../browser/client.ts";
import type { VideoPart } from "./player.ts";
import { knowsHevc } from "./video_error.ts";

/** The part of a clip that a player shows: its own video, or its part of a film. */
export interface Source {
  readonly address: string;
  /** Null when all of the video is the clip. */
  readonly part: VideoPart | null;
}

/** Clips that play as one film of each camera, where one follows the other without a break. */
export class FilmRuns {
  /** The run whose films are on show; null where single clips play. */
  readonly shown: Signal<FilmRun | null> = signal(null);
  /** The run that stands ready, beginning with the clip that plays next. */
  readonly ready: Signal<FilmRun | null> = signal(null);
  /** The keys of clips whose films did not play. */
  readonly #failed: Set<string> = new Set();

  /** The run that begins with a clip of this trip; null where single clips play. @throws Refusal */
  async from(recording: ViewerRecording, trip: Trip): Promise<FilmRun | null> {
    const clock = new JourneyClock(trip.segments.map((one) => ({ ...one, key: keyOf(one) })));
    const keys = clipsOfRun(trip, clock, recording, (codec) => codec !== "hevc" || knowsHevc());
    if (keys.length === 0 || keys.some((key) => this.#failed.has(key))) return null;
    const { cameras } = await send<Films>(`GET /api/viewer/film?${runQuery(keys)}&places=true`);
    return runOf(keys, cameras);
  }

  /**
   * A clip comes to be on show: as a part of the films that play or stand ready, else by itself.
   * @returns whether the same films play on
   */
  enter(key: string | null): boolean {
    const holds = (run: FilmRun | null) => key !== null && (run?.keys.includes(key) ?? false);
    if (holds(this.shown.value)) return true;
    // Only its beginning stands ready.
    const { value: ready } = this.ready;
    this.shown.value = ready?.keys[0] === key ? ready : null;
    return false;
  }

  sourceOf(key: string, { direction, address }: CameraView): Source | null {
    return sourceIn(this.shown.value, key, { direction, address });
  }

  /** The video that is made ready for the clip that plays next. */
  nextSourceOf(key: string, camera: CameraView): Source | null {
    const { value: shown } = this.shown;
    return sourceIn(shown?.keys.includes(key) ? shown : this.ready.value, key, camera);
  }

  /**
   * Ends the run on show when a clip of it has gone: its films are others now.
   * @param keys of the clips that are left
   * @returns whether it did
   */
  endWithout(keys: readonly string[]): boolean {
    const { value: shown } = this.shown;
    if (shown === null || shown.keys.every((key) => keys.includes(key))) return false;
    this.shown.value = null;
    return true;
  }

  /** A film of the run on show does not play, or breaks off: single clips play from here on. */
  drop(): void {
    for (const key of this.shown.value?.keys ?? []) this.#failed.add(key);
    this.shown.value = null;
    this.ready.value = null;
  }
}

function sourceIn(
  run: FilmRun | null,
  key: string,
  { direction, address }: Pick<CameraView, "direction" | "address">,
): Source | null {
  const found = partIn(run, key, direction);
  if (found) return found;
  return address === null ? null : { address: playedPath(address), part: null };
}
