import { expect, setDefaultTimeout, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import type { OffsiteState } from "../server/domain/offsite/offsite_schema.ts";
import { openFakeBucket } from "./support/app/fake_bucket.ts";
import { until } from "./support/app/http.ts";
import { temporaryPlace } from "./support/app/process.ts";
import { openSettings, putSettings, type Service, serve } from "./support/app/service.ts";

setDefaultTimeout(60_000);

const NAME = "20260603_100000_EF.mp4";
const BYTES = 30 * 1024 * 1024 + 17;

async function stateOf({ client }: Service): Promise<OffsiteState> {
  return (await (await client.fetch("/api/offsite")).json()) as OffsiteState;
}

test("a service that is killed while it sends goes on where it was, and the copy is whole", async () => {
  await using place = await temporaryPlace();
  await using fake = openFakeBucket();
  const content = randomBytes(BYTES);
  mkdirSync(place.at("recordings"), { recursive: true });
  writeFileSync(place.at("recordings", NAME), content);
  const { endpoint, bucket, region, accessKey, secretKey } = fake;
  const keys = { access_key: accessKey, secret_key: secretKey };
  const offsite = { endpoint, bucket, region, ...keys, what: "events", rate_limit: null };
  putSettings(place, openSettings("", { offsite }));
  const partsOf = (number: string) => fake.calls.filter(({ query }) => query.get("partNumber") === number).length;
  {
    // The third part never gets its answer, so the two before are known for sure.
    fake.instead = ({ query }) => (query.get("partNumber") === "3" ? new Promise(() => {}) : null);
    await using service = await serve(place);
    await until(() => partsOf("3") === 1, 20_000);
    // Disposing of a process is kill -9.
    await service[Symbol.asyncDispose]();
  }
  fake.instead = null;
  await using service = await serve(place);
  await until(() => fake.objects.size === 1, 20_000);
  expect(Buffer.from(fake.objects.get(NAME)?.bytes ?? []).equals(content)).toBe(true);
  expect(["1", "2", "3", "4"].map(partsOf)).toEqual([1, 1, 2, 1]);
  expect([fake.uploads.size, fake.objects.get(NAME)?.times]).toEqual([0, 1]);
  expect(readFileSync(place.at("recordings", NAME)).equals(content)).toBe(true);
  let state = await stateOf(service);
  while (state.state !== "idle") state = await stateOf(service);
  expect(state).toMatchObject({ sent: { recordings: 1, bytes: BYTES }, waiting: { recordings: 0 }, problem: null });
});
