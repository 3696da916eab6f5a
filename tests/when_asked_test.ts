import { expect, test } from "bun:test";
import { whenAsked } from "../server/when_asked.ts";

test("is opened once, by the first who asks, though others ask meanwhile", async () => {
  let opens = 0;
  const opening = Promise.withResolvers<string>();
  const asked = whenAsked(() => {
    opens++;
    return opening.promise;
  });
  expect([opens, asked.opened, await asked.ifAsked()]).toEqual([0, null, null]);
  const answers = Promise.all([asked(), asked(), asked.ifAsked()]);
  expect([opens, asked.opened]).toEqual([1, null]);
  opening.resolve("open");
  expect(await answers).toEqual(["open", "open", "open"]);
  expect([opens, asked.opened, await asked()]).toEqual([1, "open", "open"]);
});

test("a failure is told to all who ask, and stays", async () => {
  let opens = 0;
  const asked = whenAsked(async () => {
    opens++;
    throw new Error("it cannot be read");
  });
  for (const ask of [asked, asked.ifAsked]) await expect(ask()).rejects.toThrow("it cannot be read");
  expect([opens, asked.opened]).toEqual([1, null]);
});
