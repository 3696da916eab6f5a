/**
 * Opens something once, when it is first asked for: the start waits neither for its modules nor for itself. A failure
 * is kept as well, since a module that failed to load stays failed.
 */
export function whenAsked<T>(open: () => Promise<T>): () => Promise<T> {
  let opening: Promise<T> | null = null;
  return () => {
    opening ??= open();
    return opening;
  };
}
