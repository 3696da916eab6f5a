/**
 * Asks for some of several things, one bunch at a time; what is wanted meanwhile is asked for once, afterwards.
 * @returns asks, or joins what is under way; resolves when nothing is wanted any more
 */
export function oneAtATime<T>(ask: (wanted: readonly T[]) => Promise<void>): (wanted: readonly T[]) => Promise<void> {
  const waiting = new Set<T>();
  let going: Promise<void> | null = null;
  const askAll = async () => {
    try {
      while (waiting.size > 0) {
        const wanted = [...waiting];
        waiting.clear();
        await ask(wanted);
      }
    } finally {
      going = null;
    }
  };
  return (wanted) => {
    for (const thing of wanted) waiting.add(thing);
    going ??= askAll();
    return going;
  };
}
