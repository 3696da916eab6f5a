/** A settings file as it was read: a JSON object whose fields are not checked yet. */
export type StoredRoot = Readonly<Record<string, unknown>>;

/**
 * Each step takes a file of the version that equals its index to the next one. Append only: a step that has once been
 * released stays as it is, because somewhere there is a file that still needs it.
 */
const STEPS: readonly ((root: StoredRoot) => StoredRoot)[] = [
  // 0 → 1: the version number itself.
  (root) => root,
  // 1 → 2: the state file follows the settings file; only the old fixed place gives way, a chosen one stays.
  (root) => {
    const { metrics } = root;
    if (!isObject(metrics)) return root;
    const { state_file } = metrics;
    return state_file === "/config/metrics-state.json" ? { ...root, metrics: { ...metrics, state_file: "" } } : root;
  },
];

/**
 * The version of today's settings, and of all files in the config folder that have none of their own: a change of their
 * shape that today's reader would misread is a step here, too, so that an older program refuses the folder.
 */
export const SETTINGS_VERSION = STEPS.length;

/**
 * Returns the settings in today's version; a file without a version counts as version 1. The input is not changed.
 * @throws RangeError with the rest of a sentence about the file when its version is no version or a newer one
 */
export function migrate(root: StoredRoot): StoredRoot {
  const { version = 1 } = root;
  if (typeof version !== "number" || !Number.isSafeInteger(version) || version < 0) {
    throw new RangeError(`has a version that is not a whole number from 0 to ${SETTINGS_VERSION}`);
  }
  if (version > SETTINGS_VERSION) {
    throw new RangeError(`is of version ${version}, newer than version ${SETTINGS_VERSION} that this program reads`);
  }
  const migrated = STEPS.slice(version).reduce((current, step) => step(current), root);
  return { ...migrated, version: SETTINGS_VERSION };
}

/** True when a JSON value is an object with fields: neither null nor an array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
