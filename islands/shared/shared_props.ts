import type { SharedFilm } from "../../server/domain/shares/film_clock.ts";
import type { SharedClip } from "../../server/domain/shares/shared_clips.ts";
import type { SpanSkip } from "../../server/domain/shares/span_clock.ts";

/** The page of a link. Nothing of it names a recording. */
export interface SharedFilmProps {
  readonly films: readonly SharedFilm[];
  /** Length of the span. */
  readonly seconds: number;
  /** Camera wall time at its beginning, as `secondsOf`. */
  readonly starts: number;
  /** Time that the camera's clock left out within it. */
  readonly skip: SpanSkip | null;
  /** Its recordings as far as the films show them, by time. */
  readonly clips: readonly SharedClip[];
  /** Address of its track; null without. */
  readonly track: string | null;
  readonly speedUnit: "kmh" | "mph";
  readonly hasSound: boolean;
  readonly canDownload: boolean;
  /** See `nameOfFormat`. */
  readonly format: string | undefined;
}
