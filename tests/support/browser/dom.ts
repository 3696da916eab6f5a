import { jest } from "bun:test";
import { Window } from "happy-dom";

/**
 * A page without a browser: a window of its own, so nothing global changes (a listening Bun.serve would break).
 * Addresses that it is sent to are noted instead of followed.
 */
export class DomPage implements AsyncDisposable {
  readonly page: Document;
  /** Addresses that scripts have sent the page to. */
  readonly left: string[] = [];
  readonly #window: Window;
  #isHidden = false;

  constructor(body: string, { path = "/logs", head = "" }: { path?: string; head?: string } = {}) {
    this.#window = new Window({ url: `http://dashdock.test${path}` });
    this.page = this.#window.document as unknown as Document;
    this.page.head.innerHTML = head;
    this.page.body.innerHTML = body;
    Object.defineProperty(this.page, "hidden", { get: () => this.#isHidden });
    Object.defineProperty(this.page.location, "assign", { value: (to: string) => this.left.push(to) });
  }

  /** The element with an id. @throws when there is none */
  get(id: string): HTMLElement {
    const found = this.page.getElementById(id);
    if (!found) throw new Error(`There is no element ${id}`);
    return found;
  }

  /** Another tab is looked at, or this one again. */
  hide(isHidden: boolean): void {
    this.#isHidden = isHidden;
    this.page.dispatchEvent(this.event("visibilitychange"));
  }

  event(name: string): Event {
    return new this.#window.Event(name, { bubbles: true, cancelable: true }) as unknown as Event;
  }

  /** Presses a key. @returns the event as it came out */
  press(key: string, target: EventTarget = this.page.body, more: KeyboardEventInit = {}): KeyboardEvent {
    const init = { key, bubbles: true, cancelable: true, ...more } as object;
    const event = new this.#window.KeyboardEvent("keydown", init) as unknown as KeyboardEvent;
    target.dispatchEvent(event);
    return event;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Closing waits for a timer of its own, which must be a real one.
    jest.useRealTimers();
    await this.#window.happyDOM.close();
  }
}

/** Lets everything that waits for promises only go on. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}
