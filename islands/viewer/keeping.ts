import { type Signal, signal } from "@preact/signals";
import { clipName } from "../../server/domain/recordings/camera_clock.ts";
import type { Marked, MarkedTrip } from "../../server/domain/retention/deletion_schema.ts";
import { clips } from "../../server/domain/retention/kept_text.ts";
import type { TimeFormat } from "../../server/domain/text/time_format.ts";
import { isHere } from "../../server/domain/viewer/coming_text.ts";
import { dayOfKey, keyOf } from "../../server/domain/viewer/viewer_address.ts";
import type { Trip, ViewerRecording } from "../../server/domain/viewer/viewer_schema.ts";
import { send, sentenceOfError } from "../browser/client.ts";
import { showToast } from "../browser/toast.ts";
import type { Browsing } from "./browsing.ts";

interface Parts {
  readonly browsing: Browsing;
  readonly thisYear: number;
  /** Format of times and dates. */
  readonly format: TimeFormat;
  /** Reads what has changed, on these days in any case. */
  readonly refresh: (dates: readonly (string | null)[]) => Promise<void>;
}

/** The marks that keep recordings from being deleted, and their notes. */
export class Keeping {
  /** Keys of which something is on its way to the service. */
  readonly pending: Signal<readonly string[]> = signal([]);
  /** The key of the recording whose note is being written. */
  readonly writing: Signal<string | null> = signal(null);
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  isPending(key: string): boolean {
    return this.pending.value.includes(key);
  }

  /** Marks what is on show, or takes the mark off. */
  async toggle(): Promise<void> {
    const recording = this.#shown();
    if (!recording) return;
    if (!isHere(recording)) showToast(document, "attention", "It can be kept when it is here.");
    else if (recording.kept) await this.letGo(recording);
    else await this.#orShowError(() => this.keep(recording));
  }

  /** Takes the mark off; what was written goes with it, and can be restored at once. */
  async letGo(recording: ViewerRecording): Promise<void> {
    const key = keyOf(recording);
    const note = recording.kept?.note ?? null;
    await this.#orShowError(async () => {
      await this.#ask(recording, async () => {
        await send(`DELETE /api/recordings/${key}/keep`);
        return null;
      });
      this.#refreshDays([key]);
      if (note === null) return;
      const words = `${clipName(key, this.#parts.thisYear, this.#parts.format)} is not kept any more, and its note is gone.`;
      showToast(document, "waiting", words, {
        label: "Undo",
        run: () => void this.#orShowError(() => this.keep(recording, note)),
      });
    });
  }

  /**
   * Marks a recording.
   * @param note what is to stand with it; left as it is without one
   * @throws Refusal
   */
  async keep(recording: ViewerRecording, note?: string | null): Promise<void> {
    await this.#put(recording, note === undefined ? {} : { note });
    this.#refreshDays([keyOf(recording)]);
  }

  /** Marks several, one after the other, and shows the result as a toast. */
  async keepAll(recordings: readonly ViewerRecording[]): Promise<void> {
    let done = 0;
    await this.#orShowError(async () => {
      for (const recording of recordings) {
        if (!recording.kept) await this.#put(recording, {});
        done++;
      }
    });
    this.#refreshDays(recordings.map(keyOf));
    const all = recordings.length;
    if (done === all) showToast(document, "fine", `${clips(all)} ${all === 1 ? "is" : "are"} kept.`);
    else if (done > 0) showToast(document, "attention", `${done} of ${clips(all)} are kept.`);
  }

  /** Keeps all clips of a trip that are at home, and shows the result as a toast. */
  async keepTrip(key: string): Promise<void> {
    await this.#orShowError(async () => {
      const { keys } = await send<MarkedTrip>(`POST /api/viewer/trips/${key}/keep`);
      if (keys.length === 0) return;
      this.#refreshDays(keys);
      showToast(document, "fine", `The whole trip is kept: ${clips(keys.length)}.`, {
        label: "Undo",
        run: () => void this.#letAllGo(key, keys),
      });
    });
  }

  /** Opens the field for the note of what is on show. */
  write(): void {
    const recording = this.#shown();
    if (recording && isHere(recording) && !this.isPending(keyOf(recording))) this.writing.value = keyOf(recording);
  }

  /** Leaves the field; nothing is written. */
  leave(): void {
    this.writing.value = null;
  }

  /** Writes the note, and with it the mark. @returns why it could not be, as a sentence */
  async save(key: string, text: string): Promise<string | null> {
    const recording = this.#shown();
    const note = text.replace(/\s+/g, " ").trim() || null;
    if (!recording || keyOf(recording) !== key || note === (recording.kept?.note ?? null)) {
      this.leave();
      return null;
    }
    try {
      await this.keep(recording, note);
      if (this.writing.value === key) this.leave();
      return null;
    } catch (error) {
      return sentenceOfError(error);
    }
  }

  /** Recording on show, as it is known now. */
  #shown(): ViewerRecording | null {
    const { value } = this.#parts.browsing.shown;
    return value.kind === "recording" ? value.recording : null;
  }

  /** Takes the marks of a trip off again, but for what a note was written on since, here or elsewhere. */
  async #letAllGo(trip: string, keys: readonly string[]): Promise<void> {
    await this.#orShowError(async () => {
      const { segments } = await send<Trip>(`GET /api/viewer/trips/${trip}`);
      const noted = new Set(segments.filter(({ kept }) => (kept?.note ?? null) !== null).map(keyOf));
      for (const key of keys) if (!noted.has(key)) await send(`DELETE /api/recordings/${key}/keep`);
    });
    this.#refreshDays(keys);
  }

  async #put(recording: ViewerRecording, body: { readonly note?: string | null }): Promise<void> {
    const path = `PUT /api/recordings/${keyOf(recording)}/keep` as const;
    await this.#ask(recording, async () => (await send<Marked>(path, body)).kept);
  }

  async #ask(recording: ViewerRecording, ask: () => Promise<ViewerRecording["kept"]>): Promise<void> {
    const { browsing } = this.#parts;
    const key = keyOf(recording);
    if (this.isPending(key)) return;
    this.pending.value = [...this.pending.value, key];
    try {
      const kept = await ask();
      const { value } = browsing.shown;
      const shown = value.kind === "recording" && keyOf(value.recording) === key ? value.recording : null;
      browsing.replace({ ...(browsing.list.find(key) ?? shown ?? recording), kept });
    } finally {
      this.pending.value = this.pending.value.filter((one) => one !== key);
    }
  }

  /** Clips kept with an event change, too; the mark is set even when they cannot be read. */
  #refreshDays(keys: readonly string[]): void {
    this.#parts.refresh([...new Set(keys.map(dayOfKey))]).catch(() => {});
  }

  async #orShowError(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      showToast(document, "failed", sentenceOfError(error));
    }
  }
}
