import { afterEach, describe, expect, test } from "bun:test";
import { FasterClock } from "../../../server/dashcam/simulator/faster_clock.ts";
import { live } from "../../../server/dashcam/simulator/live.ts";
import { LivingCard } from "../../../server/dashcam/simulator/living_card.ts";
import { syntheticFootage } from "../../../server/dashcam/simulator/simulated_card.ts";
import { type LifeEvent, SimulatedLife } from "../../../server/dashcam/simulator/simulated_life.ts";
import type { Overwriting } from "../../../server/dashcam/simulator/simulated_loop.ts";
import { openSimulator, type Simulator } from "../../../server/dashcam/simulator/simulator.ts";
import { GENERATION_NAMES } from "../../../server/dashcam/simulator/simulator_generation.ts";
import { parseListing } from "../../../server/domain/recordings/camera_listing.ts";
import { parseVodList } from "../../../server/domain/recordings/v1009_list.ts";
import { FakeClock } from "../../support/app/clock.ts";

const OFFSET_MINUTES = 60;
const HOUR = 3_600_000;
/** Sunday noon, in the camera's wall time. */
const FROM = Date.UTC(2026, 10, 8, 12);

const life = new SimulatedLife("weekday", "one");
const cardOf = (recordings: number, overwriting: Overwriting = "oldest") =>
  new LivingCard({
    life,
    until: FROM,
    recordings,
    overwriting,
    footage: syntheticFootage(2000),
    offsetMinutes: OFFSET_MINUTES,
  });

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A camera that lives by a clock which stands still; `next` lets time pass up to the next event and returns it. */
async function living(generation: Simulator["generation"], card: LivingCard) {
  const clock = new FakeClock(FROM - OFFSET_MINUTES * 60_000);
  const simulator = await openSimulator({ card: card.card, generation });
  const ending = new AbortController();
  const coming = life.events(FROM);
  let told = Promise.withResolvers<LifeEvent>();
  const ended = live(
    {
      simulator,
      life,
      card,
      clock,
      offsetMinutes: OFFSET_MINUTES,
      from: FROM,
      rateOf: (share) => share * 1e9,
      onEvent: (event) => told.resolve(event),
    },
    ending.signal,
  );
  closing.push(async () => {
    ending.abort();
    await ended;
    await simulator.close();
  });
  async function next(): Promise<LifeEvent> {
    const wanted = coming.next().value;
    told = Promise.withResolvers();
    let reached = false;
    void told.promise.then(() => {
      reached = true;
    });
    // The camera closes connections before it sleeps again, so its time is let pass in steps.
    while (!reached) {
      const left = wanted.at - OFFSET_MINUTES * 60_000 - clock.now();
      if (left > 0 && clock.sleeping > 0) await clock.advance(Math.min(left, HOUR));
      else await new Promise((resolve) => setImmediate(resolve));
    }
    expect(clock.now() + OFFSET_MINUTES * 60_000).toBe(wanted.at);
    return told.promise;
  }
  return { simulator, next };
}

async function namesOn({ url, generation }: Simulator): Promise<string[]> {
  const answer = await fetch(`${url}${generation === "legacy" ? "/blackvue_vod.cgi" : "/vodList"}`);
  const text = await answer.text();
  return (generation === "legacy" ? parseListing(text) : parseVodList(text)).files.map(({ name }) => name);
}

const isReachable = ({ url }: Simulator) =>
  fetch(`${url}/accessible`).then(
    () => true,
    () => false,
  );

describe.each(GENERATION_NAMES)("a living camera that speaks %s", (generation) => {
  test("answers while the car is at home, at that visit's rate, and refuses connections while it is not", async () => {
    const { simulator, next } = await living(generation, cardOf(40));
    let turns = 0;
    for (let isHere = life.isHere(FROM); turns < 4; ) {
      const event = await next();
      if (event.kind === "recorded") continue;
      expect(event.kind).toBe(isHere ? "leaves" : "arrives");
      if (event.kind === "arrives") expect(simulator.rate).toBe(event.rateShare * 1e9);
      isHere = !isHere;
      expect(await isReachable(simulator)).toBe(isHere);
      turns++;
    }
  });

  test("has the latest recordings on its full card, and 404 for what was overwritten", async () => {
    const card = cardOf(40);
    const { simulator, next } = await living(generation, card);
    const before = card.card.videos();
    expect(before).toHaveLength(40);
    const recorded: string[] = [];
    for (let event = await next(); event.kind !== "arrives" || recorded.length < 10; event = await next())
      if (event.kind === "recorded")
        for (const direction of "FR")
          recorded.push(`${event.moment.base}_${event.moment.type}${direction}${event.moment.flag}.mp4`);
    const now = [...before, ...recorded].slice(-40);
    expect(await namesOn(simulator)).toEqual(now);
    const video = (name: string) => fetch(`${simulator.url}${generation === "legacy" ? "/Record" : ""}/${name}`);
    expect((await video(before[0] ?? "")).status).toBe(404);
    const latest = await video(now.at(-1) ?? "");
    expect([latest.status, (await latest.arrayBuffer()).byteLength]).toEqual([200, 2000]);
    // Companions go with their videos.
    expect(card.card.names().filter((name) => !now.some((other) => other.startsWith(name.slice(0, 15))))).toEqual([]);
  });
});

test("A card with shares keeps events for longer than the drives around them", () => {
  const oldest = (card: LivingCard, types: RegExp) => card.card.videos().find((name) => types.test(name)) ?? "";
  const [plain, shared] = [cardOf(200), cardOf(200, "quotas")];
  expect(shared.card.videos().length).toBeLessThanOrEqual(200);
  expect(oldest(shared, /_[EMI]F/) < oldest(plain, /_[EMI]F/)).toBe(true);
  expect(oldest(shared, /_NF/) > oldest(shared, /_[EMI]F/)).toBe(true);
});

test("The telemetry of a long drive goes on from minute to minute", async () => {
  const card = cardOf(400).card;
  const minutes = card.names().filter((name) => /_[NEM]L?\.gps$/.test(name));
  const fixes = async (name: string) =>
    new TextDecoder()
      .decode(await card.bytes(name))
      .split("\r\n")
      .flatMap((line) => /\$GNRMC,[^,]+,A,([0-9.]+),S,([0-9.]+),W/.exec(line)?.slice(1).map(Number) ?? []);
  // The latest place of each minute is within some metres of the first of the other.
  const minuteOf = (name: string) => Date.parse(name.replace(/^(....)(..)(..)_(..)(..)(..).*/, "$1-$2-$3T$4:$5:$6Z"));
  const pairs = minutes.flatMap((name, index) => {
    const next = minutes[index + 1];
    return next !== undefined && minuteOf(next) - minuteOf(name) === 60_000 ? [[name, next] as const] : [];
  });
  expect(pairs.length).toBeGreaterThan(50);
  let joined = 0;
  for (const [one, other] of pairs.slice(-30)) {
    const [before, after] = [await fixes(one), await fixes(other)];
    // In a tunnel there are none.
    if (before.length < 120 || after.length < 120) continue;
    const [lastLatitude = 0, lastLongitude = 0] = before.slice(-2);
    const [latitude = 0, longitude = 0] = after;
    // A hundredth of a minute of arc is 19 metres.
    expect(Math.abs(latitude - lastLatitude) + Math.abs(longitude - lastLongitude)).toBeLessThan(0.05);
    joined++;
  }
  expect(joined).toBeGreaterThan(10);
});

test("A faster clock catches up with the other one, and is that one from then on", async () => {
  const clock = new FakeClock(FROM);
  const faster = new FasterClock(clock, 600, FROM - 24 * HOUR);
  expect([faster.now(), faster.speed]).toEqual([FROM - 24 * HOUR, 600]);
  clock.pass(60_000);
  expect(faster.now()).toBe(FROM - 14 * HOUR);
  let awake = false;
  const sleeping = faster.sleep(HOUR).then(() => {
    awake = true;
  });
  await clock.advance(5999);
  expect(awake).toBe(false);
  await clock.advance(1);
  await sleeping;
  clock.pass(90_000);
  expect([faster.now(), faster.speed]).toEqual([clock.now(), 1]);
  clock.pass(1000);
  expect(faster.now()).toBe(clock.now());
});
