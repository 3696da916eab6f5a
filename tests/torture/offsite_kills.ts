import { mkdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { bucketRefusal, cutAnswer, type FakeBucket, openFakeBucket } from "../support/app/fake_bucket.ts";
import { type Place, temporaryPlace } from "../support/app/process.ts";
import { differences, isAllSent, offsiteState, offsiteTo } from "../support/app/sending.ts";
import { call, openSettings, putSettings, type Service, serve } from "../support/app/service.ts";
import { listTree } from "../support/app/sync.ts";
import { Dice } from "./dice.ts";

const PASSPHRASE = "five words that are long";
const MIB = 1024 * 1024;
const DAY_MS = 86_400_000;
/** Lies in each recording again and again, and must be nowhere in what is encrypted. */
const PATTERN = Buffer.from("plain 0123456789");
const PATTERN_EVERY = 5000;
/** Longer than a life has to wait for anything but what was staged. */
const LIFE_MS = 20_000;

export interface KillRound {
  readonly kills: number;
  readonly cuts: number;
  /** Everything that is not as it should be. */
  readonly wrong: readonly string[];
}

/**
 * One life of an installation: it sends, and is killed, cut and ended at random; then there is peace, and a look at the
 * bucket. After that all of it is fetched back, with kills and cuts as well.
 */
export async function playKillRound(seed: number, lives = 3): Promise<KillRound> {
  const dice = new Dice(seed);
  const counts = { kills: 0, cuts: 0 };
  await using place = await temporaryPlace();
  await using fake = openFakeBucket();
  fake.pageLength = dice.chance(0.5) ? 3 : 1000;
  const passphrase = dice.chance(0.5) ? PASSPHRASE : null;
  const destination = place.at("recordings");
  for (let at = 0; at < 3; at++) putRecording(destination, dice, at);
  putSettings(place, openSettings("", { offsite: offsiteTo(fake, { passphrase }) }));
  let deleted = "";
  for (let life = 0; life < lives; life++) {
    await liveAndDie(place, fake, dice, counts);
    if (life === 0) putRecording(destination, dice, 10);
    // One that is half sent, where there is one.
    if (life === 1 && dice.chance(0.3)) deleted = deleteOne(destination, fake);
  }
  Object.assign(fake, { instead: null, after: null });
  // Uploads whose begin was never answered end after a day.
  for (const [id, upload] of fake.uploads) fake.uploads.set(id, { ...upload, begunAt: Date.now() - DAY_MS - 1000 });
  const wrong = await peace(place);
  // What has been deleted at home stays in the bucket.
  const gone = deleted + (passphrase === null ? "" : ".age");
  const times = fake.objects.get(gone)?.times ?? 1;
  if (times !== 1) wrong.push(`${gone} was stored ${times} times`);
  if (deleted !== "") fake.objects.delete(gone);
  wrong.push(...(await differences(fake, { destination }, { passphrase })));
  if (passphrase !== null && fake.calls.some(({ body }) => Buffer.from(body.buffer).includes(PATTERN)))
    wrong.push("plain bytes were sent");
  fake.calls.length = 0;
  wrong.push(...(await bringBack(place, fake, { dice, counts, passphrase })));
  return { ...counts, wrong };
}

function nameOf(at: number): string {
  return `202606${String(10 + at)}_100000_EF.mp4`;
}

/** Deletes the video of an upload that is not whole, else the first one. @returns its name */
function deleteOne(destination: string, fake: FakeBucket): string {
  const [upload] = fake.uploads.values();
  const name = upload?.key.replace(/\.age$/, "") ?? nameOf(0);
  unlinkSync(join(destination, name));
  return name;
}

function putRecording(destination: string, dice: Dice, at: number): void {
  mkdirSync(destination, { recursive: true });
  const content = Buffer.alloc(
    dice.chance(0.5) ? dice.whole(1, MIB) : dice.whole(7 * MIB, 18 * MIB),
    dice.whole(0, 255),
  );
  for (let place = 0; place < content.length; place += PATTERN_EVERY) {
    PATTERN.copy(content, place);
    content.writeUInt8(dice.whole(0, 255), Math.min(place + PATTERN.length, content.length - 1));
  }
  writeFileSync(join(destination, nameOf(at)), content);
  writeFileSync(join(destination, `${nameOf(at).slice(0, -5)}.gps`), nameOf(at));
}

/** A service that sends until it is killed at a request or after a time, or ended; connections break meanwhile. */
async function liveAndDie(place: Place, fake: FakeBucket, dice: Dice, counts: { kills: number; cuts: number }) {
  const { promise: dead, resolve: die } = Promise.withResolvers<void>();
  const share = dice.pick([0, 0.05, 0.2]);
  const atRequest = dice.chance(0.7) ? fake.calls.length + dice.whole(1, 20) : Number.POSITIVE_INFINITY;
  const isBefore = dice.chance(0.5);
  let service: Service | null = null;
  let isDead = false;
  const kill = () => {
    if (isDead || service === null) return;
    isDead = true;
    counts.kills += 1;
    process.kill(service.running.pid, "SIGKILL");
    die();
  };
  fake.instead = () => {
    if (isBefore && fake.calls.length >= atRequest) kill();
    if (isDead) return cutAnswer();
    if (!dice.chance(share)) return null;
    counts.cuts += 1;
    return dice.chance(0.7) ? cutAnswer() : bucketRefusal(503, "SlowDown");
  };
  fake.after = (_call, answer) => {
    if (!isBefore && fake.calls.length >= atRequest) kill();
    if (!isDead && !dice.chance(share)) return answer;
    counts.cuts += 1;
    return cutAnswer();
  };
  await using started = await serve(place);
  service = started;
  const isEnded = dice.chance(0.25);
  const timer = setTimeout(
    () => {
      if (isEnded && !isDead) started.running.signal("SIGTERM");
      else kill();
      die();
    },
    atRequest === Number.POSITIVE_INFINITY ? dice.whole(0, 1500) : 1500,
  );
  await dead;
  clearTimeout(timer);
  // Nothing of this life reaches the bucket any more.
  await started.running.ended.catch(() => {});
}

/** All goes well until nothing waits and all is compared. */
async function peace(place: Place): Promise<string[]> {
  await using service = await serve(place);
  const { client, running } = service;
  try {
    await client.open("/");
    const end = performance.now() + LIFE_MS;
    while (!isAllSent(await offsiteState(service)) && performance.now() < end)
      await client.send("POST", "/api/offsite/check");
    await client.send("POST", "/api/offsite/compare");
    const state = await offsiteState(service);
    return isAllSent(state) && state.problem === null ? [] : [`it does not end: ${JSON.stringify(state)}`];
  } catch (error) {
    const { code } = await running.ended.catch(() => ({ code: "none" }));
    return [`it ended with ${code}: ${error}\n${running.out}\n${running.err}`];
  }
}

interface Back {
  readonly dice: Dice;
  readonly counts: { kills: number; cuts: number };
  readonly passphrase: string | null;
}

/** Fetches all onto an empty folder; the command is killed and cut in the middle. */
async function bringBack(place: Place, fake: FakeBucket, { dice, counts, passphrase }: Back): Promise<string[]> {
  const folder = place.at("back");
  const { endpoint, bucket, region, accessKey, secretKey } = fake;
  const env = {
    SERVICE_OFFSITE_ENDPOINT: endpoint,
    SERVICE_OFFSITE_BUCKET: bucket,
    SERVICE_OFFSITE_REGION: region,
    SERVICE_OFFSITE_ACCESS_KEY: accessKey,
    SERVICE_OFFSITE_SECRET_KEY: secretKey,
    ...(passphrase !== null && { SERVICE_OFFSITE_PASSPHRASE: passphrase }),
  };
  const fetchBack = () => call(place, ["fetch-offsite", folder], { env });
  for (let life = dice.whole(0, 2); life > 0; life--) {
    const { promise: dead, resolve: die } = Promise.withResolvers<void>();
    const atRequest = fake.calls.length + dice.whole(1, 12);
    fake.after = ({ method, key }, answer) => {
      if (fake.calls.length >= atRequest) die();
      const isCut = method === "GET" && key !== "" && dice.chance(0.3);
      if (isCut) counts.cuts += 1;
      return isCut ? cutObject(answer, fake.objects.get(key)?.bytes.length ?? 0, dice) : answer;
    };
    await using running = fetchBack();
    const ended = running.ended.then(
      () => false,
      () => false,
    );
    const isKilled = await Promise.race([dead.then(() => true), ended]);
    // A moment in which the answer is on its way.
    if (isKilled) {
      await Bun.sleep(dice.whole(0, 20));
      counts.kills += 1;
      // It may have ended by itself in the meantime.
      await running[Symbol.asyncDispose]();
    }
    await ended;
  }
  fake.after = null;
  await using last = fetchBack();
  const { code, err } = await last.ended;
  const wrong: string[] = [];
  // All was there already when the one before had come to its end.
  if (code !== 0 && !(code === 2 && err.includes("is not empty"))) wrong.push(`fetching ended with ${code}: ${err}`);
  const home = listTree(place.at("recordings")).filter((path) => !path.startsWith("."));
  const back = listTree(folder);
  if (back.join() !== home.join()) wrong.push(`it brought back ${back.join(", ")} of ${home.join(", ")}`);
  for (const path of back)
    if (home.includes(path) && !readFileSync(join(folder, path)).equals(readFileSync(place.at("recordings", path))))
      wrong.push(`${path} came back with other bytes`);
  return wrong;
}

/** An answer that breaks off in the middle of an object. */
function cutObject(answer: Response, length: number, dice: Dice): Response {
  const reader = answer.body?.getReader();
  let left = dice.whole(0, length);
  const body = new ReadableStream({
    async pull(stream) {
      const next = await reader?.read();
      if (!next || next.done || next.value.length > left) return stream.error(undefined);
      left -= next.value.length;
      stream.enqueue(next.value);
    },
  });
  return new Response(body, { status: answer.status, headers: answer.headers });
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { rounds: { type: "string" }, seed: { type: "string" } } });
  const rounds = Number(values.rounds ?? 300);
  const first = Number(values.seed ?? Math.floor(Math.random() * 1e9));
  const total = { kills: 0, cuts: 0, bad: 0 };
  for (let seed = first; seed < first + rounds; seed++) {
    const { kills, cuts, wrong } = await playKillRound(seed);
    for (const one of wrong) console.log(`Round with seed ${seed}: ${one}`);
    total.kills += kills;
    total.cuts += cuts;
    if (wrong.length > 0) total.bad += 1;
  }
  console.log(`Seed ${first}: ${rounds} rounds, ${total.kills} kills, ${total.cuts} cuts, ${total.bad} rounds wrong`);
  process.exit(total.bad === 0 ? 0 : 1);
}
