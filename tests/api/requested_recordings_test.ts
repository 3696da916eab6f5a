import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SimulatedCard, syntheticFootage } from "../../server/dashcam/simulator/simulated_card.ts";
import { type AppOptions, type RunningApp, startApp } from "../support/app/app.ts";
import { onBothInterfaces } from "../support/app/interfaces.ts";

setDefaultTimeout(60_000);

const keyOf = (minute: number) => `20260607_10${minute}00_N`;
const MINUTES = [10, 11, 12, 13, 14];
const settings = { retention: { keep: "" }, sync: { skip_metadata: ["t", "3", "g"] as const } };

/** Five recordings, the second with two cameras. */
function filled(): SimulatedCard {
  const card = new SimulatedCard(syntheticFootage(60_000));
  for (const minute of MINUTES) card.record(`${keyOf(minute)}F.mp4`);
  card.record(`${keyOf(11)}R.mp4`);
  return card;
}

onBothInterfaces((generation) => {
  /** A service whose camera was listed once, and then drove off before anything came. */
  async function listed(chosen: NonNullable<AppOptions["settings"]> = settings): Promise<RunningApp> {
    const running = await startApp({ settings: chosen, generation, card: filled() });
    const { app, simulator } = running;
    simulator.fault({ name: "never-answers", match: /\.mp4$/ });
    app.job.start("manual");
    await simulator.asked(/\.mp4$/);
    app.job.stop();
    await app.job.ended();
    simulator.clearFaults();
    simulator.requests.length = 0;
    await running.client.open("/");
    return running;
  }

  /** The videos that a run asks for, in order. */
  async function run({ app, simulator }: RunningApp): Promise<string[]> {
    simulator.requests.length = 0;
    app.job.start("manual");
    await app.job.ended();
    const names = simulator.requests.map(({ path }) => /10([0-9]{2})00_N[FR](?=\.mp4$)/.exec(path)?.[0] ?? "");
    return [...new Set(names.filter((name) => name !== ""))].map((name) => name.replace("00_N", ""));
  }

  async function send({ client }: RunningApp, method: string, path: string, keys: unknown) {
    const answer = await client.send(method, path, { keys });
    return [answer.status, await answer.json()];
  }

  const states = ({ app }: RunningApp) =>
    app.coming.all().map(({ key, state, position }) => [key.slice(11, 13), state, position] as const);

  test("what is asked for comes first with the next run, also after a restart, and the wish ends with it", async () => {
    await using first = await listed();
    expect(await send(first, "POST", "/api/sync/prioritize", [keyOf(13), keyOf(12)])).toEqual([202, { queued: 2 }]);
    const order = [
      [10, 3],
      [11, 4],
      [12, 2],
      [13, 1],
      [14, 5],
    ];
    expect(states(first)).toEqual(order.map(([minute, place]) => [String(minute), "waiting", place ?? null]));
    await first.stop();
    await first.simulator.comeBack();
    await using running = await startApp({ settings, generation, card: first.simulator.card, folder: first.folder });
    running.simulator.requests.length = 0;
    // The list is of the camera's address: the next run reads it anew.
    expect(await run(running)).toEqual(["1013F", "1012F", "1010F", "1011F", "1011R", "1014F"]);
    expect(JSON.parse(readFileSync(join(first.folder, "config", "wishes.json"), "utf8"))).toEqual({
      first: [],
      unwanted: [],
    });
  });

  test("what is asked for while a run brings something else comes after that, before all others", async () => {
    await using running = await listed();
    const { app, simulator } = running;
    simulator.fault({ name: "silence", match: /101000_NF\.mp4$/, after: 1000, value: 100 });
    app.job.start("manual");
    await simulator.asked(/101000_NF\.mp4$/);
    expect(states(running)).toEqual([
      ["10", "now", null],
      ...[11, 12, 13, 14].map((minute, at) => [String(minute), "waiting", at + 1] as const),
    ]);
    expect(await send(running, "POST", "/api/sync/prioritize", [keyOf(14), keyOf(14)])).toEqual([202, { queued: 1 }]);
    expect(app.coming.of(keyOf(14))).toMatchObject({ state: "waiting", position: 1 });
    await app.job.ended();
    const names = simulator.requests.map(({ path }) => path).filter((path) => path.endsWith(".mp4"));
    expect([...new Set(names.map((path) => path.slice(-13, -7)))]).toEqual(
      [10, 14, 11, 12, 13].map((minute) => `10${minute}00`),
    );
  });

  test("what is not needed is never asked for, counts as not chosen, and comes when it is wanted after all", async () => {
    await using running = await listed();
    const { app } = running;
    expect(await send(running, "POST", "/api/sync/unwanted", [keyOf(11), keyOf(12)])).toEqual([200, { unwanted: 2 }]);
    expect(states(running).map(([, state]) => state)).toEqual([
      "waiting",
      "unwanted",
      "unwanted",
      "waiting",
      "waiting",
    ]);
    expect(app.listed.known).toMatchObject({ chosen: 3, waiting: 3, left_out: { selection: 3 } });
    expect(await run(running)).toEqual(["1010F", "1013F", "1014F"]);
    expect(await run(running)).toEqual([]);
    expect(app.listed.known).toMatchObject({ chosen: 3, home: 3, waiting: 0 });
    expect(app.history.latest()).toMatchObject({ leftOut: { selection: 3 } });
    expect(await send(running, "DELETE", "/api/sync/unwanted", [keyOf(11)])).toEqual([200, { unwanted: 1 }]);
    expect(await run(running)).toEqual(["1011F", "1011R"]);
    // Asked for, it is wanted.
    expect(await send(running, "POST", "/api/sync/prioritize", [keyOf(12)])).toEqual([202, { queued: 1 }]);
    expect(await run(running)).toEqual(["1012F"]);
    expect(app.coming.all()).toEqual([]);
  });

  test("what is not needed any more while a run goes on is left out of it, and what is at home of it stays", async () => {
    await using running = await listed();
    const { app, simulator, destination } = running;
    simulator.fault({ name: "silence", match: /101100_NF\.mp4$/, after: 1000, value: 100 });
    app.job.start("manual");
    await simulator.asked(/101100_NF\.mp4$/);
    await send(running, "POST", "/api/sync/unwanted", [keyOf(11), keyOf(13)]);
    await app.job.ended();
    expect(simulator.requests.filter(({ path }) => /101100_NR|101300_NF/.test(path))).toEqual([]);
    expect(existsSync(join(destination, "20260607_101100_NF.mp4"))).toBe(true);
    expect(app.coming.all().map(({ key, directions, state }) => [key, directions, state])).toEqual([
      [keyOf(11), ["R"], "unwanted"],
      [keyOf(13), ["F"], "unwanted"],
    ]);
  });

  test("a recording that is neither on the camera nor at home cannot be asked for, and what is no list of keys is refused", async () => {
    await using running = await listed();
    const { app } = running;
    const paths = [
      ["POST", "/api/sync/prioritize"],
      ["POST", "/api/sync/unwanted"],
      ["DELETE", "/api/sync/unwanted"],
    ] as const;
    for (const [method, path] of paths) {
      const unknown = await send(running, method, path, [keyOf(10), "20260607_235900_N"]);
      expect([path, unknown]).toEqual([path, [404, expect.objectContaining({ code: "RECORDING_NOT_FOUND" })]]);
      for (const keys of [undefined, "x", [1], ["../../etc"], ["20260607_101000_NF"]])
        expect([path, keys, (await send(running, method, path, keys))[0]]).toEqual([path, keys, 400]);
    }
    expect(app.coming.of(keyOf(10))).toMatchObject({ state: "waiting", position: 1 });
    await run(running);
    // It came meanwhile: there is nothing left to be asked for.
    expect(await send(running, "POST", "/api/sync/prioritize", [keyOf(10)])).toEqual([202, { queued: 0 }]);
  });

  test("requests for what the camera has overwritten are forgotten", async () => {
    await using running = await listed();
    const { simulator, folder } = running;
    await send(running, "POST", "/api/sync/unwanted", [keyOf(10), keyOf(11)]);
    simulator.card.overwrite(`${keyOf(10)}F.mp4`);
    await run(running);
    expect(JSON.parse(readFileSync(join(folder, "config", "wishes.json"), "utf8"))).toEqual({
      first: [],
      unwanted: [keyOf(11)],
    });
  });

  test("a damaged file of requested is said once, and everything that the rules choose is wanted", async () => {
    await using first = await listed();
    await send(first, "POST", "/api/sync/unwanted", [keyOf(10)]);
    await first.stop();
    const file = join(first.folder, "config", "wishes.json");
    writeFileSync(file, '{"first": [3]');
    await using running = await startApp({ settings, generation, card: first.simulator.card, folder: first.folder });
    expect(running.app.log.lines.filter(({ message }) => message.startsWith(`${file} is damaged`))).toHaveLength(1);
    expect(await run(running)).toHaveLength(6);
  });

  test("what was deleted here is not to come, from the first moment on", async () => {
    await using running = await listed();
    const { app, client } = running;
    await run(running);
    expect((await client.send("DELETE", `/api/recordings/${keyOf(11)}`)).status).toBe(200);
    expect(app.coming.all()).toEqual([]);
    const found = (await (await client.fetch("/api/viewer/recordings")).json()) as {
      days: { recordings: { base_filename: string }[] }[];
    };
    const names = found.days.flatMap(({ recordings }) =>
      recordings.map(({ base_filename: name }) => name.slice(11, 13)),
    );
    expect(names.toSorted()).toEqual(["10", "12", "13", "14"]);
    expect(await run(running)).toEqual([]);
  });

  test("what is still on the camera cannot be deleted or kept, and its video comes", async () => {
    for (const skip of [["t", "3", "g"], []] as const) {
      await using running = await listed({ ...settings, sync: { skip_metadata: skip } });
      const { app, client, destination } = running;
      const names = () => readdirSync(destination).filter((name) => !name.startsWith("."));
      const before = names();
      const key = keyOf(12);
      expect(before.includes(`${key}F.thm`)).toBe(skip.length === 0);
      const reason = "It is still on the camera. Say that it is not needed instead.";
      const one = await client.send("DELETE", `/api/recordings/${key}`);
      expect([one.status, await one.json()]).toMatchObject([404, { code: "RECORDING_NOT_FOUND", error: reason }]);
      expect(await send(running, "DELETE", "/api/recordings", [key, keyOf(11), keyOf(59)])).toEqual([
        200,
        {
          deleted: [],
          failed: [
            { key, reason },
            { key: keyOf(11), reason },
            { key: keyOf(59), reason: "There is no such clip." },
          ],
          purge_at: null,
        },
      ]);
      expect((await client.send("PUT", `/api/recordings/${key}/keep`, {})).status).toBe(404);
      expect([names(), await app.retention.deleted.all()]).toEqual([before, new Set()]);
      expect(await run(running)).toContain("1012F");
      expect(names()).toContain(`${key}F.mp4`);
      expect((await client.send("DELETE", `/api/recordings/${key}`)).status).toBe(200);
    }
  });

  test("what is asked for is tried though it failed a while ago", async () => {
    await using running = await listed();
    const { simulator } = running;
    simulator.fault({ name: "error-500", match: /101200_NF\.mp4$/ });
    await run(running);
    simulator.clearFaults();
    expect(await run(running)).toEqual([]);
    expect(await send(running, "POST", "/api/sync/prioritize", [keyOf(12)])).toEqual([202, { queued: 1 }]);
    expect(await run(running)).toEqual(["1012F"]);
    expect(running.app.coming.all()).toEqual([]);
  });

  test("a run from which nothing is learned takes no wish away", async () => {
    await using running = await listed();
    const { app, simulator, folder } = running;
    await send(running, "POST", "/api/sync/prioritize", [keyOf(12)]);
    await send(running, "POST", "/api/sync/unwanted", [keyOf(13)]);
    const kept = { first: [keyOf(12)], unwanted: [keyOf(13)] };
    const requested = () => JSON.parse(readFileSync(join(folder, "config", "wishes.json"), "utf8"));
    await app.settings.patch("connection", { address: "127.0.0.1:9" });
    await run(running);
    expect(requested()).toEqual(kept);
    await app.settings.patch("connection", { address: simulator.address });
    const lift = simulator.fault({ name: "list-empty" });
    for (let time = 0; time < 3; time++) await run(running);
    expect(requested()).toMatchObject({ unwanted: kept.unwanted });
    lift();
    expect(await run(running)).not.toContain("1013F");
  });
});
