import type { Browser, BrowserContextOptions, Page } from "playwright-core";

/** Properties of a tab: a tab serves tests of its own kind only. */
export interface TabKind {
  readonly width: number;
  readonly height: number;
  readonly theme: "light" | "dark";
  readonly hasTouch: boolean;
  /** The browser's time zone; the machine's when left out. */
  readonly zone?: string | undefined;
  /** The language it asks for; `USUAL_LOCALE` when left out. */
  readonly locale?: string | undefined;
}

/** Its times and dates are those of every client that asks for no language. */
export const USUAL_LOCALE = "en-GB";

/** Events that a test listens to, and must not go on listening to. */
const EVENTS = [
  ...["console", "dialog", "domcontentloaded", "download", "filechooser", "frameattached", "framedetached"],
  ...["framenavigated", "load", "pageerror", "popup", "request", "requestfailed", "requestfinished", "response"],
  ...["websocket", "worker"],
] as const;

/** Calls that cannot be undone: a tab on which one of these was called is closed after its test. */
const LASTING = [
  ...["addInitScript", "addLocatorHandler", "exposeBinding", "exposeFunction", "routeFromHAR", "routeWebSocket"],
  ...["setDefaultNavigationTimeout", "setDefaultTimeout", "setExtraHTTPHeaders"],
] as const;

const SESSION_COOKIE = "dashdock_session";

/** Runs first in every document of every tab. */
type FirstScript = () => void;

/**
 * A tab with a context of its own. Opening one costs more than all that most tests do in it, so that it is used again:
 * after a test everything is put back that the test may have left, and where that cannot be done the tab is closed.
 */
export class Tab {
  readonly page: Page;
  readonly kind: TabKind;
  /** Prefix of the paths that are opened. */
  base = "";
  #isSpent = false;
  readonly #origins = new Set<string>();

  private constructor(page: Page, kind: TabKind) {
    this.page = page;
    this.kind = kind;
    const open = page.goto.bind(page);
    page.goto = (path, options) => open(URL.canParse(path) ? path : this.base + path, options);
    for (const name of LASTING) {
      const call = (page[name] as (...given: readonly unknown[]) => unknown).bind(page);
      Reflect.set(page, name, (...given: readonly unknown[]) => {
        this.#isSpent = true;
        return call(...given);
      });
    }
    const { clock } = page;
    Object.defineProperty(page, "clock", {
      get: () => {
        this.#isSpent = true;
        return clock;
      },
    });
  }

  static async open(browser: Browser, kind: TabKind, first: FirstScript): Promise<Tab> {
    const context = await browser.newContext(optionsOf(kind));
    await context.addInitScript(first);
    return new Tab(await context.newPage(), kind);
  }

  /** Its context can be changed in ways that are not known here: the tab is closed after this test. */
  get context() {
    this.#isSpent = true;
    return this.page.context();
  }

  /** Begins to note what a test does. @param session of the service's cookie */
  async begin(base: string, session?: string): Promise<void> {
    this.base = base;
    if (session !== undefined)
      await this.page.context().addCookies([{ name: SESSION_COOKIE, value: session, url: base }]);
    this.#origins.clear();
    this.page.on("framenavigated", (frame) => {
      const { origin, protocol } = new URL(frame.url());
      if (frame === this.page.mainFrame() && protocol.startsWith("http")) this.#origins.add(origin);
    });
  }

  /** Puts everything back, and leaves the tab on an empty page. @returns whether it can be used again; else it is closed */
  async end(): Promise<boolean> {
    const context = this.page.context();
    try {
      if (!this.#isSpent && this.#origins.size <= 1) await this.#putBack();
      // A window that the test opened shows itself late.
      if (!this.#isSpent && this.#origins.size <= 1 && context.pages().length === 1) return true;
    } catch {
      // A tab that cannot be put back is thrown away.
    }
    await context.close();
    return false;
  }

  /** Forgets the files of a service: another one may be at its address later. */
  async forget(): Promise<void> {
    const devTools = await this.page.context().newCDPSession(this.page);
    await devTools.send("Network.clearBrowserCache");
    await devTools.detach();
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }

  async #putBack(): Promise<void> {
    const { page, kind } = this;
    const context = page.context();
    for (const event of EVENTS) page.removeAllListeners(event);
    await Promise.all([
      context.unrouteAll({ behavior: "ignoreErrors" }),
      page.unrouteAll({ behavior: "ignoreErrors" }),
    ]);
    const [origin] = this.#origins;
    if (origin !== undefined)
      await page.evaluate(() => {
        // Only the tab's page reaches the storage of this tab, and it may write once more when it goes.
        Storage.prototype.setItem = () => {};
        sessionStorage.clear();
        window.name = "";
      });
    await page.goto("about:blank");
    await page.mouse.move(0, 0);
    await context.clearCookies();
    await page.setViewportSize({ width: kind.width, height: kind.height });
    await page.emulateMedia({ media: null, colorScheme: kind.theme, reducedMotion: "reduce", forcedColors: null });
    const devTools = await context.newCDPSession(page);
    if (origin !== undefined)
      await devTools.send("Storage.clearDataForOrigin", {
        origin,
        storageTypes: "local_storage,indexeddb,cache_storage,service_workers",
      });
    await devTools.send("Page.resetNavigationHistory");
    await devTools.detach();
  }
}

function optionsOf({ width, height, theme, hasTouch, zone, locale = USUAL_LOCALE }: TabKind): BrowserContextOptions {
  const place = zone === undefined ? {} : { timezoneId: zone };
  return { viewport: { width, height }, colorScheme: theme, hasTouch, reducedMotion: "reduce", locale, ...place };
}
