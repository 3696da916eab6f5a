import { type Log, messageOf } from "./log.ts";

/** Ends parts one after the other. A part that a full disk keeps from ending well must not keep the others from it. */
export async function endInOrder(
  parts: readonly (readonly [name: string, end: () => unknown])[],
  log: Log,
): Promise<void> {
  for (const [part, end] of parts) {
    try {
      await end();
    } catch (error) {
      log.error("serve", `The ${part} did not close well: ${messageOf(error)}`);
    }
  }
}
