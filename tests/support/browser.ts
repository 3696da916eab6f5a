import { afterAll, beforeAll, describe } from "bun:test";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { chromiumPath } from "./browser_path.ts";

const FLAGS: readonly string[] = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Videos play by script alone. Else, as for people, only after a hand on the page, or on the one before it of the same site. */
const PLAYS_BY_SCRIPT = "--autoplay-policy=no-user-gesture-required";

/** The widths at which every page is looked at: phone, tablet, desk. */
export const WIDTHS = [390, 768, 1440] as const;
export type Width = (typeof WIDTHS)[number];
const HEIGHTS: Readonly<Record<Width, number>> = { 390: 844, 768: 1024, 1440: 900 };

/** Starts a browser without a window. @throws Error that says how to get one */
export async function openBrowser(flags: readonly string[] = [PLAYS_BY_SCRIPT]): Promise<Browser> {
  const executablePath = chromiumPath();
  if (executablePath === null)
    throw new Error("No Chromium found. On Debian: apt-get install chromium. Elsewhere set CHROMIUM to its path.");
  return await chromium.launch({ executablePath, headless: true, args: [...FLAGS, ...flags] });
}

export interface PageOptions {
  readonly url: string;
  readonly width?: Width;
  readonly theme?: "light" | "dark";
  readonly context?: BrowserContext;
}

/**
 * A page that remembers what a good page never has: errors on the console, breaches of the content policy, and jumps
 * before a hand has touched it.
 */
export class WatchedPage implements AsyncDisposable {
  readonly page: Page;
  readonly #context: BrowserContext;
  readonly #problems: string[] = [];

  private constructor(page: Page, context: BrowserContext) {
    this.page = page;
    this.#context = context;
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") this.#problems.push(message.text());
    });
    page.on("pageerror", (error) => this.#problems.push(String(error)));
  }

  static async open(browser: Browser, options: PageOptions): Promise<WatchedPage> {
    const width = options.width ?? 1440;
    const context =
      options.context ??
      (await browser.newContext({
        baseURL: options.url,
        viewport: { width, height: HEIGHTS[width] },
        colorScheme: options.theme ?? "dark",
        hasTouch: width === 390,
        reducedMotion: "reduce",
      }));
    await context.addInitScript(() => {
      const seen = window as unknown as { shifted: number; breaches: string[] };
      seen.shifted = 0;
      seen.breaches = [];
      document.addEventListener("securitypolicyviolation", (event) =>
        seen.breaches.push(`${event.violatedDirective}: ${event.blockedURI}`),
      );
      // What a hand sets off may move things, and how long after it is a matter of the machine: before it nothing may.
      let touched = Number.POSITIVE_INFINITY;
      for (const kind of ["pointerdown", "keydown", "click", "input", "resize"])
        addEventListener(kind, ({ timeStamp }) => (touched = Math.min(touched, timeStamp)), { capture: true });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
          if (!entry.hadRecentInput && entry.startTime < touched) seen.shifted = Math.max(seen.shifted, entry.value);
      }).observe({ type: "layout-shift", buffered: true });
    });
    return new WatchedPage(await context.newPage(), context);
  }

  get context(): BrowserContext {
    return this.#context;
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

  /** What went wrong on this page since the last question, as sentences; empty for a good page. */
  async problems(): Promise<string[]> {
    const { shifted, breaches } = await this.page.evaluate(() => {
      const seen = window as unknown as { shifted: number; breaches: string[] };
      return { shifted: seen.shifted, breaches: seen.breaches };
    });
    const all = [...this.#problems.splice(0), ...breaches.map((breach) => `content policy: ${breach}`)];
    return shifted > 0.02 ? [...all, `the page jumped by ${shifted.toFixed(3)}`] : all;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#context.close();
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
  return seen;
}

/** Where all elements of a selector are at every width, in CSS pixels of the page: left, top, width. */
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
 * A group of tests in a real browser that is started once for all of them. Where there is no Chromium they are skipped,
 * and the test command has said so.
 * @param flags in place of the one that lets videos play by script
 */
export function describeInBrowser(
  name: string,
  tests: (browser: () => Browser) => void,
  flags?: readonly string[],
): void {
  describe.skipIf(chromiumPath() === null)(name, () => {
    let browser: Browser | null = null;
    beforeAll(async () => {
      browser = await openBrowser(flags);
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
