import { isIP } from "node:net";
import type { Dashcam } from "../../../dashcam/camera.ts";
import type { GenerationName } from "../../../dashcam/generation.ts";
import type { Looked } from "../../../dashcam/look.ts";
import { DashcamProblem } from "../../../dashcam/problem.ts";
import { ACCESSIBLE_PATH, GENERATIONS, generationOf, SAYING_BYTES } from "../../../dashcam/spoken_interface.ts";
import type { ProblemFacts, StrangeBody } from "../../../domain/camera/check_failures.ts";
import { CONCERNS, type ListFacts, listFacts, listFinding } from "../../../domain/camera/check_findings.ts";
import { type Listing, NotAListing } from "../../../domain/recordings/camera_listing.ts";
import { hostNameOf } from "../../../domain/settings/host_names.ts";
import { counted } from "../../../domain/text/format.ts";
import { CheckFailure, type CheckSession } from "./check_session.ts";
import { routeTo } from "./route.ts";

const CONNECT_TRIES = 2;
const NEWER_FOUND = "Newer, of firmware V1.009 and later";
/** Left for the steps after the list. */
const KEPT_BYTES = 400_000;

/** The name, and the way to it. @returns what words need that explain a failure */
export async function findWay(session: CheckSession, address: string): Promise<ProblemFacts> {
  const number = await findAddress(session, hostNameOf(address));
  session.begin("route");
  const route = routeTo(number, session.world.interfaces());
  session.done(route.finding);
  const { own, camera, parent } = route;
  const isNear = route.kind === "same" || route.kind === "itself";
  return { elsewhere: route.kind === "elsewhere" ? { own, camera, parent } : null, isNear, isNewer: false };
}

async function findAddress(session: CheckSession, host: string): Promise<string> {
  session.begin("address");
  if (isIP(host) !== 0) {
    session.done(`${host}, no name to look up`);
    return host;
  }
  const { lookup, limits } = session.world;
  const [number, ms] = await session.timed(() =>
    session
      .within(limits.lookupMs, (signal) => orAbort(lookup(host), signal))
      .catch((error) => {
        throw session.signal.aborted ? error : new CheckFailure({ kind: "dns" });
      }),
  );
  session.done(`${host} is ${number}`, inMs(ms), { numbers: { milliseconds: rounded(ms) } });
  return number;
}

/** A look-up cannot be stopped, only left. */
function orAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}

/** Checks that something takes connections there. Silence is asked a second time, as packets get lost. */
export async function connect(session: CheckSession): Promise<void> {
  session.begin("connect");
  for (let tries = 1; ; tries++) {
    try {
      const [, ms] = await session.timed(() => session.camera.knock(session.world.limits.connectMs, session.signal));
      return session.done(`Port ${/:([0-9]+)$/.exec(session.camera.address)?.[1] ?? "80"} answers`, inMs(ms), {
        numbers: { milliseconds: rounded(ms) },
      });
    } catch (error) {
      const isSilent = error instanceof DashcamProblem && error.kind === "timeout";
      if (!isSilent || tries >= CONNECT_TRIES) throw error;
    }
  }
}

/** Asks for the interface of the camera, of which there are two. @returns whether it says that it is a newer camera */
export async function askInterface(session: CheckSession): Promise<boolean> {
  session.begin("interface");
  const [{ status, body }, ms] = await session.timed(() => session.look(ACCESSIBLE_PATH, SAYING_BYTES));
  const found = generationOf(status, new TextDecoder().decode(body));
  const numbers = { milliseconds: rounded(ms) };
  if (found === "v1009") session.done(NEWER_FOUND, inMs(ms), { numbers });
  else if (found === "legacy") session.done("Legacy", inMs(ms), { numbers });
  else session.done(`Neither known interface (status ${status})`, inMs(ms), { state: "attention", numbers });
  return found === "v1009";
}

/** Reads the list. @throws CheckFailure for what is no list */
export async function askList(session: CheckSession): Promise<ListFacts> {
  session.begin("list");
  const { limits, clock, zone } = session.world;
  const [{ listing, generation }, ms] = await session.timed(() =>
    readList(session.camera, (path) => session.look(path, session.bytesLeft - KEPT_BYTES, limits.listMs)),
  );
  const found = generation === "v1009" ? NEWER_FOUND : `Legacy, list version ${listing.version.slice(0, 20)}`;
  session.set("interface", { state: "fine", finding: found });
  const facts = listFacts(listing.files);
  const isStrange = listing.strangeCount > 0;
  const unreadable =
    generation === "v1009" ? counted(listing.strangeCount, "entry", "entries") : counted(listing.strangeCount, "line");
  const finding = `${listFinding(facts, zone, clock.now())}${isStrange ? `, ${unreadable} unreadable` : ""}`;
  const isFine = facts.videos.length > 0 && facts.empty === 0 && !isStrange;
  const { videos, empty, bytes } = facts;
  const numbers = { milliseconds: rounded(ms), recordings: videos.length, empty, ...(bytes !== null && { bytes }) };
  session.done(finding, inSeconds(ms), { state: isFine ? "fine" : "attention", numbers });
  if (facts.videos.length === 0) session.concerns.push(CONCERNS.emptyList());
  if (facts.empty > 0) session.concerns.push(CONCERNS.emptyFiles(facts.empty));
  return facts;
}

type Look = (path: string) => Promise<Looked>;

/**
 * Reads the list of a camera, for the whole check and for the short one of scripts. It asks by the interface that the
 * camera spoke last, then by the other one if that has no list. @throws CheckFailure for what is none
 */
export async function readList(
  camera: Pick<Dashcam, "generation">,
  look: Look,
): Promise<{ listing: Listing; generation: GenerationName }> {
  const spoken = camera.generation ?? "legacy";
  const other = spoken === "legacy" ? "v1009" : "legacy";
  try {
    return { listing: await listOf(spoken, look), generation: spoken };
  } catch (error) {
    const isElsewhere = error instanceof CheckFailure && [404, 415].includes(error.problem.status ?? 0);
    if (!isElsewhere) throw error;
    const listing = await listOf(other, look).catch((second) => {
      throw second instanceof CheckFailure ? error : second;
    });
    return { listing, generation: other };
  }
}

async function listOf(name: GenerationName, look: Look): Promise<Listing> {
  const { listPath, parseList } = GENERATIONS[name];
  const { status, body, ended } = await look(listPath);
  if (status >= 300 && status < 400) throw new CheckFailure({ kind: "redirect", status });
  if (status !== 200) throw new CheckFailure({ kind: "http", status });
  if (ended === "most") throw new CheckFailure({ kind: "too-long" });
  if (ended === "late") throw new CheckFailure({ kind: "too-slow" });
  const text = new TextDecoder().decode(body);
  try {
    return parseList(text);
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

/** To a tenth. */
function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}

export function inMs(ms: number): string {
  return `${ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms)}\u00a0ms`;
}

function inSeconds(ms: number): string {
  return ms < 100 ? inMs(ms) : `${Math.round(ms / 100) / 10}\u00a0s`;
}
