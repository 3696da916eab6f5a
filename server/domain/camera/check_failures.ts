import type { CheckStepName, CheckVerdict } from "./check_report.ts";

/** Kinds of answers other than the one asked for. */
export type StrangeBody = "page" | "newer-list" | "json" | "empty" | "other";

/** Failure of a step. */
export interface CheckProblem {
  readonly step: CheckStepName;
  readonly kind:
    | "dns"
    | "unreachable"
    | "refused"
    | "timeout"
    | "closed"
    | "reset"
    | "silence"
    | "too-slow"
    | "too-long"
    | "redirect"
    | "http"
    | "not-a-listing"
    | "other";
  readonly status?: number | null;
  readonly body?: StrangeBody;
}

/** Known facts around a failure. */
export interface ProblemFacts {
  /** The networks of this machine and of the address, when it is in none of them. */
  readonly elsewhere: { readonly own: readonly string[]; readonly camera: string; readonly parent: string } | null;
  /** The address is in one of this machine's networks. */
  readonly isNear: boolean;
  /** It says of itself that it is a camera of the newer interface. */
  readonly isNewer: boolean;
}

type Words = readonly [reason: string, finding: string, cause: string, remedy: string];

const ROUTER_LIST = "Look for the camera in your router’s list of devices, and use the address shown there.";
const STRONGER =
  "Park nearer to the router, put an access point near the camera, or use the 2.4 GHz band. It reaches farther.";

/** A failure as it stands beside its step, and as the verdict: the likely cause, and what to do about it. */
export function explained(problem: CheckProblem, facts: ProblemFacts): { finding: string; verdict: CheckVerdict } {
  const [reason, finding, cause, remedy] = words(problem, facts);
  const command = reason === "other-subnet" && facts.elsewhere ? networkCommand(facts.elsewhere) : null;
  return { finding, verdict: { level: "failed", reason, cause, remedy, command, setting: null } };
}

function words(problem: CheckProblem, { elsewhere, isNear, isNewer }: ProblemFacts): Words {
  const { step, kind, status = null, body } = problem;
  if (LATER.has(step) && AWAY.has(kind))
    return [
      "went-away",
      "Gone: no answer any more",
      "The camera went away in the middle of the check. Its Wi-Fi fell asleep, its power ended, or it is at the edge of the range.",
      "Check again while the car is parked in range, with parking mode on. Downloaded recordings stay.",
    ];
  switch (kind) {
    case "dns":
      return [
        "unknown-name",
        "No such name",
        "Your network does not know this name.",
        "Check the spelling, or use the number from your router’s list of devices.",
      ];
    case "unreachable":
      // The own network has a way to it, so only the device is missing.
      if (isNear) return silent(null, "No device has this address right now");
      return [
        "no-route",
        "No way there",
        "This machine cannot reach that address. Its network is off, or no network leads there.",
        "Connect this machine to the camera’s network, then check again.",
      ];
    case "refused":
      return [
        "refused",
        "Refused at once",
        "A device is there, but it accepts no requests at this port. It may be another device, or the camera is still starting.",
        "Leave out the port if you typed one. Compare the address with your router’s list of devices.",
      ];
    case "timeout":
      return step === "connect" ? silent(elsewhere) : HANGS;
    case "closed":
    case "reset":
      return [
        "hung-up",
        "Closed the connection without an answer",
        "The camera did not answer. It closed the connection.",
        "Wait half a minute and check again. If this stays, turn the camera off and on.",
      ];
    case "silence":
      return [
        "fell-silent",
        "Stopped in the middle of its answer",
        "The camera began to answer and then stopped. Its Wi-Fi broke off, or the camera restarted.",
        STRONGER,
      ];
    case "too-slow":
      return [
        "drips",
        "Too slow to wait for",
        "The camera answers too slowly. The Wi-Fi is too weak there, or another program is using the camera.",
        "Close the camera’s app on all phones. Then park nearer to the router, or put an access point near the camera.",
      ];
    case "redirect":
      return [
        "redirect",
        "Sends us elsewhere",
        "This is no camera. It redirects requests, as routers do.",
        ROUTER_LIST,
      ];
    case "too-long":
      return [
        "too-long",
        "The answer is too long for a list",
        "This is no camera. It sends far more than any camera’s list.",
        ROUTER_LIST,
      ];
    case "http":
      return httpWords(status, isNewer);
    case "not-a-listing":
      return bodyWords(body ?? "other", isNewer);
    case "other":
      return [
        "unknown",
        "Could not be asked",
        "The camera could not be asked, for an unknown cause.",
        "Check again. The log says what happened.",
      ];
  }
}

/** Steps of a camera that has sent its list. */
const LATER: ReadonlySet<CheckStepName> = new Set(["model", "speed", "resume", "clock", "settings"]);
const AWAY: ReadonlySet<CheckProblem["kind"]> = new Set([
  "unreachable",
  "refused",
  "timeout",
  "closed",
  "reset",
  "silence",
]);

const HANGS: Words = [
  "hangs",
  "Connected, and no answer",
  "The camera takes connections but does not answer. It hangs, is starting, or is busy with another program.",
  "Close the camera’s app on all phones, wait half a minute, and check again. If this stays, turn the camera off and on.",
];

function silent(elsewhere: ProblemFacts["elsewhere"], finding = "No answer, asked twice"): Words {
  if (elsewhere)
    return [
      "other-subnet",
      finding,
      `The camera does not answer. This machine is in ${elsewhere.own.join(" and ")}, the address in ${elsewhere.camera}. These cameras ignore requests from another network.`,
      "Give Dashdock an address in the camera’s network, for example with a Docker network of this kind.",
    ];
  return [
    "silent",
    finding,
    "Nothing answers at that address. The camera is off, asleep or out of range, or its address has changed.",
    "Turn the camera on, or wait until it is in range. Compare the address with your router’s list of devices.",
  ];
}

function networkCommand({ camera, parent }: NonNullable<ProblemFacts["elsewhere"]>): string | null {
  // IPv6 networks need more than one line.
  if (camera.includes(":")) return null;
  return `docker network create -d macvlan --subnet ${camera} -o parent=${parent} cars`;
}

const NEWER: Words = [
  "newer-interface",
  "Newer interface, list not readable",
  "This camera has the newer interface of firmware V1.009 and later. Dashdock cannot read its list.",
  "Turn the camera off and on, then check again. If this stays, look for a newer version of Dashdock.",
];

function httpWords(status: number | null, isNewer: boolean): Words {
  if (isNewer && status !== null && status < 500) return NEWER;
  if (status === 415)
    return [
      "refuses-list",
      "Refuses the list (status 415)",
      "The camera refuses its list with status 415. This can happen when its firmware has just changed to the newer interface.",
      "Turn the camera off and on, then check again. If this stays, look for a newer version of Dashdock.",
    ];
  if (status === 401 || status === 403 || status === 407)
    return [
      "asks-for-password",
      `Asks for a sign-in (status ${status})`,
      "This is no camera. It asks for a user name and a password, as routers, recorders and storage boxes do.",
      ROUTER_LIST,
    ];
  if (status !== null && status >= 500)
    return [
      "camera-error",
      `An error (status ${status})`,
      `The camera answered with an error (status ${status}). This can happen when the camera cannot read its card.`,
      "Turn the camera off and on, and check again. If this stays, format its card in the camera’s app, or use another card.",
    ];
  return [
    "other-device",
    `No list there (status ${status ?? "unknown"})`,
    `This is no camera. It has no list of recordings (status ${status ?? "unknown"}).`,
    ROUTER_LIST,
  ];
}

function bodyWords(body: StrangeBody, isNewer: boolean): Words {
  if ((isNewer && body !== "empty") || body === "newer-list") return NEWER;
  if (body === "page")
    return [
      "web-page",
      "A web page in place of a list",
      "This is no camera. A web page answers there, as of a router or a printer.",
      ROUTER_LIST,
    ];
  if (body === "empty")
    return [
      "empty-answer",
      "An empty answer",
      "The camera sent an empty answer. It may still be reading its card.",
      "Wait a minute and check again. If this stays, turn the camera off and on.",
    ];
  return [
    "other-device",
    body === "json" ? "Other data in place of a list" : "No camera’s list",
    "This is no camera. The answer is no list of recordings.",
    ROUTER_LIST,
  ];
}
