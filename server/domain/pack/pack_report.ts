import { counted, formatBytes, formatSeconds } from "../text/format.ts";
import type { ZoneTime } from "../text/zone_time.ts";
import { distanceInWords, type SpeedUnit } from "../viewer/distance_text.ts";
import { cameraName } from "../viewer/viewer_address.ts";
import { Markup, markup } from "./markup.ts";
import { SIGNATURE, SUMS } from "./pack_names.ts";
import { isTooLong, lastDay, type PackGap, type Purpose, type WallSpan } from "./pack_span.ts";
import { type Drawn, forceDrawing, speedDrawing, strongestIn, trackDrawing } from "./report_drawings.ts";
import type { SatelliteSpan } from "./satellite_time.ts";
import { SUMS_COMMAND, VERIFY_COMMAND } from "./verify_text.ts";
import { clockText, daySpanText, dayText, exactSeconds, spanText } from "./wall_text.ts";

/** A file of a pack as its report tells it. */
export interface ReportedFile {
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
  /** A video whose length cannot be read. */
  readonly isDamaged: boolean;
  /** Files that came from the camera; the others were made for the pack. */
  readonly isOriginal: boolean;
  /** A picture that a user kept. */
  readonly isKept: boolean;
  /** Epoch milliseconds; null while unknown. */
  readonly firstSeen: number | null;
  readonly cameHome: number | null;
}

/** A picture in the pack and what it shows. */
export interface ReportedPicture {
  readonly name: string;
  readonly direction: string;
  /** The camera's wall time. */
  readonly wall: number;
}

export interface PackFacts {
  readonly purpose: Purpose;
  /** Time that was asked for, and that the pack covers. */
  readonly moment: WallSpan;
  readonly span: WallSpan;
  /** Letters of the cameras. */
  readonly directions: readonly string[];
  /** Times without a video, by camera. */
  readonly gaps: ReadonlyMap<string, readonly PackGap[]>;
  /** Why a film does not reach the end of the span, as sentences, by camera. */
  readonly notInFilms: ReadonlyMap<string, string>;
  readonly policeDays: number;
  readonly zone: ZoneTime;
  /** The span by the satellites; null while unknown. */
  readonly satellites: SatelliteSpan | null;
  /** Place at the moment; null where the satellites told none. */
  readonly place: { readonly lat: number; readonly lon: number; readonly wall: number } | null;
  readonly meters: number;
  readonly unit: SpeedUnit;
  readonly model: string | null;
  readonly firmware: string | null;
  readonly drawn: Drawn | null;
  /** One of each camera. */
  readonly pictures: readonly ReportedPicture[];
  /** Pictures that users kept: those that are drawn, and how many more are in the pack, and are not. */
  readonly stills: readonly ReportedPicture[];
  readonly stillsUnseen: number;
  readonly stillsLeftOut: number;
  readonly files: readonly ReportedFile[];
  readonly fingerprint: string;
  readonly version: string;
}

/** Gaps named one by one; the rest is counted. */
const MOST_GAPS = 8;
const UNKNOWN = "not known";

/** The text of `report.html`. @param style its style sheet */
export function reportPage(facts: PackFacts, style: string): string {
  const { span, purpose, files, fingerprint, version } = facts;
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const title = daySpanText(span);
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src 'self' file:; style-src 'unsafe-inline'">
<title>Report, ${title}</title>
${styled(style)}
</head>
<body>
<main class="rp">
<header class="rp-head">${LOGO}<h1>Recording of a dashcam</h1><p>Report of a pack of ${counted(files.length, "file")}, ${formatBytes(bytes)}, by Dashdock ${version}</p></header>
<p class="rp-what">${title}</p>
${purpose === "police" ? policeNote(facts) : null}
<dl class="rp-facts">
${fact("By the camera’s clock", spanText(span), cameraClock(facts))}
${satellites(facts)}
${where(facts)}
${fact("Cameras", camerasText(facts), [facts.model, facts.firmware && `firmware ${facts.firmware}`].filter(Boolean).join(", "))}
${fact("Missing", missing(facts), damaged(facts))}
${notInFilms(facts)}
</dl>
${pictures(facts)}
${curves(facts)}
<section class="long" aria-labelledby="f"><h2 id="f">Files</h2><p>Originals are the camera’s whole files, untouched.${purpose === "police" ? " They cover one minute before and after the moment." : ""}${files.some(({ name }) => name.startsWith("film/")) ? " Films hold the same pictures, joined and cut, not encoded again." : ""} The list ${code(SUMS)} has them all.</p>
<table class="rp-files"><thead><tr><th scope="col">File, and its SHA-256 below</th><th scope="col" class="n">Size</th><th scope="col">First seen on the camera</th><th scope="col">Came home</th></tr></thead><tbody>${files.map((file) => fileRow(file, facts.zone))}</tbody></table></section>
<section aria-labelledby="c"><h2 id="c">How to check it</h2><p>With tools that every Linux and Mac has. On Windows: ${code("certutil -hashfile FILE SHA256")} for one file. ${code("VERIFY.txt")} has the steps.</p><pre>${SUMS_COMMAND}
${VERIFY_COMMAND}</pre><p class="rp-small">${code(SIGNATURE)} is signed by the key of this installation: ${code(fingerprint)}</p></section>
<section aria-labelledby="w"><h2 id="w">What this proves, and what not</h2><div class="rp-prove"><div><h3>It proves</h3><ul><li>No file was changed since this installation signed the list.</li></ul></div><div class="no"><h3>It does not prove</h3><ul><li>Who drove.</li><li>That the camera’s clock was right. The satellites’ time stands beside it.</li><li>How fast a car was.</li></ul></div></div></section>
${purpose === "all" ? null : OWN_WORDS}
<p class="rp-foot">This page needs no network and no script. Dashdock wrote it on the owner’s own machine.</p>
</main>
</body>
</html>
`.text;
}

const LOGO = markup`<svg class="logo" viewBox="0 0 24 24" aria-hidden="true"><path d="M9 3.5h3.5a8.5 8.5 0 0 1 0 17H9" fill="none" stroke="currentColor" stroke-width="3" stroke-linecap="round"/><rect fill="var(--accent)" x="1.5" y="8.75" width="13" height="6.5" rx="3.25"/></svg>`;

const OWN_WORDS = markup`<section aria-labelledby="h"><h2 id="h">In your own words</h2><div class="rp-hand"><div>Your name</div><div>Telephone or e-mail</div><div>The other car: number plate</div><div>The other car: make and colour</div><div class="tall">What happened</div><div>Date</div><div>Signature</div></div></section>`;

/** A style sheet of ours without its comments; nothing in it ends its element. */
function styled(style: string): Markup {
  const plain = style
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/\s*\n\s*/g, "\n")
    .trim();
  return new Markup(`<style>\n${plain.replaceAll("</", "")}\n</style>`);
}

/** The text of the one style sheet in a report. */
export function styleIn(report: string): string {
  return /<style>([^<]*)<\/style>/.exec(report)?.[1] ?? "";
}

function code(text: string): Markup {
  return markup`<code>${text}</code>`;
}

function fact(name: string, words: string, more = ""): Markup {
  return markup`<div><dt>${name}</dt><dd>${words}${more === "" ? null : markup`<small>${more}</small>`}</dd></div>`;
}

function policeNote(facts: PackFacts): Markup {
  const { moment, span, policeDays, purpose } = facts;
  const day = lastDay(moment, policeDays);
  const last = dayText(day);
  const isLong = isTooLong(span, purpose);
  return markup`<div class="rp-note${isLong ? "" : " rp-note-q"}"><p><b>Hand it in by ${last}.</b> This is ${counted(policeDays, "day")} after the moment.${dayClock(facts, day)} Keep the whole trip: the police may ask for it.</p>${
    isLong
      ? markup`<p><b>This pack covers ${formatSeconds(span.to - span.from)}.</b> Most police take 10 minutes at most.</p>`
      : null
  }</div>`;
}

function cameraClock({ purpose, moment, drawn, zone }: PackFacts): string {
  const peak = drawn && strongestIn(drawn);
  return [
    ...(purpose === "police" ? [`The moment: ${spanText(moment)}. One minute before and after is added.`] : []),
    ...(drawn && peak
      ? [`Strongest force: ${clockText(drawn.begin + peak.time)}, ${peak.magnitude.toFixed(2)} g as recorded.`]
      : []),
    `Its time zone as set in Dashdock: ${zone.id}.`,
  ].join(" ");
}

function satellites({ span, satellites: real, zone }: PackFacts): Markup {
  const name = "By the satellites";
  if (real === null) return fact(name, UNKNOWN, "No recording has a time from the satellites.");
  const { firstError, lastError } = real;
  const words =
    Math.abs(firstError - lastError) <= 1
      ? `The camera’s clock was ${errorText(firstError)}, over these recordings.`
      : `The camera’s clock was ${errorText(firstError)} at first, and ${errorText(lastError)} in the end.`;
  const wall = (ms: number) => (ms + zone.offset(ms)) / 1000;
  const walls = { from: wall(real.from), to: wall(real.to) };
  const isOfTheseDays = dayText(walls.from) === dayText(span.from) && dayText(walls.to) === dayText(span.to);
  const [first, last] = [zone.name(real.from), zone.name(real.to)];
  const text = isOfTheseDays ? spanText(walls) : daySpanText(walls);
  // Clocks were changed meanwhile: each end has its own zone, such as CEST and CET.
  return fact(name, `${first === last ? text : text.replace(" to ", ` ${first} to `)} ${last}`, words);
}

/** Says by which clock the last day is counted, and how far that was off. */
function dayClock({ moment, satellites: real, policeDays }: PackFacts, day: number): string {
  if (real === null) return " This day goes by the camera’s clock, which no satellite time checks.";
  const { firstError } = real;
  const byClock = ` This day goes by the camera’s clock, which was ${errorText(firstError)}.`;
  const seconds = moment.from - firstError;
  const realDay = lastDay({ from: seconds, to: seconds }, policeDays);
  return realDay === day ? byClock : `${byClock} By the satellites’ time it is ${dayText(realDay)}.`;
}

/** `right to within a second`, `1 min 35 s fast` */
function errorText(seconds: number): string {
  if (seconds === 0) return "right to within a second";
  return `${exactSeconds(Math.abs(seconds))} ${seconds > 0 ? "fast" : "slow"}`;
}

function where({ place, meters, unit }: PackFacts): Markup {
  if (place === null) return fact("Where", UNKNOWN, "No recording has a place from the satellites.");
  const { lat, lon, wall } = place;
  const degrees = `${Math.abs(lat).toFixed(5)}° ${lat < 0 ? "S" : "N"}, ${Math.abs(lon).toFixed(5)}° ${lon < 0 ? "W" : "E"}`;
  const track = `Track of ${distanceInWords(meters, unit)}, from the camera’s satellite receiver.`;
  return fact("Where", `${degrees} at ${clockText(wall)}`, track);
}

function camerasText({ directions }: PackFacts): string {
  const names = directions.map((direction, at) =>
    at === 0 ? cameraName(direction) : cameraName(direction).toLowerCase(),
  );
  return names.length < 2 ? (names[0] ?? UNKNOWN) : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

function missing({ gaps, span }: PackFacts): string {
  const all = [...gaps].flatMap(([direction, list]) => list.map((gap) => ({ direction, gap })));
  if (all.length === 0) return `Nothing between ${spanText(span)}`.replace(" to ", " and ");
  const told = all
    .slice(0, MOST_GAPS)
    .map(({ direction, gap }) => `${cameraName(direction)}: ${spanText(gap)} (${formatSeconds(gap.seconds)})`);
  const more = all.length - told.length;
  return `${told.join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
}

function notInFilms({ notInFilms: cameras }: PackFacts): Markup | null {
  if (cameras.size === 0) return null;
  const words = [...cameras].map(([direction, why]) => `${cameraName(direction)}: ${why}`).join(" ");
  return fact("Not in the films", words, "The originals have all of it.");
}

function damaged({ files }: PackFacts): string {
  const names = files.filter(({ isDamaged }) => isDamaged).map(({ name }) => name.slice(name.lastIndexOf("/") + 1));
  return names.length === 0 ? "" : `Damaged, and in the pack as they are: ${names.join(", ")}`;
}

function pictures({ pictures: shown, stills, stillsUnseen, stillsLeftOut }: PackFacts): Markup | null {
  if (shown.length + stills.length === 0) return null;
  const more = [
    stillsUnseen > 0 ? `In the folder pictures: ${counted(stillsUnseen, "more kept picture")}.` : "",
    stillsLeftOut > 0 ? `Not in this pack, because there are so many: ${counted(stillsLeftOut, "kept picture")}.` : "",
  ].filter((words) => words !== "");
  return markup`<section aria-labelledby="p"><h2 id="p">Pictures</h2>${
    shown.length === 0 ? null : markup`<div class="rp-pics">${shown.map((one) => figure(one, 0))}</div>`
  }${
    stills.length === 0
      ? null
      : markup`<h3>Kept by the owner</h3><div class="rp-pics rp-kept">${stills.map((one) => figure(one, 1))}</div>`
  }${more.length === 0 ? null : markup`<p class="rp-small">${more.join(" ")}</p>`}</section>`;
}

/** @param digits of the second at which it was taken */
function figure({ name, direction, wall }: ReportedPicture, digits: 0 | 1): Markup {
  const tenths = digits === 0 ? "" : `.${Math.floor((wall % 1) * 10 + 0.001)}`;
  const words = `${cameraName(direction)}, ${clockText(wall)}${tenths}`;
  return markup`<figure><img src="${name}" alt="${words}"><figcaption><b>${words}</b></figcaption></figure>`;
}

function curves({ drawn }: PackFacts): Markup | null {
  if (drawn === null) return null;
  const track = trackDrawing(drawn);
  const speed = speedDrawing(drawn);
  const force = forceDrawing(drawn);
  if (track === null && speed === null && force === null) return null;
  return markup`<section aria-labelledby="t"><h2 id="t">Track, speed and force</h2><div class="rp-2">${
    track === null ? null : markup`<div class="rp-map">${track}</div>`
  }<div>${speed}${force}</div></div>
<p class="rp-note"><b>Speed and force are as recorded by the camera, not calibrated.</b> They help to find a moment. They prove no speed.</p></section>`;
}

function fileRow(
  { name, size, sha256, isDamaged, isOriginal, isKept, firstSeen, cameHome }: ReportedFile,
  zone: ZoneTime,
): Markup {
  const made = isKept ? "Kept by the owner" : "Made for this pack";
  const time = (ms: number | null) => (isOriginal ? (ms === null ? UNKNOWN : zone.whole(ms)) : "–");
  return markup`<tr><th scope="row" class="mono">${name}${isDamaged ? markup` <b>damaged</b>` : null}</th><td class="n" data-l="Size">${formatBytes(size)}</td><td data-l="First seen on the camera">${time(firstSeen)}</td><td data-l="Came home">${isOriginal ? time(cameHome) : made}</td></tr><tr class="h"><td colspan="4">${sha256}</td></tr>
`;
}
