import * as v from "valibot";
import { type CardMemory, EMPTY_CARD_MEMORY } from "../../domain/plan/card_memory.ts";
import type { CardPart } from "../../domain/recordings/card_part.ts";
import type { Log } from "../../log.ts";
import { jsonFormat, RememberedFile } from "../remembered_file.ts";

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
function byPart<T extends v.GenericSchema>(of: T) {
  return v.object({ driving: of, parking: of, events: of });
}
const SCHEMA = v.object({
  address: v.string(),
  days: v.array(
    v.object({
      day: v.pipe(v.number(), v.integer()),
      minutes: v.array(count),
      seen: v.array(v.pipe(v.number(), v.minValue(0))),
    }),
  ),
  until: v.nullable(v.number()),
  newest: byPart(v.nullable(v.number())),
  holds: v.nullable(byPart(count)),
  is_by_part: v.boolean(),
});
type Stored = v.InferOutput<typeof SCHEMA>;

/**
 * Keeps what the lists of the camera at an address have shown of its card, between starts. Without the file it is
 * learned anew.
 */
export class CardMemoryFile {
  readonly #file: RememberedFile<Stored>;

  constructor(path: string, log: Log) {
    const loss = "what the card overwrites is learned anew";
    this.#file = new RememberedFile({ path, log, logger: "plan", level: "debug", format: jsonFormat(SCHEMA), loss });
  }

  async read(): Promise<{ readonly address: string; readonly memory: CardMemory } | null> {
    const stored = await this.#file.read();
    if (stored === null) return null;
    const { address, days, until, newest, holds, is_by_part: isByPart } = stored;
    const known = ofParts((part) => newest[part] ?? EMPTY_CARD_MEMORY.newest[part]);
    return { address, memory: { days, until, newest: known, holds, isByPart } };
  }

  async write(address: string, { days, until, newest, holds, isByPart }: CardMemory): Promise<void> {
    await this.#file.write({
      address,
      days: days.map(({ day, minutes, seen }) => ({ day, minutes: [...minutes], seen: [...seen] })),
      until,
      newest: ofParts((part) => (Number.isFinite(newest[part]) ? newest[part] : null)),
      holds: holds && { ...holds },
      is_by_part: isByPart,
    });
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}

function ofParts<T>(of: (part: CardPart) => T): Record<CardPart, T> {
  return { driving: of("driving"), parking: of("parking"), events: of("events") };
}
