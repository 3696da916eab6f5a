import { isIP } from "node:net";
import { LIST_PATH } from "../../../dashcam/legacy.ts";
import type { Looked } from "../../../dashcam/look.ts";
import { DashcamProblem } from "../../../dashcam/problem.ts";
import type { ProblemFacts, StrangeBody } from "../../../domain/camera/check_failures.ts";
import { CONCERNS, type ListFacts, listFacts, listFinding } from "../../../domain/camera/check_findings.ts";
import { type Listing, NotAListing, parseListing } from "../../../domain/recordings/camera_listing.ts";
import { hostNameOf } from "../../../domain/settings/host_names.ts";
import { counted } from "../../../domain/text/format.ts";
import { CheckFailure, type CheckTalk } from "./check_talk.ts";
import { routeTo } from "./route.ts";

const CONNECT_TRIES = 2;
/** What a newer camera says of itself is a line. */
const SAYING_BYTES = 4096;
/** Left for the steps after the list. */
const KEPT_BYTES = 400_000;

/** The name, and the way to it. @returns what words need that explain a failure */
export async function findWay(talk: CheckTalk, address: string): Promise<ProblemFacts> {
  const number = await findAddress(talk, hostNameOf(address));
  talk.begin("route");
  const route = routeTo(number, talk.world.interfaces());
  talk.done(route.finding);
  const { own, camera, parent } = route;
  const isNear = route.kind === "same" || route.kind === "itself";
  return { elsewhere: route.kind === "elsewhere" ? { own, camera, parent } : null, isNear, isNewer: false };
}

async function findAddress(talk: CheckTalk, host: string): Promise<string> {
  talk.begin("address");
  if (isIP(host) !== 0) {
    talk.done(`${host}, no name to look up`);
    return host;
  }
  const { lookup, limits } = talk.world;
  const [number, ms] = await talk.timed(() =>
    talk
      .within(limits.lookupMs, (signal) => orAbort(lookup(host), signal))
      .catch((error) => {
        throw talk.signal.aborted ? error : new CheckFailure({ kind: "dns" });
      }),
  );
  talk.done(`${host} is ${number}`, inMs(ms));
  return number;
}

/** A look-up cannot be stopped, only left. */
function orAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}

/** Whether something takes connections there: silence is asked a second time, as packets get lost. */
export async function connect(talk: CheckTalk): Promise<void> {
  talk.begin("connect");
  for (let tries = 1; ; tries++) {
    try {
      const [, ms] = await talk.timed(() => talk.camera.knock(talk.world.limits.connectMs, talk.signal));
      return talk.done(`Port ${/:([0-9]+)$/.exec(talk.camera.address)?.[1] ?? "80"} answers`, inMs(ms));
    } catch (error) {
      const isSilent = error instanceof DashcamProblem && error.kind === "timeout";
      if (!isSilent || tries >= CONNECT_TRIES) throw error;
    }
  }
}

/** Which of the two interfaces it has. @returns whether it says that it is a newer camera */
export async function askInterface(talk: CheckTalk): Promise<boolean> {
  talk.begin("interface");
  const [{ status, body }, ms] = await talk.timed(() => talk.look("/accessible", SAYING_BYTES));
  const isNewer = status === 200 && isAccessible(new TextDecoder().decode(body));
  if (isNewer) talk.done("Newer, of firmware V1.009 and later", inMs(ms));
  else if (status === 404) talk.done("Legacy", inMs(ms));
  else talk.done(`Neither of the two known (status ${status})`, inMs(ms), "attention");
  return isNewer;
}

function isAccessible(text: string): boolean {
  try {
    return JSON.parse(text)?.accessible === "OK";
  } catch {
    return false;
  }
}

/** What it holds. @throws CheckFailure for what is no list */
export async function askList(talk: CheckTalk): Promise<ListFacts> {
  talk.begin("list");
  const { limits, clock, zone } = talk.world;
  const [listing, ms] = await talk.timed(() =>
    readList((path) => talk.look(path, talk.bytesLeft - KEPT_BYTES, limits.listMs)),
  );
  talk.set("interface", { state: "fine", finding: `Legacy, list version ${listing.version.slice(0, 20)}` });
  const facts = listFacts(listing.files);
  const isStrange = listing.strangeCount > 0;
  const finding = `${listFinding(facts, zone, clock.now())}${isStrange ? `, ${counted(listing.strangeCount, "line")} unreadable` : ""}`;
  const isFine = facts.videos.length > 0 && facts.empty === 0 && !isStrange;
  talk.done(finding, inSeconds(ms), isFine ? "fine" : "attention");
  if (facts.videos.length === 0) talk.concerns.push(CONCERNS.emptyList());
  if (facts.empty > 0) talk.concerns.push(CONCERNS.emptyFiles(facts.empty));
  return facts;
}

/** The list of a camera, for the whole check and for the short one of scripts. @throws CheckFailure for what is none */
export async function readList(look: (path: string) => Promise<Looked>): Promise<Listing> {
  const { status, body, ended } = await look(LIST_PATH);
  if (status >= 300 && status < 400) throw new CheckFailure({ kind: "redirect", status });
  if (status !== 200) throw new CheckFailure({ kind: "http", status });
  if (ended === "most") throw new CheckFailure({ kind: "too-long" });
  if (ended === "late") throw new CheckFailure({ kind: "too-slow" });
  return parsed(new TextDecoder().decode(body));
}

function parsed(text: string): Listing {
  try {
    return parseListing(text);
  } catch (error) {
    if (error instanceof NotAListing) throw new CheckFailure({ kind: "not-a-listing", body: kindOf(text) });
    throw error;
  }
}

function kindOf(text: string): StrangeBody {
  const start = text.trim().slice(0, 2000);
  if (start === "") return "empty";
  if (start.startsWith("<")) return "page";
  if (/^\{\s*"filelist"\s*:/.test(start)) return "newer-list";
  return /^[{[]/.test(start) ? "json" : "other";
}

export function inMs(ms: number): string {
  return `${ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms)}\u00a0ms`;
}

function inSeconds(ms: number): string {
  return ms < 100 ? inMs(ms) : `${Math.round(ms / 100) / 10}\u00a0s`;
}
