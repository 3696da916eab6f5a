/** Something that is opened when it is first asked for. */
export interface Asked<T> {
  (): Promise<T>;
  /** Null until it is open. */
  readonly opened: T | null;
  /** Waits for it where it was asked for; null where it never was. */
  readonly ifAsked: () => Promise<T | null>;
}

/**
 * Opens something once, when it is first asked for: the start waits neither for its modules nor for itself, and an idle
 * service holds none of them. A failure is kept as well, since a module that failed to load stays failed.
 */
export function whenAsked<T>(open: () => Promise<T>): Asked<T> {
  let opening: Promise<T> | null = null;
  const begin = async (): Promise<T> => {
    const opened = await open();
    asked.opened = opened;
    return opened;
  };
  const ask = (): Promise<T> => {
    opening ??= begin();
    return opening;
  };
  const asked = Object.assign(ask, { opened: null as T | null, ifAsked: async () => opening });
  return asked;
}
