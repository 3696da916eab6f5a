import * as v from "valibot";
import { type CardMemory, EMPTY_CARD_MEMORY } from "../../domain/plan/card_memory.ts";
import type { Log } from "../../log.ts";
import { jsonFormat, RememberedFile } from "../remembered_file.ts";

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const SCHEMA = v.object({
  address: v.string(),
  days: v.array(v.object({ day: v.pipe(v.number(), v.integer()), minutes: v.array(count) })),
  since: v.nullable(v.number()),
  until: v.number(),
  newest: v.nullable(v.number()),
  holds: v.nullable(v.object({ driving: count, parking: count, events: count })),
  is_by_part: v.boolean(),
});
type Stored = v.InferOutput<typeof SCHEMA>;

/** What the lists of the camera at an address have shown of its card, between starts. Without the file it is learned anew. */
export class CardMemoryFile {
  readonly #file: RememberedFile<Stored>;

  constructor(path: string, log: Log) {
    const loss = "what the card overwrites is learned anew";
    this.#file = new RememberedFile({ path, log, logger: "plan", level: "debug", format: jsonFormat(SCHEMA), loss });
  }

  async read(): Promise<{ readonly address: string; readonly memory: CardMemory } | null> {
    const stored = await this.#file.read();
    if (stored === null) return null;
    const { address, days, since, until, newest, holds, is_by_part: isByPart } = stored;
    const memory = { days, since, until, newest: newest ?? EMPTY_CARD_MEMORY.newest, holds, isByPart };
    return { address, memory };
  }

  async write(address: string, { days, since, until, newest, holds, isByPart }: CardMemory): Promise<void> {
    const known = Number.isFinite(newest) ? newest : null;
    const copied = days.map(({ day, minutes }) => ({ day, minutes: [...minutes] }));
    await this.#file.write({
      ...{ address, days: copied, since, until, newest: known },
      ...{ holds: holds && { ...holds }, is_by_part: isByPart },
    });
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}
