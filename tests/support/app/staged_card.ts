import { join } from "node:path";
import type { CardRecord } from "../../../server/domain/card/card_record.ts";
import { momentKey } from "../../../server/domain/recordings/moment_number.ts";
import { nameOf } from "../../../server/domain/recordings/recording_name.ts";
import { CardHistoryFile } from "../../../server/store/config/card_history_file.ts";
import type { RunningApp } from "./app.ts";
import type { FakeClock } from "./clock.ts";

/** A sync from its start to its end, with the checksums of all that came. */
export async function syncWhole({ app, synced }: RunningApp, clock: FakeClock): Promise<void> {
  app.job.start("manual");
  await synced();
  await checksumsTaken(app, clock);
}

/** Resolves when all checksums are taken: reading waits for the clock. */
export async function checksumsTaken({ checksums }: RunningApp["app"], clock: FakeClock): Promise<void> {
  while (checksums.isTaking) {
    await clock.advance(1);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Writes what runs would have remembered of a card, before the service is asked for it first. */
export async function rememberCard({ app, folder }: RunningApp, { videos, rates }: CardRecord): Promise<void> {
  const file = new CardHistoryFile(join(folder, "config", "card-history.txt"), app.log);
  const times = new Set([...videos.map(({ seenAt }) => seenAt), ...rates.map(({ at }) => at)]);
  const seen = Map.groupBy(videos, ({ seenAt }) => seenAt);
  const rateAt = new Map(rates.map(({ at, rate }) => [at, rate]));
  for (const at of [...times].sort((one, other) => one - other)) {
    const named = (seen.get(at) ?? []).map((video) => ({
      ...video,
      name: nameOf(momentKey(video.moment), video.ending),
    }));
    const answers = named.flatMap(({ name, answer }) => (answer === null ? [] : [{ name, answer }]));
    await file.add({ at, listed: named, answers, rate: rateAt.get(at) ?? null });
  }
}
