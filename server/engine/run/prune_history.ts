import type { Clock } from "../../clock.ts";
import type { Log } from "../../log.ts";
import type { RunHistory } from "../../store/config/run_history.ts";
import type { DeletionConsent } from "../retention/deletion_consent.ts";

const DAY_SECONDS = 86_400;

export interface PruneParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly history: Pick<RunHistory, "extent" | "prune">;
  /** Tells if the clock can be trusted; null when it always is, as on the command line. */
  readonly consent: Pick<DeletionConsent, "clockDoubt"> | null;
}

/** Forgets runs that are older than `days`, when the clock can be trusted; 0 keeps all. */
export async function pruneHistory({ clock, log, history, consent }: PruneParts, days: number): Promise<void> {
  if (days === 0) return;
  const before = clock.now() / 1000 - days * DAY_SECONDS;
  const { runs, firstTs } = history.extent(0, 1);
  if (runs === 0 || firstTs >= before) return;
  const doubt = (await consent?.clockDoubt()) ?? null;
  if (doubt === null) history.prune(before);
  else log.warning("history", `Old runs are not deleted: ${doubt}`);
}
