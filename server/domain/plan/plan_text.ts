import type { CameraPlace } from "../runs/presence.ts";
import { counted, formatBytes, formatRate, formatSeconds } from "../text/format.ts";
import type { ZoneTime } from "../text/zone_time.ts";
import type { AtRisk, MaybeWaiting, Verdict, Waiting } from "./plan.ts";
import type { Backlog, SlowWifi } from "./plan_hints.ts";
import { LEAST_VISITS } from "./usual_visits.ts";

/** Facts that the sentence of a plan is made of; times in epoch milliseconds. */
export interface PlanSentenceFacts {
  readonly verdict: Verdict;
  readonly camera: CameraPlace;
  readonly waiting: MaybeWaiting;
  readonly needsSeconds: number | null;
  readonly overwrittenFrom: number | null;
  readonly atRisk: AtRisk | null;
  readonly tooLate: Waiting | null;
  readonly visitsKnown: number;
  readonly isTurnoverKnown: boolean;
  /** Damaged files at home that the camera can still give again. */
  readonly damaged: number;
  /** The list in hand is of the visit that goes on; true while there is none. */
  readonly isListed: boolean;
  readonly now: number;
}

/** Answers in one sentence whether what waits comes home in time. */
export function planSentence(facts: PlanSentenceFacts, zone: ZoneTime): string {
  const { verdict, camera, waiting, atRisk, needsSeconds } = facts;
  if (!facts.isListed) return "The camera is here, and its list has not come yet.";
  if (verdict === "safe") return homeSentence(facts);
  if (verdict === "unknown") return unknownSentence(facts);
  if (camera === "here" && atRisk !== null) {
    if (atRisk.recordings === 0) return safeSentence(facts);
    if (atRisk.seconds !== null) return `${formatSeconds(atRisk.seconds)} until everything at risk is home.`;
  }
  if (verdict === "in_time") return `${capital(waitingWords(waiting))}, and all comes home in time.`;
  const needs = `${waitingWords(waiting)} and need ${formatSeconds(needsSeconds ?? 0)} of Wi-Fi`;
  if (verdict === "tight") return `${capital(needs)}: most of what is left${beforeWords(facts, zone)}.`;
  const lost = facts.tooLate?.recordings ?? 0;
  if (lost > 0)
    return `About ${counted(lost, "recording")} may be overwritten before they come home${fromWords(facts, zone)}.`;
  return `${capital(needs)}: more than is left${beforeWords(facts, zone)}.`;
}

/** Nothing waits. What is damaged at home is fetched again by a sync. */
function homeSentence({ camera, damaged }: PlanSentenceFacts): string {
  if (camera !== "here") return "Nothing waits on the camera.";
  if (damaged === 0) return "All is home: you may switch off.";
  const [is, comes] = damaged === 1 ? ["is", "comes"] : ["are", "come"];
  return `All is home, but ${counted(damaged, "file")} ${is} damaged and ${comes} again with the next sync.`;
}

/** Nothing is overwritten before the next visit ends. */
function safeSentence({ verdict, tooLate }: PlanSentenceFacts): string {
  const lost = tooLate?.recordings ?? 0;
  if (verdict !== "too_late" || lost === 0) return "All at risk is safe: you may switch off.";
  return `Nothing is overwritten before the next visit. About ${counted(lost, "recording")} may be later: the longer the camera stays, the fewer.`;
}

function unknownSentence({ waiting, visitsKnown, isTurnoverKnown, needsSeconds }: PlanSentenceFacts): string {
  if (waiting.recordings === null) return "Not known yet: the camera has not been listed.";
  if (visitsKnown < LEAST_VISITS)
    return `Not known yet: ${visitsKnown} of ${LEAST_VISITS} visits have been seen that this is learned from.`;
  if (!isTurnoverKnown) return "Not known yet: the camera has not been seen to overwrite anything.";
  if (needsSeconds === null) return "Not known yet: no video has come that shows the rate.";
  return "Not known yet: no visit is expected in the next week.";
}

function waitingWords({ recordings }: MaybeWaiting): string {
  return recordings === 1 ? "1 recording waits" : `${counted(recordings ?? 0, "recording")} wait`;
}

function beforeWords({ overwrittenFrom, now }: PlanSentenceFacts, zone: ZoneTime): string {
  if (overwrittenFrom === null) return "";
  if (overwrittenFrom <= now) return "; the first may be gone already";
  return ` before the first is overwritten, about ${zone.moment(overwrittenFrom, now)}`;
}

function fromWords({ overwrittenFrom, now }: PlanSentenceFacts, zone: ZoneTime): string {
  if (overwrittenFrom === null) return "";
  return overwrittenFrom <= now
    ? "; the first may be gone already"
    : `, the first about ${zone.moment(overwrittenFrom, now)}`;
}

/** Says that the Wi-Fi looks like 2.4 GHz, and what helps. */
export function slowWifiSentence({ rate, bestRate, bestAt }: SlowWifi, now: number, zone: ZoneTime): string {
  return `The Wi-Fi looks like 2.4 GHz: ${formatRate(rate)} now, ${formatRate(bestRate)} on ${zone.day(bestAt, now)}. Give the camera a Wi-Fi name that exists on 5 GHz only.`;
}

/** Says that more is recorded than comes home, which two settings end that, and at what cost. */
export function backlogSentence({ recordedPerDay, homePerDay, parkingPerDay }: Backlog): string {
  const lost = recordedPerDay - homePerDay;
  const grows = `The camera records ${formatBytes(recordedPerDay)} a day, and visits have time for ${formatBytes(homePerDay)}.`;
  if (parkingPerDay === 0) return `${grows} Only a faster Wi-Fi or longer visits end that.`;
  if (parkingPerDay < lost)
    return `${grows} Even without parking, ${formatBytes(lost - parkingPerDay)} a day would not come home.`;
  return `${grows} Leaving parking out ends that: ${formatBytes(parkingPerDay)} of parking a day do not come home. With parking last, ${formatBytes(lost)} of it a day are lost, and nothing else.`;
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
