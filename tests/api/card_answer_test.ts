import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import type { Coverage } from "../../server/domain/coverage/coverage_schema.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { FakeClock } from "../support/app/clock.ts";
import { driveNames, writeLedger } from "../support/app/written_ledger.ts";

setDefaultTimeout(20_000);

const NOW = Date.parse("2026-11-21T07:51:00Z");
let app: RunningApp;
beforeEach(async () => {
  app = await startApp({ clock: new FakeClock(NOW), settings: { retention: { keep: "" } } });
  await app.client.open("/");
});
afterEach(() => app[Symbol.asyncDispose]());

async function totals(): Promise<Partial<Coverage["totals"]>> {
  const found = (await (await app.client.fetch("/api/coverage")).json()) as Coverage;
  return found.totals;
}

test.each([
  ["formatted", { lost: 0, deleted: 10, coming: 0 }],
  ["other_card", { lost: 0, deleted: 0, coming: 10 }],
  ["lost", { lost: 10, deleted: 0, coming: 0 }],
] as const)("the answer %s decides what has become of the recordings, once", async (answer, counts) => {
  const names = driveNames("2026-11-21T07:00:00", 5);
  const waiting = names.map((name) => ({ name, state: "coming" as const }));
  await writeLedger(app, waiting, { since: "2026-11-01", asks: "formatted" });
  expect(await totals()).toMatchObject({ lost: 0, deleted: 0, coming: 10 });
  const given = await app.client.send("POST", "/api/card/answer", { answer });
  expect([given.status, await given.json()]).toEqual([200, { answered: true }]);
  expect(await totals()).toMatchObject(counts);
  const again = await app.client.send("POST", "/api/card/answer", { answer: "lost" });
  expect([again.status, await again.json()]).toEqual([409, expect.objectContaining({ code: "NOTHING_ASKED" })]);
});

test("an answer to no question, and one that there is not, are refused", async () => {
  const send = async (body: unknown) => {
    const given = await app.client.send("POST", "/api/card/answer", body);
    const { code, error } = (await given.json()) as { code: string; error: string };
    return [given.status, code, error];
  };
  expect(await send({ answer: "lost" })).toEqual([409, "NOTHING_ASKED", "Nothing is asked about the card"]);
  expect(await send({ answer: "stolen" })).toEqual([
    422,
    "VALIDATION_ERROR",
    "Send answer: formatted, other_card or lost",
  ]);
});
