import { Refusal } from "../browser/client.ts";

const EVERY_MS = 500;
/** Longer than any restart takes, some of which upgrade a long history. */
const LONGEST_MS = 120_000;

/**
 * Resolves when the service has opened its stores anew: it asks for a sign-in, or answers with another boot.
 * @throws Refusal when that takes far too long
 */
export async function untilRestarted(
  ask: (path: string) => Promise<Response>,
  boot: string,
  everyMs: number = EVERY_MS,
): Promise<void> {
  const end = performance.now() + LONGEST_MS;
  while (performance.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, everyMs));
    try {
      const answer = await ask("/api/sync/progress");
      if (answer.status === 401) return;
      if (answer.ok && ((await answer.json()) as { boot_id: string }).boot_id !== boot) return;
    } catch {
      // It is closed just now.
    }
  }
  throw new Refusal("NO_CONNECTION", "Dashdock does not answer again. Its log on the machine says why.");
}
