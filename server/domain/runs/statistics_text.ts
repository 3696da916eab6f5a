import { counted, formatBytes, formatCount, formatSeconds } from "../text/format.ts";
import type { ZoneTime } from "../text/zone_time.ts";
import { type ChartData, chartData, failedIn, mostAwayIn, reasonsIn, slotAt, trashAt, usedAt } from "./chart_data.ts";
import { freeOfInWords, isSpaceUsedUp, withheldInWords } from "./disk_space.ts";
import { isTooEarly, waitsForDays } from "./disk_trend.ts";
import { FAILURE_REASONS, type FailureReason } from "./failure_reason.ts";
import type { Range } from "./run.ts";
import type { RunPoint } from "./run_series.ts";
import type { RunSummary } from "./run_summary.ts";
import { REASON_NAMES, tookInWords } from "./run_text.ts";
import type { Statistics } from "./stats_schema.ts";

const NBSP = "\u00a0";

export type ChartName = "disk" | "bytes" | "files" | "duration" | "failed";

/** The text of a chart, without the drawing. */
export interface ChartView {
  /** The chart in a sentence or two, for screen readers. */
  readonly label: string;
  /** Text in its head while no point is pointed at. */
  readonly rest: string;
  /** Reason why there is nothing to draw; null when there is something. */
  readonly empty: string | null;
}

/** The words and figures of the statistics page, with or without its charts. */
export interface StatsView {
  readonly range: Range;
  readonly summary: RunSummary;
  /** `14 Nov to 21 Nov 2026, AEDT · updated 07:51` */
  readonly period: string;
  readonly charts: Readonly<Record<ChartName, ChartView>>;
  /** Time that one point of the charts stands for when it is more than a run; null when it is one. */
  readonly bucket: string | null;
  /** Time that one bar of the failed runs stands for. */
  readonly slot: string;
  /** Reasons that occur. */
  readonly reasons: readonly FailureReason[];
  /** Most runs without the camera in one stretch of time: the end of their own scale. */
  readonly mostAway: number;
  /** `90 %` */
  readonly stops: string;
  /** `2 weeks kept, 78 %`; null when nothing is known of that. */
  readonly settles: string | null;
  readonly hasForecast: boolean;
  /** The disk is shown with the trash as well. */
  readonly hasTrash: boolean;
  /** Forecast of the disk in a sentence. */
  readonly heading: string;
}

/** @param kept what retention keeps in words, such as `2 weeks`; empty when it keeps all */
export function statsView(stats: Statistics, zone: ZoneTime, kept: string): StatsView {
  const data = chartData(stats);
  const { keep_steady_state: settled, max_used_disk_percent: most } = stats.forecast.limits;
  const bucket = stats.series.bucket_seconds;
  const settles = settled === null || kept === "" ? null : `${kept} kept, ${percent(settled)}`;
  return {
    range: stats.range,
    summary: stats.summary,
    period: periodOf(stats, zone),
    charts: {
      disk: diskChart(stats, data, zone),
      bytes: broughtChart("bytes", data, zone),
      files: broughtChart("files", data, zone),
      duration: durationChart(stats, data, zone),
      failed: failedChart(stats, data),
    },
    bucket: bucket === null ? null : formatSeconds(bucket),
    slot: SLOT_WORDS[stats.failed_runs.slot_seconds / HOUR] ?? formatSeconds(stats.failed_runs.slot_seconds),
    reasons: reasonsIn(stats.failed_runs.slots),
    mostAway: mostAwayIn(stats.failed_runs.slots),
    stops: percent(most),
    settles,
    hasTrash: data.points.some((point) => trashAt(point) > 0),
    hasForecast: data.until > data.to && stats.forecast.projected.length > 0,
    heading: [headingOf(stats, zone, kept), ...trashSentences(stats, data), ...freeSentences(stats, data, zone)].join(
      " ",
    ),
  };
}
const HOUR = 3600;
/** Words for a slot by its hours. */
const SLOT_WORDS: Readonly<Record<number, string>> = {
  1: "hour",
  3: "3 hours",
  6: "6 hours",
  24: "day",
  168: "week",
  672: "4 weeks",
  2184: "quarter of a year",
};

/** Says what a chart shows at a point, for its head while it is pointed at: `Sun 8 Nov, 08:15 · 67.2 %`. */
export function readingAt(name: ChartName, data: ChartData, at: number, zone: ZoneTime): string {
  const point = data.points[at];
  if (!point) return "";
  if (name !== "failed") return `${zone.moment(point.ts * 1000, data.to * 1000)} · ${figureOf(name, point)}`;
  const ts = data.moments[at] ?? point.ts;
  const slot = slotAt(data.failed, ts);
  if (!slot) return `${zone.moment(point.ts * 1000, data.to * 1000)} · none`;
  const isLong = data.failed.seconds >= 24 * HOUR;
  const when = isLong ? zone.day(slot.ts * 1000, data.to * 1000) : zone.moment(slot.ts * 1000, data.to * 1000);
  const found = FAILURE_REASONS.filter((reason) => slot[reason] > 0);
  const words = found.map((reason) => `${REASON_NAMES[reason]} ${formatCount(slot[reason])}`);
  return [when, ...words, ...(slot.away > 0 ? [`away ${formatCount(slot.away)}`] : [])].join(" · ");
}

function figureOf(name: Exclude<ChartName, "failed">, point: RunPoint): string {
  if (name === "disk") return diskFigure(point);
  if (point.offline) return "camera away";
  if (name === "duration") return tookInWords(point.duration);
  if (point.dry_run) return "dry run";
  return name === "bytes" ? formatBytes(point.bytes) : counted(point.files, "file");
}

/** `47.2 % + 20 % trash` */
function diskFigure(point: RunPoint): string {
  const used = usedAt(point);
  if (used === null) return "not measured";
  const trash = trashAt(point);
  return trash === 0 ? percent(used) : `${percent(used)} + ${percent(trash)} trash`;
}

/** The share of runs that went well, 0..1: stopped by hand, a run went neither well nor wrong. Null when there is none. */
export function wentWell({ success_rate: rate, reachable_runs: reached, stopped }: RunSummary): number | null {
  const judged = reached - stopped;
  return rate === null || judged === 0 ? null : Math.round(rate * reached) / judged;
}

/** `67.2 %` */
export function percent(ratio: number): string {
  return `${Math.round(ratio * 1000) / 10}${NBSP}%`;
}

function periodOf({ period: { from, to } }: Statistics, zone: ZoneTime): string {
  const begin = (from ?? to) * 1000;
  const end = to * 1000;
  const isOneYear = zone.wall(begin).year === zone.wall(end).year;
  const days = from === null ? "" : `${isOneYear ? zone.shortDate(begin) : zone.date(begin)} to `;
  return `${days}${zone.date(end)}, ${zone.name(end)} · updated ${zone.clock(end)}`;
}

function diskChart(stats: Statistics, data: ChartData, zone: ZoneTime): ChartView {
  const measured = data.points.flatMap((point, at) => {
    const disk = usedAt(point);
    return disk === null ? [] : [{ at, disk, trash: trashAt(point), ts: point.ts }];
  });
  const first = measured[0];
  const last = measured.at(-1);
  if (!first || !last) return { label: "Disk", rest: "", empty: "No run has measured the disk in this time." };
  const ahead = data.disk.ahead.at(-1) ?? null;
  const limits = `Syncing stops at ${percent(stats.forecast.limits.max_used_disk_percent)}.`;
  const most = Math.max(0, ...measured.map(({ disk, trash }) => (trash === 0 ? 0 : disk + trash)));
  const fullest = measured.find(({ disk, trash }) => trash > 0 && disk + trash === most);
  const what = fullest ? "Disk used without the trash" : "Disk used";
  const used = `${what}: ${percent(first.disk)} on ${zone.date(first.ts * 1000)}, ${percent(last.disk)} on ${zone.date(last.ts * 1000)}.`;
  const whole = fullest ? ` With the trash at most ${percent(most)}, on ${zone.date(fullest.ts * 1000)}.` : "";
  const forecast = ahead === null ? "" : ` Forecast: ${percent(ahead)} by ${zone.date(data.until * 1000)}.`;
  return { label: `${used}${whole}${forecast} ${limits}`, rest: readingAt("disk", data, last.at, zone), empty: null };
}

function broughtChart(name: "bytes" | "files", data: ChartData, zone: ZoneTime): ChartView {
  const latest = data.points.findLastIndex((point) => !point.dry_run && point[name] > 0);
  const rest = readingAt(name, data, latest, zone);
  const values = data[name].y.map((value) => value ?? 0);
  const most = Math.max(0, ...values);
  const title = name === "bytes" ? "Brought home per run" : "Files per run";
  if (most === 0) return { label: title, rest, empty: "Nothing was brought home in this time." };
  const when = zone.moment((data[name].x[values.indexOf(most)] ?? 0) * 1000, data.to * 1000);
  const amount = (value: number) => (name === "bytes" ? formatBytes(value) : counted(value, "file"));
  const bringing = counted(values.filter((value) => value > 0).length, "time");
  return { label: `${title}: at most ${amount(most)}, ${when}. Something came home ${bringing}.`, rest, empty: null };
}

function durationChart({ summary }: Statistics, data: ChartData, zone: ZoneTime): ChartView {
  const latest = data.points.findLastIndex(({ offline }) => !offline);
  const rest = readingAt("duration", data, latest, zone);
  if (summary.reachable_runs === 0)
    return { label: "Duration", rest, empty: "No run reached the camera in this time." };
  const mean = tookInWords(summary.avg_duration_seconds);
  const longest = tookInWords(summary.longest_seconds);
  const gaps = summary.offline > 0 ? " Gaps where the camera was away." : "";
  return { label: `Duration per run: ${mean} on average, ${longest} at most.${gaps}`, rest, empty: null };
}

function failedChart({ summary, failed_runs }: Statistics, { failed }: ChartData): ChartView {
  const all = failed_runs.slots.reduce((sum, slot) => sum + failedIn(slot), 0);
  const away = counted(summary.offline, "time");
  const rest = [
    all === 0 ? "None failed" : `${formatCount(all)} failed`,
    ...(summary.offline > 0 ? [`away ${away}`] : []),
  ].join(" · ");
  if (failed.slots.length === 0) return { label: "Runs that failed", rest, empty: "No run failed in this time." };
  const reasons = reasonsIn(failed_runs.slots).map((reason) => {
    const count = failed_runs.slots.reduce((sum, slot) => sum + slot[reason], 0);
    return `${REASON_NAMES[reason]} ${formatCount(count)}`;
  });
  const list = all === 0 ? "none" : reasons.join(", ");
  return { label: `Runs that failed, by reason: ${list}. Camera away ${away}.`, rest, empty: null };
}

/** Says how much is free now, as every page has it. */
function freeSentences({ storage }: Statistics, { points, to }: ChartData, zone: ZoneTime): string[] {
  if (storage !== null) return [`${freeOfInWords(storage)}.`, withheldInWords(storage)].filter(Boolean);
  const last = points.findLast((point) => usedAt(point) !== null);
  const used = last === undefined ? null : usedAt(last);
  const when = last === undefined ? "" : zone.moment(last.ts * 1000, to * 1000);
  const before = used === null ? [] : [`Last measured: ${percent(used)} used, ${when}.`];
  return ["How much is free now is not known.", ...before];
}

/** That the trash is left out of where the disk is heading; nothing while there is none. */
function trashSentences({ forecast }: Statistics, { points }: ChartData): string[] {
  const last = points.findLast(({ disk }) => disk !== null);
  const trash = last ? trashAt(last) : 0;
  const { heading } = forecast;
  if (trash === 0 || heading.state === "unknown" || (isTooEarly(heading) && heading.state !== "reached")) return [];
  return [`The trash, ${percent(trash)} of the disk, is not counted: it makes room when a scheduled run needs it.`];
}

function headingOf({ forecast, storage }: Statistics, zone: ZoneTime, kept: string): string {
  const { heading, limits } = forecast;
  const { keep_steady_state: settled, max_used_disk_percent: most } = limits;
  const isHeld = settled !== null && kept !== "" && settled < most;
  if (storage !== null && isSpaceUsedUp(storage)) return "Nothing more can be written.";
  if (isTooEarly(heading) && heading.state !== "reached") return waitsForDays(heading);
  switch (heading.state) {
    case "unknown":
      return "Too few runs have measured the disk to say where it is heading.";
    case "reached":
      return `The disk is as full as allowed: syncing stops at ${percent(most)}.`;
    case "steady":
      return "The disk is not filling up.";
    case "slow":
    case "filling":
      if (isHeld) return `With ${kept} kept the disk settles at about ${percent(settled)}.`;
      return heading.full_at === null
        ? "At this pace syncing goes on for more than two years."
        : `At this pace syncing stops about ${zone.date(heading.full_at * 1000)}.`;
  }
}
