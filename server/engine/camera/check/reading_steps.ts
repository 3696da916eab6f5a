import type { OpenedBody } from "../../../dashcam/opened.ts";
import { DashcamProblem } from "../../../dashcam/problem.ts";
import { parseVersion } from "../../../domain/camera/camera_version.ts";
import {
  attention,
  CLOCK_TOLERANCE_MS,
  CONCERNS,
  clockVerdict,
  type Estimate,
  type ListFacts,
  nameInWords,
  SLOW_BYTES_PER_SECOND,
  sampleOf,
  satelliteError,
  settingsFinding,
} from "../../../domain/camera/check_findings.ts";
import { type ConfigEntry, parseConfig } from "../../../domain/camera/config_file.ts";
import { harmfulSettings } from "../../../domain/camera/settings_against_schedule.ts";
import { readGps } from "../../../domain/recordings/gps_file.ts";
import { hasNoAge, momentNumber } from "../../../domain/recordings/moment_number.ts";
import { parseRecording, secondsOf } from "../../../domain/recordings/recording_name.ts";
import { formatBytes, formatRate, formatSeconds } from "../../../domain/text/format.ts";
import type { CheckSession } from "./check_session.ts";

const VERSION_BYTES = 16_384;
const CONFIG_BYTES = 131_072;
const GPS_BYTES = 65_536;
/** Start of the piece that is read. Any place but the beginning shows that a run can go on where it stopped. */
const FROM = 1024;
/** Bytes that may come beyond the wanted ones before a longer body is closed. */
const OVERSHOOT_BYTES = 65_536;

/** Shown when the camera's interface lacks this; the camera is not at fault. */
const NOT_OFFERED = "This camera does not tell its settings";

/** The model, and its settings for the last step. */
export async function askModel(
  session: CheckSession,
): Promise<{ readonly model: string | null; readonly settings: readonly ConfigEntry[] }> {
  session.begin("model");
  const { model, firmware } = parseVersion(await toldAt(session, "/Config/version.bin", VERSION_BYTES));
  const config = await toldAt(session, "/Config/config.ini", CONFIG_BYTES);
  if (model !== null) session.done(firmware === null ? model : `${model}, firmware ${firmware}`);
  else if (firmware !== null) session.done(`Firmware ${firmware}`);
  else session.done(isNewer(session) ? NOT_OFFERED : "The camera does not tell its model");
  return { model, settings: parseConfig(config) };
}

function isNewer({ camera }: CheckSession): boolean {
  return camera.generation === "v1009";
}

/**
 * Returns the camera's answer, empty when it gives none: runs work without. A camera that is gone shows in the next
 * step.
 */
async function toldAt(session: CheckSession, path: string, most: number): Promise<Uint8Array> {
  try {
    const { status, body } = await session.look(path, most);
    return status === 200 ? body : new Uint8Array();
  } catch (error) {
    if (error instanceof DashcamProblem) return new Uint8Array();
    throw error;
  }
}

/**
 * Measures the camera's speed, and finds out if it sends a file from any place. One piece of one recording is read and
 * not kept.
 */
export async function askSpeed(session: CheckSession, list: ListFacts): Promise<Estimate> {
  const recordings = list.videos.length;
  const sample = sampleOf(list.videos);
  if (sample === null) {
    for (const step of ["speed", "resume"] as const) session.skip(step, "No recording to try it with");
    return { recordings, bytes: 0, bytesPerSecond: null };
  }
  session.begin("speed");
  const piece = await readSample(session, sample);
  const bytes = list.bytes ?? (piece.total === null ? null : piece.total * recordings);
  const estimate = { recordings, bytes, bytesPerSecond: piece.bytesPerSecond };
  if (piece.problem !== null) {
    session.concerns.push(piece.problem === "unreadable" ? CONCERNS.unreadable() : CONCERNS.damaged(piece.problem));
    session.done("The newest complete recording cannot be read", null, { state: "attention" });
    session.skip("resume", "No recording to try it with");
    return estimate;
  }
  const rate = piece.bytesPerSecond ?? 0;
  const isSlow = rate < SLOW_BYTES_PER_SECOND && piece.isMeasured;
  if (isSlow) session.concerns.push(CONCERNS.slow(rate));
  // One line beside its figure: the verdict has the estimate at length.
  const found =
    bytes === null || rate === 0
      ? `${formatBytes(piece.bytes)} of one recording, not kept`
      : `All of it, ${list.bytes === null ? "about " : ""}${formatBytes(bytes)}, would take ${formatSeconds(Math.max(1, bytes / rate))}`;
  session.done(found, formatRate(rate), {
    state: isSlow ? "attention" : "fine",
    numbers: {
      bytes_per_second: Math.round(rate),
      ...(bytes !== null && rate > 0 && { seconds_for_all: Math.ceil(bytes / rate) }),
    },
  });
  session.begin("resume");
  if (piece.isResumable) session.done("Goes on where it stopped");
  else {
    session.concerns.push(CONCERNS.notResumable());
    session.done("Starts every file again", null, { state: "attention" });
  }
  return estimate;
}

interface Piece {
  readonly bytes: number;
  readonly total: number | null;
  readonly bytesPerSecond: number | null;
  /** Enough came for a rate. */
  readonly isMeasured: boolean;
  readonly isResumable: boolean;
  /** Cause when nothing came: the status of an error, or another one; null when something did. */
  readonly problem: number | "unreadable" | null;
}

const NOTHING: Piece = {
  bytes: 0,
  total: null,
  bytesPerSecond: null,
  isMeasured: false,
  isResumable: false,
  problem: "unreadable",
};

/** Reads from within the file, and where a camera cannot do that, from its beginning. */
async function readSample(session: CheckSession, name: string): Promise<Piece> {
  const { speedBytes } = session.world.limits;
  const most = Math.min(speedBytes, Math.max(FROM, session.bytesLeft - GPS_BYTES - 2 * OVERSHOOT_BYTES));
  const first = await pieceOf(session, name, { from: FROM, to: FROM + most }, most);
  const isUsable = first !== null && first.problem === null && first.bytes > 0;
  if (isUsable) return first;
  const whole = await pieceOf(session, name, { from: 0 }, most);
  return whole ?? NOTHING;
}

/** @returns null where a camera hangs up on the request, which is about a piece if the whole comes */
async function pieceOf(
  session: CheckSession,
  name: string,
  span: { from: number; to?: number },
  most: number,
): Promise<Piece | null> {
  const { answerMs, speedMs } = session.world.limits;
  try {
    return await session.within(answerMs + speedMs, async (signal) => {
      const opened = await session.camera.open(name, span, signal);
      if (opened.kind !== "body") return NOTHING;
      try {
        return await measured(session, opened, { ...span, most, speedMs });
      } finally {
        opened.close();
      }
    });
  } catch (error) {
    if (error instanceof DashcamProblem && !error.isPassing)
      return { ...NOTHING, problem: error.status !== null && error.status >= 500 ? error.status : "unreadable" };
    const isHangUp = error instanceof DashcamProblem && (error.kind === "closed" || error.kind === "reset");
    if (isHangUp && span.from > 0) return null;
    throw error;
  }
}

async function measured(
  session: CheckSession,
  opened: OpenedBody,
  { from, most, speedMs }: { from: number; most: number; speedMs: number },
): Promise<Piece> {
  const { clock } = session.world;
  const began = clock.elapsed();
  let bytes = 0;
  let isWhole = false;
  while (bytes < most && clock.elapsed() - began < speedMs) {
    const piece = await opened.read();
    isWhole = piece === null;
    if (piece === null) break;
    bytes += piece.length;
  }
  session.bytesLeft -= bytes;
  const seconds = Math.max(0.0001, (clock.elapsed() - began) / 1000);
  return {
    bytes,
    total: opened.total,
    bytesPerSecond: bytes > 0 ? bytes / seconds : null,
    // A short file says little of the link.
    isMeasured: !isWhole || bytes >= OVERSHOOT_BYTES,
    isResumable: from > 0 && opened.start === from,
    problem: bytes > 0 ? null : "unreadable",
  };
}

/** Its clock against the true time: by the satellites where a recording has them, else by the newest name. */
export async function askClock(session: CheckSession, { videos }: ListFacts): Promise<void> {
  const { clock, zone } = session.world;
  const newest = videos.at(-1);
  const sample = sampleOf(videos);
  if (newest === undefined || sample === null) return session.skip("clock", "No recording to compare");
  session.begin("clock");
  if (hasNoAge(momentNumber(newest))) {
    session.concerns.push(CONCERNS.unsetClock());
    return session.done(`Never set: the newest recording is from ${newest.slice(0, 4)}`, null, { state: "attention" });
  }
  const startUtc = await satelliteTime(session, sample);
  const now = clock.now();
  if (startUtc !== null) {
    const error = satelliteError(sample, startUtc, zone);
    if (Math.abs(error) < 1000)
      return session.done("Right, compared with GPS", null, { numbers: { seconds_ahead: 0 } });
    return tellClock(session, error, `${error < 0 ? "Behind" : "Ahead of"} GPS time`);
  }
  // Without daylight saving a name may be an hour off; what is still to come is ahead in any case.
  const ahead = secondsOf(newest) * 1000 - now - zone.offset(now);
  if (ahead > CLOCK_TOLERANCE_MS) return tellClock(session, ahead, "Ahead of this machine, by the newest recording");
  session.done(`Looks right: the newest recording is from ${nameInWords(newest, zone, now)}`);
}

function tellClock(session: CheckSession, error: number, finding: string): void {
  const verdict = clockVerdict(error);
  if (verdict) session.concerns.push(verdict);
  session.done(finding, formatSeconds(Math.abs(error) / 1000), {
    state: verdict ? "attention" : "fine",
    numbers: { seconds_ahead: Math.round(error / 1000) },
  });
}

/** The true time at which a recording began; null where it has none. */
async function satelliteTime(session: CheckSession, video: string): Promise<number | null> {
  const [name] = parseRecording(video)?.namesOf("gps") ?? [];
  if (name === undefined) return null;
  const most = Math.min(GPS_BYTES, session.bytesLeft);
  return await session.within(session.world.limits.answerMs, async (signal) => {
    const opened = await session.camera.openCompanion({ name, kind: "gps", video }, signal).catch((error) => {
      if (error instanceof DashcamProblem && !error.isPassing) return null;
      throw error;
    });
    if (opened?.kind !== "body") return null;
    const pieces: Uint8Array[] = [];
    let length = 0;
    try {
      while (length < most) {
        const piece = await opened.read();
        if (piece === null) break;
        pieces.push(piece);
        length += piece.length;
      }
    } finally {
      opened.close();
    }
    session.bytesLeft -= length;
    return readGps(Buffer.concat(pieces)).startUtc;
  });
}

/** Reports the settings that work against the schedule. */
export function judgeSettings(session: CheckSession, entries: readonly ConfigEntry[]): void {
  session.begin("settings");
  if (entries.length === 0) {
    if (!isNewer(session)) session.concerns.push(CONCERNS.noSettings());
    if (isNewer(session)) session.done(NOT_OFFERED);
    else session.done("The camera does not tell its settings", null, { state: "attention" });
    return;
  }
  const { schedule, clock, zone } = session.world;
  const harmful = harmfulSettings(entries, schedule, clock.now(), zone.format);
  for (const { reason, cause, remedy, setting } of harmful)
    session.concerns.push(attention(reason, cause, remedy, setting));
  session.done(settingsFinding(harmful.length, entries.length), null, {
    state: harmful.length > 0 ? "attention" : "fine",
    numbers: { settings: entries.length, against_the_schedule: harmful.length },
  });
}
