import type { CardView } from "../../server/domain/card/card_view.ts";

/** The page as the server has drawn it; the island goes on with the same. */
export interface CardProps {
  readonly view: CardView;
}
