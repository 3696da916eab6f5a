import { type Signal, signal } from "@preact/signals";
import type { CameraView } from "../../../server/domain/viewer/viewer_address.ts";
import { reached } from "../../browser/address.ts";

/** One large and the others beside the map, all side by side, all as a grid, or small ones in the large one. */
export const LAYOUTS = ["strip", "side", "grid", "pip"] as const;
export type Layout = (typeof LAYOUTS)[number];

/** Part beside the picture on a phone that is held across, one at a time. */
export type Beside = "cameras" | "map" | "trips";

/** The server reads it, so that the very first paint has the chosen layout. */
export const LAYOUT_COOKIE = "dashdock_layout";
const YEAR_SECONDS = 31_536_000;

/** A layout by its name; the usual one for anything else. */
export function layoutOf(name: string | undefined): Layout {
  return LAYOUTS.find((one) => one === name) ?? "strip";
}

/** The large camera, and the layout of the others. */
export class StageLayout {
  readonly kind: Signal<Layout>;
  /** Part chosen to lie beside the picture; null for the other cameras, or for the map without any. */
  readonly beside: Signal<Beside | null> = signal(null);
  /** The direction of the camera that was made large; null for the first one. */
  readonly #large: Signal<string | null> = signal(null);
  /** The directions of cameras whose last video could not be played, in the order in which that was found. */
  readonly #dark: Signal<readonly string[]> = signal([]);
  /** The direction of the camera that was made large although it does not play. */
  readonly #insisted: Signal<string | null> = signal(null);

  /** @param kind as it was chosen in this browser before */
  constructor(kind: Layout) {
    this.kind = signal(kind);
  }

  choose(kind: Layout): void {
    this.kind.value = kind;
    // biome-ignore lint/suspicious/noDocumentCookie: the other way to set one is not in every browser
    document.cookie = `${LAYOUT_COOKIE}=${kind}; path=${reached("/")}; max-age=${YEAR_SECONDS}; samesite=lax`;
  }

  /** The next layout, behind the last one the first. */
  next(): void {
    this.choose(LAYOUTS[(LAYOUTS.indexOf(this.kind.value) + 1) % LAYOUTS.length] ?? "strip");
  }

  /** @param isStill its video is still on the camera */
  makeLarge(direction: string, isStill = false): void {
    this.#large.value = direction;
    this.#insisted.value = isStill || this.#dark.value.includes(direction) ? direction : null;
  }

  /** A camera's video cannot be played: another one that plays is large, unless this one is chosen after all. */
  cannotShow(direction: string): void {
    if (!this.#dark.value.includes(direction)) this.#dark.value = [...this.#dark.value, direction];
  }

  /** A camera's video has a picture. */
  canShow(direction: string): void {
    if (this.#dark.value.includes(direction)) this.#dark.value = this.#dark.value.filter((one) => one !== direction);
  }

  /** The place of the large one among these. */
  largeOf(cameras: readonly CameraView[]): number {
    const chosen = Math.max(
      0,
      cameras.findIndex(({ direction }) => direction === this.#large.value),
    );
    const direction = cameras[chosen]?.direction;
    if (direction === this.#insisted.value) return chosen;
    const plays = (one: CameraView | undefined) =>
      one !== undefined && one.address !== null && !this.#dark.value.includes(one.direction);
    if (plays(cameras[chosen])) return chosen;
    const other = cameras.findIndex(plays);
    if (other >= 0) return other;
    // None plays: the one that was the last to, and is large for that, stays so.
    const last = this.#dark.value.findLast((one) => cameras.some((camera) => camera.direction === one));
    return last === undefined ? chosen : cameras.findIndex((camera) => camera.direction === last);
  }
}
