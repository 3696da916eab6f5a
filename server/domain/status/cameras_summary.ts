import type { StatusLevel } from "../answers/status_level.ts";
import type { OverviewPlan } from "../plan/plan_schema.ts";
import { counted, formatSeconds } from "../text/format.ts";
import type { CameraAnswer } from "./cameras_schema.ts";

/** Words about all cameras: one sentence or a few, and the cause of what is wrong. */
export interface CamerasSummary {
  readonly mood: StatusLevel;
  readonly sentence: string;
  readonly detail: string;
}

type Known = Pick<CameraAnswer, "name" | "state" | "sentence" | "waiting"> & {
  /** Will it be safe in time? Null or left out while no plan was made. */
  readonly plan?: Pick<OverviewPlan, "verdict" | "camera" | "at_risk"> | null;
};

/** More names than this are counted and not listed. */
const MOST_NAMES = 3;

/** Most characters of the line that every page has, in which two sentences may stand. */
const SHORT = 48;

/** The state of several cameras as a person would tell it, the most pressing first. */
export function camerasSummary(cameras: readonly Known[]): CamerasSummary {
  const { mood, sentences, wrong } = summed(cameras);
  return { mood, sentence: sentences.join(" "), detail: wrong.length > 0 ? detailOf(wrong) : riskOf(cameras) };
}

/** The most pressing of it, for a place of one line. */
export function camerasInShort(cameras: readonly Known[]): Pick<CamerasSummary, "mood" | "sentence"> {
  const { mood, sentences } = summed(cameras);
  const [first = "", second = ""] = sentences;
  const both = `${first} ${second}`;
  return { mood, sentence: second !== "" && both.length <= SHORT ? both : first };
}

function summed(cameras: readonly Known[]) {
  const inStates = (...states: readonly Known["state"][]) => cameras.filter(({ state }) => states.includes(state));
  const wrong = inStates("other_camera", "failed", "attention");
  const syncing = inStates("syncing");
  const waiting = inStates("waiting").filter((camera) => (camera.waiting ?? 0) > 0);
  // Nothing is known of their contents, so that none of them is safe.
  const unsure = inStates("waiting").filter((camera) => !waiting.includes(camera));
  const paused = inStates("paused");
  const unset = inStates("no_address");
  const rest = cameras.filter(
    (one) => ![wrong, syncing, waiting, unsure, paused, unset].some((group) => group.includes(one)),
  );
  const isWhole = rest.length === cameras.length;
  const recordings = waiting.reduce((sum, camera) => sum + (camera.waiting ?? 0), 0);
  const amount = `${recordings} recording${recordings === 1 ? "" : "s"}`;
  const sentences = [
    about(wrong, "needs you", "need you"),
    about(syncing, "is syncing", "are syncing"),
    about(waiting, `waits with ${amount}`, `wait with ${amount}`),
    about(unsure, "waits for a sync", "wait for a sync"),
    about(paused, "is paused", "are paused"),
    about(unset, "has no address yet", "have no address yet"),
    isWhole && cameras.length > 1 ? everyOne(cameras) : about(rest, "is safe", "are safe"),
  ].filter((sentence) => sentence !== "");
  const mood = moodOf({ wrong, syncing, waiting, rest: [...unsure, ...paused, ...unset] });
  return { mood, sentences, wrong };
}

/** Troubles of each; of many the first, and how many more there are. */
function detailOf(wrong: readonly Known[]): string {
  const isLong = wrong.length > MOST_NAMES + 1;
  const told = isLong ? wrong.slice(0, MOST_NAMES) : wrong;
  const sentences = told.map(({ name, sentence }) => `${name}: ${sentence}`);
  return [...sentences, ...(isLong ? [`And ${wrong.length - told.length} more.`] : [])].join(" ");
}

/** Says of cameras on which something waits whether it is at risk; nothing of many. */
function riskOf(cameras: readonly Known[]): string {
  const known = cameras.filter(({ plan, waiting }) => plan?.at_risk && (waiting ?? 0) > 0);
  if (known.length > MOST_NAMES) return "";
  const told = known.map(({ name, plan }) => {
    const { recordings, seconds } = plan?.at_risk ?? { recordings: 0, seconds: null };
    if (recordings === 0) return `Nothing on ${name} is at risk.`;
    if (plan?.camera === "here" && seconds !== null) return `${name} is safe in about ${formatSeconds(seconds)}.`;
    return `${counted(recordings, "recording")} on ${name} ${recordings === 1 ? "is" : "are"} at risk.`;
  });
  return told.join(" ");
}

function moodOf(groups: Record<"wrong" | "syncing" | "waiting" | "rest", readonly Known[]>): StatusLevel {
  if (groups.wrong.some(({ state }) => state === "failed")) return "failed";
  if (groups.wrong.length > 0) return "attention";
  if (groups.syncing.length > 0) return "busy";
  return groups.waiting.length > 0 || groups.rest.length > 0 ? "waiting" : "fine";
}

function everyOne(cameras: readonly Known[]): string {
  return cameras.length === 2 ? "Both cameras are safe." : `All ${cameras.length} cameras are safe.`;
}

function about(cameras: readonly Known[], one: string, several: string): string {
  if (cameras.length === 0) return "";
  const names = cameras.map(({ name }) => name);
  if (names.length === 1) return `${names[0]} ${one}.`;
  if (names.length > MOST_NAMES) return `${names.length} cameras ${several}.`;
  return `${names.slice(0, -1).join(", ")} and ${names.at(-1)} ${several}.`;
}
