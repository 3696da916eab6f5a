import { type Signal, signal } from "@preact/signals";
import type { CameraView } from "../../../server/domain/viewer/viewer_address.ts";

/** One large and the others beside the map, all side by side, all as a grid, or small ones in the large one. */
export const LAYOUTS = ["strip", "side", "grid", "pip"] as const;
export type Layout = (typeof LAYOUTS)[number];

/** The server reads it, so that the very first paint has the chosen layout. */
export const LAYOUT_COOKIE = "dashdock_layout";
const YEAR_SECONDS = 31_536_000;

/** A layout by its name; the usual one for anything else. */
export function layoutOf(name: string | undefined): Layout {
  return LAYOUTS.find((one) => one === name) ?? "strip";
}

/** Which camera is the large one, and where the others stand. */
export class StageLayout {
  readonly kind: Signal<Layout>;
  /** The direction of the camera that was made large; null for the first one. */
  readonly #large: Signal<string | null> = signal(null);

  /** @param kind as it was chosen in this browser before */
  constructor(kind: Layout) {
    this.kind = signal(kind);
  }

  choose(kind: Layout): void {
    this.kind.value = kind;
    // biome-ignore lint/suspicious/noDocumentCookie: the other way to set one is not in every browser
    document.cookie = `${LAYOUT_COOKIE}=${kind}; path=/; max-age=${YEAR_SECONDS}; samesite=lax`;
  }

  /** The next layout, behind the last one the first. */
  next(): void {
    this.choose(LAYOUTS[(LAYOUTS.indexOf(this.kind.value) + 1) % LAYOUTS.length] ?? "strip");
  }

  makeLarge(direction: string): void {
    this.#large.value = direction;
  }

  /** The place of the large one among these. */
  largeOf(cameras: readonly CameraView[]): number {
    return Math.max(
      0,
      cameras.findIndex(({ direction }) => direction === this.#large.value),
    );
  }
}
