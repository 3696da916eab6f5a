import { describe, expect, test } from "bun:test";
import { Refusal } from "../../../islands/browser/client.ts";
import { type Refreshing, refreshWhileVisible, type Timers } from "../../../islands/browser/refresh_while_visible.ts";
import { FakeClock } from "../../support/app/clock.ts";
import { DomPage, settled } from "../../support/browser/dom.ts";

/** A page that asks every ten seconds, by a clock that the test moves. */
class Scene implements AsyncDisposable {
  readonly dom = new DomPage('<p id="no-connection" hidden></p>');
  readonly clock = new FakeClock();
  /** At which second each question came. */
  readonly asked: number[] = [];
  readonly shown: string[] = [];
  readonly signals: AbortSignal[] = [];
  answer: () => Promise<string> = async () => "fresh";
  readonly refresher;

  constructor(options: Partial<Refreshing<string>> = {}) {
    const timers: Timers = {
      elapsed: () => this.clock.elapsed(),
      after: (ms, run) => {
        const called = new AbortController();
        this.clock.sleep(ms, called.signal).then(run, () => {});
        return () => called.abort();
      },
    };
    this.refresher = refreshWhileVisible({
      page: this.dom.page,
      everyMs: 10_000,
      ask: (signal) => {
        this.asked.push(this.clock.elapsed() / 1000);
        this.signals.push(signal);
        return this.answer();
      },
      show: (answer) => this.shown.push(answer),
      timers,
      ...options,
    });
  }

  async pass(seconds: number): Promise<void> {
    await this.clock.advance(seconds * 1000);
    await settled();
  }

  get isSaidAway(): boolean {
    return !this.dom.get("no-connection").hidden;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.refresher.stop();
    await this.dom[Symbol.asyncDispose]();
  }
}

type Step = (scene: Scene) => Promise<void> | void;
const pass = (seconds: number) => (scene: Scene) => scene.pass(seconds);
const hide = (scene: Scene) => scene.dom.hide(true);
const look = (scene: Scene) => scene.dom.hide(false);
const away: Step = (scene) => {
  scene.answer = () => Promise.reject(new TypeError("Failed to fetch"));
};
const there: Step = (scene) => {
  scene.answer = async () => "fresh";
};
const silent: Step = (scene) => {
  scene.answer = () => new Promise(() => {});
};
const signOut = (stays: boolean) => (scene: Scene) => {
  if (stays) scene.dom.page.addEventListener("signedout", (event) => event.preventDefault());
  scene.dom.page.dispatchEvent(scene.dom.event("signedout"));
};
const signIn: Step = (scene) => void scene.dom.page.dispatchEvent(scene.dom.event("signedin"));
const refresh: Step = (scene) => scene.refresher.refresh();
const stop: Step = (scene) => scene.refresher.stop();

describe("what is refreshed while the page is visible is asked for", () => {
  const rows: [says: string, options: Partial<Refreshing<string>>, steps: Step[], asked: number[]][] = [
    ["again and again", {}, [pass(35)], [10, 20, 30]],
    ["as often as is right just then", { everyMs: countUp() }, [pass(30)], [1, 3, 6, 10, 15, 21, 28]],
    ["sooner the first time, where that is wanted", { firstMs: 0 }, [pass(25)], [0, 10, 20]],
    ["later the first time, where that is wanted", { firstMs: 15_000 }, [pass(30)], [15, 25]],
    ["not while there is nothing to ask", { everyMs: () => null }, [pass(60)], []],
    ["not while the tab is hidden", {}, [hide, pass(60)], []],
    ["at once when it is due and the tab is looked at again", {}, [hide, pass(17), look, pass(12)], [17, 27]],
    ["when it is due after a short look away", {}, [pass(12), hide, pass(3), look, pass(10)], [10, 20]],
    ["at every return", { onReturn: true }, [pass(12), hide, pass(3), look, pass(12)], [10, 15, 25]],
    ["only at a return", { onReturn: true, everyMs: Infinity }, [pass(60), hide, look, pass(60)], [60]],
    ["more seldom while the service is away", {}, [away, pass(125)], [10, 30, 60, 90, 120]],
    ["as often as before once it is there", {}, [away, pass(31), there, pass(50)], [10, 30, 60, 70, 80]],
    ["no more seldom than usual, where that is seldom", { everyMs: 60_000 }, [away, pass(190)], [60, 120, 180]],
    ["again when an answer is not waited for any longer", {}, [silent, pass(41)], [10, 30]],
    ["no more once the session has ended and the page stays", {}, [pass(12), signOut(true), pass(60)], [10]],
    ["at once when there is a session again", {}, [signOut(true), pass(17), signIn, pass(12)], [17, 27]],
    ["as before when the page is left, should it come back", {}, [signOut(false), pass(25)], [10, 20]],
    ["by hand, and then not at once again", {}, [pass(7), refresh, pass(15)], [7, 17]],
    ["no more when it is stopped", {}, [pass(12), stop, hide, look, pass(60)], [10]],
    ["no more when it is stopped, by hand either", {}, [pass(12), stop, refresh, pass(60)], [10]],
  ];
  for (const [says, options, steps, asked] of rows)
    test(says, async () => {
      await using scene = new Scene(options);
      for (const step of steps) {
        await step(scene);
        await settled();
      }
      expect(scene.asked).toEqual(asked);
    });
});

/** One second, then two, then three; asked at each plan, and only then. */
function countUp(): () => number {
  let seconds = 0;
  return () => ++seconds * 1000;
}

describe("an answer", () => {
  test("is shown when it comes", async () => {
    await using scene = new Scene();
    await scene.pass(20);
    expect(scene.shown).toEqual(["fresh", "fresh"]);
  });

  test("to a question in the place of which another was asked is not shown, and not waited for", async () => {
    await using scene = new Scene();
    const slow = Promise.withResolvers<string>();
    scene.answer = () => slow.promise;
    await scene.pass(10);
    scene.answer = async () => "newer";
    await scene.refresher.refresh();
    slow.resolve("older");
    await settled();
    expect(scene.signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    expect(scene.shown).toEqual(["newer"]);
    expect(scene.isSaidAway).toBe(false);
  });

  test("that comes after the end is not shown", async () => {
    await using scene = new Scene();
    const slow = Promise.withResolvers<string>();
    scene.answer = () => slow.promise;
    await scene.pass(10);
    scene.refresher.stop();
    slow.resolve("late");
    await settled();
    expect(scene.signals[0]?.aborted).toBe(true);
    expect(scene.shown).toEqual([]);
  });

  test("may be shown later, together with others", async () => {
    await using scene = new Scene();
    const show = await scene.refresher.ask();
    expect(scene.shown).toEqual([]);
    show();
    expect(scene.shown).toEqual(["fresh"]);
  });
});

describe("the page says that the service is away", () => {
  const refusal = (code: "NO_CONNECTION" | "UNKNOWN" | "NOT_FOUND") => new Refusal(code, "");
  const rows: [says: string, failures: Error[], isSaid: boolean[]][] = [
    ["when there is no connection", [new TypeError("Failed to fetch")], [true]],
    ["when asking found none", [refusal("NO_CONNECTION")], [true]],
    ["when it refuses twice without a reason", [refusal("UNKNOWN"), refusal("UNKNOWN")], [false, true]],
    ["but not when it refuses with one", [refusal("NOT_FOUND"), refusal("NOT_FOUND")], [false, false]],
  ];
  for (const [says, failures, isSaid] of rows)
    test(says, async () => {
      await using scene = new Scene();
      const said: boolean[] = [];
      for (const failure of failures) {
        scene.answer = () => Promise.reject(failure);
        await scene.refresher.refresh();
        said.push(scene.isSaidAway);
      }
      expect(said).toEqual(isSaid);
    });

  test("when it has not answered for as long as is waited", async () => {
    await using scene = new Scene({ waitMs: 3000 });
    silent(scene);
    await scene.pass(12);
    expect(scene.isSaidAway).toBe(false);
    await scene.pass(1);
    expect(scene.isSaidAway).toBe(true);
    expect(scene.signals[0]?.aborted).toBe(true);
  });
});
