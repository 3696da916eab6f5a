import type { Films } from "../../../server/domain/film/film_schema.ts";
import type { PackFacts } from "../../../server/domain/pack/pack_schema.ts";
import type { ExportWanted } from "../../../server/domain/viewer/export_choice.ts";
import type { ViewerRecording } from "../../../server/domain/viewer/viewer_schema.ts";
import type { Parts } from "../viewer_parts.ts";
import type { Asked } from "./asked.ts";
import type { Receiver } from "./saving.ts";

export type PanelProps = Parts<
  "browsing" | "trip" | "marks" | "saving" | "thisYear" | "format" | "speedUnit" | "videoScript"
>;

/** A span that is to be saved, as the parts of the panel get it. */
export interface PartProps extends PanelProps {
  readonly wanted: ExportWanted;
  /** The span as a query: `from=…&to=…` */
  readonly query: string;
  /** Clips of the span that are at home, at least one. */
  readonly clips: readonly ViewerRecording[];
  /** Letters of the cameras that these have. */
  readonly directions: readonly string[];
  readonly films: Asked<Films>;
  readonly pack: Asked<PackFacts>;
  readonly choice: Choice;
}

/** Choices that change what is saved of a span. */
export interface Choice {
  /** Nothing outside the span is in a film. */
  readonly isPlain: { value: boolean };
  /** Letters of the cameras that are not to be in a pack. */
  readonly without: { value: readonly string[] };
}

/** The query of a pack, beside that of its span. */
export function packQuery(receiver: Receiver, directions: readonly string[], without: readonly string[]): string {
  const letters = directions.filter((letter) => !without.includes(letter));
  const cameras = letters.length < directions.length ? `directions=${letters.join("")}&` : "";
  return `${cameras}for=${receiver === "police" || receiver === "insurer" ? receiver : "all"}`;
}
