import { type Signal, signal } from "@preact/signals";
import type { CameraView } from "../../../server/domain/viewer/viewer_address.ts";

/** One large and the others beside the map, all side by side, all as a grid, or small ones in the large one. */
export const LAYOUTS = ["strip", "side", "grid", "pip"] as const;
export type Layout = (typeof LAYOUTS)[number];

const REMEMBERED = "dashdock.viewer.layout";

/** Which camera is the large one, and where the others stand. */
export class StageLayout {
  readonly kind: Signal<Layout> = signal("strip");
  /** The direction of the camera that was made large; null for the first one. */
  readonly #large: Signal<string | null> = signal(null);

  /** As it was chosen in this browser before. */
  restore(): void {
    const kind = LAYOUTS.find((one) => one === read());
    if (kind) this.kind.value = kind;
  }

  choose(kind: Layout): void {
    this.kind.value = kind;
    try {
      localStorage.setItem(REMEMBERED, kind);
    } catch {
      // A browser that stores nothing shows the usual layout the next time.
    }
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

function read(): string | null {
  try {
    return localStorage.getItem(REMEMBERED);
  } catch {
    return null;
  }
}
