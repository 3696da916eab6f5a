/** A recording that was lost, in the order in which the camera recorded over it. */
export interface LostRecording {
  readonly ending: number;
  /** Bytes of its video; null while unknown. */
  readonly size: number | null;
  /** When a list of the camera had it first, and when one lacked it first; epoch milliseconds. */
  readonly firstSeen: number;
  readonly missingSince: number;
}

/** A recording that came home. */
export interface BroughtRecording {
  readonly ending: number;
  readonly size: number | null;
  readonly homeAt: number;
  /** When the camera had it last; null while it still has it. */
  readonly lastSeen: number | null;
}

/**
 * Counts recordings that another order would have brought home: in their place came others that the camera still had
 * when these were gone. So many are counted as fit into the bytes of those.
 * @param lost the ones that the camera recorded over first come first
 */
export function savedByOrder(lost: readonly LostRecording[], brought: readonly BroughtRecording[]): number {
  const usual = usualSizes(brought);
  const taken = new Set<BroughtRecording>();
  let room = 0;
  let saved = 0;
  for (const { ending, size, firstSeen, missingSince } of lost) {
    for (const one of brought) {
      const couldWait = one.lastSeen === null || one.lastSeen >= missingSince;
      if (taken.has(one) || !couldWait || one.homeAt <= firstSeen || one.homeAt >= missingSince) continue;
      taken.add(one);
      room += one.size ?? usual(one.ending);
    }
    const needed = size ?? usual(ending);
    if (needed <= 0 || needed > room) continue;
    room -= needed;
    saved++;
  }
  return saved;
}

/** The mean size of the recordings of a direction, else of all; 0 where none is known. */
function usualSizes(brought: readonly BroughtRecording[]): (ending: number) => number {
  const known = brought.filter(({ size }) => size !== null);
  const byEnding = new Map([...Map.groupBy(known, ({ ending }) => ending)].map(([ending, of]) => [ending, mean(of)]));
  const all = mean(known);
  return (ending) => byEnding.get(ending) ?? all;
}

function mean(of: readonly BroughtRecording[]): number {
  return of.length === 0 ? 0 : of.reduce((sum, { size }) => sum + (size ?? 0), 0) / of.length;
}
