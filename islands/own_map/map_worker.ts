import { Refusal } from "../browser/client.ts";
import { BadMapFile, FileParts, OtherMapFile } from "./file_parts.ts";
import { keyOf, MapGround } from "./map_ground.ts";
import type { FromMapWorker, MapLook, SquarePlace, ToMapWorker } from "./messages.ts";

/** A file that is written at the moment is another one each time. */
const CHANGED_AGAIN_MS = 10_000;
/** Squares whose tiles are asked for at once: a browser has six connections to a server, and most are for the cameras. */
const MOST_AT_ONCE = 2;

const CHANGES = "The map file changes at the moment. Try again when it is copied whole.";
const DAMAGED = "The map file is damaged. Make or copy it again.";

/** Draws squares of the own map file for a page, which has all its time for moving them. */
class Drawing {
  readonly #wanted = new Map<number, SquarePlace>();
  readonly #queue: number[] = [];
  #address = "";
  #look: MapLook | null = null;
  #ground: Promise<MapGround> | null = null;
  #reopenedAt = Number.NEGATIVE_INFINITY;
  #running = 0;

  hear(words: ToMapWorker): void {
    if (words.kind === "begin") {
      this.#address = words.address;
      this.#look = words.look;
      this.#drawAll();
    } else if (words.kind === "draw") {
      this.#wanted.set(words.id, words.place);
      this.#queue.push(words.id);
      this.#go();
    } else this.#wanted.delete(words.id);
  }

  #drawAll(): void {
    this.#ground = null;
    this.#queue.splice(0, this.#queue.length, ...this.#wanted.keys());
    this.#go();
  }

  #go(): void {
    while (this.#running < MOST_AT_ONCE) {
      const id = this.#queue.shift();
      if (id === undefined) return;
      const place = this.#wanted.get(id);
      if (place === undefined || this.#look === null) continue;
      this.#running++;
      void this.#draw(id, place, this.#look).finally(() => {
        this.#running--;
        this.#go();
      });
    }
  }

  async #draw(id: number, place: SquarePlace, look: MapLook): Promise<void> {
    this.#ground ??= MapGround.open(new FileParts(this.#address), look, (keys) => this.#drawAgain(keys));
    const ground = this.#ground;
    const isRight = () => this.#ground === ground && this.#wanted.has(id);
    try {
      const picture = await (await ground).draw(place, isRight);
      if (picture !== null) tell({ kind: "drawn", id, picture }, [picture]);
      else this.#drawAgain(new Set([keyOf(place)]));
    } catch (error) {
      if (!isRight()) this.#drawAgain(new Set([keyOf(place)]));
      else if (error instanceof OtherMapFile && performance.now() - this.#reopenedAt > CHANGED_AGAIN_MS) {
        this.#reopenedAt = performance.now();
        this.#drawAll();
      } else {
        // The next square may get an answer that is refused now. A damaged file stays as it is.
        if (error instanceof Refusal || error instanceof OtherMapFile) this.#ground = null;
        tell({ kind: "failed", id, sentence: sentenceOf(error) });
      }
    }
  }

  /** Draws squares again as far as they are wanted: those into which a name of another one reaches, or of a file that is open no more. */
  #drawAgain(keys: ReadonlySet<string>): void {
    for (const [id, place] of this.#wanted)
      if (keys.has(keyOf(place)) && !this.#queue.includes(id)) this.#queue.push(id);
    queueMicrotask(() => this.#go());
  }
}

const tell = (words: FromMapWorker, taken: Transferable[] = []) => postMessage(words, { transfer: taken });

function sentenceOf(error: unknown): string {
  if (error instanceof Refusal) return error.message;
  if (error instanceof OtherMapFile) return CHANGES;
  if (!(error instanceof BadMapFile)) console.warn(error);
  return DAMAGED;
}

function listen(): void {
  const drawing = new Drawing();
  addEventListener("message", ({ data }: MessageEvent<ToMapWorker>) => drawing.hear(data));
}

listen();
