/** Causes for which a clip is no part of a film, as the end of a sentence about its recording. */
export const REFUSALS = {
  missing: "has no video of this camera",
  unfinished: "is not finished",
  damaged: "is damaged",
  fragments: "is written in fragments, which cannot be joined",
  large: "has an index that is too large",
  edited: "was cut by another program in a way that cannot be joined",
  pictures: "has no pictures that can be shown",
} as const;

export type Refusal = keyof typeof REFUSALS;

/** A clip that cannot be part of a film. */
export class ClipRefused extends Error {
  readonly reason: Refusal;

  constructor(reason: Refusal) {
    super(`The recording ${REFUSALS[reason]}`);
    this.reason = reason;
  }
}
