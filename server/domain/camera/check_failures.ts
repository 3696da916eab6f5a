import type { CheckStepName, CheckVerdict } from "./check_report.ts";

/** What an answer looks like that is not the one asked for. */
export type StrangeBody = "page" | "newer-list" | "json" | "empty" | "other";

/** Why a step failed. */
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

/** What is known around a failure. */
export interface ProblemFacts {
  /** The networks of this machine and of the address, when it is in none of them. */
  readonly elsewhere: { readonly own: readonly string[]; readonly camera: string; readonly parent: string } | null;
  /** The address is in one of this machine's networks. */
  readonly isNear: boolean;
  /** It says of itself that it is a camera of the newer interface. */
  readonly isNewer: boolean;
}

type Words = readonly [reason: string, finding: string, cause: string, remedy: string];

const ROUTER_LIST = "Look for the camera in the router’s list of devices, and use the address that stands there.";
const STRONGER =
  "Park nearer to the router, put an access point near the camera, or use the 2.4 GHz band, which reaches farther.";

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
      "The camera was there and went away in the middle of the check: its Wi-Fi fell asleep, its power ended, or it is at the edge of the range.",
      "Check again while the car is parked in range with its parking mode on; what was brought home stays, and a run goes on where it stopped.",
    ];
  switch (kind) {
    case "dns":
      return [
        "unknown-name",
        "No such name",
        "This name is not known in the network.",
        "Check the spelling, or use the number from the router’s list of devices.",
      ];
    case "unreachable":
      // In the own network the way is there, and what is missing is the device.
      if (isNear) return silent(null, "No device has this address right now");
      return [
        "no-route",
        "No way there",
        "This machine has no way to that address: its own network is off, or it is in no network that leads there.",
        "Connect this machine to the camera’s network, then check again.",
      ];
    case "refused":
      return [
        "refused",
        "Refused at once",
        "A device is there, but nothing in it takes requests at this port: it is another device, or the camera’s Wi-Fi service is not up.",
        "Leave out the port if you typed one, and look in the router’s list of devices whether this is the camera’s address.",
      ];
    case "timeout":
      return step === "connect" ? silent(elsewhere) : HANGS;
    case "closed":
    case "reset":
      return [
        "hung-up",
        "Hung up without an answer",
        "It took the connection and hung up without an answer: cameras do that while they start, fall asleep, or leave the range.",
        "Wait half a minute and check again; if it stays so, turn the camera off and on.",
      ];
    case "silence":
      return [
        "fell-silent",
        "Fell silent in mid-answer",
        "It began to answer and then fell silent: its Wi-Fi breaks off, or it restarted.",
        STRONGER,
      ];
    case "too-slow":
      return [
        "drips",
        "Too slow to wait for",
        "Its answer comes in drops: the Wi-Fi is too weak where the camera is, or another program is reading from it.",
        "Close the camera’s app on all phones, then park nearer to the router or put an access point near the camera.",
      ];
    case "redirect":
      return [
        "redirect",
        "Sends us elsewhere",
        "What answers there sends requests elsewhere, which no camera does: it is a router or another service.",
        ROUTER_LIST,
      ];
    case "too-long":
      return [
        "too-long",
        "Far longer than a list",
        "What answers there sends far more than any camera’s list: it is another service.",
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
        "It could not be asked, for a cause that has no name here.",
        "Check again; the log has what happened.",
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
  "It takes connections but answers nothing: the camera hangs, is starting, or is busy with another program.",
  "Close the camera’s app on all phones, wait half a minute and check again; if it stays so, turn the camera off and on.",
];

function silent(
  elsewhere: ProblemFacts["elsewhere"],
  finding = "Silence: not refused, not closed, asked twice",
): Words {
  if (elsewhere)
    return [
      "other-subnet",
      finding,
      `It is silent, and this machine is in ${elsewhere.own.join(" and ")}, the address in ${elsewhere.camera}: cameras of this family drop what comes from another network without a word.`,
      "Give Dashdock an address in the camera’s network, for example with a Docker network of this kind.",
    ];
  return [
    "silent",
    finding,
    "Nothing is at that address right now: the camera is off, asleep or out of Wi-Fi range, or it has another address since.",
    "Turn the camera on or wait until it is in range, and look in the router’s list of devices whether its address is another now.",
  ];
}

function networkCommand({ camera, parent }: NonNullable<ProblemFacts["elsewhere"]>): string | null {
  // IPv6 networks need more than one line.
  if (camera.includes(":")) return null;
  return `docker network create -d macvlan --subnet ${camera} -o parent=${parent} cars`;
}

const NEWER: Words = [
  "newer-interface",
  "The newer interface, without a list that can be read",
  "It is a camera with the newer interface of firmware V1.009 and later, but what it sends is not the list of such cameras.",
  "Turn the camera off and on, then check again; if it stays so, look for a newer version of Dashdock.",
];

function httpWords(status: number | null, isNewer: boolean): Words {
  if (isNewer && status !== null && status < 500) return NEWER;
  if (status === 415)
    return [
      "refuses-list",
      "Refuses the list (status 415)",
      "It refuses its list with status 415, as cameras do whose firmware has just changed to the newer interface.",
      "Turn the camera off and on, then check again; if it stays so, look for a newer version of Dashdock.",
    ];
  if (status === 401 || status === 403 || status === 407)
    return [
      "asks-for-password",
      `Asks for a sign-in (status ${status})`,
      "What answers there asks for a user name and a password, which no camera does: it is a router, a recorder or a storage box.",
      ROUTER_LIST,
    ];
  if (status !== null && status >= 500)
    return [
      "camera-error",
      `An error (status ${status})`,
      `It answered its list with an error (status ${status}), as a camera does whose card cannot be read.`,
      "Turn the camera off and on and check again; if it stays so, format its card in the camera’s app or put in another one.",
    ];
  return [
    "other-device",
    `No list there (status ${status ?? "unknown"})`,
    `A device answers there that has no camera’s list (status ${status ?? "unknown"}): it is another one.`,
    ROUTER_LIST,
  ];
}

function bodyWords(body: StrangeBody, isNewer: boolean): Words {
  if ((isNewer && body !== "empty") || body === "newer-list") return NEWER;
  if (body === "page")
    return [
      "web-page",
      "A web page in place of a list",
      "A web page answers there, as routers and printers have one: it is another device.",
      ROUTER_LIST,
    ];
  if (body === "empty")
    return [
      "empty-answer",
      "An empty answer",
      "It answered its list with nothing at all, as a camera does that is still reading its card.",
      "Wait a minute and check again; if it stays so, turn the camera off and on.",
    ];
  return [
    "other-device",
    body === "json" ? "Other data in place of a list" : "No camera’s list",
    "What answers there is no camera’s list: it is another device or service.",
    ROUTER_LIST,
  ];
}
