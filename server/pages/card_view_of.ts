import type { App } from "../app.ts";
import { cardRows } from "../domain/card/card_rows.ts";
import { type CardView, cardView } from "../domain/card/card_view.ts";
import { momentKey } from "../domain/recordings/moment_number.ts";
import { groupOf } from "../domain/recordings/recording_name.ts";
import { failureWords } from "../domain/runs/failure_text.ts";
import { asSentence, formatBytesOf } from "../domain/text/format.ts";
import type { CardContent } from "../engine/card/card_content.ts";

const NO_NAMES: CardContent["names"] = { coming: [], unreadable: [], unknown: [], given_up: [] };

/** The page of one camera, in words and figures. */
export async function cardViewOf(app: App): Promise<CardView> {
  const { clock, zone, settings, job, history, arrival } = app;
  const [reading, sizes] = await Promise.all([
    app.card().then((card) => card.read()),
    app.sizes().then((memory) => memory.current()),
  ]);
  const { content } = reading;
  const names = content?.names ?? NO_NAMES;
  const now = clock.now();
  return cardView({
    ...reading,
    hasAddress: settings.current.connection.address !== "",
    isSyncing: job.isRunning,
    parts: content?.parts ?? null,
    bytesOf: (places) => content?.bytesOf(places, sizes) ?? null,
    oldest: content === null || content.oldest === null ? null : momentKey(content.oldest),
    rate: sizes.pace?.bytesPerSecond ?? null,
    isAway: arrival.place === "away",
    rows: cardRows({
      names,
      current: currentOf(app),
      failures: failuresOf(history.lastFailures(names.unreadable), reading.errors),
      thisYear: zone.wall(now).year,
      format: zone.format,
    }),
    unreadable: [...new Set(names.unreadable.map(groupOf))],
    givenUp: [...new Set(names.given_up.map(groupOf))],
    now,
    zone,
  });
}

function currentOf({ job }: Pick<App, "job">) {
  const { current_file: file } = job.snapshot;
  if (file === null || file.artifact !== "mp4") return null;
  const { downloaded_bytes: here, total_bytes: total } = file;
  return { name: file.filename, words: total > 0 ? formatBytesOf(here, total) : "" };
}

/** The last failure of each video, in words, with in how many runs it failed. */
function failuresOf(failures: ReturnType<App["history"]["lastFailures"]>, errors: ReadonlyMap<string, number>) {
  return new Map(
    failures.map((file) => {
      const { sentence } = failureWords(file, { inTrash: 0 });
      return [file.name, { sentence: asSentence(sentence), tries: errors.get(file.name) ?? 0 }] as const;
    }),
  );
}
