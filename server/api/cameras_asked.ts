import type { App } from "../app.ts";
import { AppError } from "../domain/answers/errors.ts";
import { ALL_CAMERAS, keyIn, keysByCamera, MAIN_CAMERA, splitKey } from "../domain/settings/camera_key.ts";
import { cameraNotFound } from "../domain/settings/camera_not_found.ts";
import type { NamedCamera } from "../domain/settings/more_cameras.ts";
import { inFormatOf } from "../http/request/app_in_format.ts";
import type { Caller, RequestContext } from "../http/request/request_context.ts";

/** The answer of one of several cameras. */
export interface CameraAnswer<T> {
  readonly camera: string;
  readonly answer: T;
}

type Several = Pick<App, "camera" | "cameras">;

/**
 * Returns the app as the camera has it that a request names by the key in its path, or by `?camera=`; the first camera's
 * where none is named. @throws AppError CAMERA_NOT_FOUND
 */
export function appAsked(context: RequestContext, app: App): App {
  const id = context.takeCamera((one) => app.cameras.of(one) !== null);
  if (id === null || id === ALL_CAMERAS) return app;
  const found = app.cameras.of(id);
  if (found === null) throw cameraNotFound(id);
  return found;
}

/** True when a request is about all cameras. */
export function asksForAll({ camera }: Caller): boolean {
  return camera === ALL_CAMERAS;
}

/** The camera that a handler's parts are of; null for parts of no camera, such as those that answer before all is open. */
export function cameraOf(app: unknown): NamedCamera | null {
  return (app as Partial<Several>).camera ?? null;
}

/** The apps of all cameras, as the answer shows them. */
export function camerasOf(context: Caller, app: unknown): readonly App[] {
  return (app as Several).cameras.all.map((one) => inFormatOf(context, one));
}

/**
 * Answers of all cameras. One that refuses is left out while another answers.
 * @throws what the first camera's answer throws, where all refuse; an error that is no refusal in any case
 */
export async function answersOf<T>(
  apps: readonly App[],
  answer: (app: App) => Promise<T>,
): Promise<readonly CameraAnswer<T>[]> {
  const settled = await Promise.allSettled(apps.map(answer));
  for (const one of settled) if (one.status === "rejected" && !(one.reason instanceof AppError)) throw one.reason;
  const found = settled.flatMap((one, at) => {
    const camera = apps[at]?.camera.id;
    return one.status === "fulfilled" && camera !== undefined ? [{ camera, answer: one.value }] : [];
  });
  const [first] = settled;
  if (found.length === 0 && first?.status === "rejected") throw first.reason;
  return found;
}

/**
 * Splits a request whose body names recordings of further cameras: a part for each camera, with bare keys. Null where all
 * recordings are the first camera's. @throws AppError CAMERA_NOT_FOUND
 */
export function byCamera<Asked extends { readonly context: Caller; readonly body: unknown }, A>(
  asked: Asked,
  app: A,
): readonly { readonly asked: Asked; readonly app: A }[] | null {
  const { context, body } = asked;
  const keys = keysOf(body);
  if (!keys.some((key) => key.includes("~"))) return keys.length === 0 ? null : ofMain(asked, app);
  const { cameras } = app as unknown as Several;
  return [...keysByCamera(keys)].map(([id, bare]) => {
    const found = cameras.of(id);
    if (found === null) throw cameraNotFound(id);
    const one = inFormatOf(context, found) as A;
    return { asked: { ...asked, body: withKeys(body, id, bare) }, app: one };
  });
}

/** A bare key is one of the first camera, whatever camera the request names. */
function ofMain<Asked extends { readonly context: Caller }, A>(asked: Asked, app: A) {
  const { camera, cameras } = app as unknown as Several;
  if (camera.id === MAIN_CAMERA) return null;
  const main = cameras.of(MAIN_CAMERA);
  return main === null ? null : [{ asked, app: inFormatOf(asked.context, main) as A }];
}

/** A refusal as it is told of a camera: the key in it carries the id of a further camera. */
export function keyedError(error: unknown, app: unknown): unknown {
  const id = cameraOf(app)?.id ?? MAIN_CAMERA;
  if (!(error instanceof AppError) || id === MAIN_CAMERA) return error;
  const { recording } = error.details;
  if (typeof recording !== "string" || splitKey(recording).camera !== null) return error;
  return new AppError(error.code, error.message, { ...error.details, recording: keyIn(id, recording) });
}

/**
 * Answers the parts of a request one camera after the other, and joins the answers.
 * @throws AppError of the part that is refused; it says for which cameras all is done
 */
export async function oneByOne<P extends { readonly app: unknown }>(
  parts: readonly P[],
  answer: (part: P) => Promise<unknown>,
): Promise<unknown> {
  const answers: unknown[] = [];
  for (const part of parts) {
    try {
      answers.push(await answer(part));
    } catch (thrown) {
      const error = keyedError(thrown, part.app);
      const done = parts.slice(0, answers.length).flatMap(({ app }) => cameraOf(app) ?? []);
      if (!(error instanceof AppError) || done.length === 0) throw error;
      const names = done.map(({ name }) => name).join(", ");
      const words = `${error.message} What was asked of ${names} is done.`;
      throw new AppError(error.code, words, { ...error.details, done: done.map(({ id }) => id) });
    }
  }
  return answers.reduce(joined);
}

/** Joins the answers of two cameras: numbers are added, lists follow each other, and of all else the first counts. */
export function joined(one: unknown, other: unknown): unknown {
  if (typeof one === "number" && typeof other === "number") return one + other;
  if (Array.isArray(one) && Array.isArray(other)) return [...one, ...other];
  if (typeof one !== "object" || one === null || Array.isArray(one)) return one;
  const theirs = other as Readonly<Record<string, unknown>>;
  return Object.fromEntries(Object.entries(one).map(([name, value]) => [name, joined(value, theirs[name])]));
}

interface Named {
  readonly keys?: readonly string[];
  readonly marks?: readonly { readonly key: string }[];
}

function keysOf(body: unknown): readonly string[] {
  const { keys, marks } = (body ?? {}) as Named;
  if (Array.isArray(keys)) return keys;
  return Array.isArray(marks) ? marks.map(({ key }) => key) : [];
}

function withKeys(body: unknown, camera: string, bare: readonly string[]): unknown {
  const { keys, marks } = body as Named;
  if (keys !== undefined) return { ...(body as Named), keys: bare };
  const theirs = (marks ?? []).filter(({ key }) => [...keysByCamera([key]).keys()][0] === camera);
  return { ...(body as Named), marks: theirs.map((mark, at) => ({ ...mark, key: bare[at] ?? mark.key })) };
}
