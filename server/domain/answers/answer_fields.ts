import * as v from "valibot";

/** Parts of the schemas of answers; their descriptions stand in `/api/openapi.json`. */

export const text = (description: string) => v.pipe(v.string(), v.description(description));
export const number = (description: string) => v.pipe(v.number(), v.description(description));
export const count = v.pipe(v.number(), v.integer(), v.minValue(0));
export const whole = (description: string) => v.pipe(count, v.description(description));
export const percent = v.pipe(v.number(), v.minValue(0), v.maxValue(100));
export const ratio = v.pipe(v.number(), v.minValue(0), v.description("0 to 1"));
export const epoch = number("Epoch seconds");
export const epochMs = number("Epoch milliseconds");

/** @param description also of when it is null */
export const orNull = <S extends v.GenericSchema>(of: S, description: string) =>
  v.pipe(v.nullable(of), v.description(description));

/** Parts of answers that read otherwise for a further camera: keys and addresses of recordings carry its id. */
export type CameraPart = "key" | "address" | "page" | "camera";

/** The key of a recording, of a further camera with `<id>~` before it. */
export const keyText = (description: string) =>
  v.pipe(v.string(), v.description(description), v.metadata({ camera: "key" satisfies CameraPart }));

/** The address of a recording's file or page. */
export const addressText = v.pipe(v.string(), v.metadata({ camera: "address" satisfies CameraPart }));

/** The address of a page that is about a camera and names no recording, such as its settings. */
export const pageText = (description: string) =>
  v.pipe(v.string(), v.description(description), v.metadata({ camera: "page" satisfies CameraPart }));

/** The camera that an item of an answer is of. */
export const ofCamera = v.optional(
  v.pipe(
    v.string(),
    v.description("The camera that it is of; left out of the first camera’s while it is not asked for all"),
    v.metadata({ camera: "camera" satisfies CameraPart }),
  ),
);

/** The five states anything can be in. */
export const STATUS_LEVEL = v.picklist(["fine", "busy", "waiting", "attention", "failed"]);

/** Action that solves a failure: each kind leads to the one place where it is done. */
export const ACTION = v.object({
  kind: v.picklist(["check-camera", "open-settings", "free-space", "show-files", "show-log"]),
  label: text("On its button"),
  href: pageText("Where it is done, also without script"),
});

/** A time, as every answer tells it. */
export const moment = text("ISO 8601 UTC");
/** A number of recordings. */
export const recordings = whole("Videos: one moment of one direction");

/** Number of recordings, and their size together. */
export const AMOUNT = v.object({ recordings, bytes: orNull(count, "Null when that would take long to find out") });

/** The mark of a recording that no rule deletes. */
export const KEPT = v.object({ at: moment, note: v.nullable(v.string()) });
