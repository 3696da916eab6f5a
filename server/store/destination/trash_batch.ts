import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { momentKey, momentNumber } from "../../domain/recordings/moment_number.ts";
import { TRASH_CAUSES, type TrashCause } from "../../domain/retention/deletion_cause.ts";
import { KEEP_CLASSES, type KeepClass } from "../../domain/retention/keep_times.ts";
import { isObject } from "../../domain/settings/settings_migrations.ts";
import { isSliceEnd, nextTurn } from "../../turns.ts";
import { errorCode } from "../error_code.ts";
import { APPEND_PLAIN, readPlainText } from "../plain_file.ts";
import { giveToOwnerOf } from "./own_folder.ts";

/**
 * A folder of the trash for everything that one pass, or one person, deleted at once: `20261122T030000000Z-age`. In it
 * files lie as they lay in the destination. Beside them is `list`: a line with who deleted it, and a line for each
 * moment with its bytes. Only the files in the folder count; the list saves asking the disk for 20,000 sizes.
 */
export interface TrashBatch {
  /** The folder's name. */
  readonly id: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly cause: TrashCause;
  /** Person who did it by hand; null for a rule. */
  readonly by: string | null;
  /** Keep time of each kind when it was deleted by age. */
  readonly keep: Keep;
}

export type Keep = Readonly<Partial<Record<KeepClass, string>>>;

/** Sizes for one moment in one folder: all its videos. */
export interface Sizes {
  readonly bytes: number;
  readonly videos: number;
}

/** By path below the trash, then by moment. */
export type BatchSizes = ReadonlyMap<string, ReadonlyMap<number, Sizes>>;

const ID = /^([0-9]{4})([0-9]{2})([0-9]{2})T([0-9]{2})([0-9]{2})([0-9]{2})([0-9]{3})Z-([a-z]+)(?:-[0-9]+)?$/;
const LIST = "list";

/** The name of a batch; with a number of its own when another one began in the same millisecond. */
export function batchId(at: number, cause: TrashCause, number: number): string {
  const stamp = new Date(at).toISOString().replace(/[-:.]/g, "");
  return `${stamp}-${cause}${number === 1 ? "" : `-${number}`}`;
}

/** The batch that a folder's name stands for; null for another folder. */
export function batchOf(id: string): TrashBatch | null {
  const [, year, month, day, hour, minute, second, ms, word] = ID.exec(id) ?? [];
  const cause = TRASH_CAUSES.find((one) => one === word);
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`);
  return cause === undefined || Number.isNaN(at) ? null : { id, at, cause, by: null, keep: {} };
}

/** The first line of a list. */
export function headOf({ by, keep }: Pick<TrashBatch, "by" | "keep">): string {
  return `${JSON.stringify({ by, keep })}\n`;
}

/** Adds moments to the list of the batch in the folder at `path`. */
export async function addToList(
  path: string,
  moments: readonly { readonly moment: number; readonly folder: string; readonly sizes: Sizes }[],
): Promise<void> {
  let text = "";
  for (const { moment, folder, sizes } of moments)
    text += `${momentKey(moment)} ${sizes.bytes} ${sizes.videos} ${folder}\n`;
  await appendFile(join(path, LIST), text, { flag: APPEND_PLAIN });
}

export async function beginList(path: string, batch: Pick<TrashBatch, "by" | "keep">): Promise<void> {
  await appendFile(join(path, LIST), headOf(batch), { flag: APPEND_PLAIN });
  giveToOwnerOf(path, join(path, LIST));
}

/** The batch and sizes in its list; what cannot be read is left out. */
export async function readList(path: string, batch: TrashBatch): Promise<{ batch: TrashBatch; sizes: BatchSizes }> {
  const text = await readPlainText(join(path, LIST)).catch((error: unknown) => {
    if (errorCode(error) === "") throw error;
    return "";
  });
  const end = text.indexOf("\n");
  const sizes = new Map<string, Map<number, Sizes>>();
  let at = end + 1;
  let lines = 0;
  while (at > 0 && at < text.length) {
    if (isSliceEnd(++lines)) await nextTurn();
    const next = text.indexOf("\n", at);
    // A line without its end was being written when the process was killed.
    if (next < 0) break;
    const [key = "", bytes, videos, ...rest] = text.slice(at, next).split(" ");
    at = next + 1;
    const moment = momentNumber(key);
    const folder = rest.join(" ");
    if (moment < 0) continue;
    const place = folder === "" ? batch.id : `${batch.id}/${folder}`;
    const known = sizes.get(place) ?? new Map<number, Sizes>();
    sizes.set(place, known.set(moment, { bytes: Number(bytes) || 0, videos: Number(videos) || 0 }));
  }
  return { batch: { ...batch, ...readHead(text.slice(0, Math.max(0, end))) }, sizes };
}

function readHead(line: string): Pick<TrashBatch, "by" | "keep"> {
  try {
    const head: unknown = JSON.parse(line);
    if (!isObject(head)) return { by: null, keep: {} };
    const { by, keep } = head;
    const known = isObject(keep) ? KEEP_CLASSES.filter((kind) => typeof keep[kind] === "string") : [];
    return {
      by: typeof by === "string" ? by : null,
      keep: isObject(keep) ? Object.fromEntries(known.map((kind) => [kind, String(keep[kind])])) : {},
    };
  } catch {
    return { by: null, keep: {} };
  }
}
