import type { Page } from "playwright-core";

interface Place {
  readonly x: number;
  readonly y: number;
}

/** Steps of a movement, as a screen reports them. */
const STEPS = 8;

/** Fingers on a page that was opened with a screen to touch, as the browser itself gets them: it scrolls, too. */
export class Fingers {
  readonly #send: (type: string, places: readonly Place[]) => Promise<unknown>;

  private constructor(send: (type: string, places: readonly Place[]) => Promise<unknown>) {
    this.#send = send;
  }

  static async on(page: Page): Promise<Fingers> {
    const devTools = await page.context().newCDPSession(page);
    return new Fingers((type, places) =>
      devTools.send("Input.dispatchTouchEvent", {
        type: type as "touchStart",
        touchPoints: places.map(({ x, y }, id) => ({ x, y, id })),
      }),
    );
  }

  /** Fingers come down together. */
  async down(...places: readonly Place[]): Promise<void> {
    await this.#send("touchStart", places);
  }

  /** All fingers move, in steps. @param ways where each of them is, and where it goes */
  async move(...ways: readonly (readonly [from: Place, to: Place])[]): Promise<void> {
    for (let step = 1; step <= STEPS; step++)
      await this.#send(
        "touchMove",
        ways.map(([from, to]) => ({
          x: from.x + ((to.x - from.x) * step) / STEPS,
          y: from.y + ((to.y - from.y) * step) / STEPS,
        })),
      );
  }

  async up(): Promise<void> {
    await this.#send("touchEnd", []);
  }

  /** The system takes the fingers away, as for a call or for a gesture of its own. */
  async cancel(): Promise<void> {
    await this.#send("touchCancel", []);
  }

  async tap(place: Place): Promise<void> {
    await this.down(place);
    await this.up();
  }

  async swipe(from: Place, to: Place): Promise<void> {
    await this.down(from);
    await this.move([from, to]);
    await this.up();
  }
}
