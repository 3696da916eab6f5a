import { afterAll, beforeAll, describe } from "bun:test";
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { chromiumPath } from "./browser_path.ts";
import { Tab, type TabKind, USUAL_LOCALE } from "./tab.ts";

const FLAGS: readonly string[] = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // Fewer processes: all tabs of a context share one, and drawing has none of its own.
  "--process-per-site",
  "--renderer-process-limit=1",
  "--in-process-gpu",
];

/** Videos play by script alone. Else, as for people, only after a hand on the page, or on the one before it of the same site. */
const PLAYS_BY_SCRIPT = "--autoplay-policy=no-user-gesture-required";

/** The widths at which every page is looked at: phone, tablet, desk. */
export const WIDTHS = [390, 768, 1440] as const;
export type Width = (typeof WIDTHS)[number];
const HEIGHTS: Readonly<Record<Width, number>> = { 390: 844, 768: 1024, 1440: 900 };

/** A browser without a window, as one group of tests uses it. */
export class TestBrowser {
  readonly #browser: Browser;
  readonly #idle: Tab[];
  readonly #end: () => Promise<void>;
  readonly #contexts = new Set<BrowserContext>();
  readonly #taken = new Set<Tab>();

  /**
   * @param idle tabs that no test uses just now
   * @param end decides what becomes of the browser when the group has ended
   */
  constructor(browser: Browser, idle: Tab[], end: () => Promise<void>) {
    this.#browser = browser;
    this.#idle = idle;
    this.#end = end;
  }

  /** A context that no other test uses. */
  async newContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
    const context = await this.#browser.newContext({ locale: USUAL_LOCALE, ...options });
    this.#contexts.add(context);
    context.once("close", () => this.#contexts.delete(context));
    return context;
  }

  /** A tab that no other test uses now, as good as new. */
  async take(kind: TabKind): Promise<Tab> {
    const at = this.#idle.findIndex((tab) => Bun.deepEquals(tab.kind, kind));
    const [idle] = at < 0 ? [] : this.#idle.splice(at, 1);
    const tab = idle ?? (await Tab.open(this.#browser, kind, watch));
    this.#taken.add(tab);
    return tab;
  }

  async giveBack(tab: Tab): Promise<void> {
    this.#taken.delete(tab);
    if (await tab.end()) this.#idle.push(tab);
  }

  /** Closes what its tests left open. */
  async close(): Promise<void> {
    await Promise.all([
      ...[...this.#contexts].map((context) => context.close()),
      ...[...this.#taken].map((tab) => tab.close()),
      ...this.#idle.map((tab) => tab.forget()),
    ]);
    await this.#end();
  }
}

/** Starts a browser without a window. @throws Error that says how to get one */
export async function openBrowser(flags: readonly string[] = [PLAYS_BY_SCRIPT]): Promise<TestBrowser> {
  const browser = await launch(flags);
  return new TestBrowser(browser, [], () => browser.close());
}

/** The browser that the test files of this process use one after the other: to start one costs as much as three pages. */
const shared: { browser: Browser | null; readonly idle: Tab[] } = { browser: null, idle: [] };

/** Returns the browser of this process, which ends with the process, and is started where none runs. */
async function shareBrowser(): Promise<TestBrowser> {
  if (!shared.browser?.isConnected()) {
    shared.idle.length = 0;
    shared.browser = await launch([PLAYS_BY_SCRIPT]);
  }
  return new TestBrowser(shared.browser, shared.idle, async () => {});
}

async function launch(flags: readonly string[]): Promise<Browser> {
  const executablePath = chromiumPath();
  if (executablePath === null)
    throw new Error("No Chromium found. On Debian: apt-get install chromium. Elsewhere set CHROMIUM to its path.");
  return await chromium.launch({ executablePath, headless: true, args: [...FLAGS, ...flags] });
}

/** Notes taken in the page. A jump is the share of the screen that moved, times the distance. */
interface Watch {
  jump: { by: number; what: string };
  breaches: string[];
}

interface LayoutShift extends PerformanceEntry {
  readonly value: number;
  readonly hadRecentInput: boolean;
  readonly sources: readonly {
    readonly node: Node | null;
    readonly previousRect: DOMRect;
    readonly currentRect: DOMRect;
  }[];
}

/** Notes breaches of the content policy, and jumps. Runs first in every document. */
function watch(): void {
  const seen = window as unknown as Watch;
  seen.jump = { by: 0, what: "" };
  seen.breaches = [];
  document.addEventListener("securitypolicyviolation", (event) =>
    seen.breaches.push(`${event.violatedDirective}: ${event.blockedURI}`),
  );
  // Input may move parts of the page, and the machine decides how long after it. Before the first input nothing may
  // move.
  let touched = Number.POSITIVE_INFINITY;
  for (const kind of ["pointerdown", "keydown", "click", "input", "resize"])
    addEventListener(kind, ({ timeStamp }) => (touched = Math.min(touched, timeStamp)), { capture: true });
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, startTime, value, sources } of list.getEntries() as LayoutShift[]) {
      if (hadRecentInput || startTime >= touched || value <= seen.jump.by) continue;
      const what = sources.map(({ node, previousRect: from, currentRect: to }) => {
        const name = node instanceof Element ? `${node.localName}.${node.getAttribute("class")}` : node?.nodeName;
        return `${name} from ${from.x},${from.y},${from.width},${from.height} to ${to.x},${to.y},${to.width},${to.height}`;
      });
      seen.jump = { by: value, what: `${what.join("; ")} at ${Math.round(startTime)} ms` };
    }
  }).observe({ type: "layout-shift", buffered: true });
}

export interface PageOptions {
  readonly url: string;
  readonly width?: Width;
  readonly theme?: "light" | "dark";
  /** The browser's time zone, such as `Europe/Berlin`; the machine's when left out. */
  readonly zone?: string;
  /** The language it asks for, such as `en-US`; `en-GB` when left out. */
  readonly locale?: string;
  /** Value of the service's cookie, for a page that is signed in from the beginning. */
  readonly session?: string | undefined;
  /** Context in place of one of the browser's own; it is closed with the page. */
  readonly context?: BrowserContext;
}

/**
 * A page that remembers what a good page never has: errors on the console, breaches of the content policy, and jumps
 * before a hand has touched it.
 */
export class WatchedPage implements AsyncDisposable {
  readonly page: Page;
  readonly #context: () => BrowserContext;
  readonly #close: () => Promise<void>;
  readonly #problems: string[] = [];

  private constructor(page: Page, context: () => BrowserContext, close: () => Promise<void>) {
    this.page = page;
    this.#context = context;
    this.#close = close;
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") this.#problems.push(message.text());
    });
    page.on("pageerror", (error) => this.#problems.push(String(error)));
  }

  static async open(browser: TestBrowser, options: PageOptions): Promise<WatchedPage> {
    const { context, width = 1440, theme = "dark", zone, locale } = options;
    if (context) {
      await context.addInitScript(watch);
      return new WatchedPage(
        await context.newPage(),
        () => context,
        () => context.close(),
      );
    }
    const tab = await browser.take({ width, height: HEIGHTS[width], theme, hasTouch: width === 390, zone, locale });
    await tab.begin(options.url, options.session);
    return new WatchedPage(
      tab.page,
      () => tab.context,
      () => browser.giveBack(tab),
    );
  }

  /** Cookies and permissions of the page. A page whose context was asked for is used by no other test. */
  get context(): BrowserContext {
    return this.#context();
  }

  /** Opens a path and waits until its islands are alive. */
  async open(path: string): Promise<void> {
    await this.page.goto(path);
    await this.ready();
  }

  /** Resolves when every island of the page is alive. */
  async ready(): Promise<void> {
    await this.page.waitForFunction(() => !document.querySelector("[data-island]:not([data-ready])"));
  }

  /** Problems on this page since the last question, as sentences; empty for a good page. */
  async problems(): Promise<string[]> {
    const { jump, breaches } = await this.page.evaluate(() => {
      const seen = window as unknown as Watch;
      return { jump: seen.jump, breaches: seen.breaches };
    });
    const all = [...this.#problems.splice(0), ...breaches.map((breach) => `content policy: ${breach}`)];
    return jump.by > 0.02 ? [...all, `the page jumped by ${jump.by.toFixed(3)}: ${jump.what}`] : all;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
  }
}

/** Looks at a page at every width, as with a finger at the smallest, and leaves it as it was. @returns what was seen */
export async function atEveryWidth<T>(page: Page, look: (width: Width) => Promise<readonly T[]>): Promise<T[]> {
  const devTools = await page.context().newCDPSession(page);
  const resize = async (width: number, height: number) => {
    await devTools.send("Emulation.setTouchEmulationEnabled", { enabled: width === WIDTHS[0] });
    await page.setViewportSize({ width, height });
  };
  const size = page.viewportSize();
  const seen: T[] = [];
  for (const width of WIDTHS) {
    await resize(width, HEIGHTS[width]);
    seen.push(...(await look(width)));
  }
  if (size) await resize(size.width, size.height);
  await devTools.detach();
  return seen;
}

/** Boxes of all elements of a selector at every width, in CSS pixels of the page: left, top, width. */
export async function boxesOf(page: Page, selector: string): Promise<number[][]> {
  return await atEveryWidth(page, () =>
    page.locator(selector).evaluateAll((all) =>
      all.map((element) => {
        const { x, y, width } = element.getBoundingClientRect();
        return [x, y + scrollY, width];
      }),
    ),
  );
}

/**
 * A group of tests in a real browser, which the files of a process share. Without Chromium they are skipped, and the
 * test command has said so.
 * @param flags in place of the one that lets videos play by script; the browser is then of this group alone
 */
export function describeInBrowser(
  name: string,
  tests: (browser: () => TestBrowser) => void,
  flags?: readonly string[],
): void {
  describe.skipIf(chromiumPath() === null)(name, () => {
    let browser: TestBrowser | null = null;
    beforeAll(async () => {
      browser = flags === undefined ? await shareBrowser() : await openBrowser(flags);
    });
    afterAll(async () => {
      await browser?.close();
    });
    tests(() => {
      if (browser === null) throw new Error("The browser has not started");
      return browser;
    });
  });
}
