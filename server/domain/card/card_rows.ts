import { cameraDay, clipName, clockSpan } from "../recordings/camera_clock.ts";
import { dateOf, directionOf, groupOf, secondsOf, typeOf } from "../recordings/recording_name.ts";
import { DIRECTIONS } from "../recordings/recording_codes.ts";
import type { TimeFormat } from "../text/time_format.ts";
import { counted } from "../text/format.ts";

/** Recordings that are nowhere else, as a row of the table. */
export interface CardRow {
  /** Key of its first recording. */
  readonly key: string;
  /** `Sat 21 Nov, 07:14 to 07:24` */
  readonly recorded: string;
  /** Letter of the type. */
  readonly type: string;
  readonly state: "coming" | "now" | "unreadable" | "unknown";
  readonly says: string;
  /** Names of the files that can be tried again; none when they come by themselves. */
  readonly files: readonly string[];
}

export interface RowFacts {
  /** By time. */
  readonly names: Readonly<Record<"coming" | "unreadable" | "unknown", readonly string[]>>;
  /** Name of the file that is being fetched, and how far it is in words; null while none is. */
  readonly current: { readonly name: string; readonly words: string } | null;
  /** Why a video could not be fetched, as a sentence, and in how many runs; by its name. */
  readonly failures: ReadonlyMap<string, { readonly sentence: string; readonly tries: number }>;
  readonly thisYear: number;
  readonly format: TimeFormat;
}

/** Recordings of one kind in a row that follow one another this closely are one row, in seconds. */
const GAP_SECONDS = 300;

/** The recordings that are only on the card, newest first; those that are to come are put together. */
export function cardRows(facts: RowFacts): CardRow[] {
  const { names, current } = facts;
  const now = current === null ? [] : names.coming.filter((name) => name === current.name);
  const later = names.coming.filter((name) => name !== current?.name);
  const rows = [
    ...now.map((name) => rowOf([name], "now", facts)),
    ...spans(later).map((span) => rowOf(span, "coming", facts)),
    ...moments(names.unreadable).map((group) => rowOf(group, "unreadable", facts)),
    ...spans(names.unknown).map((span) => rowOf(span, "unknown", facts)),
  ];
  const order = (row: CardRow) => (row.state === "now" ? "9" : row.key);
  return rows.sort((one, other) => (order(one) < order(other) ? 1 : -1));
}

/** Names in groups of those that follow one another and are of one type. */
function spans(names: readonly string[]): string[][] {
  const groups: string[][] = [];
  for (const name of names) {
    const last = groups.find((group) => isNext(group.at(-1) ?? "", name));
    if (last === undefined) groups.unshift([name]);
    else last.push(name);
  }
  return groups;
}

function isNext(before: string, name: string): boolean {
  return typeOf(before) === typeOf(name) && secondsOf(name) - secondsOf(before) <= GAP_SECONDS;
}

/** Names in groups of one moment. */
function moments(names: readonly string[]): string[][] {
  return [...Map.groupBy(names, groupOf).values()];
}

function rowOf(names: readonly string[], state: CardRow["state"], facts: RowFacts): CardRow {
  const [first = ""] = names;
  const last = names.at(-1) ?? first;
  return {
    key: groupOf(first),
    recorded: recordedInWords(first, last, facts),
    type: typeOf(first),
    state,
    says: saysOf(names, state, facts),
    files: state === "unreadable" ? names : [],
  };
}

function recordedInWords(first: string, last: string, { thisYear, format }: RowFacts): string {
  if (groupOf(first).slice(0, 15) === groupOf(last).slice(0, 15)) return clipName(first, thisYear, format);
  if (dateOf(first) === dateOf(last))
    return `${cameraDay(dateOf(first), thisYear, format)}, ${clockSpan(first, last, format)}`;
  return `${clipName(first, thisYear, format)} to ${clipName(last, thisYear, format)}`;
}

function saysOf(names: readonly string[], state: CardRow["state"], { current, failures }: RowFacts): string {
  const [first = ""] = names;
  switch (state) {
    case "now":
      return current?.words ?? "";
    case "unreadable": {
      const failure = failures.get(first);
      const which = names.length === 1 ? `${directionInWords(first)}. ` : "";
      if (failure === undefined) return `${which}The camera could not deliver it.`;
      const tries =
        failure.tries > 0 ? ` ${failure.tries === 1 ? "One try" : counted(failure.tries, "try", "tries")}.` : "";
      return `${which}${failure.sentence}${tries}`;
    }
    default:
      return names.length === 1 ? directionInWords(first) : counted(names.length, "recording");
  }
}

function directionInWords(name: string): string {
  const letter = directionOf(name);
  return Object.entries(DIRECTIONS).find(([known]) => known === letter)?.[1] ?? `Camera ${letter}`;
}
