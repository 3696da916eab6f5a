/** Pixels of a square's side on the page: a whole tile of the file, at the zoom at which it is drawn best. */
export const OWN_SIDE = 512;

/** A square of the world, by zoom, column and row. */
export interface SquarePlace {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

/** Colours, language and fineness of squares. */
export interface MapLook {
  readonly isDark: boolean;
  /** The language of names, such as `en`. */
  readonly language: string;
  /** Pixels of a square's side. */
  readonly side: number;
}

export type ToMapWorker =
  /** The address of the file as it is to be asked for. Said again, all squares are drawn anew, from the file as it is then. */
  | { readonly kind: "begin"; readonly address: string; readonly look: MapLook }
  | { readonly kind: "draw"; readonly id: number; readonly place: SquarePlace }
  | { readonly kind: "drop"; readonly id: number };

export type FromMapWorker =
  /** Said again when a name of another square reaches into this one. */
  | { readonly kind: "drawn"; readonly id: number; readonly picture: ImageBitmap }
  | { readonly kind: "failed"; readonly id: number; readonly sentence: string };
