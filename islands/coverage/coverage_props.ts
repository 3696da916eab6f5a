import type { CoverageView } from "../../server/domain/coverage/coverage_view.ts";
import type { DayView } from "../../server/domain/coverage/day_view.ts";
import type { QuestionView } from "../../server/domain/coverage/question_text.ts";

/** Ways to earlier and later times; null where there is nothing. */
export interface CoverageSteps {
  readonly earlier: string | null;
  readonly later: string | null;
  /** The way to a whole year, or from there back to the usual time. */
  readonly length: { readonly name: string; readonly href: string } | null;
}

/** The page as the server has drawn it; the island goes on with the same. */
export interface CoverageProps {
  readonly view: CoverageView;
  /** The day that is opened; null while nothing is known of any. */
  readonly day: DayView | null;
  readonly steps: CoverageSteps;
  /** The address of the page without a day, with `?` or `&` at its end. */
  readonly path: string;
  /** The table as a file; null while there is none. */
  readonly file: string | null;
  readonly question: QuestionView | null;
  /** The order of downloads in force. */
  readonly order: string;
  /** Target of the sentence's link, such as the place where the camera's address is set. */
  readonly action: { readonly label: string; readonly href: string } | null;
}
