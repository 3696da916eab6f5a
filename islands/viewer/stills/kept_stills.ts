import { type Signal, signal } from "@preact/signals";
import { cameraClock } from "../../../server/domain/recordings/camera_clock.ts";
import { counted } from "../../../server/domain/text/format.ts";
import type { TimeFormat } from "../../../server/domain/text/time_format.ts";
import { cameraName, keyOf } from "../../../server/domain/viewer/viewer_address.ts";
import type { Still, ViewerRecording } from "../../../server/domain/viewer/viewer_schema.ts";
import { reached } from "../../browser/address.ts";
import { send, sentenceOfError } from "../../browser/client.ts";
import { showToast } from "../../browser/toast.ts";
import type { Browsing } from "../browsing.ts";
import { smallEnough } from "./small_enough.ts";

interface Parts {
  readonly browsing: Browsing;
  readonly format: TimeFormat;
}

/** A picture of a recording that is not kept with it yet. */
export interface TakenPicture {
  readonly direction: string;
  /** Since the recording's beginning. */
  readonly seconds: number;
  readonly picture: Blob;
}

const TOO_LARGE = "The picture is too large to be kept: 8 MiB at most.";

/** The pictures that are kept with recordings. */
export class KeptStills {
  /** Addresses of those that are on their way out. */
  readonly leaving: Signal<readonly string[]> = signal([]);
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Keeps pictures with their recording, and shows the result as a toast. */
  async keep(recording: ViewerRecording, taken: readonly TakenPicture[]): Promise<void> {
    let done = 0;
    try {
      for (const one of taken) {
        const picture = await smallEnough(one.picture);
        if (picture === null) {
          showToast(document, "failed", TOO_LARGE);
          continue;
        }
        await this.#add(recording, { ...one, picture });
        done++;
      }
    } catch (error) {
      showToast(document, "failed", sentenceOfError(error));
    }
    if (done > 0)
      showToast(
        document,
        "fine",
        done === 1
          ? "The picture is kept with the recording."
          : `${counted(done, "picture")} are kept with the recording.`,
      );
  }

  /** Removes a picture; it can be put back at once. */
  async remove(recording: ViewerRecording, still: Still): Promise<void> {
    if (this.leaving.peek().includes(still.url)) return;
    this.leaving.value = [...this.leaving.peek(), still.url];
    try {
      // Read first: an undo sends it again.
      const picture = await read(still.url);
      const { stills } = await send<{ stills: Still[] }>(`DELETE ${still.url as `/api/${string}`}`);
      this.#replace(recording, stills);
      const words = `The picture of ${this.nameOf(recording, still)} is removed.`;
      showToast(document, "waiting", words, {
        label: "Undo",
        run: () => void this.#putBack(recording, { ...still, picture }),
      });
    } catch (error) {
      showToast(document, "failed", sentenceOfError(error));
    } finally {
      this.leaving.value = this.leaving.peek().filter((url) => url !== still.url);
    }
  }

  /** `08:24:09, Front` */
  nameOf(recording: ViewerRecording, { seconds, direction }: Pick<Still, "seconds" | "direction">): string {
    return `${cameraClock(keyOf(recording), Math.floor(seconds), this.#parts.format)}, ${cameraName(direction)}`;
  }

  async #putBack(recording: ViewerRecording, taken: TakenPicture): Promise<void> {
    try {
      await this.#add(recording, taken);
    } catch (error) {
      showToast(document, "failed", sentenceOfError(error));
    }
  }

  async #add(recording: ViewerRecording, { direction, seconds, picture }: TakenPicture): Promise<void> {
    const query = `seconds=${Math.round(seconds * 1000) / 1000}&direction=${direction}`;
    const still = await send<Still>(`POST /api/recordings/${keyOf(recording)}/stills?${query}`, picture);
    const others = this.#now(recording).stills.filter(({ url }) => url !== still.url);
    this.#replace(recording, [...others, still].sort(inOrder));
  }

  #replace(recording: ViewerRecording, stills: readonly Still[]): void {
    this.#parts.browsing.replace({ ...this.#now(recording), stills: [...stills] });
  }

  /** The recording as it is known by now. */
  #now(recording: ViewerRecording): ViewerRecording {
    const { browsing } = this.#parts;
    const key = keyOf(recording);
    const { value } = browsing.shown;
    const shown = value.kind === "recording" && keyOf(value.recording) === key ? value.recording : null;
    return shown ?? browsing.list.find(key) ?? recording;
  }
}

/** By direction and time, as the service lists them. */
function inOrder(one: Still, other: Still): number {
  return one.direction === other.direction ? one.seconds - other.seconds : one.direction < other.direction ? -1 : 1;
}

/** @throws Refusal when it is gone */
async function read(url: string): Promise<Blob> {
  const answer = await fetch(reached(url));
  if (!answer.ok) await send(`GET ${url as `/api/${string}`}`);
  return await answer.blob();
}
