import { boundedBytes, boundedPieces } from "../../bounded_body.ts";
import { BARE_JSON } from "../../domain/answers/bare_json.ts";
import { AppError } from "../../domain/answers/errors.ts";
import { withoutBase } from "../../domain/settings/base_address.ts";
import { splitKey } from "../../domain/settings/camera_key.ts";
import { isObject } from "../../domain/settings/settings_migrations.ts";
import { timeFormatOf } from "../../domain/text/accepted_language.ts";
import type { TimeFormat } from "../../domain/text/time_format.ts";
import type { Admission, Session, User } from "./admitted_user.ts";
import type { Base } from "./base.ts";
import { clientAddress, lastHop } from "./client_address.ts";
import { parseBody } from "./json_body.ts";

/** The most a request may carry: settings and forms are a few kilobytes. */
export const LONGEST_BODY = 1024 * 1024;
/** The most a form may carry, which clients send that are not signed in: a name, a password, where to go on. */
export const LONGEST_FORM = 16 * 1024;

/** As long as what is mixed with it: a digest of SHA-256. */
export const NOISE_BYTES = 32;

export interface Arrival {
  readonly request: Request;
  readonly params: Readonly<Record<string, string>>;
  readonly rest: string;
  /** The address of the other end of the connection, asked for when it matters. */
  readonly peer: () => string;
  /** The path below which the client reaches the service. */
  readonly base: Base;
  /** The part of that which the path of this request begins with; empty when a proxy has taken it away. */
  readonly below: string;
  /** The port that the service listens on; the client may have used another. */
  readonly port: number;
  /** True when a proxy is in front: cookies are then for HTTPS only. */
  readonly trustProxy: boolean;
  /** True when the other end of the connection may be that proxy, so that its forwarding headers count. */
  readonly isFromProxy: () => boolean;
  readonly connection: Connection;
}

/** The connection that a request came on, for as long as it is not answered. */
export interface Connection {
  /** False once the whole answer was sent, or the client is gone. */
  readonly isOpen: () => boolean;
  /** Lifts the limit on how long it may be silent. */
  readonly keepOpen: () => void;
  /** Sets that limit again. */
  readonly limitSilence: () => void;
  /** Ends it, whatever is on its way. */
  readonly end: () => Promise<void>;
}

/** A request without what its endpoint declares of it: path, query and body. */
export type Caller = Omit<
  RequestContext,
  "url" | "params" | "rest" | "takeCamera" | "json" | "form" | "bytes" | "pieces" | "checkLength"
>;

interface GivenCookie {
  readonly value: string;
  readonly header: string;
}

/** One request on its way through: what was asked, by whom, and which cookies the answer will carry. */
export class RequestContext {
  readonly request: Request;
  #params: Readonly<Record<string, string>>;
  #rest: string;
  #camera: string | null = null;
  readonly port: number;
  readonly #base: string;
  readonly #below: string;
  readonly connection: Connection;
  /** Set by a handler whose answer takes its time: it is ended when its client would no longer be let in. */
  takesTime = false;
  /** Set by a handler whose page shows pictures and brings its style sheet in itself: the digest of that, in base64. */
  ownStyle: string | null = null;
  readonly #trustProxy: boolean;
  readonly #peer: () => string;
  readonly #isFromProxy: () => boolean;
  // Most requests never ask for these, and making them costs more than most answers.
  #url: URL | null = null;
  #noise: Uint8Array | null = null;
  #requestId: string | null = null;
  #timeFormat: TimeFormat | null = null;
  readonly #given = new Map<string, GivenCookie>();
  #admission: Admission | null = null;
  #isStillAdmitted: () => boolean = () => true;
  #isByKey = false;
  #body: Promise<Uint8Array<ArrayBuffer>> | null = null;
  #form: Promise<URLSearchParams> | null = null;

  constructor({ request, params, rest, peer, base, below, port, trustProxy, isFromProxy, connection }: Arrival) {
    this.request = request;
    this.#params = params;
    this.#rest = rest;
    this.#peer = peer;
    this.#isFromProxy = isFromProxy;
    this.#base = base.path;
    this.#below = below;
    this.port = port;
    this.connection = connection;
    this.#trustProxy = trustProxy;
  }

  /** The `:name` parts of the path, decoded. */
  get params(): Readonly<Record<string, string>> {
    return this.#params;
  }

  /** The part in the place of a final `*`, decoded: never empty, without NUL and without `.` or `..` parts. */
  get rest(): string {
    return this.#rest;
  }

  /** The id of the camera that the request is about, `all` for all; null where it names none, and before `takeCamera`. */
  get camera(): string | null {
    return this.#camera;
  }

  /**
   * Reads the camera that the request names. A part of the path tells, or a recording's key or file in it, which loses its
   * prefix; elsewhere `?camera=` does.
   * @param isThere tells of an id whether a camera has it: a folder of recordings may begin with `~`, too
   */
  takeCamera(isThere: (id: string) => boolean): string | null {
    this.#camera = this.#cameraNamed(isThere);
    return this.#camera;
  }

  #cameraNamed(isThere: (id: string) => boolean): string | null {
    const { key, camera: id } = this.#params;
    if (id !== undefined) return id;
    if (key !== undefined) {
      const { camera, bare } = splitKey(key);
      if (camera !== null) this.#params = { ...this.#params, key: bare };
      return camera;
    }
    const [, camera, rest] = /^~([^/]*)\/(.+)$/s.exec(this.#rest) ?? [];
    if (camera !== undefined && rest !== undefined && isThere(camera)) {
      this.#rest = rest;
      return camera;
    }
    // Most requests have no query, and reading it costs more than most answers.
    return this.#rest === "" && this.request.url.includes("camera=") ? this.url.searchParams.get("camera") : null;
  }

  /**
   * Path and query of the request, without the path below which the service is reached. The host is a stand-in: the `Host`
   * header is whatever the client sends.
   */
  get url(): URL {
    this.#url ??= urlOf(this.request, this.#below);
    return this.#url;
  }

  /** The path below which the client reaches the service, such as `/dashcam`; empty where it has a host of its own. */
  get base(): string {
    return this.#base;
  }

  /** The same for addresses in a JSON answer: empty for our own pages, which put it before each themselves. */
  get baseInJson(): string {
    return this.request.headers.get("accept") === BARE_JSON ? "" : this.#base;
  }

  /** Names this request in the log and in the answer to an unexpected error. */
  get requestId(): string {
    this.#requestId ??= crypto.randomUUID();
    return this.#requestId;
  }

  /** Random bytes of this answer, by which a secret reads otherwise in each. */
  get noise(): Uint8Array {
    this.#noise ??= crypto.getRandomValues(new Uint8Array(NOISE_BYTES));
    return this.#noise;
  }

  get peer(): string {
    return this.#peer();
  }

  /** The client: the peer or, behind a proxy, the address that proxy saw. */
  get address(): string {
    return clientAddress(this.peer, this.request.headers.get("x-forwarded-for"), this.#isFromProxy());
  }

  /** True when the client is known to use HTTPS. */
  get isHttps(): boolean {
    return lastHop(this.forwarded("proto")).toLowerCase() === "https";
  }

  /** The proxy's `X-Forwarded-` header for the request as it got it; null when none is in front. */
  forwarded(what: "proto" | "host"): string | null {
    const value = this.request.headers.get(`x-forwarded-${what}`);
    return value !== null && this.#isFromProxy() ? value : null;
  }

  /** True when a program asks, which gets errors as JSON. */
  get isApi(): boolean {
    return this.#isByKey || isForPrograms(this.url.pathname);
  }

  /** Format of times and dates for the client, by its language. */
  get timeFormat(): TimeFormat {
    this.#timeFormat ??= timeFormatOf(this.request.headers.get("accept-language"));
    return this.#timeFormat;
  }

  /** True when a page asks for a part of itself. */
  get isFragment(): boolean {
    return this.request.headers.get("hx-request") === "true";
  }

  /** User who was let in; null on `open` routes, and on `sign-in-page` routes outside proxy mode. */
  get user(): User | null {
    return this.#admission?.user ?? null;
  }

  /** The session that let this request in; null in the modes without sessions. */
  get session(): Session | null {
    return this.#admission?.session ?? null;
  }

  /** The session or the key whose streams are counted together; null in the modes without sessions. */
  get streamOwner(): string | null {
    const key = this.#admission?.key ?? null;
    return key === null ? (this.session?.id ?? null) : `key ${key}`;
  }

  /**
   * Called by `checkAccess`, once it knows who this is.
   * @param isStillAdmitted judges again: what takes a body acts after it, and the body may take its time
   */
  admit(admission: Admission, isStillAdmitted: () => boolean): void {
    this.#admission = admission;
    this.#isStillAdmitted = isStillAdmitted;
  }

  /** Called for a request that brings a key, whether or not that is known: it gets JSON, and no cookies. */
  comesByKey(): void {
    this.#isByKey = true;
  }

  get isByKey(): boolean {
    return this.#isByKey;
  }

  /** True when a client that was let in would be let in now. */
  get isStillAdmitted(): boolean {
    return this.#isStillAdmitted();
  }

  /**
   * The body as a JSON object.
   * @throws AppError INVALID_BODY when it is anything else or has more parts than any request, BODY_TOO_LARGE
   */
  async json(): Promise<Record<string, unknown>> {
    if (!/^application\/([\w.+-]+\+)?json *(;|$)/i.test(this.#contentType)) throw invalidBody();
    let value: unknown;
    const bytes = await this.bytes();
    try {
      value = parseBody(bytes);
    } catch {
      throw invalidBody();
    }
    if (!isObject(value)) throw invalidBody();
    return value;
  }

  /**
   * The text fields of a submitted form, read once however often they are asked for; empty when the body is no form.
   * @throws AppError BODY_TOO_LARGE over 16 KiB
   */
  form(): Promise<URLSearchParams> {
    this.#form ??= this.#readForm();
    return this.#form;
  }

  async #readForm(): Promise<URLSearchParams> {
    const fields = new URLSearchParams();
    if (!/^(application\/x-www-form-urlencoded|multipart\/form-data) *(;|$)/i.test(this.#contentType)) return fields;
    const bytes = await this.bytes(LONGEST_FORM);
    const body = new Response(bytes, { headers: { "content-type": this.#contentType } });
    const data = await body.formData().catch(() => new FormData());
    for (const [name, value] of data) if (typeof value === "string") fields.append(name, value);
    return fields;
  }

  /** @throws AppError BODY_TOO_LARGE when the request announces more than is read */
  checkLength(limit: number = LONGEST_BODY): void {
    if (Number(this.request.headers.get("content-length") ?? 0) > limit) throw tooLarge(limit);
  }

  /**
   * The whole body, read once however often it is asked for.
   * @throws AppError BODY_TOO_LARGE, AUTH_REQUIRED when its session was ended meanwhile
   */
  async bytes(limit: number = LONGEST_BODY): Promise<Uint8Array<ArrayBuffer>> {
    this.#body ??= this.#read(limit);
    const body = await this.#body;
    if (!this.#isStillAdmitted()) throw new AppError("AUTH_REQUIRED", "Your session ended before all was sent.");
    return body;
  }

  /**
   * The body a piece at a time, for one that is too long for the memory.
   * @throws AppError BODY_TOO_LARGE, AUTH_REQUIRED when its session was ended meanwhile
   */
  async *pieces(limit: number): AsyncGenerator<Uint8Array> {
    this.checkLength(limit);
    const { body } = this.request;
    if (body) yield* boundedPieces(body, limit, () => tooLarge(limit));
    if (!this.#isStillAdmitted()) throw new AppError("AUTH_REQUIRED", "Your session ended before all was sent.");
  }

  /** Every value the browser sent for a cookie: a neighbour on the same host may have added one of the same name. */
  cookies(name: string): string[] {
    const pairs = (this.request.headers.get("cookie") ?? "").split(";").map((pair) => pair.trim());
    return pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1));
  }

  /** Called for a request that no user sends: it may go on while this holds. */
  holdsWhile(isStillAdmitted: () => boolean): void {
    this.#isStillAdmitted = isStillAdmitted;
  }

  /** Gives the browser a cookie with the answer; without `seconds` it lasts until the browser is closed. */
  setCookie(name: string, value: string, seconds?: number, within = "/"): void {
    const path = this.#base !== "" && within === "/" ? this.#base : this.#base + within;
    const age = seconds === undefined ? "" : `; Max-Age=${Math.max(0, Math.ceil(seconds))}`;
    const secure = this.#trustProxy ? "; Secure" : "";
    this.#given.set(name, { value, header: `${name}=${value}; Path=${path}${age}; HttpOnly; SameSite=Lax${secure}` });
  }

  /** The value of a cookie the answer will carry, or null. */
  givenCookie(name: string): string | null {
    return this.#given.get(name)?.value ?? null;
  }

  /** Takes a cookie from the browser with the answer. */
  clearCookie(name: string): void {
    this.setCookie(name, "", 0);
  }

  /** The `Set-Cookie` values of the answer. */
  get answerCookies(): readonly string[] {
    if (this.#isByKey) return [];
    return [...this.#given.values()].map(({ header }) => header);
  }

  get #contentType(): string {
    return this.request.headers.get("content-type") ?? "";
  }

  async #read(limit: number): Promise<Uint8Array<ArrayBuffer>> {
    this.checkLength(limit);
    const { body } = this.request;
    return body ? await boundedBytes(body, limit, () => tooLarge(limit)) : new Uint8Array();
  }
}

/** True when refusals at this path are JSON: the viewer's map asks for its pictures as a program does. */
export function isForPrograms(path: string): boolean {
  return /^\/(api|film|tiles)\//.test(path) || path === "/map/file.pmtiles";
}

/**
 * The address a request asks for, also when its `Host` is missing or makes no sense.
 * @param below what its path loses at its beginning
 */
export function urlOf(request: Request, below: string): URL {
  const target = withoutBase(targetOf(request), below);
  return new URL(`http://dashdock.invalid${target.startsWith("/") ? target : `/${target}`}`);
}

/** Path and query of a request as they stand in its address. */
export function targetOf({ url }: Request): string {
  return url.replace(/^[a-z]+:\/\/[^/?#]*/i, "");
}

function invalidBody(): AppError {
  return new AppError("INVALID_BODY", "The body must be a JSON object, sent as application/json");
}

function tooLarge(limit: number): AppError {
  const most = limit >= LONGEST_BODY ? `${limit / LONGEST_BODY} MiB` : `${limit / 1024} KiB`;
  return new AppError("BODY_TOO_LARGE", `The request is too large: at most ${most} is read`, { limit });
}
