/** `age`: past its keep time. `room`: above a limit. `hand`: by a person in the viewer. */
export const DELETION_CAUSES = ["age", "room", "hand"] as const;
export type DeletionCause = (typeof DELETION_CAUSES)[number];

/** Causes to lie in the trash: a deletion, or `damaged`, of which a whole file has taken the place. */
export const TRASH_CAUSES = [...DELETION_CAUSES, "damaged"] as const;
export type TrashCause = (typeof TRASH_CAUSES)[number];

/** Reasons why a deletion waits for consent. */
export const HELD_REASONS = ["marks", "adopted", "clock", "many"] as const;
export type HeldReason = (typeof HELD_REASONS)[number];
