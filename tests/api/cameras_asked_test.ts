import { expect, test } from "bun:test";
import { answersOf } from "../../server/api/cameras_asked.ts";
import type { App } from "../../server/app.ts";
import { AppError } from "../../server/domain/answers/errors.ts";

const apps = ["main", "van"].map((id) => ({ camera: { id, name: id, letter: "" } })) as unknown as readonly App[];
const refusal = new AppError("SYNC_ALREADY_RUNNING", "A sync is running already");

test("of all cameras, those that refuse are left out, and an error of the program is not taken for a refusal", async () => {
  const of = (reasons: Readonly<Record<string, Error>>) =>
    answersOf(apps, async ({ camera: { id } }) => {
      if (reasons[id]) throw reasons[id];
      return 1;
    });
  expect(await of({ van: refusal })).toEqual([{ camera: "main", answer: 1 }]);
  await expect(of({ main: refusal, van: refusal })).rejects.toBe(refusal);
  const broken = new Error("the database is broken");
  await expect(of({ van: broken })).rejects.toBe(broken);
});
