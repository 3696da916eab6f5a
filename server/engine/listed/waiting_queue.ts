import { letterOfMoment, momentNumber, secondsOfMoment, TYPE_LETTERS } from "../../domain/recordings/moment_number.ts";
import { directionRank } from "../../domain/recordings/recording_codes.ts";
import { directionOf, endingOf, groupOf } from "../../domain/recordings/recording_name.ts";
import { type CameraList, VIDEO_ENDINGS } from "../../domain/sync/camera_list.ts";
import { type DownloadOrder, orderKey } from "../../domain/sync/download_order.ts";
import { type ExpectedSizes, sizeClassOf } from "../../domain/sync/expected_sizes.ts";
import { queueReason } from "../../domain/sync/queue_reason.ts";
import type { QueueItem, QueueReason } from "../../domain/sync/queue_schema.ts";
import type { Library } from "../../store/library/library.ts";
import type { KnownList } from "./known_list.ts";
import type { RequestedRecordings } from "./requested_recordings.ts";

export interface WaitingQueueParts {
  readonly listed: Pick<KnownList, "eachPlaceComing" | "list" | "revision">;
  readonly requested: Pick<RequestedRecordings, "first" | "isUnwanted" | "queue" | "revision">;
  readonly library: Pick<Library, "names">;
  /** Order in which the next run asks for them. */
  readonly order: () => DownloadOrder;
}

/** A recording that is to come home. */
export interface QueuedRecording {
  /** Bytes of its video. */
  readonly name: string;
  readonly why: QueueReason;
  /** Its size as the camera tells it; null where that is not known. */
  readonly bytes: number | null;
}

/** Above every rank of a direction. */
const DIRECTIONS = 8;

/** The recordings that are to come home, in the order in which they come, with the reason for it. */
export class WaitingQueue {
  readonly #parts: WaitingQueueParts;
  /** Their places in a list in order, and by what they were sorted. */
  #sorted: { readonly of: string; readonly list: CameraList; readonly places: Uint32Array } | null = null;

  constructor(parts: WaitingQueueParts) {
    this.#parts = parts;
  }

  /** The recordings as answers have them, the next one first. @param sizes known of the camera's files */
  *items(sizes: ExpectedSizes): Generator<QueueItem> {
    for (const { name, why, bytes } of this.recordings()) {
      const size = bytes ?? sizes.of(sizeClassOf(name, "mp4"));
      const rounded = size === null ? null : Math.round(size);
      yield { key: groupOf(name), direction: directionOf(name), bytes: rounded, why };
    }
  }

  /** All of them, the next one first: of a run what it is to bring, and then what waits beside that. */
  *recordings(): Generator<QueuedRecording> {
    const { requested } = this.#parts;
    const asked = new Set(requested.first);
    const { queue } = requested;
    const taken = new Set<string>();
    if (queue !== null)
      for (const { name } of queue.recordings()) {
        taken.add(name);
        const moment = momentNumber(name);
        if (requested.isUnwanted(moment) || this.#parts.library.names.hasAt(moment, endingOf(name))) continue;
        yield { name, why: whyOf(moment, queue.order, asked), bytes: queue.sizeOf(name) };
      }
    const order = queue?.order ?? this.#parts.order();
    const { list, places } = this.#resting(order);
    for (const at of places) {
      const name = list?.nameAt(at) ?? "";
      if (!taken.has(name)) yield { name, why: whyOf(momentNumber(name), order, asked), bytes: null };
    }
  }

  #resting(order: DownloadOrder): { readonly list: CameraList | null; readonly places: Uint32Array } {
    const { listed, requested } = this.#parts;
    const { list } = listed;
    const of = `${listed.revision} ${requested.revision} ${JSON.stringify(order)}`;
    if (this.#sorted?.of === of && this.#sorted.list === list) return this.#sorted;
    const waiting: number[] = [];
    if (list === null) return { list, places: new Uint32Array() };
    listed.eachPlaceComing((at, isUnwanted) => {
      if (!isUnwanted) waiting.push(at);
    });
    const keys = this.#keysOf(list, waiting, order);
    const turns = Uint32Array.from(waiting.keys()).sort(
      (one, other) => (keys[one] ?? 0) - (keys[other] ?? 0) || one - other,
    );
    this.#sorted = { of, list, places: turns.map((turn) => waiting[turn] ?? 0) };
    return this.#sorted;
  }

  /** Numbers that are lower the earlier a recording comes; those that a user asked for are below all others. */
  #keysOf(list: CameraList, waiting: readonly number[], order: DownloadOrder): Float64Array {
    const { first } = this.#parts.requested;
    const asked = new Map(first.map((moment, at) => [moment, at - first.length]));
    return Float64Array.from(waiting, (at) => {
      const moment = list.momentAt(at);
      const direction = VIDEO_ENDINGS[list.endingAt(at)]?.charAt(0) ?? "";
      const rank = asked.get(moment);
      if (rank !== undefined) return rank * DIRECTIONS + directionRank(direction);
      return orderKey(order, { ...timeAndType(moment), direction });
    });
  }
}

function whyOf(moment: number, order: DownloadOrder, asked: ReadonlySet<number>): QueueReason {
  return queueReason(timeAndType(moment), order, asked.has(moment));
}

function timeAndType(moment: number): { seconds: number; type: string } {
  return { seconds: secondsOfMoment(moment), type: TYPE_LETTERS[letterOfMoment(moment)] ?? "" };
}
