import type { SharedFilm } from "../../server/domain/shares/film_clock.ts";

/** The page of a link. Nothing of it names a recording. */
export interface SharedFilmProps {
  readonly films: readonly SharedFilm[];
  /** Length of the span. */
  readonly seconds: number;
  /** Camera wall time at its beginning, as `secondsOf`. */
  readonly starts: number;
  /** Address of its track; null without. */
  readonly track: string | null;
  readonly speedUnit: "kmh" | "mph";
  readonly hasSound: boolean;
  readonly canDownload: boolean;
  /** See `nameOfFormat`. */
  readonly format: string | undefined;
}
