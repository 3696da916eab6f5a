import * as v from "valibot";
import { momentNumber } from "../../domain/recordings/moment_number.ts";
import type { Log } from "../../log.ts";
import type { KeptMap, KeptMark, MarksMemory } from "../destination/kept_recordings.ts";
import { jsonFormat, RememberedFile } from "../remembered_file.ts";

const MARKS = v.record(v.string(), v.object({ at: v.string(), note: v.nullable(v.string()) }));
/** By the path of the recordings folder. */
const FILE = v.record(v.string(), v.object({ known: MARKS, lost: MARKS, spared: v.boolean() }));
type Places = v.InferOutput<typeof FILE>;

const NOTHING: ReadonlyMap<number, KeptMark> = new Map();

/**
 * `kept-marks.json` in the config folder: which marks the list of kept recordings held when it was read last, and which
 * ones went with it. The list itself, in the recordings folder, is what counts while it can be read.
 */
export class KnownMarks implements MarksMemory {
  readonly #file: RememberedFile<Places>;
  readonly #root: string;
  readonly #others: Places;
  #known: KeptMap = NOTHING;
  #lost: KeptMap = NOTHING;
  #isSpared = false;
  #version = 0;
  #written = "";

  private constructor(file: RememberedFile<Places>, root: string, places: Places) {
    this.#file = file;
    this.#root = root;
    const { [root]: here, ...others } = places;
    this.#others = others;
    if (here === undefined) return;
    this.#known = mapOf(here.known);
    this.#lost = mapOf(here.lost);
    this.#isSpared = here.spared;
    this.#written = JSON.stringify(this.#here());
  }

  static async open({ path, root, log }: { path: string; root: string; log: Log }): Promise<KnownMarks> {
    const loss = "which recordings are kept is known from the recordings folder alone";
    const file = new RememberedFile({ path, log, logger: "retention", format: jsonFormat(FILE), loss });
    return new KnownMarks(file, root, (await file.read()) ?? {});
  }

  get version(): number {
    return this.#version;
  }

  get lost(): KeptMap {
    return this.#lost;
  }

  get isHolding(): boolean {
    return this.#lost.size > 0 && !this.#isSpared;
  }

  get spared(): KeptMap {
    return this.#isSpared ? this.#lost : NOTHING;
  }

  async follow(found: KeptMap): Promise<void> {
    if (found.size === 0 && this.#known.size > 0) {
      this.#lost = new Map([...this.#lost, ...this.#known]);
      this.#isSpared = false;
    }
    await this.note(found);
  }

  async note(written: KeptMap): Promise<void> {
    this.#known = written;
    await this.#forget(written.keys());
  }

  async takeOff(moments: Iterable<number>): Promise<void> {
    const gone = new Set(moments);
    this.#known = new Map([...this.#known].filter(([moment]) => !gone.has(moment)));
    await this.#forget(gone);
  }

  /** A user decided about deleting without a word about the marks: the rest goes by the rules, what was marked stays. */
  async spare(): Promise<void> {
    if (!this.isHolding) return;
    this.#isSpared = true;
    await this.#write();
  }

  /** A user says that the marks are gone on purpose. */
  async giveUp(): Promise<void> {
    await this.#forget([...this.#lost.keys()]);
  }

  /** Resolves when everything is written. */
  close(): Promise<void> {
    return this.#file.close();
  }

  async #forget(moments: Iterable<number>): Promise<void> {
    const lost = new Map(this.#lost);
    for (const moment of moments) lost.delete(moment);
    this.#lost = lost;
    if (lost.size === 0) this.#isSpared = false;
    await this.#write();
  }

  async #write(): Promise<void> {
    const here = this.#here();
    const text = JSON.stringify(here);
    if (text === this.#written || (this.#written === "" && this.#known.size + this.#lost.size === 0)) return;
    this.#written = text;
    this.#version++;
    await this.#file.write({ ...this.#others, [this.#root]: here });
  }

  #here(): Places[string] {
    return { known: recordOf(this.#known), lost: recordOf(this.#lost), spared: this.#isSpared };
  }
}

function recordOf(marks: KeptMap): v.InferOutput<typeof MARKS> {
  return Object.fromEntries([...marks.values()].map(({ key, kept }) => [key, kept]));
}

function mapOf(marks: v.InferOutput<typeof MARKS>): KeptMap {
  const all = Object.entries(marks).map(([key, kept]) => [momentNumber(key), { key, kept }] as const);
  return new Map(all.filter(([moment]) => moment >= 0));
}
