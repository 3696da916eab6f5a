import { expect, test } from "bun:test";
import { signal } from "@preact/signals";
import { Refusal } from "../../../../islands/browser/client.ts";
import { Asked, type Question } from "../../../../islands/viewer/export/asked.ts";

/** A service that answers when it is told to. */
class SlowService {
  readonly asked: {
    question: Question;
    leaving: AbortSignal;
    answer: (it: unknown) => void;
    fail: (it: unknown) => void;
  }[] = [];
  #next = Promise.withResolvers<void>();

  readonly send = (question: Question, _: undefined, leaving: AbortSignal): Promise<unknown> => {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.asked.push({ question, leaving, answer: resolve, fail: reject });
    this.#next.resolve();
    return promise;
  };

  /** The request that comes next. */
  async next() {
    await this.#next.promise;
    this.#next = Promise.withResolvers();
    const last = this.asked.at(-1);
    if (last === undefined) throw new Error("nothing was asked");
    return last;
  }
}

/** Lets all promises that are settled be told. */
const told = () => new Promise((resolve) => setImmediate(resolve));

test("an answer is asked for when the question rests, and one that is not needed any more is given up", async () => {
  const service = new SlowService();
  const films = new Asked<string>(service.send);
  const question = signal<Question | null>("GET /api/viewer/film?key=1");
  const state = signal(1);
  const end = films.follow(question, state);
  const first = await service.next();
  // An end is dragged: none of the steps but the last is asked for.
  for (let step = 2; step <= 9; step++) question.value = `GET /api/viewer/film?key=${step}`;
  expect([first.leaving.aborted, films.isReading.value]).toEqual([true, true]);
  const last = await service.next();
  expect(service.asked.map((one) => one.question.slice(-5))).toEqual(["key=1", "key=9"]);
  last.answer("nine");
  first.answer("one");
  await told();
  expect([films.answer.value, films.isReading.value]).toEqual(["nine", false]);

  question.value = "GET /api/viewer/film?key=10";
  (await service.next()).fail(new Refusal("RECORDING_NOT_FOUND", "There is no such recording."));
  await told();
  expect([films.answer.value, films.problem.value, films.isReading.value]).toEqual([
    null,
    "There is no such recording.",
    false,
  ]);

  state.value = 2;
  expect(films.problem.value).toBeNull();
  const left = await service.next();
  expect(left.question).toEndWith("key=10");
  end();
  expect(left.leaving.aborted).toBe(true);
});
