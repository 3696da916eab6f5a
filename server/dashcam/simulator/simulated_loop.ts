/** Ways in which a camera makes room on a full card. */
export const OVERWRITING_NAMES = ["oldest", "quotas"] as const;
export type Overwriting = (typeof OVERWRITING_NAMES)[number];

/** Something that takes room on the card. */
export interface Stored {
  readonly name: string;
  /** The letter of its type. */
  readonly type: string;
  /** Room that it takes, in the unit of the card's capacity. */
  readonly size: number;
}

/** Kinds of recordings that have a share of the card of their own, where a camera has shares. */
type Part = "driving" | "parking" | "events";
const PARTS: readonly Part[] = ["driving", "parking", "events"];
/** The usual shares: most for driving. */
const SHARES: Readonly<Record<Part, number>> = { driving: 0.6, parking: 0.25, events: 0.15 };

/**
 * Loop recording: what is to go when something new is written on a full card. `oldest`: the oldest of all. `quotas`:
 * driving, parking and events have a share each, and within it the oldest goes.
 */
export class LoopRecording<T extends Stored> {
  readonly #parts: readonly LoopPart<T>[];
  readonly #partOf: (type: string) => LoopPart<T>;

  constructor(capacity: number, overwriting: Overwriting) {
    if (overwriting === "oldest") {
      const all = new LoopPart<T>(capacity);
      this.#parts = [all];
      this.#partOf = () => all;
    } else {
      const parts = new Map(PARTS.map((part) => [part, new LoopPart<T>(capacity * SHARES[part])]));
      this.#parts = [...parts.values()];
      this.#partOf = (type) => parts.get(partOf(type)) as LoopPart<T>;
    }
  }

  /** Everything on the card; within a part of the card oldest first. */
  *stored(): Generator<T> {
    for (const part of this.#parts) yield* part.items();
  }

  /** Writes something, and returns what was overwritten for it, oldest first. */
  write(item: T): T[] {
    return this.#partOf(item.type).write(item);
  }
}

/** Room for some kinds of recordings, in the order in which they were written. */
class LoopPart<T extends Stored> {
  readonly #capacity: number;
  #items: T[] = [];
  /** Place of the oldest that is still there. */
  #first = 0;
  #used = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  *items(): Generator<T> {
    for (let index = this.#first; index < this.#items.length; index++) yield this.#items[index] as T;
  }

  write(item: T): T[] {
    this.#items.push(item);
    this.#used += item.size;
    const start = this.#first;
    // The newest stays, however small the card is.
    while (this.#used > this.#capacity && this.#first < this.#items.length - 1) {
      this.#used -= this.#items[this.#first]?.size ?? 0;
      this.#first++;
    }
    const gone = this.#items.slice(start, this.#first);
    if (this.#first > 1000 && this.#first > this.#items.length / 2) {
      this.#items = this.#items.slice(this.#first);
      this.#first = 0;
    }
    return gone;
  }
}

function partOf(type: string): Part {
  if (type === "N") return "driving";
  return type === "P" ? "parking" : "events";
}
