import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { Refusal } from "../../islands/browser/client.ts";
import { keepFresh } from "../../islands/trash/keep_fresh.ts";
import { DomPage, settled } from "../support/dom.ts";

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

const page = () => new DomPage('<p id="no-connection" hidden></p>', { path: "/trash" });

test("looks every 30 seconds, not while hidden, and at once when it is looked at again", async () => {
  await using dom = page();
  let looks = 0;
  const end = keepFresh(dom.page, async () => {
    looks++;
  });
  const pass = async (ms: number) => {
    jest.advanceTimersByTime(ms);
    await settled();
    return looks;
  };
  expect(await pass(29_999)).toBe(0);
  expect(await pass(1)).toBe(1);
  expect(await pass(30_000)).toBe(2);
  dom.hide(true);
  expect(await pass(90_000)).toBe(2);
  dom.hide(false);
  expect(await pass(0)).toBe(3);
  expect(await pass(30_000)).toBe(4);
  end();
  dom.hide(false);
  expect(await pass(90_000)).toBe(4);
});

test("says when the service does not answer, and that it does again", async () => {
  await using dom = page();
  const answers = [new Refusal("NO_CONNECTION", ""), new Refusal("UNKNOWN", ""), null];
  const end = keepFresh(dom.page, async () => {
    const answer = answers.shift() ?? null;
    if (answer) throw answer;
  });
  const isSaid: boolean[] = [];
  for (let look = 0; look < 3; look++) {
    jest.advanceTimersByTime(30_000);
    await settled();
    isSaid.push(!dom.get("no-connection").hidden);
  }
  end();
  expect(isSaid).toEqual([true, true, false]);
});
