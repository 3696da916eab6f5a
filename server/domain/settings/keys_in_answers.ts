import * as v from "valibot";
import type { CameraPart } from "../answers/answer_fields.ts";
import { withBase } from "./base_address.ts";
import { withCamera } from "./camera_address.ts";
import { addressIn, keyIn, MAIN_CAMERA } from "./camera_key.ts";

/** Gives the parts of an answer what they carry: the id of a camera, or the path below which the service is reached. */
export type Rewrite = (value: unknown, carried: string) => unknown;

/** Changes of each part; those that stay as they are are left out. */
type Changes = Readonly<Partial<Record<CameraPart, Rewrite>>>;

const onText =
  (change: (text: string, carried: string) => string): Rewrite =>
  (value, carried) =>
    typeof value === "string" ? change(value, carried) : value;

const OF_CAMERA: Changes = {
  key: onText((key, camera) => keyIn(camera, key)),
  address: onText((address, camera) => addressIn(camera, address)),
  page: pageRewrite,
  camera: (_, camera) => camera,
};
const OF_BASE: Changes = { address: onText(withBase), page: onText(withBase) };

/**
 * Returns what gives a value of this shape the keys and addresses of a camera's recordings; those of the first camera stay
 * as they are.
 */
export function keyedBy<T>(schema: v.GenericSchema<unknown, T>): (camera: string, value: T) => T {
  const rewrite = cameraRewriteOf(schema);
  return (camera, value) => (rewrite === null || camera === MAIN_CAMERA ? value : (rewrite(value, camera) as T));
}

/** A schema as its kinds have it. */
interface Part extends v.GenericSchema {
  readonly entries?: Readonly<Record<string, v.GenericSchema>>;
  readonly item?: v.GenericSchema;
  readonly value?: v.GenericSchema;
  readonly wrapped?: v.GenericSchema;
  readonly options?: readonly v.GenericSchema[];
}

/**
 * Returns what puts a camera into an answer of this shape: keys and addresses of its recordings carry its id, and items
 * say whose they are. Null for a shape that has none of these.
 */
export function cameraRewriteOf(schema: v.GenericSchema): Rewrite | null {
  return rewriteOf(schema, OF_CAMERA);
}

/** Returns what puts the base before all addresses in an answer of this shape; null for a shape that has none. */
export function baseRewriteOf(schema: v.GenericSchema): Rewrite | null {
  return rewriteOf(schema, OF_BASE);
}

function rewriteOf(schema: v.GenericSchema, changes: Changes): Rewrite | null {
  const { camera: part } = v.getMetadata(schema) as { readonly camera?: CameraPart };
  if (part !== undefined) return changes[part] ?? null;
  const { entries, item, value: of, wrapped, options } = schema as Part;
  if (entries !== undefined) return objectRewrite(entries, changes);
  if (item !== undefined) return listRewrite(rewriteOf(item, changes));
  if (schema.type === "record" && of !== undefined) return recordRewrite(rewriteOf(of, changes));
  if (wrapped !== undefined) {
    const inner = rewriteOf(wrapped, changes);
    if (inner === null || isCameraField(wrapped)) return inner;
    return (value, carried) => (value === null || value === undefined ? value : inner(value, carried));
  }
  if (schema.type !== "union") return null;
  const found = (options ?? []).map((one) => rewriteOf(one, changes)).filter((one) => one !== null);
  if (found.length > 1) throw new Error("an answer has keys of recordings in one of its forms only");
  return found[0] ?? null;
}

/** Pages of the first camera need no camera in their address. */
function pageRewrite(value: unknown, camera: string): unknown {
  return typeof value === "string" && camera !== MAIN_CAMERA ? withCamera(value, camera) : value;
}

function isCameraField(schema: v.GenericSchema): boolean {
  return (v.getMetadata(schema) as { readonly camera?: CameraPart }).camera === "camera";
}

function objectRewrite(entries: Readonly<Record<string, v.GenericSchema>>, changes: Changes): Rewrite | null {
  const inner = Object.entries(entries).flatMap(([name, schema]) => {
    const rewrite = rewriteOf(schema, changes);
    return rewrite === null ? [] : [{ name, rewrite, isAdded: rewritesNothing(schema) }];
  });
  if (inner.length === 0) return null;
  return (value, camera) => {
    if (typeof value !== "object" || value === null) return value;
    const made: Record<string, unknown> = { ...value };
    for (const { name, rewrite, isAdded } of inner)
      if (isAdded || name in made) made[name] = rewrite(made[name], camera);
    return made;
  };
}

/** True for the field that says whose an item is, which the first camera's items do without. */
function rewritesNothing(schema: v.GenericSchema): boolean {
  const { wrapped } = schema as Part;
  return wrapped !== undefined && isCameraField(wrapped);
}

function listRewrite(inner: Rewrite | null): Rewrite | null {
  if (inner === null) return null;
  return (value, camera) => (Array.isArray(value) ? value.map((one) => inner(one, camera)) : value);
}

function recordRewrite(inner: Rewrite | null): Rewrite | null {
  if (inner === null) return null;
  return (value, camera) => {
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inner(one, camera)]));
  };
}
