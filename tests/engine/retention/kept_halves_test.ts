import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { SimulatedCard } from "../../../server/dashcam/simulator/simulated_card.ts";
import type { Settings } from "../../../server/domain/settings/settings.ts";
import type { RunningApp } from "../../support/app/app.ts";
import { DAY, House, KEEPING, put, run, send } from "../../support/app/held.ts";
import { cardOf } from "../../support/app/sync.ts";

setDefaultTimeout(30_000);

/** Seven minutes of one trip, past their keep time. */
const BASES = Array.from({ length: 7 }, (_, at) => `20260401_100${at}00`);
const KEY = `${BASES[3]}_N`;
const SIZE = 40_000;

/** Fronts at home, of the rears the first half. */
async function halved(
  house: House,
  type: (at: number) => string,
  retention: Partial<Settings["retention"]> = {},
): Promise<{ running: RunningApp; card: SimulatedCard }> {
  const card = cardOf(
    BASES.flatMap((base, at) => ["F", "R"].map((direction) => `${base}_${type(at)}${direction}.mp4`)),
    SIZE,
  );
  for (const [at, base] of BASES.entries()) {
    const rear = `${base}_${type(at)}R.mp4`;
    put(house, [`${base}_${type(at)}F.mp4`]);
    writeFileSync(join(house.destination, `.${rear}`), (await card.bytes(rear)).subarray(0, SIZE / 2));
  }
  const settings = { retention: { ...KEEPING.settings.retention, ...retention }, schedule: { paused: true } };
  return { running: await house.start({ card, settings }), card };
}

const isHere = ({ destination }: House, name: string) => existsSync(join(destination, name));
const rearsHere = (house: House, type: (at: number) => string, mark = "") =>
  BASES.filter((base, at) => isHere(house, `${mark}${base}_${type(at)}R.mp4`));

describe("what no rule may delete", () => {
  const normal = () => "N";
  const event = (at: number) => (at === 3 ? "E" : "N");

  test("of a kept recording what is missing comes, whatever its age, and its beginning is continued", async () => {
    using house = new House();
    const { running, card } = await halved(house, normal);
    await using _ = running;
    expect((await send(running, "PUT", `/api/recordings/${KEY}/keep`)).status).toBe(200);
    await run(running);
    expect(rearsHere(house, normal)).toEqual([BASES[3] ?? ""]);
    expect(rearsHere(house, normal, ".")).toEqual([]);
    expect(readFileSync(join(house.destination, `${KEY}R.mp4`)).equals(await card.bytes(`${KEY}R.mp4`))).toBe(true);
    for (const companion of [`${KEY}F.thm`, `${KEY}R.thm`, `${KEY}.gps`, `${KEY}.3gf`])
      expect([companion, isHere(house, companion)]).toEqual([companion, true]);
    const ranges = running.simulator.requests.filter(({ path }) => path.includes(`${KEY}R.mp4`));
    expect(ranges.map(({ range }) => range)).toContain(`bytes=${SIZE / 2}-`);
    expect((await running.app.listed.counts())?.waiting).toBe(0);
  });

  test("its beginning stays while the camera does not list it, and while the list of marks cannot be read", async () => {
    using house = new House();
    const { running, card } = await halved(house, normal);
    await using _ = running;
    await send(running, "PUT", `/api/recordings/${KEY}/keep`);
    for (const name of card.names()) if (name.startsWith(KEY)) card.remove(name);
    const list = join(house.destination, ".dashdock", "kept.json");
    const text = await Bun.file(list).text();
    for (const broken of ["", null]) {
      if (broken === null) rmSync(list);
      else writeFileSync(list, broken);
      await run(running);
      expect(rearsHere(house, normal, ".")).toEqual(BASES);
    }
    mkdirSync(dirname(list), { recursive: true });
    writeFileSync(list, text);
    await run(running);
    expect(rearsHere(house, normal, ".")).toEqual([BASES[3] ?? ""]);
  });

  test("so does what is around a kept event, and it comes", async () => {
    using house = new House();
    const { running } = await halved(house, event, { event_context: 2 });
    await using _ = running;
    await send(running, "PUT", `/api/recordings/${BASES[3]}_E/keep`);
    await run(running);
    expect(rearsHere(house, event)).toEqual(BASES.slice(1, 6));
    expect(rearsHere(house, event, ".")).toEqual([]);
    // Files that came stay.
    house.clock.pass(DAY);
    await run(running);
    expect(rearsHere(house, event)).toEqual(BASES.slice(1, 6));
  });

  test("so do beginnings around an event that is kept longer", async () => {
    using house = new House();
    const { running } = await halved(house, event, { keep_event: "always" });
    await using _ = running;
    await run(running);
    expect(rearsHere(house, event)).toEqual(BASES.slice(2, 5));
  });
});
