/**
 * What is opened when it is first asked for, once: the start waits neither for its modules nor for itself. A failure is
 * kept as well, as that of a module that cannot be loaded is.
 */
export function whenAsked<T>(open: () => Promise<T>): () => Promise<T> {
  let opening: Promise<T> | null = null;
  return () => {
    opening ??= open();
    return opening;
  };
}
