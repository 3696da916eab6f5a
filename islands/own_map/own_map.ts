import { MAP_FILE_ADDRESS } from "../../server/domain/viewer/map_file.ts";
import { reached } from "../browser/address.ts";
import { type FromMapWorker, type MapLook, OWN_SIDE, type SquarePlace, type ToMapWorker } from "./messages.ts";

/** More pixels for each of the page's cost more than they show. */
const MOST_DENSE = 2;
const NO_SCRIPT = "The script that draws the map file did not come. Load this page again.";

interface Square {
  readonly canvas: HTMLCanvasElement;
  readonly drawn: (error?: Error) => void;
}

/** Squares of the street map that a worker draws from the own map file; nothing of them comes from elsewhere. */
export class OwnMap {
  readonly #worker: Worker;
  readonly #onProblem: (sentence: string | null) => void;
  readonly #squares = new Map<number, Square>();
  readonly #ids = new WeakMap<HTMLElement, number>();
  /** Those in sight that could not be drawn. */
  readonly #failed = new Set<number>();
  #side = OWN_SIDE;
  #next = 0;

  /**
   * @param script address of the worker
   * @param onProblem told why a square that is in sight could not be drawn, and null as soon as there is none such
   */
  constructor(script: string, isDark: boolean, onProblem: (sentence: string | null) => void) {
    this.#onProblem = onProblem;
    this.#worker = new Worker(reached(script), { type: "module" });
    this.#worker.addEventListener("message", ({ data }: MessageEvent<FromMapWorker>) => this.#hear(data));
    this.#worker.addEventListener("error", (event) => {
      event.preventDefault();
      for (const id of this.#squares.keys()) this.#hear({ kind: "failed", id, sentence: NO_SCRIPT });
    });
    this.begin(isDark);
  }

  /** Draws all squares that are in sight, anew where they are drawn, from the file as it is now. */
  begin(isDark: boolean): void {
    this.#side = Math.round(OWN_SIDE * Math.min(MOST_DENSE, devicePixelRatio));
    const language = document.documentElement.lang.slice(0, 2) || "en";
    const look: MapLook = { isDark, language, side: this.#side };
    this.#say({ kind: "begin", address: reached(MAP_FILE_ADDRESS), look });
  }

  /** Makes a square. @param drawn called each time it was drawn, or could not be */
  square({ z, x, y }: SquarePlace, drawn: (error?: Error) => void): HTMLCanvasElement {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [this.#side, this.#side];
    const id = this.#next++;
    this.#squares.set(id, { canvas, drawn });
    this.#ids.set(canvas, id);
    this.#say({ kind: "draw", id, place: { z, x, y } });
    return canvas;
  }

  /** Gives up a square, which is out of sight. */
  drop(canvas: HTMLElement): void {
    const id = this.#ids.get(canvas);
    if (id === undefined || !this.#squares.delete(id)) return;
    this.#say({ kind: "drop", id });
    this.#mended(id);
  }

  close(): void {
    this.#worker.terminate();
    this.#squares.clear();
  }

  #hear(words: FromMapWorker): void {
    const square = this.#squares.get(words.id);
    if (square === undefined) {
      if (words.kind === "drawn") words.picture.close();
    } else if (words.kind === "drawn") {
      square.canvas.getContext("bitmaprenderer")?.transferFromImageBitmap(words.picture);
      this.#mended(words.id);
      square.drawn();
    } else {
      this.#failed.add(words.id);
      this.#onProblem(words.sentence);
      square.drawn(new Error(words.sentence));
    }
  }

  #mended(id: number): void {
    if (this.#failed.delete(id) && this.#failed.size === 0) this.#onProblem(null);
  }

  #say(words: ToMapWorker): void {
    this.#worker.postMessage(words);
  }
}
