import * as v from "valibot";
import type { App } from "../app.ts";
import { AppError } from "../domain/answers/errors.ts";
import { momentNumber } from "../domain/recordings/moment_number.ts";
import {
  DIRECTION_LETTER,
  MOST_MILLISECONDS,
  parseStillName,
  type StillName,
  stillName,
} from "../domain/recordings/still_name.ts";
import { stillFormat } from "../domain/recordings/still_picture.ts";
import { STILL, STILLS_LEFT } from "../domain/viewer/viewer_schema.ts";
import { placesOf } from "../engine/retention/due.ts";
import { stillAnswer } from "../engine/viewer/viewer_entries.ts";
import { refusedAs } from "../http/request/read_request.ts";
import { MOST_STILLS, TooManyStills } from "../store/destination/stills.ts";
import { errorCode } from "../store/error_code.ts";
import { partsOf } from "../store/library/recording_files.ts";
import { endpoint, responseEndpoint } from "./endpoint.ts";
import { OF_RECORDING } from "./recording_keys.ts";
import { usable } from "./trash.ts";
import { recordingNotFound } from "./viewer.ts";

const NO_PICTURE = "There is no such picture";
const OF_STILL = v.object({
  ...OF_RECORDING.entries,
  still: v.pipe(v.string(), v.description("Name of the picture, as in its address"), refusedAs("NOT_FOUND")),
});
/** The videos of one moment differ in length by less. */
const UNEVEN_SECONDS = 1;
const NOT_SECONDS = `seconds must be a number from 0 to ${MOST_MILLISECONDS / 1000}`;

export const addStill = endpoint({
  summary: "Keeps a picture with a recording",
  description: "The body is the picture: JPEG or PNG, at most 8 MiB.",
  params: OF_RECORDING,
  query: v.object({
    seconds: v.pipe(
      v.message(
        v.pipe(
          v.string(),
          v.regex(/^[0-9]+(\.[0-9]+)?$/),
          v.transform(Number),
          v.number(),
          v.maxValue(MOST_MILLISECONDS / 1000),
        ),
        NOT_SECONDS,
      ),
      v.description("Since the recording's beginning"),
    ),
    direction: v.pipe(
      v.message(DIRECTION_LETTER, "direction must be F, R, I or O"),
      v.description("Letter of the camera direction"),
    ),
  }),
  body: "Picture",
  shape: STILL,
  status: 201,
  returns: "The picture",
  errors: ["VALIDATION_ERROR", "TOO_MANY_STILLS", "TRASH_UNUSABLE", "STORAGE_FULL", "KEPT_NOT_SAVED"],
  async answer(
    { params: { key }, query: { seconds, direction }, body: picture },
    app: Pick<App, "retention" | "segments" | "log">,
  ) {
    const format = stillFormat(picture);
    if (format === null)
      throw new AppError("VALIDATION_ERROR", "The body must be a whole picture, JPEG or PNG", {
        field_errors: [{ path: "body", message: "must be a whole JPEG or PNG picture" }],
      });
    const { guard, library, stills } = app.retention;
    const still = await usable(() =>
      guard.run(async () => {
        await library.refreshIfOlder();
        const moment = momentNumber(key);
        const shows = placesOf(library, new Map([[moment, key]])).some(({ set }) =>
          partsOf(set.endings)?.videos.some((video) => video.direction === direction),
        );
        if (!shows) throw recordingNotFound(key);
        await checkPlace(key, seconds, app.segments);
        const wanted = { key, direction, milliseconds: Math.round(seconds * 1000), format };
        return await stills.add(wanted, picture).catch((error: unknown) => {
          throw problemOf(error);
        });
      }),
    );
    app.log.info("viewer", `A picture of ${key} is kept`);
    return stillAnswer(still);
  },
});

export const showStill = responseEndpoint({
  summary: "A picture that was kept with a recording",
  params: OF_STILL,
  answers: {
    200: { description: "The picture, JPEG or PNG", type: "*/*" },
    304: { description: "What you have is still right" },
  },
  errors: ["NOT_FOUND"],
  async respond({ context, params: { key, still: name } }, { retention }: Pick<App, "retention">) {
    const still = parseStillName(key, name);
    const picture = still && (await retention.stills.read(still));
    if (still === null || picture === null) throw new AppError("NOT_FOUND", NO_PICTURE);
    const etag = `"${new Bun.CryptoHasher("sha256").update(picture).digest("hex").slice(0, 32)}"`;
    const headers = { etag, "cache-control": "private, no-cache" };
    if (context.request.headers.get("if-none-match") === etag) return new Response(null, { status: 304, headers });
    const type = still.format === "jpg" ? "image/jpeg" : "image/png";
    return new Response(picture, { headers: { ...headers, "content-type": type } });
  },
});

export const removeStill = endpoint({
  summary: "Removes a picture that was kept with a recording, for good",
  params: OF_STILL,
  shape: STILLS_LEFT,
  returns: "Those that are left",
  errors: ["NOT_FOUND", "TRASH_UNUSABLE"],
  async answer({ params: { key, still: name } }, { retention }: Pick<App, "retention">) {
    const { guard, stills } = retention;
    const still = parseStillName(key, name);
    const removed = still === null ? 0 : await usable(() => guard.run(() => stills.remove([still])));
    if (removed === 0) throw new AppError("NOT_FOUND", NO_PICTURE);
    const left: readonly StillName[] = (await stills.all()).get(momentNumber(key)) ?? [];
    return { stills: left.filter((one) => one.key === key && stillName(one) !== name).map(stillAnswer) };
  },
});

/** @throws AppError VALIDATION_ERROR for a time at which the recording shows nothing any more */
async function checkPlace(key: string, seconds: number, segments: App["segments"]): Promise<void> {
  const clip = await segments.find(key);
  const [facts] = clip === null ? [] : await segments.facts([clip]);
  const length = facts?.durationSeconds ?? null;
  if (length === null || seconds <= length + UNEVEN_SECONDS) return;
  const message = `seconds must not be behind the end of the recording, which is ${length.toFixed(1)} s long`;
  throw new AppError("VALIDATION_ERROR", message, { field_errors: [{ path: "seconds", message }] });
}

function problemOf(error: unknown): unknown {
  if (error instanceof TooManyStills)
    return new AppError("TOO_MANY_STILLS", `A recording can have ${MOST_STILLS} pictures, and this one has them.`);
  const code = errorCode(error);
  if (["", "ENOSPC", "EDQUOT"].includes(code)) return error;
  return new AppError("KEPT_NOT_SAVED", `The picture could not be written (${code}); nothing was changed.`);
}
