import { describe, expect, test } from "bun:test";
import { Finishing } from "../../../server/engine/transfer/finishing_queue.ts";

const MB = 1024 * 1024;

/** Works that end when they are told to. */
class Works {
  readonly begun: number[] = [];
  readonly #ends: (() => void)[] = [];
  readonly #fails: ((error: unknown) => void)[] = [];

  next(): () => Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const at = this.#ends.push(resolve) - 1;
    this.#fails.push(reject);
    return () => {
      this.begun.push(at);
      return promise;
    };
  }
  end(at: number): void {
    this.#ends[at]?.();
  }
  fail(at: number, error: unknown): void {
    this.#fails[at]?.(error);
  }
}

/** Lets everything happen that can happen without another step of a test. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
}

/** True when a promise has resolved by now. */
async function isKept(promise: Promise<unknown>): Promise<boolean> {
  let kept = false;
  void promise.then(() => {
    kept = true;
  });
  await settle();
  return kept;
}

describe("files on their way to the disk", () => {
  test("are begun at once, while the caller goes on", async () => {
    const finishing = new Finishing();
    const works = new Works();
    for (let at = 0; at < 3; at++) await finishing.add(MB, works.next());
    await settle();
    expect(works.begun).toEqual([0, 1, 2]);
    for (let at = 0; at < 3; at++) works.end(at);
    await finishing.drain();
  });

  test("are sixteen at most: the seventeenth waits for any of them", async () => {
    const finishing = new Finishing();
    const works = new Works();
    for (let at = 0; at < 16; at++) await finishing.add(1, works.next());
    const late = finishing.add(1, works.next());
    expect(await isKept(late)).toBe(false);
    expect(works.begun).toHaveLength(16);
    works.end(7);
    await late;
    await settle();
    expect(works.begun.at(-1)).toBe(16);
  });

  test("are 64 MB at most: one more waits, a small one does not", async () => {
    const finishing = new Finishing();
    const works = new Works();
    await finishing.add(40 * MB, works.next());
    await finishing.add(24 * MB, works.next());
    const late = finishing.add(1, works.next());
    expect(await isKept(late)).toBe(false);
    works.end(0);
    expect(await isKept(late)).toBe(true);
    expect(await isKept(finishing.add(39 * MB, works.next()))).toBe(true);
  });

  test("may be one of any size when no other is", async () => {
    const finishing = new Finishing();
    const works = new Works();
    expect(await isKept(finishing.add(5000 * MB, works.next()))).toBe(true);
    const late = finishing.add(1, works.next());
    expect(await isKept(late)).toBe(false);
    works.end(0);
    expect(await isKept(late)).toBe(true);
  });

  test("are waited for by a drain, all of them", async () => {
    const finishing = new Finishing();
    const works = new Works();
    for (let at = 0; at < 3; at++) await finishing.add(1, works.next());
    const drained = finishing.drain();
    works.end(0);
    works.end(2);
    expect(await isKept(drained)).toBe(false);
    works.end(1);
    expect(await isKept(drained)).toBe(true);
    await finishing.drain();
  });

  test("end the run with the first error, and the others are finished all the same", async () => {
    const finishing = new Finishing();
    const works = new Works();
    for (let at = 0; at < 3; at++) await finishing.add(1, works.next());
    await settle();
    works.fail(1, new Error("the disk is full"));
    await settle();
    await expect(finishing.add(1, works.next())).rejects.toThrow("the disk is full");
    await settle();
    expect(works.begun).toEqual([0, 1, 2]);
    const drained = finishing.drain();
    works.fail(2, new Error("another"));
    await settle();
    let isOver = false;
    void drained.catch(() => {
      isOver = true;
    });
    await settle();
    expect(isOver).toBe(false);
    works.end(0);
    await expect(drained).rejects.toThrow("the disk is full");
  });

  test("that fail while another waits for room end its waiting", async () => {
    const finishing = new Finishing();
    const works = new Works();
    for (let at = 0; at < 16; at++) await finishing.add(1, works.next());
    const late = finishing.add(1, works.next());
    await settle();
    works.fail(3, new Error("the disk is full"));
    await expect(late).rejects.toThrow("the disk is full");
    await settle();
    expect(works.begun).toHaveLength(16);
  });
});
