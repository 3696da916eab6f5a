export interface Took {
  readonly ms: number;
  /** The longest that the event loop was away. */
  readonly gapMs: number;
}

/** Does some work, and watches the event loop meanwhile. */
export async function watched(work: () => Promise<unknown>): Promise<Took> {
  let gapMs = 0;
  let last = performance.now();
  let isOver = false;
  const turn = () => {
    const now = performance.now();
    gapMs = Math.max(gapMs, now - last);
    last = now;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  const began = performance.now();
  await work();
  const ms = performance.now() - began;
  await new Promise((resolve) => setImmediate(resolve));
  isOver = true;
  return { ms, gapMs };
}

export const inWords = ({ ms, gapMs }: Took): string => `${ms.toFixed(1)} ms, event loop away ${gapMs.toFixed(1)} ms`;

/** The quickest of several; their gaps are those of the same rounds. */
export function quickest(all: readonly Took[]): Took {
  return { ms: Math.min(...all.map(({ ms }) => ms)), gapMs: Math.min(...all.map(({ gapMs }) => gapMs)) };
}
