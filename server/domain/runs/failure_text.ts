import type * as v from "valibot";
import type { ACTION } from "../answers/answer_fields.ts";
import { asSentence } from "../text/format.ts";
import type { FailureCause } from "./failure_cause.ts";
import type { FailureReason } from "./failure_reason.ts";
import type { FAILURE_WORDS } from "./run_schema.ts";

export type FailureAction = v.InferOutput<typeof ACTION>;

export type FailureWords = v.InferOutput<typeof FAILURE_WORDS>;

type Remedy = "check-camera" | "choose-camera" | "set-address" | "set-folder" | "free-space" | "show-log" | null;

interface CauseText {
  /** Null where the sentence kept with the run is short itself, and more exact. */
  readonly sentence: string | null;
  readonly hint: string;
  readonly remedy: Remedy;
}

const CHECK = "check-camera";
const INTERRUPTED = "The service or its machine stopped during the sync. A file in progress is kept.";
const FREE_SPACE = "Free space or lower retention.";
const WEAK_WIFI = "The Wi-Fi may be weak where the camera is; what has come so far is kept.";
const OTHER_DEVICE =
  "A router or a printer may have the address now; look for the camera in the router's list of devices.";

/** The one table of what failures are called and what solves them. */
const BY_CAUSE: Readonly<Record<FailureCause, CauseText>> = {
  refused: {
    sentence: "the camera refused the connection",
    hint: "A device is there, but it accepts no requests. Check that it is the camera, and that its Wi-Fi mode is on.",
    remedy: CHECK,
  },
  unreachable: {
    sentence: "the camera cannot be reached",
    hint: "This machine cannot reach that address. Check that both are in the same network.",
    remedy: CHECK,
  },
  dns: {
    sentence: "the camera's name is not known in the network",
    hint: "Check its spelling, or use the number from the router's list of devices.",
    remedy: CHECK,
  },
  timeout: {
    sentence: "the camera did not answer in time",
    hint: "Check that it is on and in Wi-Fi range, and that its address is still the same.",
    remedy: CHECK,
  },
  closed: {
    sentence: "the camera closed the connection without an answer",
    hint: "This can happen while the camera starts or falls asleep. Wait half a minute.",
    remedy: CHECK,
  },
  silence: { sentence: "the camera stopped answering", hint: WEAK_WIFI, remedy: CHECK },
  reset: { sentence: "the connection to the camera broke", hint: WEAK_WIFI, remedy: CHECK },
  cut: { sentence: "the camera broke off in the middle of a file", hint: WEAK_WIFI, remedy: CHECK },
  "too-slow": { sentence: "the camera sends too slowly", hint: WEAK_WIFI, remedy: CHECK },
  http: {
    sentence: "the camera answered with an error",
    hint: "This can happen when the camera cannot read its card. Turn the camera off and on.",
    remedy: CHECK,
  },
  redirect: { sentence: "another device answers at the address", hint: OTHER_DEVICE, remedy: CHECK },
  "not-a-listing": { sentence: "another device answers at the address", hint: OTHER_DEVICE, remedy: CHECK },
  "too-long": { sentence: "another device answers at the address", hint: OTHER_DEVICE, remedy: CHECK },
  "no-address": { sentence: "no camera address is set", hint: "", remedy: "set-address" },
  "other-camera": {
    sentence: "another camera answers at the address",
    hint: "Nothing is fetched or deleted until you decide which camera it is.",
    remedy: "choose-camera",
  },
  "disk-full": { sentence: "the disk is full", hint: FREE_SPACE, remedy: "free-space" },
  "disk-limit": { sentence: null, hint: "", remedy: "free-space" },
  quota: { sentence: "the disk quota is used up", hint: "Free space or raise the quota.", remedy: "free-space" },
  "no-room": { sentence: "the file does not fit on the disk", hint: "", remedy: "free-space" },
  folder: { sentence: null, hint: "", remedy: "set-folder" },
  "in-the-way": { sentence: null, hint: "", remedy: "show-log" },
  "disk-error": { sentence: null, hint: "", remedy: "show-log" },
  machine: { sentence: null, hint: "", remedy: "show-log" },
  locked: { sentence: "another sync is using the recordings folder", hint: "", remedy: null },
  stopped: {
    sentence: "stopped by hand",
    hint: "A file in progress is kept. The next run continues it.",
    remedy: null,
  },
  shutdown: {
    sentence: "Dashdock restarted",
    hint: "Nothing is lost. A file in progress is kept. The next run continues it.",
    remedy: null,
  },
  interrupted: {
    sentence: "interrupted",
    hint: INTERRUPTED,
    remedy: null,
  },
  unexpected: { sentence: "something unexpected went wrong", hint: "", remedy: "show-log" },
};

/** Texts for runs that an older program wrote down without a cause: a sentence by their reason, and a remedy. */
const BY_REASON: Readonly<Record<FailureReason, CauseText & { readonly sentence: string }>> = {
  disk: { sentence: "the disk is full", hint: FREE_SPACE, remedy: "free-space" },
  http: { sentence: "the camera answered with an error", hint: "", remedy: CHECK },
  network: { sentence: "the connection broke", hint: "", remedy: CHECK },
  timeout: { sentence: "the camera stopped answering", hint: "", remedy: CHECK },
  unknown: { sentence: "the log has the cause", hint: "", remedy: "show-log" },
};

/** Facts that decide where an action leads. */
export interface ActionFacts {
  /** Recordings in the trash: emptying it frees space at once. Null where that is not known. */
  readonly inTrash: number | null;
}

/** A failure by its cause, with the sentence that was kept with it. */
export interface Failed {
  readonly cause?: FailureCause | undefined;
  readonly reason: FailureReason;
  readonly message?: string | undefined;
}

/** Returns the words for a failure of this cause, and the action that solves it. */
export function failureWords({ cause, reason, message = "" }: Failed, facts: ActionFacts): FailureWords {
  // A stored message has the cause first and, behind a semicolon, the remedy.
  const [first = "", ...rest] = message.split("; ");
  const known = cause === undefined ? null : BY_CAUSE[cause];
  const coarse = BY_REASON[reason];
  const sentence = known?.sentence ?? (first || coarse.sentence);
  const advice = known ? known.hint : first === "" ? coarse.hint : "";
  const exactly = first === sentence ? "" : first;
  const { remedy: doing } = known ?? coarse;
  const [solves = "", ...others] = [advice, ...rest].map(asSentence).filter(Boolean);
  const more = [asSentence(exactly), ...others].filter((words) => words !== "" && words !== solves);
  // Messages of an older program may be about a folder that was gone.
  const hint = known?.remedy === "free-space" ? `${solves} ${howSpaceIsFreed(facts)}`.trim() : solves;
  return { sentence, hint, more: more.join(" "), action: actionFor(doing, facts) };
}

/** Says when the action frees space: only a scheduled run deletes recordings past the keep time. */
function howSpaceIsFreed({ inTrash }: ActionFacts): string {
  if (inTrash === null) return "";
  return inTrash > 0
    ? "Emptying the trash frees space at once."
    : "With a shorter keep time the next scheduled run deletes; a sync started by hand deletes nothing.";
}

/** Asks the camera, at the address that is set, whether it is there. */
export const CHECK_CAMERA: FailureAction = {
  kind: "check-camera",
  label: "Check the camera",
  href: "/settings#connection-address",
};

/** Leads to the camera's address, beside which it is said which camera answers there. */
export const CHOOSE_CAMERA: FailureAction = {
  kind: "open-settings",
  label: "Open settings",
  href: "/settings#connection-address",
};

function actionFor(doing: Remedy, { inTrash }: ActionFacts): FailureAction | null {
  switch (doing) {
    case null:
      return null;
    case "check-camera":
      return CHECK_CAMERA;
    case "choose-camera":
      return CHOOSE_CAMERA;
    case "set-address":
      return { kind: "open-settings", label: "Set the address", href: "/settings#connection-address" };
    case "set-folder":
      return { kind: "open-settings", label: "Open settings", href: "/settings#system-destination" };
    case "free-space":
      // Emptying the trash frees space at once; without it the keep time decides, at the next scheduled run.
      return inTrash !== null && inTrash > 0
        ? { kind: "free-space", label: "Empty the trash", href: "/trash" }
        : { kind: "free-space", label: "Choose what to keep", href: "/settings#retention" };
    case "show-log":
      return { kind: "show-log", label: "Open the log", href: "/logs?level=warning" };
  }
}
