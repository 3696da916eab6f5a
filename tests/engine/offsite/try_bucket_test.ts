import { expect, setDefaultTimeout, test } from "bun:test";
import type { OffsiteChoices, OffsiteTest } from "../../../server/domain/offsite/offsite_schema.ts";
import { startApp } from "../../support/app/app.ts";
import { bucketRefusal, openFakeBucket } from "../../support/app/fake_bucket.ts";
import { House } from "../../support/app/held.ts";
import { offsiteTo } from "../../support/app/sending.ts";

setDefaultTimeout(30_000);

test("the bucket is tried step by step, each failure says what to do, and nothing stays there", async () => {
  await using fake = openFakeBucket();
  await using app = await startApp({ settings: { offsite: offsiteTo(fake, { what: "kept" }) } });
  await app.client.open("/");
  const tried = async () => {
    const answer = await app.client.send("POST", "/api/offsite/test");
    expect(answer.status).toBe(200);
    return ((await answer.json()) as OffsiteTest).steps;
  };
  const states = async () => (await tried()).map(({ name, state }) => `${name} ${state}`);
  expect(await states()).toEqual(["reach attention", "sign-in fine", "write fine", "resume fine"]);
  expect([fake.uploads.size, fake.objects.size]).toEqual([0, 0]);
  fake.instead = ({ method }) => (method === "PUT" ? bucketRefusal(403, "AccessDenied") : null);
  const refused = await tried();
  expect(refused.map(({ state }) => state)).toEqual(["attention", "fine", "failed", "not-asked"]);
  expect(refused[2]?.finding).toStartWith("This key may not do that.");
  fake.instead = () => bucketRefusal(403, "InvalidAccessKeyId");
  expect(await states()).toEqual(["reach fine", "sign-in failed", "write not-asked", "resume not-asked"]);
  fake.instead = ({ method, query }) =>
    method === "GET" && query.has("uploadId") ? bucketRefusal(501, "NotImplemented") : null;
  expect(await states()).toEqual(["reach attention", "sign-in fine", "write fine", "resume attention"]);
  await app.client.send("PATCH", "/api/settings/offsite", { bucket: "" });
  expect((await tried())[0]).toMatchObject({ state: "failed", finding: expect.stringContaining("is not set") });
  expect(fake.uploads.size).toBe(0);
});

test("each choice of what goes is counted", async () => {
  const FILES = ["20260601_100000_EF.mp4", "20260601_100000_EF.thm", "20260602_100000_NF.mp4"];
  using house = new House(FILES);
  await using app = await startApp({ folder: house.folder });
  await app.client.open("/");
  const { kept, events, all } = (await (await app.client.fetch("/api/offsite/choices")).json()) as OffsiteChoices;
  expect([kept, events.recordings, all.recordings]).toEqual([{ recordings: 0, bytes: 0 }, 1, 2]);
  expect(all.bytes).toBeGreaterThan(events.bytes);
});
