import { MAIN_CAMERA } from "../settings/camera_key.ts";

/** Ending of encrypted objects, as of files that `age` has made. */
export const ENCRYPTED = ".age";

/** Place of a file in a bucket. A further camera has a folder of its own, named as in addresses. */
export function objectKey(
  { camera, path }: { readonly camera: string; readonly path: string },
  { prefix, isEncrypted }: { readonly prefix: string; readonly isEncrypted: boolean },
): string {
  const own = camera === MAIN_CAMERA ? path : `~${camera}/${path}`;
  return `${keyBeginning(prefix)}${own}${isEncrypted ? ENCRYPTED : ""}`;
}

/** Beginning of all names of an installation in its bucket: empty, or with a slash at its end. */
export function keyBeginning(prefix: string): string {
  return prefix === "" || prefix.endsWith("/") ? prefix : `${prefix}/`;
}

/**
 * Path of an object below the folder that it is brought back to; null for a name that cannot be one of ours, such as one
 * that would lead out of the folder.
 */
export function pathOfObject(
  key: string,
  prefix: string,
): { readonly path: string; readonly isEncrypted: boolean } | null {
  const beginning = keyBeginning(prefix);
  if (!key.startsWith(beginning)) return null;
  const isEncrypted = key.endsWith(ENCRYPTED);
  const path = key.slice(beginning.length, isEncrypted ? -ENCRYPTED.length : undefined);
  const parts = path.split("/");
  // Recordings have no hidden names: our own files, and ways out of the folder, do.
  if (parts.some((part) => part === "" || part.startsWith(".") || /\p{Cc}|\\/u.test(part))) return null;
  return { path, isEncrypted };
}
