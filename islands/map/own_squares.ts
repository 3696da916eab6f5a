import { OwnMap } from "../own_map/own_map.ts";
import { OWN_SIDE, type SquarePlace } from "../own_map/messages.ts";
import type { SquareSource } from "./street_squares.ts";

/** Squares that are drawn from the own map file, in the colours of the page. */
export class OwnSquares implements SquareSource {
  readonly side = OWN_SIDE;
  readonly #map: OwnMap;
  readonly #place: Element;

  /**
   * @param script address of the worker that draws them
   * @param place an element of the page, which knows its theme
   */
  constructor(script: string, place: Element, onProblem: (sentence: string | null) => void) {
    this.#place = place;
    this.#map = new OwnMap(script, isDark(place), onProblem);
  }

  make(place: SquarePlace, shown: () => void): HTMLElement {
    return this.#map.square(place, (error) => {
      if (error === undefined) shown();
    });
  }

  drop(square: HTMLElement): void {
    this.#map.drop(square);
  }

  themeChanged(): void {
    this.#map.begin(isDark(this.#place));
  }

  close(): void {
    this.#map.close();
  }
}

function isDark(place: Element): boolean {
  const { colorScheme } = getComputedStyle(place);
  return colorScheme === "dark" || (colorScheme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
}
