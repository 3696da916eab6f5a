import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { changePassword, endSessions, me } from "../../../server/api/auth.ts";
import type { App } from "../../../server/app.ts";
import { initialSettings, type Settings } from "../../../server/domain/settings/settings.ts";
import type { FolderParts } from "../../../server/engine/viewer/last_known.ts";
import type { ListParts } from "../../../server/engine/viewer/viewer_lists.ts";
import { csrfToken } from "../../../server/http/auth/csrf.ts";
import { FirstRunCode } from "../../../server/http/auth/first_run_code.ts";
import { Passwords } from "../../../server/http/auth/password_hashing.ts";
import { SignInThrottle } from "../../../server/http/auth/sign_in_throttle.ts";
import { type Listening, listen } from "../../../server/http/listen/server.ts";
import type { HttpApp } from "../../../server/http/request/http_app.ts";
import { Reach } from "../../../server/http/request/reach.ts";
import type { Route } from "../../../server/http/request/route.ts";
import { Sessions } from "../../../server/http/request/sessions.ts";
import { StreamSlots } from "../../../server/http/request/stream_slots.ts";
import { Log } from "../../../server/log.ts";
import { type FirstRunApp, refuseFirstRun, showFirstRun, submitFirstRun } from "../../../server/pages/first_run.tsx";
import { refuseLogin, showLogin, signOut, submitLogin } from "../../../server/pages/login.tsx";
import { errorPage } from "../../../server/routes.ts";
import { KeyList } from "../../../server/store/config/key_list.ts";
import { KnownSessions } from "../../../server/store/config/known_sessions.ts";
import { SessionRevocations } from "../../../server/store/config/session_revocations.ts";
import { SettingsFile } from "../../../server/store/config/settings_file.ts";
import { ShareList } from "../../../server/store/config/share_list.ts";
import { Library } from "../../../server/store/library/library.ts";
import { FakeClock } from "./clock.ts";
import { KEEP_ALL } from "./keep_all.ts";

export const PASSWORD = "correct horse battery staple";

/** A clock that stands still and tells when a sleep begins, so that a test can let exactly that time pass. */
export class WatchedClock extends FakeClock {
  readonly #naps: number[] = [];
  #watchers: { readonly ms: number; readonly seen: () => void }[] = [];

  override sleep(ms: number, signal?: AbortSignal): Promise<void> {
    const sleeping = super.sleep(ms, signal);
    this.#naps.push(ms);
    this.#watchers = this.#watchers.filter((watcher) => {
      if (watcher.ms === ms) watcher.seen();
      return watcher.ms !== ms;
    });
    return sleeping;
  }

  /** Resolves when a sleep of `ms` begins from now on. */
  asleep(ms: number): Promise<void> {
    return new Promise((seen) => this.#watchers.push({ ms, seen }));
  }

  /** Number of naps of `ms`. */
  napsOf(ms: number): number {
    return this.#naps.filter((nap) => nap === ms).length;
  }
}

export interface HttpOptions {
  readonly auth?: Partial<Settings["auth"]>;
  /** Default: `PASSWORD` is set. */
  readonly password?: string | null;
  readonly trustProxy?: boolean;
  readonly routes?: readonly Route<StageApp>[];
  readonly streamLimit?: number;
  readonly host?: string;
  /** A folder to go on in, instead of a new one. */
  readonly folder?: string;
}

/** App that listening takes, with the pages in front of the sign-in. */
export interface StageApp extends StageParts {
  /** Itself: nothing of it is opened later. */
  readonly opened: StageApp;
}
type StageParts = HttpApp &
  FirstRunApp &
  FolderParts &
  Pick<App, "sessions" | "passwords" | "camera"> & { readonly settings: SettingsFile } & Pick<ListParts, "deletions">;

const idle = async () => {};

/** The listening service with the sign-in floor on it, in a folder of its own. */
export class HttpStage {
  readonly app: StageApp;
  readonly clock: WatchedClock;
  readonly folder: string;
  readonly listening: Listening;
  /** The codes of a first run from outside, as they were told. */
  readonly codes: readonly string[];
  readonly #ownsFolder: boolean;

  private constructor(
    app: StageApp,
    codes: readonly string[],
    clock: WatchedClock,
    folder: string,
    listening: Listening,
    ownsFolder: boolean,
  ) {
    this.app = app;
    this.codes = codes;
    this.clock = clock;
    this.folder = folder;
    this.listening = listening;
    this.#ownsFolder = ownsFolder;
  }

  static async open(options: HttpOptions = {}): Promise<HttpStage> {
    const clock = new WatchedClock();
    const log = new Log(clock);
    const folder = options.folder ?? mkdtempSync(join(tmpdir(), "http-"));
    const password_hash = options.password === null ? "" : await cheapHash(options.password ?? PASSWORD);
    const seed = () => {
      const initial = initialSettings();
      return { ...initial, auth: { ...initial.auth, password_hash, ...options.auth } };
    };
    const settings = await SettingsFile.open({ path: join(folder, "settings.json"), log, seed, clock });
    const revocations = await SessionRevocations.open({ path: join(folder, "sessions-revoked.json"), clock, log });
    const known = await KnownSessions.open({ path: join(folder, "sessions.json"), clock, log });
    const lifetimeHours = settings.current.web.session_lifetime_hours;
    const shares = await ShareList.open({ path: join(folder, "shares.json"), clock, log });
    const keys = await KeyList.open({ path: join(folder, "keys.json"), clock, log });
    const codes: string[] = [];
    const app: StageApp = {
      clock,
      log,
      trustProxy: options.trustProxy ?? false,
      machine: "nas.example.com",
      settings,
      throttle: new SignInThrottle({ clock }),
      firstRunCode: new FirstRunCode(settings, (code) => codes.push(code)),
      reach: new Reach({ interfaces: () => ({}) }),
      streams: new StreamSlots({ limit: options.streamLimit ?? 16 }),
      passwords: new Passwords({ clock }),
      sessions: new Sessions({ clock, settings, revocations, known, lifetimeHours }),
      shares,
      keys,
      isReady: () => true,
      camera: { id: "main", name: "Camera", letter: "C" },
      // Nothing has come home yet.
      isZoneGiven: false,
      destination: { standing: "known" },
      lastKnown: { isKnown: false },
      library: new Library({ root: join(folder, "recordings"), clock, log }),
      deletions: { due: async () => null, rules: KEEP_ALL, kept: async () => [] },
      retention: { consent: { isAwaited: false, noteLibrary: idle, noteChoice() {}, release: idle } },
      get opened() {
        return app;
      },
    };
    app.firstRunCode.start();
    const host = options.host ?? "127.0.0.1";
    const listening = listen(app, [...SIGN_IN_ROUTES, ...(options.routes ?? [])], errorPage, { port: 0, host });
    return new HttpStage(app, codes, clock, folder, listening, options.folder === undefined);
  }

  /** A browser that has not been here before. */
  browser(headers: Record<string, string> = {}, url = this.listening.url): Browser {
    return new Browser(url, headers);
  }

  /** A browser that has signed in. */
  async signedIn(headers: Record<string, string> = {}): Promise<Browser> {
    const browser = this.browser(headers);
    const answer = await browser.signIn("admin", PASSWORD);
    if (answer.status !== 302) throw new Error(`The sign-in failed with ${answer.status}`);
    return browser;
  }

  get warnings(): string[] {
    return this.app.log.lines.filter((line) => line.level_no >= 30).map((line) => line.message);
  }

  async changeAuth(auth: Partial<Settings["auth"]>): Promise<void> {
    await this.app.settings.update((latest) => ({ ...latest, auth: { ...latest.auth, ...auth } }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const stopped = this.listening.stop();
    // A client may still be sending a body that the server does not read; only time gets rid of it.
    await this.clock.advance(3000);
    await stopped;
    this.app.passwords.close();
    await this.app.settings.close();
    if (this.#ownsFolder) rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A page, an API and a media route that say who came, and one of each way to fail. */
export const SAMPLES: readonly Route<StageApp>[] = [
  {
    method: "GET",
    path: "/",
    access: "signed-in",
    handle: (context) => new Response(`page for ${context.user?.name}`),
  },
  { method: "GET", path: "/settings", access: "signed-in", handle: () => new Response("settings") },
  { method: "GET", path: "/healthz", access: "open", handle: () => Response.json({ status: "ok" }) },
  { method: "GET", path: "/hx/card", access: "signed-in", handle: () => new Response("<div id=card></div>") },
  { method: "POST", path: "/api/act", access: "signed-in", handle: () => Response.json({ done: true }) },
  { method: "PATCH", path: "/api/act", access: "signed-in", handle: () => Response.json({ done: true }) },
  {
    method: "GET",
    path: "/media/*",
    access: "signed-in",
    handle: (context) => Response.json(context.rest, { headers: { "cache-control": "private" } }),
  },
];

const SIGN_IN_ROUTES: readonly Route<StageApp>[] = [
  { method: "GET", path: "/login", access: "sign-in-page", handle: showLogin },
  { method: "POST", path: "/login", access: "sign-in-page", handle: submitLogin, refuse: refuseLogin },
  { method: "GET", path: "/first-run", access: "sign-in-page", handle: showFirstRun },
  { method: "POST", path: "/first-run", access: "sign-in-page", handle: submitFirstRun, refuse: refuseFirstRun },
  { method: "POST", path: "/logout", access: "look", handle: signOut },
  { method: "GET", path: "/api/auth/me", access: "read", handle: me.handle },
  { method: "POST", path: "/api/auth/password", access: "signed-in", handle: changePassword.handle },
  { method: "DELETE", path: "/api/auth/sessions", access: "signed-in", handle: endSessions.handle },
  {
    method: "GET",
    path: "/token",
    access: "look",
    handle: (context, app) => new Response(`<meta name="csrf-token" content="${csrfToken(context, app)}"/>`),
  },
];

export interface Asked {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly json?: unknown;
  readonly form?: Record<string, string>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly signal?: AbortSignal;
}

/** Keeps cookies, follows no redirect. */
export class Browser {
  readonly cookies = new Map<string, string>();
  readonly #origin: string;
  readonly #headers: Record<string, string>;

  constructor(origin: string, headers: Record<string, string>) {
    this.#origin = origin;
    this.#headers = headers;
  }

  async ask(path: string, { method, headers, json, form, body, signal }: Asked = {}): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const sent = json === undefined ? (form ? new URLSearchParams(form) : body) : JSON.stringify(json);
    const answer = await fetch(this.#origin + path, {
      method: method ?? (sent === undefined ? "GET" : "POST"),
      redirect: "manual",
      headers: {
        ...(cookie && { cookie }),
        ...(json !== undefined && { "content-type": "application/json" }),
        ...this.#headers,
        ...headers,
      },
      ...(sent !== undefined && { body: sent }),
      ...(signal && { signal }),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/; Max-Age=0\b/.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return answer;
  }

  /** The token of a page; the one in its meta tag. */
  async token(path = "/token"): Promise<string> {
    const text = await (await this.ask(path)).text();
    return /<meta name="csrf-token" content="([^"]+)"/.exec(text)?.[1] ?? "";
  }

  /** Opens the sign-in page and sends its form. */
  async signIn(username: string, password: string, more: Record<string, string> = {}): Promise<Response> {
    const csrf_token = await this.token("/login");
    return this.ask("/login", { form: { csrf_token, username, password, ...more } });
  }

  /** Changes something through the API as a page does. */
  async act(path: string, json: unknown = {}, method = "POST"): Promise<Response> {
    return this.ask(path, { method, json, headers: { "x-csrftoken": await this.token() } });
  }
}

/** A real Argon2id hash that costs next to nothing. */
export async function cheapHash(password: string): Promise<string> {
  return await Bun.password.hash(password, { algorithm: "argon2id", memoryCost: 8, timeCost: 1 });
}

/** Waits for what happens by itself, within a bound. */
export async function until(isSo: () => boolean, ms = 5000): Promise<void> {
  const end = performance.now() + ms;
  while (!isSo()) {
    if (performance.now() > end) throw new Error(`It did not happen within ${ms} ms`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
