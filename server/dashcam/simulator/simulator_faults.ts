import { bodyText, isFound, type WireRequest } from "./simulator_wire.ts";

/** Requests that a fault strikes when no `match` is given: videos, every request, the listing, or metadata. */
type Scope = "videos" | "everything" | "list" | "metadata";
/** Condition on a request for the fault to show at all; others pass and are not counted. */
type Needs = "get" | "range" | "unranged" | "any";

/** Every fault the simulated camera can show: the name, whom it strikes by default, and one sentence for people. */
export const FAULTS = [
  ["error-500", "videos", "any", "answers 500, as for a damaged card sector (value: another status)"],
  ["not-found", "videos", "any", "answers 404, as for a file that was overwritten"],
  ["forbidden", "videos", "any", "answers 403: the file may not be read"],
  ["empty-204", "videos", "any", "answers 204: the file is empty on the card"],
  ["cut-short", "videos", "get", "closes the connection before all promised bytes are sent (after: bytes)"],
  ["reset", "videos", "get", "resets the connection in the middle of the body (after: bytes)"],
  ["closed-without-answer", "everything", "any", "closes the connection instead of answering"],
  ["reset-without-answer", "everything", "any", "resets the connection instead of answering"],
  ["over-long", "videos", "get", "sends the file and then more than its true length (value: bytes too many)"],
  ["longer-than-promised", "videos", "get", "promises less than the file and sends all of it (value: bytes)"],
  ["shorter-than-promised", "videos", "get", "promises more than the file and closes at its end (value: bytes)"],
  ["stall", "videos", "get", "stops sending in the middle and keeps the connection open (after: bytes)"],
  ["drip", "videos", "get", "sends a few bytes per second (after: bytes at full speed; value: bytes per second)"],
  ["never-answers", "everything", "any", "accepts the connection and never answers"],
  ["ignores-range", "videos", "range", "answers a range request with 200 and the whole file"],
  ["wrong-range", "videos", "range", "answers 206 from another start than asked for (value: the start)"],
  ["range-416", "videos", "range", "answers 416 to a range that exists"],
  ["no-content-range", "videos", "range", "answers 206 without saying which range it is"],
  ["unknown-total", "videos", "range", "answers 206 with a total of *"],
  ["range-status", "videos", "range", "refuses a range request with this status (value: 403 when left out)"],
  ["range-hang-up", "videos", "range", "closes the connection instead of answering a range request"],
  ["range-reset", "videos", "range", "resets the connection instead of answering a range request"],
  ["range-empty", "videos", "range", "answers a range request with 200 and no bytes"],
  ["range-empty-206", "videos", "range", "answers 206 with the right range and no bytes"],
  ["unasked-206", "videos", "unranged", "answers 206 though no range was asked for (value: with-range says which)"],
  ["no-length", "videos", "get", "gives no length: the end of the connection is the end of the file"],
  ["no-length-cut", "videos", "get", "gives no length and closes early (after: bytes)"],
  ["no-length-reset", "videos", "get", "gives no length and resets the connection early (after: bytes)"],
  ["garbled-length", "videos", "get", "gives a length that is no number"],
  ["endless", "videos", "get", "gives no length and sends noise behind the file for ever (value: chunked)"],
  ["chunked", "videos", "get", "sends the body in chunks, without a length"],
  ["chunked-cut", "videos", "get", "sends chunks and closes inside one (after: bytes)"],
  ["http-1.0", "videos", "any", "answers as HTTP/1.0 and closes"],
  ["not-http", "videos", "any", "answers bytes that are not HTTP"],
  ["redirect", "videos", "any", "answers 302 to another path (value: another location)"],
  ["gzip-claimed", "videos", "get", "claims a gzip encoding that the body does not have"],
  ["text-200", "videos", "get", "answers 200 with a line of text"],
  ["json-200", "videos", "get", "answers 200 with JSON"],
  ["json-untyped", "videos", "get", "answers 200 with JSON that is called a video"],
  ["html-200", "videos", "get", "answers 200 with a web page, as a router would"],
  ["html-untyped", "videos", "get", "answers 200 with a web page that is called a video"],
  ["xml-200", "videos", "get", "answers 200 with XML"],
  ["absurd-length", "videos", "get", "promises 100 TB (value: bytes) and closes (after: bytes, then stays open)"],
  ["cut-every", "videos", "get", "closes the connection each time so many bytes are sent (value: bytes)"],
  ["cut-at-once", "videos", "get", "as cut-every, and gives the client no moment to read what was sent (value: bytes)"],
  ["silence", "videos", "get", "sends nothing for a while, then goes on (after: bytes; value: milliseconds)"],
  ["etag-changes", "videos", "any", "tells another ETag with every answer, though the bytes are the same"],
  ["everything-status", "everything", "any", "answers this status to whatever is asked (value: 503 when left out)"],
  ["list-garbage", "list", "get", "answers the listing with random bytes"],
  ["list-html", "list", "get", "answers the listing with a web page, as another device would"],
  ["list-json", "list", "get", "answers the listing with JSON of another shape (value: the JSON)"],
  ["list-empty", "list", "get", "lists no recording"],
  ["list-blank", "list", "get", "answers the listing with an empty body"],
  ["list-cut", "list", "get", "lists text that ends in the middle of an entry"],
  ["list-lf", "list", "get", "ends lines with LF instead of CRLF"],
  ["list-no-final-newline", "list", "get", "leaves out the last line's end"],
  ["list-real-sizes", "list", "get", "lists real sizes where the list has sizes"],
  ["list-traversal", "list", "get", "adds names that try to leave the folder"],
  ["list-impossible-dates", "list", "get", "adds names with dates that do not exist"],
  ["list-not-utf8", "list", "get", "adds names with bytes that are not UTF-8"],
  ["list-duplicates", "list", "get", "lists every recording twice"],
  ["list-junk", "list", "get", "adds entries of which no recording's name can be read"],
  ["list-500", "list", "any", "answers 500 to the listing"],
  ["list-stall", "list", "get", "stops in the middle of the listing and keeps the connection open (after: bytes)"],
  ["list-drip", "list", "get", "sends the listing byte by byte (value: bytes per second)"],
  ["metadata-no-json", "metadata", "get", "answers metadata with text that is no JSON (value: the text)"],
  ["metadata-shape", "metadata", "get", "answers metadata with JSON of another shape (value: the JSON)"],
  ["metadata-code", "metadata", "get", "answers metadata with another result code (value: the code)"],
  ["metadata-cut", "metadata", "get", "answers metadata with JSON that ends in the middle (after: bytes)"],
  ["metadata-no-base64", "metadata", "get", "gives thumbnails and GPS data that are no base64"],
  ["metadata-empty", "metadata", "get", "gives thumbnails and GPS data of no bytes"],
  ["metadata-other-bytes", "metadata", "get", "gives other bytes as a thumbnail or GPS data (value: them as text)"],
  ["metadata-too-long", "metadata", "get", "gives thumbnails and GPS data without an end (value: of so many bytes)"],
  ["growing", "videos", "any", "the newest recordings are still being written (times: requests; value: bytes each)"],
  ["paused", "videos", "any", "a recording is written up to here for now, newest or not (after: bytes)"],
  ["preallocated", "videos", "any", "a recording has its length, but is zeros (after: bytes; times: requests)"],
  ["other-content", "videos", "any", "another recording of the same name lies there (value: its length)"],
  ["vanishing", "videos", "any", "overwrites a listed recording at the moment it is asked for"],
  ["goes-away", "videos", "get", "leaves after some videos (value: how many; after: bytes of the next one)"],
  ["sleeps", "everything", "any", "accepts connections and closes them at once"],
] as const satisfies readonly (readonly [name: string, scope: Scope, needs: Needs, help: string])[];

export type FaultName = (typeof FAULTS)[number][0];

/** The names with their sentences, for a command's help. */
export const FAULT_HELP: readonly { name: FaultName; help: string }[] = FAULTS.map(([name, , , help]) => ({
  name,
  help,
}));

/** True when the text names a fault. */
export function isFaultName(text: string): text is FaultName {
  return FAULTS.some(([name]) => name === text);
}

/** Fault that shall happen. */
export interface Fault {
  name: FaultName;
  /**
   * Only for requests in whose path this is found, or in the path and the body behind it (`/vodMetadata {"file":…`);
   * without it the fault's own default applies.
   */
  match?: RegExp | undefined;
  /** Number of times; always when left out (`goes-away`: once). */
  times?: number | undefined;
  /** Body bytes sent in this answer before it happens; half of the body when left out. */
  after?: number | undefined;
  /** A number or text whose meaning is in the fault's help. */
  value?: number | string | undefined;
}

/** A fault in force. */
export interface ArmedFault extends Fault {
  /** Number of times that it may still strike. */
  left: number;
  /** Videos served since it was armed (`goes-away`). */
  served: number;
  /** Number of times that it struck since it was armed. */
  strikes: number;
  /** Requests by file name since it was armed (faults of the file itself). */
  requests: Map<string, number>;
}

/** Places of a generation's listing, videos and metadata, so that a fault finds the requests that it strikes. */
export interface Places {
  list: string;
  video: RegExp;
  /** Null: it has no such place. */
  metadata: string | null;
}

/** The faults in force, in the order in which they were armed. */
export class ArmedFaults {
  /** Those of the generation that the camera speaks now. */
  places: Places;
  #armed: ArmedFault[] = [];

  constructor(places: Places) {
    this.places = places;
  }

  /** Puts a fault in force; returns the way to lift it. */
  arm(fault: Fault): () => void {
    if (!isFaultName(fault.name)) throw new Error(`The simulated camera has no fault named "${fault.name}"`);
    const left = fault.times ?? (fault.name === "goes-away" ? 1 : Number.POSITIVE_INFINITY);
    const armed: ArmedFault = { ...fault, left, served: 0, strikes: 0, requests: new Map() };
    this.#armed.push(armed);
    return () => {
      this.#armed = this.#armed.filter((other) => other !== armed);
    };
  }

  clear(): void {
    this.#armed = [];
  }

  /** The faults that change this file on the card. */
  shaping(name: string): ArmedFault[] {
    return this.#armed.filter((fault) => shapesFile(fault.name) && means(fault, name));
  }

  /** Counts a request of a file, for it grows with every one. */
  count(name: string): void {
    for (const fault of this.#armed) {
      if (shapesFile(fault.name)) fault.requests.set(name, (fault.requests.get(name) ?? 0) + 1);
    }
  }

  /** Uses up one strike of the sleeping camera, if it sleeps. */
  takeSleep(): boolean {
    const fault = this.#armed.find(({ name, left }) => name === "sleeps" && left > 0);
    if (fault) fault.left--;
    return fault !== undefined;
  }

  /** Uses up and returns the faults that strike this request: at most one, but any number that shape the text. */
  take(request: WireRequest): ArmedFault[] {
    const struck: ArmedFault[] = [];
    for (const fault of this.#armed) {
      if (fault.left <= 0 || shapesFile(fault.name) || !this.#aims(fault, request) || !shows(fault, request)) continue;
      if (fault.name === "goes-away" && fault.served < wholeNumber(fault.value, 1)) {
        fault.served++;
        continue;
      }
      if (!shapesText(fault.name) && struck.some(({ name }) => !shapesText(name))) continue;
      fault.left--;
      fault.strikes++;
      struck.push(fault);
    }
    return struck;
  }

  #aims(fault: Fault, request: WireRequest): boolean {
    const { path } = request;
    const scope = FAULTS.find(([name]) => name === fault.name)?.[1];
    if (scope === "list") return path === this.places.list;
    if (scope === "metadata" && path !== this.places.metadata) return false;
    if (fault.match) return isFound(fault.match, path, bodyText(request));
    return scope !== "videos" || this.places.video.test(path);
  }
}

/** True for faults that change the text of the listing or of metadata; the others change how an answer is sent. */
export function shapesText(name: FaultName): boolean {
  if (name.startsWith("metadata-")) return true;
  return name.startsWith("list-") && !["list-500", "list-stall", "list-drip"].includes(name);
}

/** True for faults of a file on the card; they show in every answer about it, beside any other fault. */
function shapesFile(name: FaultName): boolean {
  return ["growing", "paused", "preallocated", "other-content"].includes(name);
}

/** True when a fault of a file means this one: every video, or those in whose name or path `match` is found. */
function means(fault: Fault, name: string): boolean {
  if (!fault.match) return name.endsWith(".mp4");
  return name.search(fault.match) >= 0 || `/${name}`.search(fault.match) >= 0;
}

/** A fault's value as a number, or the default. */
export function wholeNumber(value: number | string | undefined, initial: number): number {
  const number = Number(value ?? Number.NaN);
  return Number.isFinite(number) ? Math.floor(number) : initial;
}

function shows(fault: Fault, request: WireRequest): boolean {
  const needs = FAULTS.find(([name]) => name === fault.name)?.[2];
  if (needs === "range") return request.range !== null;
  if (needs === "unranged" && request.range !== null) return false;
  // A body comes with the answers to these.
  return needs === "any" || request.method === "GET" || request.method === "POST";
}
