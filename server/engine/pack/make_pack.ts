import { crc32 } from "node:zlib";
import reportStyle from "../../../assets/report.css" with { type: "text" };
import tokens from "../../../assets/tokens.css" with { type: "text" };
import { lackInWords } from "../../domain/film/film_lack.ts";
import { checksumText } from "../../domain/pack/checksum_list.ts";
import { REPORT, SIGNATURE, SIGNERS, STEPS, SUMS, TIMESTAMP } from "../../domain/pack/pack_names.ts";
import { type PackFacts, type ReportedFile, type ReportedPicture, reportPage } from "../../domain/pack/pack_report.ts";
import { gapsIn, type Purpose, type TimedVideo, type WallSpan } from "../../domain/pack/pack_span.ts";
import { passedBy, satelliteSpan } from "../../domain/pack/satellite_time.ts";
import { allowedSigners } from "../../domain/pack/ssh_signature_format.ts";
import { verifyText } from "../../domain/pack/verify_text.ts";
import { dayText } from "../../domain/pack/wall_text.ts";
import { nameOf, secondsOf } from "../../domain/recordings/recording_name.ts";
import type { ZoneTime } from "../../domain/text/zone_time.ts";
import type { SpeedUnit } from "../../domain/viewer/distance_text.ts";
import { indexAt } from "../../domain/viewer/trip_telemetry.ts";
import { type ArchiveSource, bytesSource, ChangedFile } from "../../store/clips/archive_source.ts";
import type { Checksums, FileChecksums } from "../../store/clips/file_checksums.ts";
import type { Films } from "../../store/clips/films.ts";
import { RecordingArchive } from "../../store/clips/recording_archive.ts";
import type { SigningKeyFile } from "../../store/config/pack_signing.ts";
import type { FileTimes } from "./file_times.ts";
import type { PackChoice } from "./pack_clips.ts";
import { findFilms, findSources, type PackPicture, type PackPlace, type PackSources } from "./pack_sources.ts";
import { type PackTelemetry, readTelemetry } from "./pack_telemetry.ts";
import type { TimeStamps } from "./time_stamps.ts";

/** Pictures on the first page of a report. */
const MOST_PICTURES = 4;
/** Pictures that users kept, drawn in a report. */
const MOST_STILLS = 8;

export interface PackParts {
  readonly place: PackPlace;
  readonly checksums: FileChecksums;
  readonly films: Pick<Films, "open">;
  readonly key: SigningKeyFile;
  readonly stamps: TimeStamps;
  readonly timesOf: (name: string) => FileTimes;
}

/** Facts in a report that are in none of the files. */
export interface PackAbout {
  readonly purpose: Purpose;
  readonly policeDays: number;
  readonly timestampUrl: string | null;
  readonly zone: ZoneTime;
  readonly unit: SpeedUnit;
  readonly model: string | null;
  readonly firmware: string | null;
  readonly version: string;
}

/** A source with its checksums: what a line of `SHA256SUMS` and an entry of the ZIP are made of. */
interface Summed extends Checksums {
  readonly source: ArchiveSource;
}

/**
 * Makes a pack. Texts that name the checksums of its films stand behind these: a film that has not been read yet is
 * hashed while it is sent. The same files under the same settings give the same bytes.
 * @param isWhole it is sent from its beginning; else all of it but the bytes of its large files is made first
 * @returns null when none of its files is there any more
 * @throws the signal's reason when the client has gone; ChangedFile; AppError SIGNING_KEY_UNUSABLE
 */
export async function makePack(
  parts: PackParts,
  choice: PackChoice,
  about: PackAbout,
  { isWhole, signal }: { readonly isWhole: boolean; readonly signal: AbortSignal },
): Promise<RecordingArchive | null> {
  const { checksums } = parts;
  const key = await parts.key.read();
  const found = await findSources(parts.place, choice);
  if (found.originals.length === 0) return null;
  const title = dayText(choice.moment.from);
  const telemetry = await readTelemetry(parts.place.root, { ...choice, title, zone: about.zone }, signal);
  const made = (name: string, bytes: Uint8Array) => madeFile(name, choice.moment.from, bytes);
  const { films, missing } = await findFilms(parts.films, choice);
  // In one format for all who ask: the same pack has the same bytes.
  const notInFilms = new Map([...missing].map(([direction, lack]) => [direction, lackInWords(lack)]));
  const pictures = found.pictures.map(({ source }) => source);
  const sources = [...found.originals, ...films, ...pictures];
  const read = await checksumsOf([...found.originals, ...pictures], checksums, signal);
  const [originals, shown] = [read.slice(0, found.originals.length), read.slice(found.originals.length)];
  const small = [
    ...(telemetry.gpx ? [made("track.gpx", telemetry.gpx)] : []),
    ...(telemetry.csv ? [made("telemetry.csv", telemetry.csv)] : []),
  ];
  const reportOf = (ofFilms: readonly Summed[]) => {
    const files = reportedFiles([...originals, ...ofFilms, ...shown, ...small], found, choice, parts.timesOf);
    const facts = factsOf({ choice, about, telemetry, found, notInFilms, files, fingerprint: key.fingerprint });
    return made(REPORT, bytesOf(reportPage(facts, `${tokens}\n${reportStyle}`)));
  };
  /** Made last, as they tell of all others. */
  const textsOf = async (report: Summed, ofFilms: readonly Summed[]) => {
    const listed = [report, ...small, ...originals, ...ofFilms, ...shown];
    const sums = bytesOf(checksumText(listed.map(({ source: { name }, sha256 }) => ({ name, sha256 }))));
    const { stamp, state } = await parts.stamps.of(sums, about.timestampUrl, signal);
    return [
      report,
      made(SUMS, sums),
      made(SIGNATURE, bytesOf(key.sign(sums))),
      ...(stamp ? [made(TIMESTAMP, stamp)] : []),
      made(SIGNERS, bytesOf(allowedSigners(key.publicKey))),
      made(STEPS, bytesOf(verifyText({ fingerprint: key.fingerprint, stamp: state }))),
    ];
  };
  const readFilms = async () => {
    const ofFilms = await checksumsOf(films, checksums, signal);
    return { ofFilms, texts: await textsOf(reportOf(ofFilms), ofFilms) };
  };
  // As long as it will be: all but the checksums of films is known.
  const unread = films.map((source): Summed => ({ source, sha256: NOT_READ, crc: 0 }));
  const outline = reportOf(unread);
  const isKnown = films.every((film) => checksums.known(film) !== null);
  // A stamp has whatever length its maker gives it.
  const mayBeLate = films.length > 0 && about.timestampUrl === null;
  const isLate = mayBeLate && isWhole && !isKnown;
  const { ofFilms, texts } = isLate ? { ofFilms: unread, texts: await textsOf(outline, unread) } : await readFilms();
  const hash = new Bun.CryptoHasher("sha256");
  for (const { source, sha256 } of [...originals, ...shown, ...small, outline, ...texts.filter(isFixed)])
    hash.update(`${source.name} ${sha256}\n`);
  for (const { name, version } of films) hash.update(`${name} ${version}\n`);
  // A film has the bytes of several files: all are read anew for the next pack.
  const onMisfit = () => checksums.forget(sources);
  const checked = ({ source, crc }: Summed): ArchiveSource => ({ ...plain(source), crc, onMisfit });
  // Where what may come late stands at other times, too.
  const checkedBehind = ({ source, crc }: Summed): ArchiveSource => ({ ...plain(source), crcBehind: crc, onMisfit });
  const first = [...originals, ...small, ...shown].map(checked);
  let reading: ReturnType<typeof readFilms> | null = null;
  const whenRead = () => {
    reading ??= readFilms();
    return reading;
  };
  const last = isLate
    ? [
        ...films.map((film) => checksums.followed(film)),
        ...texts.map(({ source }, at) => lateText(source, async () => (await whenRead()).texts[at]?.source)),
      ]
    : [...ofFilms, ...texts].map(mayBeLate ? checkedBehind : checked);
  return new RecordingArchive([...first, ...last], `"${hash.digest("base64url").slice(0, 27)}"`);
}

/** True for a text that does not follow from checksums that stand in the ETag already. */
function isFixed({ source: { name } }: Summed): boolean {
  return name !== REPORT && name !== SUMS && name !== SIGNATURE;
}

/** In place of the checksum of a film, and as long. */
const NOT_READ = "0".repeat(64);
/** A text of which only the length is known. @param made the same, as it is */
function lateText(
  { name, size, wall, version }: ArchiveSource,
  made: () => Promise<ArchiveSource | undefined>,
): ArchiveSource {
  const open = async () => {
    const source = await made();
    if (source?.size !== size) throw new ChangedFile(name);
    return await source.open();
  };
  return { name, size, wall, version, open };
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function madeFile(name: string, wall: number, bytes: Uint8Array): Summed {
  const sha256 = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
  return { source: bytesSource(name, Math.floor(wall), bytes, sha256), sha256, crc: crc32(bytes) };
}

/** The members of a source as values: one of a class has some of them in its prototype. */
function plain(source: ArchiveSource): ArchiveSource {
  const { name, size, wall, version } = source;
  return { name, size, wall, version, open: () => source.open() };
}

/** As soon as one fails the others are not read any more. */
async function checksumsOf(
  sources: readonly ArchiveSource[],
  checksums: FileChecksums,
  signal: AbortSignal,
): Promise<Summed[]> {
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  const all = sources.map(async (source) => ({ source, ...(await checksums.of(source, either)) }));
  try {
    return await Promise.all(all);
  } catch (error) {
    failed.abort(error);
    await Promise.allSettled(all);
    throw error;
  }
}

function reportedFiles(
  files: readonly Summed[],
  { originals, pictures }: PackSources,
  { clips }: PackChoice,
  timesOf: PackParts["timesOf"],
): ReportedFile[] {
  const ours = new Set<ArchiveSource>(originals);
  const kept = new Set<ArchiveSource>(pictures.filter(({ seconds }) => seconds !== null).map(({ source: one }) => one));
  const damaged = new Set(
    clips.flatMap(({ segment: { key, parts }, videos }) =>
      parts.videos.flatMap(({ direction, ending }) =>
        videos.get(direction)?.seconds === null ? [nameOf(key, ending)] : [],
      ),
    ),
  );
  return files.map(({ source, sha256 }) => {
    const { name, size } = source;
    const file = name.slice(name.lastIndexOf("/") + 1);
    const isOriginal = ours.has(source);
    const isDamaged = isOriginal && damaged.has(file);
    const times = isOriginal ? timesOf(file) : { firstSeen: null, cameHome: null };
    return { name, size, sha256, isDamaged, isOriginal, isKept: kept.has(source), ...times };
  });
}

interface Known {
  readonly choice: PackChoice;
  readonly about: PackAbout;
  readonly telemetry: PackTelemetry;
  readonly found: PackSources;
  readonly notInFilms: PackFacts["notInFilms"];
  readonly files: readonly ReportedFile[];
  readonly fingerprint: string;
}

function factsOf({ choice, about, telemetry, found, notInFilms, files, fingerprint }: Known): PackFacts {
  const { moment, span, clips, directions } = choice;
  const { purpose, policeDays, zone, unit, model, firmware, version } = about;
  const begin = secondsOf(clips[0]?.segment.key ?? "");
  const after = ({ from, to }: WallSpan) => ({ from: from - begin, to: to - begin });
  const { drawn } = telemetry;
  const passed = passedBy(telemetry.times, zone);
  return {
    ...{ purpose, moment, span, directions, policeDays, zone, unit, model, firmware, version, files, fingerprint },
    notInFilms,
    gaps: new Map(directions.map((direction) => [direction, gapsIn(span, videosOf(choice, direction), passed)])),
    satellites: satelliteSpan(telemetry.times, span, zone),
    place: placeAt(telemetry, begin, (moment.from + moment.to) / 2),
    meters: telemetry.meters,
    drawn: drawn && { telemetry: drawn, begin, span: after(span), moment: after(moment), unit },
    pictures: shownPictures(found.pictures, choice),
    ...shownStills(found, choice),
  };
}

function videosOf({ clips }: PackChoice, direction: string): TimedVideo[] {
  return clips.flatMap(({ segment: { key }, videos }) => {
    const video = videos.get(direction);
    return video ? [{ start: secondsOf(key), seconds: video.seconds }] : [];
  });
}

/** The place nearest to a time. */
function placeAt({ drawn }: PackTelemetry, begin: number, wall: number): PackFacts["place"] {
  if (drawn === null || drawn.track.t.length === 0) return null;
  const { t, lat, lon } = drawn.track;
  const after = Math.min(indexAt(t, wall - begin), t.length - 1);
  const before = Math.max(0, after - 1);
  const distance = (at: number) => Math.abs((t[at] ?? 0) - (wall - begin));
  const at = distance(before) < distance(after) ? before : after;
  return { lat: lat[at] ?? 0, lon: lon[at] ?? 0, wall: begin + (t[at] ?? 0) };
}

/** Picture of each camera that was taken last before the middle of the moment. */
function shownPictures(pictures: readonly PackPicture[], { directions, moment }: PackChoice): PackFacts["pictures"] {
  const middle = (moment.from + moment.to) / 2;
  return directions.slice(0, MOST_PICTURES).flatMap((direction) => {
    const own = pictures.filter((picture) => picture.direction === direction && picture.seconds === null);
    const { key } = own.findLast((one) => secondsOf(one.key) <= middle) ?? own[0] ?? {};
    // The first one, where a recording has copies.
    const picture = own.find((one) => one.key === key);
    return picture ? [reported(picture)] : [];
  });
}

/** Pictures that users kept, by time: those of the moment, or the first ones where it has none. */
function shownStills(
  { pictures, stillsLeftOut }: PackSources,
  { moment }: PackChoice,
): Pick<PackFacts, "stills" | "stillsUnseen" | "stillsLeftOut"> {
  const all = pictures.filter(({ seconds }) => seconds !== null).map(reported);
  const within = all.filter(({ wall }) => wall >= moment.from && wall <= moment.to);
  const stills = (within.length > 0 ? within : all).slice(0, MOST_STILLS);
  return { stills, stillsUnseen: all.length - stills.length, stillsLeftOut };
}

function reported({ source: { name }, direction, key, seconds }: PackPicture): ReportedPicture {
  return { name, direction, wall: secondsOf(key) + (seconds ?? 0) };
}
