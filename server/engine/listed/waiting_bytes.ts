import type { KnownList } from "./known_list.ts";
import type { SizeMemory } from "./size_memory.ts";

export interface WaitingParts {
  readonly listed: Pick<KnownList, "counts" | "counter">;
  readonly sizes: () => Promise<Pick<SizeMemory, "current">>;
}

/** About how many bytes wait on the camera; null while that is unknown. */
export async function waitingBytes({ listed, sizes }: WaitingParts): Promise<number | null> {
  const counts = await listed.counts();
  if (counts === null || counts.waiting_files === 0) return counts && 0;
  const expected = await (await sizes()).current();
  return listed.counter?.bytes(expected) ?? null;
}
