/** Most characters of a camera's name. */
export const LONGEST_CAMERA_NAME = 40;

/** The fault of a camera's name, as the rest of a sentence; null for none. */
export function cameraNameProblem(name: string): string | null {
  if (name.trim() === "") return "must not be empty";
  if (name.length > LONGEST_CAMERA_NAME) return `must have at most ${LONGEST_CAMERA_NAME} characters`;
  return /\p{C}/u.test(name) ? "must not have control characters" : null;
}

/** The first free id for a camera of this name. */
export function idFor(name: string, taken: readonly string[]): string {
  const plain = name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+/, "")
    .slice(0, 24)
    .replace(/-+$/, "");
  const base = plain || "camera";
  if (!taken.includes(base)) return base;
  for (let number = 2; ; number++) if (!taken.includes(`${base}-${number}`)) return `${base}-${number}`;
}
