import { CARD_PARTS, type CardPart, cardPartOfType } from "../recordings/card_part.ts";
import { letterOfMoment, secondsOfMoment, TYPE_LETTERS } from "../recordings/moment_number.ts";
import type { Priority } from "../settings/sections/sync.ts";
import { type DownloadOrder, orderKey } from "../sync/download_order.ts";
import type { PartTimes } from "../sync/smart_order.ts";
import { HOUR_SECONDS } from "./card_memory.ts";
import { boundaryBy, type EachWaiting } from "./plan.ts";
import type { Turnover } from "./turnover.ts";
import type { Span } from "./usual_visits.ts";

/** Facts by which orders are compared. All times are seconds on the camera's clock. */
export interface OrderFacts {
  readonly now: number;
  readonly eachWaiting: EachWaiting;
  /** Bytes per second. */
  readonly rate: number;
  readonly turnover: Pick<Turnover, "gained" | "boundaryAt">;
  /** Times at home that are expected, oldest first: what is left of the visit that goes on, too. */
  readonly visits: readonly Span[];
}

/** Recordings of one type and one hour. A share of them may have come or gone. */
interface Block {
  readonly from: number;
  readonly type: string;
  /** They are on the camera now; what is recorded later only takes time. */
  readonly isWaiting: boolean;
  recordings: number;
  bytes: number;
  /** Share of it that is overwritten already, 0 to 1. */
  gone: number;
}

/** Letters of what will be recorded. */
const LETTERS: Readonly<Record<CardPart, string>> = { driving: "N", parking: "P", events: "E" };

/** Returns how many recordings more come home in the order `smart` than in this one, of those that wait now; at least 0. */
export function gainOfSmart(priority: Priority, facts: OrderFacts): number {
  if (priority === "smart") return 0;
  const lost = lostUnder(priority, facts);
  // With nothing to win back there is nothing to compare.
  return lost < 1 ? 0 : Math.max(0, Math.round(lost - lostUnder("smart", facts)));
}

/** Returns how many of the recordings that wait now are overwritten before they come home in this order. */
export function lostUnder(priority: Priority, { now, eachWaiting, rate, turnover, visits }: OrderFacts): number {
  const blocks = waitingBlocks(eachWaiting);
  const perMinute = bytesPerMinute(eachWaiting);
  let lost = 0;
  let recordedUntil = now;
  for (const [place, { from, to }] of visits.entries()) {
    blocks.push(...blocksBetween(recordedUntil, from, { turnover, perMinute }));
    recordedUntil = Math.max(recordedUntil, from);
    const gone = turnover.boundaryAt(from);
    for (const block of blocks) lost += overwrite(block, gone);
    // As a run does: what is at risk is what does not last until the next visit has ended.
    const atRiskBefore = boundaryBy(turnover, visits.slice(place + 1));
    bring(blocks, { priority, atRiskBefore }, (to - from) * rate);
  }
  return lost;
}

function waitingBlocks(eachWaiting: EachWaiting): Block[] {
  const blocks = new Map<string, Block>();
  eachWaiting((moment, bytes) => {
    const { seconds, type } = timeAndType(moment);
    const hour = Math.floor(seconds / HOUR_SECONDS);
    const of = `${hour} ${type}`;
    const block = blocks.get(of) ?? {
      from: hour * HOUR_SECONDS,
      type,
      isWaiting: true,
      recordings: 0,
      bytes: 0,
      gone: 0,
    };
    block.recordings++;
    block.bytes += bytes;
    blocks.set(of, block);
  });
  return [...blocks.values()];
}

/** Mean bytes of a minute of each part, of all directions together; 0 for a part of which nothing waits. */
function bytesPerMinute(eachWaiting: EachWaiting): Readonly<Record<CardPart, number>> {
  const bytes = { driving: 0, parking: 0, events: 0 };
  const moments: Record<CardPart, Set<number>> = { driving: new Set(), parking: new Set(), events: new Set() };
  eachWaiting((moment, size) => {
    const part = cardPartOfType(timeAndType(moment).type);
    bytes[part] += size;
    moments[part].add(moment);
  });
  for (const part of CARD_PARTS) bytes[part] /= Math.max(1, moments[part].size);
  return bytes;
}

/** Returns what is recorded between two times, by the hour. */
function blocksBetween(
  from: number,
  to: number,
  { turnover, perMinute }: Pick<OrderFacts, "turnover"> & { readonly perMinute: Readonly<Record<CardPart, number>> },
): Block[] {
  const blocks: Block[] = [];
  for (let at = from; at < to; ) {
    const end = Math.min(to, (Math.floor(at / HOUR_SECONDS) + 1) * HOUR_SECONDS);
    const minutes = turnover.gained(at, end);
    for (const part of CARD_PARTS) {
      const bytes = minutes[part] * perMinute[part];
      if (bytes > 0)
        blocks.push({ from: at, type: LETTERS[part], isWaiting: false, recordings: minutes[part], bytes, gone: 0 });
    }
    at = end;
  }
  return blocks;
}

/** Takes what is overwritten out of a block. @returns how many recordings of those that wait now */
function overwrite(block: Block, gone: PartTimes): number {
  const share = Math.min(1, (gone[cardPartOfType(block.type)] - block.from) / HOUR_SECONDS);
  if (!(share > block.gone) || block.recordings === 0) return 0;
  const lost = (block.recordings * (share - block.gone)) / (1 - block.gone);
  block.gone = share;
  block.bytes -= (block.bytes * lost) / block.recordings;
  block.recordings -= lost;
  return block.isWaiting ? lost : 0;
}

/** Brings home what so many bytes are enough for. */
function bring(blocks: readonly Block[], order: DownloadOrder, bytes: number): void {
  const inOrder = blocks
    .filter((block) => block.bytes > 0)
    .map((block) => ({ block, key: orderKey(order, { seconds: block.from, type: block.type, direction: "F" }) }))
    .sort((one, other) => one.key - other.key);
  let left = bytes;
  for (const { block } of inOrder) {
    const brought = Math.min(left, block.bytes);
    block.recordings -= (block.recordings * brought) / block.bytes;
    block.bytes -= brought;
    left -= brought;
    if (left <= 0) return;
  }
}

function timeAndType(moment: number): { seconds: number; type: string } {
  return { seconds: secondsOfMoment(moment), type: TYPE_LETTERS[letterOfMoment(moment)] ?? "" };
}
