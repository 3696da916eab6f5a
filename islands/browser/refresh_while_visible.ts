import { NO_CONNECTION, Refusal } from "./client.ts";
import { LONGEST_WAIT_MS, noteConnection } from "./connection.ts";

/** Longest wait for an answer: a service that hangs and a lost network give no error. */
const WAIT_MS = 10_000;
/** For what reads a large library or a long history: that takes longer than a card. */
export const LONG_WAIT_MS = 60_000;

/** The time of a page; tests pass their own. */
export interface Timers {
  /** Milliseconds since an arbitrary start. */
  readonly elapsed: () => number;
  /** @returns what cancels it */
  readonly after: (ms: number, run: () => void) => () => void;
}

const PAGE_TIMERS: Timers = {
  elapsed: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** Request, and the time between two of them. */
export interface Refreshing<T> {
  readonly page: Document;
  /** From one question to the next, `Infinity` where only `onReturn` asks; null while there is nothing to ask. */
  readonly everyMs: number | (() => number | null);
  /** Until the first question, if that comes sooner or later than the others. */
  readonly firstMs?: number | undefined;
  /** Asks whenever the page becomes visible, also when it was asked just before. */
  readonly onReturn?: boolean;
  /** Longest wait for an answer, when reading takes longer than usual. */
  readonly waitMs?: number;
  /** @throws when nothing came, best a `Refusal` */
  readonly ask: (signal: AbortSignal) => Promise<T>;
  /** Gets the answer, unless something newer was asked meanwhile. */
  readonly show?: (answer: T) => void;
  readonly timers?: Timers;
}

export interface Refresher {
  /** Asks now, in the place of what is on its way. @returns what shows the answer, or does nothing when none came */
  readonly ask: () => Promise<() => void>;
  /** Asks now, and shows what comes. */
  readonly refresh: () => Promise<void>;
  readonly stop: () => void;
}

/**
 * Asks again and again while the page is visible: a hidden tab asks nothing, and what has become due meanwhile is asked
 * for at once when it is shown again. While no answer comes the questions become rarer; while the session has ended
 * but the page stays there are none, until `signedin`.
 */
export function refreshWhileVisible<T>(refreshing: Refreshing<T>): Refresher {
  const { page, everyMs, waitMs = WAIT_MS, timers = PAGE_TIMERS } = refreshing;
  const ended = new AbortController();
  const { signal } = ended;
  let asking: AbortController | null = null;
  let cancel = () => {};
  let failures = 0;
  /** At once, whatever was asked before. */
  let isDue = false;
  let hasAsked = false;
  let askedAt = timers.elapsed();
  let signedOut: Event | null = null;

  const dueInMs = (every: number) => {
    if (isDue) return 0;
    const first = hasAsked ? undefined : refreshing.firstMs;
    const wait = first ?? Math.min(every * (1 + failures), Math.max(every, LONGEST_WAIT_MS));
    return Math.max(0, askedAt + wait - timers.elapsed());
  };
  const plan = () => {
    cancel();
    const every = typeof everyMs === "number" ? everyMs : everyMs();
    if (asking || page.hidden || signal.aborted || every === null) return;
    const wait = dueInMs(every);
    if (wait < Infinity) cancel = timers.after(wait, askUnlessSignedOut);
  };
  // A page that is left goes on: the way back may bring it as it was.
  const askUnlessSignedOut = () => void (signedOut?.defaultPrevented || refresh());
  const ask = async () => {
    if (signal.aborted) return () => {};
    cancel();
    asking?.abort();
    const mine = new AbortController();
    asking = mine;
    askedAt = timers.elapsed();
    hasAsked = true;
    isDue = false;
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    mine.signal.addEventListener("abort", () => reject(mine.signal.reason));
    const forget = timers.after(waitMs, () => mine.abort(new Refusal("NO_CONNECTION", NO_CONNECTION)));
    let show = () => {};
    try {
      const answer = await Promise.race([refreshing.ask(mine.signal), aborted]);
      if (asking === mine) noteAnswer();
      show = () => refreshing.show?.(answer);
    } catch (error) {
      if (asking === mine) noteFailure(error);
    }
    forget();
    if (asking !== mine) return () => {};
    asking = null;
    plan();
    return show;
  };
  const noteAnswer = () => {
    failures = 0;
    noteConnection(page, true);
  };
  const noteFailure = (error: unknown) => {
    failures++;
    const code = error instanceof Refusal ? error.code : "NO_CONNECTION";
    // One may be chance; a service that goes on refusing without a code counts as away.
    if (code === "NO_CONNECTION" || (code === "UNKNOWN" && failures > 1)) noteConnection(page, false);
  };
  const refresh = async () => (await ask())();
  const askSoon = () => {
    isDue = true;
    plan();
  };
  const onVisibility = () => (refreshing.onReturn && !page.hidden ? askSoon() : plan());
  const onSignedIn = () => {
    signedOut = null;
    askSoon();
  };
  page.addEventListener("visibilitychange", onVisibility, { signal });
  page.addEventListener("signedout", (event) => (signedOut = event), { signal });
  page.addEventListener("signedin", onSignedIn, { signal });
  plan();
  return {
    ask,
    refresh,
    stop() {
      ended.abort();
      cancel();
      asking?.abort();
      asking = null;
    },
  };
}
