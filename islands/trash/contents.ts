import type { TrashDayHead, TrashedRecording } from "../../server/domain/retention/deletion.ts";
import type { Trash } from "../../server/domain/retention/deletion_schema.ts";
import { type Asker, Refusal, send } from "../browser/client.ts";
import { fetchFragment } from "../browser/fragment.ts";
import { sumOf } from "./choice.ts";
import type { TrashProps } from "./trash_props.ts";

/** An entry and the day it was deleted on. */
export interface Entry {
  readonly date: string;
  readonly recording: TrashedRecording;
}

/** Entries that are fetched at once to be shown. */
export const STEP = 200;
/** Entries that are fetched at once to be worked on. */
const WALK = 1000;
/** Longest wait for an answer. */
const WAIT_MS = 10_000;

/** Contents of the trash without some entries; the server says how many leave next. */
export function without(contents: TrashProps, gone: readonly Entry[]): TrashProps {
  const days = contents.days.flatMap((day): TrashDayHead[] => {
    const list = gone.filter(({ date }) => date === day.date).map(({ recording }) => recording);
    if (list.length === 0) return [day];
    const { entries, recordings, bytes } = sumOf(list);
    if (entries >= day.entries) return [];
    const keys = new Set(list.map(({ key }) => key));
    const amount = { recordings: day.amount.recordings - recordings, bytes: day.amount.bytes - bytes };
    const left = day.recordings.filter(({ key }) => !keys.has(key));
    return [{ ...day, entries: day.entries - entries, amount, recordings: left }];
  });
  const { entries, recordings, bytes } = sumOf(gone.map(({ recording }) => recording));
  const { totals } = contents;
  const isEmpty = totals.entries <= entries;
  return {
    ...contents,
    days,
    totals: {
      ...totals,
      entries: totals.entries - entries,
      recordings: totals.recordings - recordings,
      bytes: totals.bytes - bytes,
      next: isEmpty ? null : totals.next,
    },
  };
}

export function emptied(contents: TrashProps): TrashProps {
  const totals = { ...contents.totals, entries: 0, recordings: 0, bytes: 0, next: null };
  return { ...contents, days: [], moreDays: 0, totals };
}

/** Entries of a day that follow one. @throws Refusal */
export async function entriesAfter(
  asker: Asker,
  date: string,
  after: string | undefined,
  limit: number,
): Promise<TrashedRecording[]> {
  const query = new URLSearchParams({ date, limit: String(limit), ...(after === undefined ? {} : { after }) });
  const { days } = await send<Trash>(`GET /api/trash?${query}`, undefined, undefined, asker);
  return days.find((day) => day.date === date)?.recordings ?? [];
}

/** The entries of a day that are shown, and the next ones. @throws Refusal */
export async function grown(asker: Asker, { date, recordings }: TrashDayHead): Promise<TrashedRecording[]> {
  const next = await entriesAfter(asker, date, recordings.at(-1)?.key, STEP);
  const known = new Set(recordings.map(({ key }) => key));
  if (!next.some(({ key }) => known.has(key))) return [...recordings, ...next];
  // The last one that is shown has left meanwhile, and what came begins at the first.
  return await entriesAfter(asker, date, undefined, recordings.length + STEP);
}

/** All entries of a day, those that have not been shown, too. @throws Refusal */
export async function entriesOf(
  asker: Asker,
  { date, entries, recordings }: TrashDayHead,
): Promise<TrashedRecording[]> {
  const found = new Map(recordings.map((one) => [one.key, one]));
  let last = recordings.at(-1)?.key;
  while (found.size < entries) {
    const next = await entriesAfter(asker, date, last, WALK);
    const before = found.size;
    for (const one of next) found.set(one.key, one);
    // Less came than the day counts: some have left meanwhile.
    if (found.size === before) break;
    last = next.at(-1)?.key;
  }
  return [...found.values()];
}

/**
 * Reads the contents again. Opened days stay open; a day that has changed is read anew.
 * @param days how many days to read
 * @throws Refusal
 */
export async function reread(asker: Asker, known: TrashProps, days: number): Promise<TrashProps> {
  const fresh = await fetchContents(asker, days, known.isRecorded);
  if (known.isRecorded) return (await import("./recorded_contents.ts")).completed(asker, known, fresh);
  const merged = fresh.days.map(async (day) => {
    const before = known.days.find(({ date }) => date === day.date);
    if (before === undefined || before.recordings.length <= day.recordings.length) return day;
    if (isSame(before, day)) return { ...day, recordings: before.recordings };
    return { ...day, recordings: await entriesAfter(asker, day.date, undefined, before.recordings.length) };
  });
  return { ...fresh, days: await Promise.all(merged) };
}

function isSame(before: TrashDayHead, fresh: TrashDayHead): boolean {
  const firsts = ({ recordings }: TrashDayHead) => recordings.slice(0, fresh.recordings.length);
  const said = (day: TrashDayHead) => JSON.stringify([day.entries, day.amount, firsts(day)]);
  return said(before) === said(fresh);
}

/** The page's own data as they are now. @throws Refusal */
async function fetchContents(asker: Asker, days: number, isRecorded: boolean): Promise<TrashProps> {
  const fragment = await fetchFragment(
    asker,
    `/hx/trash?days=${days}${isRecorded ? "&by=recording" : ""}`,
    AbortSignal.timeout(WAIT_MS),
  );
  const props = (fragment as HTMLElement | null)?.dataset["props"];
  if (props === undefined) throw new Refusal("UNKNOWN", "The trash could not be read. The log may say why.");
  return JSON.parse(props);
}
