import type { Page, Request, Route } from "playwright-core";

/** The parts that a page fetches by itself after its HTML and styles. */
export const PARTS = ["script", "later script", "answer", "telemetry", "picture", "video"] as const;
export type Part = (typeof PARTS)[number];

/** Two pictures of the page later: what has come is drawn. */
async function drawn(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done)))),
  );
}

/** Holds back what a page fetches, and lets it come part by part, as on a slow network or a busy machine. */
export class LateParts {
  readonly #page: Page;
  readonly #held = new Map<Part, Route[]>(PARTS.map((part) => [part, []]));
  readonly #open = new Set<Part>();
  /** Requests that have been let through and are not answered yet. */
  #underWay = 0;

  private constructor(page: Page) {
    this.#page = page;
    const ended = (request: Request) => {
      if (this.#counts(request)) this.#underWay--;
    };
    page.on("requestfinished", ended);
    page.on("requestfailed", ended);
  }

  static async hold(page: Page): Promise<LateParts> {
    const late = new LateParts(page);
    await page.route("**/*", async (route) => {
      const part = await late.#partOf(route.request());
      if (part === null) return await route.continue();
      if (late.#open.has(part)) await late.#pass(route);
      else late.#held.get(part)?.push(route);
    });
    return late;
  }

  /** Lets a part come, and all of its kind that follow, and waits until it is there and drawn. */
  async come(part: Part): Promise<void> {
    this.#open.add(part);
    for (const route of this.#held.get(part)?.splice(0) ?? []) await this.#pass(route);
    await this.settled();
  }

  /** Nothing that was let through is still to come, and what came is drawn. */
  async settled(): Promise<void> {
    for (const deadline = Date.now() + 30_000; ; ) {
      await drawn(this.#page);
      // Parts that have just been drawn may ask for more.
      if (this.#underWay === 0) break;
      if (Date.now() > deadline) throw new Error(`${this.#underWay} requests are still under way`);
    }
    await drawn(this.#page);
  }

  async #pass(route: Route): Promise<void> {
    if (this.#counts(route.request())) this.#underWay++;
    // The page may have gone elsewhere.
    await route.continue().catch(() => {});
  }

  /** Videos go on loading as they play, and a stream never ends. */
  #counts(request: Request): boolean {
    return this.#isPart(request) && request.resourceType() !== "media";
  }

  #isPart(request: Request): boolean {
    return request.resourceType() !== "document" && !["stylesheet", "eventsource"].includes(request.resourceType());
  }

  async #partOf(request: Request): Promise<Part | null> {
    if (!this.#isPart(request)) return null;
    const kind = request.resourceType();
    if (kind === "script") {
      const { pathname } = new URL(request.url());
      const isInPage = await this.#page
        .evaluate((path) => document.querySelector(`[src="${path}"], [href="${path}"]`) !== null, pathname)
        .catch(() => true);
      return isInPage ? "script" : "later script";
    }
    if (kind === "media") return "video";
    if (kind === "image") return "picture";
    return request.url().includes("/telemetry") ? "telemetry" : "answer";
  }
}

/** Notes by how much the page has moved in all without a hand, also before this was called. Runs in the page. */
export function noteShifts(): void {
  const seen = window as unknown as { shifts: string[]; shifted: number };
  seen.shifts = [];
  seen.shifted = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as unknown as {
      value: number;
      sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
    }[]) {
      seen.shifted += entry.value;
      const what = entry.sources.map(({ node, previousRect: from, currentRect: to }) => {
        const name = node instanceof Element ? `${node.localName}.${node.getAttribute("class")}` : node?.nodeName;
        return `${name} ${[from.x, from.y, from.width, from.height].map(Math.round)} to ${[to.x, to.y, to.width, to.height].map(Math.round)}`;
      });
      seen.shifts.push(`${entry.value.toFixed(3)}: ${what.join("; ")}`);
    }
  }).observe({ type: "layout-shift", buffered: true });
}
