import { computed, effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { shortClock } from "../../../server/domain/recordings/camera_clock.ts";
import type { TimeFormat } from "../../../server/domain/text/time_format.ts";
import type { SpeedUnit } from "../../../server/domain/viewer/distance_text.ts";
import { trackInWords } from "../../../server/domain/viewer/map_text.ts";
import {
  type CarPlace,
  carAt,
  type MapTrack,
  mapTrackOf,
  strongestTime,
} from "../../../server/domain/viewer/map_track.ts";
import { speedScale } from "../../../server/domain/viewer/speed_ramp.ts";
import { keyOf } from "../../../server/domain/viewer/viewer_address.ts";
import { send, sentenceOfError } from "../../browser/client.ts";
import { showToast } from "../../browser/toast.ts";
import { lookOfType } from "../../parts/recording_type.tsx";
import type { TripState } from "../trip_state.ts";
import type { MapProps } from "../viewer_props.ts";
import type { TrackMap } from "./track_map.ts";

interface Parts {
  readonly trip: TripState;
  readonly map: MapProps;
  readonly speedUnit: SpeedUnit;
  /** Format of times and dates. */
  readonly format: TimeFormat;
}

interface MapEvent {
  readonly time: number;
  /** Time as people read it, on the camera's clock. */
  readonly at: string;
}

/** Key of the answer "no" to the question about streets: it is asked once. */
const ASKED = "dashdock-streets-asked";

/** Contents of the map, and the user's choices for it. */
export class MapState {
  /** Null while it is not known and where the camera saw no satellites. */
  readonly track: ReadonlySignal<MapTrack | null>;
  readonly car: ReadonlySignal<CarPlace | null>;
  readonly events: ReadonlySignal<readonly MapEvent[]>;
  /** The track for those who do not see it. */
  readonly words: ReadonlySignal<string>;
  /** The map moves with the car, until a hand moves it elsewhere. */
  readonly follows: Signal<boolean> = signal(true);
  /** The map lies over the picture. */
  readonly isBig: Signal<boolean> = signal(false);
  readonly hasStreets: Signal<boolean>;
  /** The host that the pictures of streets come from. */
  readonly streetsHost: string;
  /** Address of the worker that draws streets from the own map file, which everyone may see; null where there is none. */
  readonly ownMap: string | null;
  /** The question for streets is open. */
  readonly asks: Signal<boolean> = signal(false);
  readonly streetsProblem: Signal<string | null> = signal(null);
  readonly metersPerPixel: Signal<number | null> = signal(null);
  readonly #parts: Parts;
  #map: TrackMap | null = null;
  /** Seconds of the trip that were seen: so far a growing track is drawn. */
  #seen = 0;
  #covered = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
    const { trip, map, speedUnit, format } = parts;
    this.ownMap = map.ownMap ?? null;
    this.hasStreets = signal(map.tiles || this.ownMap !== null);
    this.streetsHost = map.host;
    this.track = computed(() => trip.telemetry.value && mapTrackOf(trip.telemetry.value));
    this.car = computed(() => {
      const time = trip.time.value;
      return this.track.value && time !== null ? carAt(this.track.value, time) : null;
    });
    this.events = computed(() => {
      const telemetry = trip.telemetry.value;
      const clips = trip.trip.value?.segments.filter(({ type }) => lookOfType(type)[0] === "ty-e") ?? [];
      return clips.map((clip) => {
        const key = keyOf(clip);
        return {
          time: (telemetry && strongestTime(telemetry, key)) ?? clip.offset_seconds,
          at: shortClock(key, format),
        };
      });
    });
    this.words = computed(() => {
      const telemetry = trip.telemetry.value;
      const track = this.track.value;
      if (telemetry === null || track === null) return "";
      return trackInWords({ telemetry, track, unit: speedUnit, events: this.events.value.map(({ at }) => at) });
    });
  }

  /** Draws on an element as soon as there is a track. @returns what ends it */
  open(host: HTMLElement): () => void {
    let isClosed = false;
    let ends: (() => void)[] = [];
    const first = effect(() => {
      if (this.track.value === null || ends.length > 0) return;
      ends = [() => {}];
      void this.#load(host).then((opened) => {
        if (isClosed) for (const end of opened) end();
        else ends = opened;
      });
    });
    return () => {
      isClosed = true;
      first();
      for (const end of ends) end();
      this.#map = null;
    };
  }

  /** Moves with the car again. */
  follow(): void {
    this.follows.value = true;
    this.#map?.center();
  }

  zoom(by: 1 | -1): void {
    this.#map?.zoom(by);
  }

  pan(x: number, y: number): void {
    this.#map?.pan(x, y);
  }

  /** Covers so many pixels at its lower end: the track is shown above them. */
  setCovered(pixels: number): void {
    this.#covered = pixels;
    this.#map?.setCovered(pixels);
  }

  /** Asks whether streets are wanted, unless that was answered before. */
  offerStreets(): void {
    if (!this.hasStreets.value && this.ownMap === null && !wasAsked()) this.asks.value = true;
  }

  refuseStreets(): void {
    this.asks.value = false;
    noteAsked();
  }

  retryStreets(): void {
    this.#map?.retryStreets();
  }

  /**
   * Shows streets from now on, or no longer: a setting, so for all who look at this service. Those of a file of one's own
   * are shown or hidden for this look alone.
   */
  async setStreets(isOn: boolean): Promise<void> {
    this.asks.value = false;
    // No one learns anything by it: it is for this look alone.
    if (this.ownMap !== null) {
      this.hasStreets.value = isOn;
      return;
    }
    try {
      await send("PATCH /api/settings/viewer", { map_tiles: isOn });
      this.hasStreets.value = isOn;
      noteAsked();
    } catch (error) {
      showToast(document, "failed", sentenceOfError(error));
    }
  }

  async #load(host: HTMLElement): Promise<(() => void)[]> {
    const { TrackMap: Opened } = await import("./track_map.ts");
    const { trip, map: props, speedUnit } = this.#parts;
    const map = new Opened(host, {
      panned: () => {
        this.follows.value = false;
      },
      clicked: (time) => void trip.seek(time),
      scaled: (meters) => {
        this.metersPerPixel.value = meters;
      },
      streetsFailed: (sentence) => {
        this.streetsProblem.value = sentence;
      },
    });
    this.#map = map;
    map.setCovered(this.#covered);
    const resized = new ResizeObserver(() => map.resized());
    resized.observe(host);
    let shown: string | null = null;
    return [
      effect(() => {
        const track = this.track.value;
        if (track === null) return;
        const key = trip.telemetry.value?.segments[0]?.key ?? "";
        const isOther = key !== shown;
        if (isOther) {
          this.#seen = 0;
          this.follows.value = true;
        }
        shown = key;
        const places = this.events.value.map(({ time }) => carAt(track, time));
        map.show(
          track,
          speedScale(trip.telemetry.value?.fastest_knots ?? null, speedUnit),
          places.filter(({ hasFix }) => hasFix),
          isOther,
        );
      }),
      effect(() => {
        const car = this.car.value;
        const time = trip.time.value;
        if (car === null || time === null) return;
        this.#seen = Math.max(this.#seen, time);
        map.move(time, car, props.mode === "full" ? null : this.#seen, this.follows.value);
      }),
      effect(() => map.setStreets(this.hasStreets.value, this.ownMap)),
      () => resized.disconnect(),
      () => map.close(),
    ];
  }
}

function wasAsked(): boolean {
  try {
    return localStorage.getItem(ASKED) !== null;
  } catch {
    return false;
  }
}

function noteAsked(): void {
  try {
    localStorage.setItem(ASKED, "1");
  } catch {
    // A browser without storage: it is asked once more with the next page.
  }
}
