import type {
  Coverage,
  CoverageCause,
  CoverageDay,
  CoverageOfDay,
  CoveredRecording,
} from "../../domain/coverage/coverage_schema.ts";
import { type DaySpan, dayAfter, daysOf } from "../../domain/coverage/coverage_span.ts";
import { countsOf, countsTogether, noCounts, secondsOfEach, withoutFolder } from "../../domain/coverage/day_counts.ts";
import { lossStory } from "../../domain/coverage/loss_story.ts";
import { lossInWords } from "../../domain/coverage/loss_text.ts";
import { savedByOrder } from "../../domain/coverage/order_help.ts";
import { LOSS_CAUSES, type LossCause } from "../../domain/coverage/recording_state.ts";
import type { Visit } from "../../domain/plan/visit.ts";
import { dayNumber, dayText, momentKey } from "../../domain/recordings/moment_number.ts";
import { directionOf } from "../../domain/recordings/recording_name.ts";
import { isAcceptable } from "../../domain/status/destination_state.ts";
import { isoDay, type ZoneTime } from "../../domain/text/zone_time.ts";
import type { LedgerRow, LedgerRows } from "../../store/config/ledger_rows.ts";
import { dayIn } from "../retention/retention_rules.ts";
import type { Ledger } from "./ledger.ts";
import type { LedgerParts } from "./ledger_parts.ts";
import { nameOfId } from "./row_judge.ts";

const DAY_MS = 86_400_000;
/** Days after that of a loss whose recordings may have come home in the place of what was lost. */
const MOST_DAYS_AFTER = 14;
/** A shorter stay gives no chance to fetch anything. */
const LEAST_STAY_MS = 60_000;

export interface CoverageParts extends Pick<LedgerParts, "clock" | "settings" | "library" | "destination"> {
  /** The zone in which times are shown. */
  readonly zone: ZoneTime;
  readonly ledger: Pick<Ledger, "read" | "visits">;
}

/** The day now, by which days that are still to come are left out. */
export function today({ clock, settings }: Pick<CoverageParts, "clock" | "settings">): string {
  return dayIn(settings.current.schedule.timezone, clock.now());
}

/** Returns what became of the recordings of these days. @throws AppError LEDGER_UNUSABLE */
export async function coverageOf(parts: CoverageParts, span: DaySpan): Promise<Coverage> {
  const found = await parts.ledger.read((rows) => {
    const since = rows.fact("since");
    if (since === null) return null;
    const [, from = since] = [span.from, since].sort();
    const known = rows.daysBetween(dayNumber(from), dayNumber(span.to));
    return {
      since,
      from,
      lastLoss: rows.lastLoss(dayNumber(since)),
      days: known.map(({ counts }) => JSON.parse(counts) as CoverageOfDay),
    };
  });
  if (found === null) return { since: null, days: [], totals: noCounts(), nothing_lost_since: null };
  const { since, from, lastLoss } = found;
  const isKnown = isFolderKnown(parts);
  const byDate = new Map(found.days.map((day) => [day.date, isKnown ? day : withoutFolder(day)]));
  // A camera whose clock is ahead has recorded on days that are still to come.
  const [last = ""] = [found.days.at(-1)?.date ?? "", today(parts)].sort().reverse();
  const [to = ""] = [last, span.to].sort();
  const dates = daysOf({ from, to });
  const days = dates.map((date) => byDate.get(date) ?? countsOf(date, []));
  return {
    since,
    days,
    totals: countsTogether(days),
    nothing_lost_since: lastLoss === null ? since : dayAfter(dayText(lastLoss), 1),
  };
}

/**
 * The recordings of a day, and what became of each; null for a day of which nothing is known. @throws AppError
 * LEDGER_UNUSABLE
 */
export async function coverageOfDay(parts: CoverageParts, date: string): Promise<CoverageDay | null> {
  const found = await parts.ledger.read((ledger) => {
    const since = ledger.fact("since");
    if (since === null || date < since) return null;
    const rows = ledger.ofDay(dayNumber(date));
    const rules = new Map(rows.flatMap(({ rule }) => (rule === null ? [] : [[rule, ledger.rule(rule)] as const])));
    const cards = new Map(rows.flatMap(({ card }) => (card === null ? [] : [[card, ledger.card(card)] as const])));
    return { rows, rules, cards, brought: broughtInstead(ledger, date, rows) };
  });
  if (found === null) return null;
  const { rows, rules, cards, brought } = found;
  const isKnown = isFolderKnown(parts);
  const seconds = secondsOfEach(rows);
  const recordings = rows.map((row, at): CoveredRecording => {
    const rule = row.rule === null ? null : (rules.get(row.rule) ?? null);
    const name = nameOfId(row);
    const isHome = row.state === "home" || row.state === "damaged";
    const lastSeen =
      row.lastSeen ?? (row.isListed && row.card !== null ? (cards.get(row.card)?.lastSeen ?? null) : null);
    return {
      key: momentKey(row.moment),
      direction: directionOf(name),
      name,
      state: isHome && !isKnown ? "unknown" : row.state,
      cause: row.cause,
      rule: rule?.name ?? null,
      rule_value: rule === null || rule.value === "" ? null : rule.value,
      first_seen: instant(row.firstSeen),
      last_seen: lastSeen === null ? null : instant(lastSeen),
      at: instant(row.at),
      by: row.by,
      size: row.size,
      seconds: seconds[at] ?? 0,
    };
  });
  return {
    date,
    recordings,
    visits: visitsOf(parts, date).map(shownVisit),
    causes: causesOf(parts, recordings, { date, rows, brought }),
  };
}

/** Visits of a day: those that began on it. */
function visitsOf({ ledger, zone }: CoverageParts, date: string): Visit[] {
  const visits = ledger.visits(Date.parse(date) - 2 * DAY_MS).filter(({ from }) => zone.isoDay(from) === date);
  return visits.toSorted((one, other) => one.from - other.from);
}

function shownVisit({ from, to, seconds, bytes, rate }: Visit): CoverageDay["visits"][number] {
  return { from: instant(from), to: to === null ? null : instant(to), seconds: Math.round(seconds), bytes, rate };
}

/** The rows of a day, and those of recordings that came home while its lost ones waited. */
interface DayRows {
  readonly date: string;
  readonly rows: readonly LedgerRow[];
  readonly brought: readonly LedgerRow[];
}

/** Causes of what was lost, the one of most recordings first. */
function causesOf(
  parts: CoverageParts,
  recordings: readonly CoveredRecording[],
  { date, rows, brought }: DayRows,
): CoverageCause[] {
  const { ledger, settings, clock, zone } = parts;
  const lost = rows.filter(({ state }) => state === "lost");
  const causes = LOSS_CAUSES.flatMap((cause) => {
    const own = lost.filter((row) => causeOf(row) === cause);
    if (own.length === 0) return [];
    const isOwn = new Set(own);
    const others = rows.map((row) => (isOwn.has(row) ? row : { ...row, state: "home" as const }));
    const facts = { lost: own.length, saved: savedOf(own, brought), staySeconds: stayOf(ledger, own) };
    const words = lossInWords(cause, { ...facts, settings: settings.current });
    const story = lossStory({
      date,
      lost: recordings.filter((_, at) => isOwn.has(rows[at] as LedgerRow)),
      ...stayedWhile(ledger, own),
      now: clock.now(),
      zone,
    });
    const sentence = `${words.sentence} ${story}`;
    return [{ cause, recordings: own.length, minutes: countsOf(date, others).lost_minutes, ...words, sentence }];
  });
  return causes.sort((one, other) => other.recordings - one.recordings);
}

/** Recordings that came home while those of a day waited that are lost now: of that day, and of the days after it. */
function broughtInstead(ledger: LedgerRows, date: string, rows: readonly LedgerRow[]): LedgerRow[] {
  const gone = rows.flatMap(({ state, missingSince }) =>
    state === "lost" && missingSince !== null ? [missingSince] : [],
  );
  if (gone.length === 0) return [];
  const [to = date] = [isoDay(Math.max(...gone)), dayAfter(date, MOST_DAYS_AFTER)].sort();
  const days = daysOf({ from: dayAfter(date, 1), to });
  return [...rows, ...days.flatMap((day) => ledger.ofDay(dayNumber(day)))].filter(({ homeAt }) => homeAt !== null);
}

/** Counts those of the lost that another order would have brought home. */
function savedOf(lost: readonly LedgerRow[], brought: readonly LedgerRow[]): number {
  return savedByOrder(
    lost.flatMap((row) => (row.missingSince === null ? [] : [{ ...row, missingSince: row.missingSince }])),
    brought.map(({ ending, size, homeAt, isListed, lastSeen }) => ({
      ending,
      size,
      homeAt: homeAt ?? 0,
      lastSeen: isListed ? null : (lastSeen ?? 0),
    })),
  );
}

function causeOf({ cause }: LedgerRow): LossCause {
  return LOSS_CAUSES.find((one) => one === cause) ?? "unknown";
}

/**
 * Seconds for which the camera was at home between the first list that had these and the first one that lacked them;
 * null while unknown.
 */
function stayOf(ledger: CoverageParts["ledger"], rows: readonly LedgerRow[]): number | null {
  const { first, last } = waitOf(rows);
  let ms = 0;
  for (const { from, to } of ledger.visits(first))
    ms += Math.max(0, Math.min(to ?? last, last) - Math.max(from, first));
  return ms === 0 ? null : ms / 1000;
}

/** Visits of more than a moment while these waited, by time, and when a list lacked one of them first. */
function stayedWhile(ledger: CoverageParts["ledger"], rows: readonly LedgerRow[]) {
  const { first, last } = waitOf(rows);
  const visits = ledger
    .visits(first)
    .filter(({ from, to }) => to !== null && to < last && to - from >= LEAST_STAY_MS)
    .toSorted((one, other) => one.from - other.from);
  return { visits, missingSince: Math.min(...rows.map(({ missingSince, at }) => missingSince ?? at)) };
}

/** From when to when recordings waited: from the first list with one of them to the last one that lacked one first. */
function waitOf(rows: readonly LedgerRow[]): { readonly first: number; readonly last: number } {
  return {
    first: Math.min(...rows.map(({ firstSeen }) => firstSeen)),
    last: Math.max(...rows.map(({ missingSince, at }) => missingSince ?? at)),
  };
}

function isFolderKnown({ library, destination }: CoverageParts): boolean {
  return library.available && !isAcceptable(destination.standing);
}

function instant(ms: number): string {
  return new Date(ms).toISOString();
}
