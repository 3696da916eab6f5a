import { describe, expect, test } from "bun:test";
import { signal } from "@preact/signals";
import { Refusal } from "../../../islands/browser/client.ts";
import { type AskMap, type DrivesAsked, DrivesStore } from "../../../islands/map/drives_store.ts";
import { flatBoxOfEarth } from "../../../islands/map/map_view.ts";
import { PassesStore } from "../../../islands/map/passes_store.ts";

const SIZE = { width: 800, height: 400 };
const ALL: DrivesAsked = { span: null, camera: null, kinds: [], isOfSeveral: false };
const BOX = flatBoxOfEarth({ west: 7, south: 50, east: 7.1, north: 50.1 });

interface Question {
  readonly query: URLSearchParams;
  readonly signal: AbortSignal;
  readonly answer: (json: unknown) => void;
  readonly refuse: (error: unknown) => void;
}

/** Questions that a test answers itself. */
class Questions {
  readonly #waiting: Question[] = [];
  #next: (() => void) | null = null;
  readonly ask: AskMap = <T>(path: string, signal: AbortSignal) =>
    new Promise<T>((answer, refuse) => {
      const query = new URLSearchParams(path.slice(path.indexOf("?")));
      this.#waiting.push({ query, signal, answer: answer as (json: unknown) => void, refuse });
      this.#next?.();
    });

  /** The next question, as soon as it is asked. */
  async next(): Promise<Question> {
    while (this.#waiting.length === 0)
      await new Promise<void>((asked) => {
        this.#next = asked;
      });
    return this.#waiting.shift() as Question;
  }

  get count(): number {
    return this.#waiting.length;
  }
}

const pass = (second: number) => ({
  trip: "20261120_080000_N",
  key: "20261120_080000_N",
  seconds: second,
  at: null,
  speed: 30,
  heading: 0,
  thumb: null,
  name: null,
  camera: "main",
});

describe("the list of passes", () => {
  test("goes on where it ended, and tries again what failed", async () => {
    const questions = new Questions();
    const store = new PassesStore(signal({ ...ALL, span: { from: "2026-11-16", to: "2026-11-22" } }), questions.ask);
    const listed = store.list(BOX);
    const first = await questions.next();
    expect([...first.query.keys()].sort()).toEqual(["bbox", "from", "limit", "to"]);
    expect(first.query.get("bbox")).toBe("7,50,7.1,50.1");
    first.answer({ passes: [pass(1), pass(2)], next: "here", indexing: null });
    await listed;
    expect([store.passes.value?.length, store.hasMore.value, store.isBusy.value]).toEqual([2, true, false]);

    const failed = store.more();
    const second = await questions.next();
    expect(second.query.get("next")).toBe("here");
    second.refuse(new Refusal("NO_CONNECTION", "No answer."));
    await failed;
    expect([store.passes.value?.length, store.problem.value]).toEqual([2, "No answer."]);

    const again = store.more();
    const third = await questions.next();
    expect(third.query.get("next")).toBe("here");
    third.answer({ passes: [pass(3)], next: null, indexing: null });
    await again;
    expect([store.passes.value?.map(({ seconds }) => seconds), store.hasMore.value]).toEqual([[1, 2, 3], false]);
    expect(store.problem.value).toBeNull();
    await store.more();
    expect(questions.count).toBe(0);
  });

  test("is that of the last box, whichever answer comes first", async () => {
    const questions = new Questions();
    const store = new PassesStore(signal(ALL), questions.ask);
    const lists = [store.list(BOX), store.list({ ...BOX, left: BOX.left - 0.1 })];
    const [old, latest] = [await questions.next(), await questions.next()];
    expect(old.signal.aborted).toBe(true);
    latest.answer({ passes: [pass(9)], next: null, indexing: null });
    old.answer({ passes: [pass(1)], next: null, indexing: null });
    await Promise.all(lists);
    expect(store.passes.value?.map(({ seconds }) => seconds)).toEqual([9]);
    await store.list(null);
    expect([store.passes.value, store.isBusy.value]).toEqual([null, false]);
  });
});

describe("the drives of the map", () => {
  const view = { x: 0.52, y: 0.34, zoom: 11.3 };
  const answer = (changes = {}) => ({ drives: [], cut: false, indexing: null, ...changes });

  test("are asked for with room around what is shown, and again when that is left, or closer", async () => {
    const questions = new Questions();
    const store = new DrivesStore(signal(ALL), questions.ask);
    store.follow(view, SIZE, 0);
    const first = await questions.next();
    const [west = 0, , east = 0] = (first.query.get("bbox") ?? "").split(",").map(Number);
    // Twice as wide as what is shown.
    expect(east - west).toBeCloseTo((2 * SIZE.width * 360) / (256 * 2 ** 11.3), 4);
    expect(first.query.get("zoom")).toBe("12");
    first.answer(answer({ cut: true }));
    while (store.drives.value === null) await Promise.resolve();
    expect(store.isCut.value).toBe(true);

    const pixel = 1 / (256 * 2 ** 11.3);
    store.follow({ ...view, x: view.x + 300 * pixel }, SIZE, 0);
    store.follow({ ...view, x: view.x + 500 * pixel }, SIZE, 0);
    const moved = await questions.next();
    expect(Number(moved.query.get("bbox")?.split(",")[0])).toBeGreaterThan(west);
    // A newer question ends it.
    store.follow({ ...view, zoom: 13.5 }, SIZE, 0);
    const closer = await questions.next();
    expect([moved.signal.aborted, closer.query.get("zoom")]).toEqual([true, "14"]);
    store.close();
    expect(closer.signal.aborted).toBe(true);
  });

  test("say why they did not come, and are asked for again", async () => {
    const questions = new Questions();
    const store = new DrivesStore(signal({ ...ALL, isOfSeveral: true, camera: "van" }), questions.ask);
    store.follow(view, SIZE, 0);
    const failed = await questions.next();
    // All cameras are counted, so all are asked for.
    expect(failed.query.get("camera")).toBe("all");
    failed.refuse(new Refusal("NO_CONNECTION", "No answer."));
    while (store.problem.value === null) await Promise.resolve();
    expect(store.problem.value).toBe("No answer.");
    store.again(view, SIZE);
    (await questions.next()).answer(answer());
    while (store.drives.value === null) await Promise.resolve();
    expect(store.problem.value).toBeNull();
    store.close();
  });

  test("are all asked for, and the chosen ones alone only where there are too many", async () => {
    const questions = new Questions();
    const asked = signal<DrivesAsked>({ ...ALL, isOfSeveral: true });
    const store = new DrivesStore(asked, questions.ask);
    const told = async (question: Question) => [question.query.get("camera"), question.query.get("kind")];
    store.follow(view, SIZE, 0);
    (await questions.next()).answer(answer());
    while (store.drives.value === null) await Promise.resolve();
    expect(store.isPartial.value).toBe(false);
    asked.value = { ...asked.value, kinds: ["event", "manual"], camera: "van" };
    store.follow(view, SIZE, 0);
    // Timers come in their order: a question would be here.
    await new Promise((done) => setTimeout(done, 0));
    expect(questions.count).toBe(0);

    store.again(view, SIZE);
    const wide = await questions.next();
    expect(await told(wide)).toEqual(["all", null]);
    wide.answer(answer({ cut: true }));
    const narrow = await questions.next();
    expect(await told(narrow)).toEqual(["van", "event,manual"]);
    narrow.answer(answer());
    while (!store.isPartial.value) await Promise.resolve();
    expect(store.isCut.value).toBe(false);
    asked.value = { ...asked.value, kinds: [] };
    store.follow(view, SIZE, 0);
    expect(await told(await questions.next())).toEqual(["all", null]);
    store.close();
  });

  test("of the whole world tell where all are", async () => {
    const questions = new Questions();
    const store = new DrivesStore(signal({ ...ALL, isOfSeveral: true }), questions.ask);
    const everywhere = store.everywhere();
    const { query, answer: tell } = await questions.next();
    expect([query.get("bbox"), query.get("camera")]).toEqual(["-180,-90,180,90", "all"]);
    const drive = { trip: "20261120_080000_N", camera: "main", date: "2026-11-20" };
    tell(
      answer({
        drives: [
          {
            ...drive,
            points: [
              [50, 7, 1],
              [50.1, 7.2, 1],
            ],
          },
        ],
      }),
    );
    const box = await everywhere;
    expect(((box?.right ?? 0) - (box?.left ?? 0)) * 360).toBeCloseTo(0.2, 6);
  });
});
