/** Kinds of recordings that some cameras give a share of the card of their own. */
export const CARD_PARTS = ["driving", "parking", "events"] as const;
export type CardPart = (typeof CARD_PARTS)[number];

/** The part of the card that recordings with this type letter belong to. */
export function cardPartOfType(type: string): CardPart {
  if (type === "P") return "parking";
  return type === "N" ? "driving" : "events";
}
