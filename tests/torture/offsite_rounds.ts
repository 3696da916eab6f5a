import { parseArgs } from "node:util";
import { type RunningApp, startApp } from "../support/app/app.ts";
import {
  type BucketCall,
  bucketRefusal,
  cutAnswer,
  type FakeBucket,
  openFakeBucket,
  otherTag,
} from "../support/app/fake_bucket.ts";
import { FastClock } from "../support/app/fast_clock.ts";
import { House, put } from "../support/app/held.ts";
import { differences } from "../support/app/sending.ts";

/** So many times as fast as usual, waits between tries are short. */
const FAST = 100;
const PASSPHRASE = "five words that are long";
const MIB = 1024 * 1024;

/** Numbers between 0 and 1 that a seed decides. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Faults of a bucket, at random: refusals, cuts, lost answers, lost parts, wrong tags, uploads that end. */
function troubled(fake: FakeBucket, random: () => number, share: number): void {
  const pick = <T>(some: readonly T[]): T => some[Math.floor(random() * some.length)] as T;
  fake.instead = (call: BucketCall) => {
    if (random() > share) return null;
    const isObject = call.key !== "";
    const staged = pick([
      "500",
      "503",
      "cut",
      "403",
      "html",
      "slow",
      "lost part",
      "no upload",
      "redirect",
      "clock",
    ] as const);
    if (staged === "500") return bucketRefusal(500, "InternalError");
    if (staged === "503") return bucketRefusal(503, "SlowDown");
    if (staged === "403") return bucketRefusal(403, "AccessDenied");
    if (staged === "clock") return bucketRefusal(403, "RequestTimeTooSkewed");
    if (staged === "html") return new Response("<!doctype html>", { headers: { "content-type": "text/html" } });
    if (staged === "redirect") return new Response(null, { status: 302, headers: { location: fake.endpoint } });
    if (staged === "slow")
      return new Promise((resolve) => setTimeout(() => resolve(bucketRefusal(503, "SlowDown")), 20));
    if (staged === "lost part" && isObject) {
      for (const { parts } of fake.uploads.values()) parts.delete(pick([...parts.keys(), 0]));
      return null;
    }
    if (staged === "no upload" && isObject && random() < 0.3) {
      fake.uploads.clear();
      return null;
    }
    return staged === "cut" ? cutAnswer() : null;
  };
  fake.after = (_call, answer) => {
    if (random() > share) return answer;
    const staged = pick(["lost", "other tag", "cut"] as const);
    if (staged === "lost") return bucketRefusal(500, "InternalError");
    if (staged === "cut") return cutAnswer();
    return otherTag(answer);
  };
}

/** One life of a bucket: troubles and restarts, then peace, and a look at all of it. @returns what is not right */
async function round(seed: number): Promise<string[]> {
  const random = randomOf(seed);
  await using fake = openFakeBucket();
  using house = new House();
  const clock = new FastClock(FAST);
  fake.now = clock.now;
  const passphrase = random() < 0.3 ? PASSPHRASE : null;
  for (let at = 0; at < 3 + Math.floor(random() * 4); at++) {
    const name = `202606${String(10 + at)}_100000_EF`;
    const size = random() < 0.5 ? Math.floor(random() * 25 * MIB) : Math.floor(random() * MIB);
    const content = Buffer.alloc(size);
    for (let byte = 0; byte < size; byte += 997) content[byte] = Math.floor(random() * 256);
    put(house, [`${name}.mp4`], content);
    put(house, [`${name.slice(0, -1)}.gps`], Buffer.from(name));
  }
  const { endpoint, bucket, region, accessKey, secretKey } = fake;
  const keys = { access_key: accessKey, secret_key: secretKey };
  const offsite = { endpoint, bucket, region, ...keys, what: "events" as const, passphrase };
  const start = async (): Promise<RunningApp> => {
    const app = await startApp({ folder: house.folder, clock, settings: { offsite } });
    await app.app.library.refresh();
    app.app.offsite.start();
    return app;
  };
  troubled(fake, random, 0.05 + random() * 0.3);
  for (let life = 0; life < 3; life++) {
    await using app = await start();
    for (let look = 0; look < 3; look++) {
      await Bun.sleep(random() * 150);
      if (random() < 0.3) app.app.offsite.compare().catch(() => {});
    }
  }
  fake.instead = null;
  fake.after = null;
  // As a user would: the keys are right, and all is tried again. Uploads that no one knows end after a day.
  for (const [id, upload] of fake.uploads) fake.uploads.set(id, { ...upload, begunAt: clock.now() - 90_000_000 });
  {
    await using app = await start();
    for (let look = 0; look < 400; look++) {
      await app.app.offsite.check();
      const { state, waiting } = app.app.offsite.state;
      if (state === "idle" && waiting.bytes === 0) break;
    }
    await app.app.offsite.compare();
    if (app.app.offsite.state.state !== "idle") return [`it does not end: ${JSON.stringify(app.app.offsite.state)}`];
  }
  return await differences(fake, house, { passphrase });
}

const { values } = parseArgs({ options: { rounds: { type: "string" }, seed: { type: "string" } } });
const rounds = Number(values.rounds ?? 300);
const first = Number(values.seed ?? Math.floor(Math.random() * 1e9));
console.log(`Seed ${first}`);
let bad = 0;
for (let at = 0; at < rounds; at++) {
  const wrong = await round(first + at);
  for (const one of wrong) console.log(`Round with seed ${first + at}: ${one}`);
  if (wrong.length > 0) bad += 1;
}
console.log(`${rounds} rounds, ${bad} of them wrong`);
process.exit(bad === 0 ? 0 : 1);
