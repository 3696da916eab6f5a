import { describe, expect, test } from "bun:test";
import { simulatedCard } from "../../../server/dashcam/simulator/simulated_card.ts";
import { LIST, list, NOW, PATH, raw, SIZE, simulatedCameras, VIDEO } from "../../support/camera/simulated_camera.ts";

const { camera, faulty } = simulatedCameras();

describe("a camera at work", () => {
  test("growing: the newest of each direction is longer at every request, until it is whole", async () => {
    const card = simulatedCard({ recordings: 6, now: NOW, size: SIZE });
    const simulator = await camera({ card });
    simulator.fault({ name: "growing", times: 3, value: 1000 });
    const [rear = "", front = "", older = ""] = card.videos().reverse();
    for (const name of [front, rear]) {
      const whole = Buffer.from(await card.bytes(name));
      for (const missing of [2000, 1000, 0, 0]) {
        const { headers, body } = await raw(simulator, `/Record/${name}`);
        expect(headers.get("Content-Length")).toBe(String(SIZE - missing));
        expect(body.equals(whole.subarray(0, SIZE - missing))).toBe(true);
      }
    }
    expect((await raw(simulator, `/Record/${older}`)).body).toHaveLength(SIZE);
  });

  test("growing: a partial goes on where it stopped, and HEAD counts as a request", async () => {
    const simulator = await camera();
    simulator.fault({ name: "growing", times: 3, value: 1000 });
    const first = await raw(simulator, PATH);
    const size = await raw(simulator, PATH, { method: "HEAD" });
    expect([first.body.length, size.headers.get("Content-Length")]).toEqual([SIZE - 2000, String(SIZE - 1000)]);
    const rest = await raw(simulator, PATH, { range: `bytes=${first.body.length}-` });
    expect(rest.headers.get("Content-Range")).toBe(`bytes ${SIZE - 2000}-${SIZE - 1}/${SIZE}`);
    expect(Buffer.concat([first.body, rest.body]).equals(await simulator.card.bytes(VIDEO))).toBe(true);
  });

  test("paused: a recording that is not the newest ends where it is written to, until it goes on", async () => {
    const card = simulatedCard({ recordings: 6, now: NOW, size: SIZE });
    const simulator = await camera({ card });
    const oldest = card.videos()[0] ?? "";
    const lift = simulator.fault({ name: "paused", after: 70_000, match: new RegExp(`/${oldest}$`) });
    const whole = await card.bytes(oldest);
    const { headers, body } = await raw(simulator, `/Record/${oldest}`);
    expect([headers.get("Content-Length"), body.equals(whole.subarray(0, 70_000))]).toEqual(["70000", true]);
    expect((await raw(simulator, `/Record/${oldest}`, { range: "bytes=70000-" })).status).toContain("416");
    expect((await raw(simulator, `/Record/${card.videos()[1]}`)).body).toHaveLength(SIZE);
    lift();
    const rest = await raw(simulator, `/Record/${oldest}`, { range: "bytes=70000-" });
    expect(rest.body.equals(whole.subarray(70_000))).toBe(true);
  });

  test("preallocated: full of zeros behind what is written, until it was asked for so often", async () => {
    const simulator = await camera();
    simulator.fault({ name: "preallocated", after: 70_001, times: 2, match: /_NF/ });
    const whole = Buffer.from(await simulator.card.bytes(VIDEO));
    const early = Buffer.concat([whole.subarray(0, 70_001), Buffer.alloc(SIZE - 70_001)]);
    expect((await raw(simulator, PATH)).body.equals(early)).toBe(true);
    const rest = await raw(simulator, PATH, { range: "bytes=69990-" });
    expect([rest.status.slice(9, 12), rest.body.equals(early.subarray(69_990))]).toEqual(["206", true]);
    expect((await raw(simulator, PATH)).body.equals(whole)).toBe(true);
  });

  test("other-content: another recording lies under the name, whole again, until that is over", async () => {
    const simulator = await camera();
    const whole = Buffer.from(await simulator.card.bytes(VIDEO));
    const lift = simulator.fault("other-content");
    const other = await raw(simulator, PATH);
    expect([other.body.length, other.body.equals(whole)]).toEqual([SIZE, false]);
    expect(other.body.subarray(0, 100).equals(whole.subarray(0, 100))).toBe(true);
    expect((await raw(simulator, PATH)).body.equals(other.body)).toBe(true);
    expect((await raw(simulator, PATH, { range: "bytes=99999-" })).body.equals(other.body.subarray(99_999))).toBe(true);
    lift();
    expect((await raw(simulator, PATH)).body.equals(whole)).toBe(true);
    simulator.fault({ name: "other-content", value: 99_000 });
    expect((await raw(simulator, PATH)).body).toHaveLength(99_000);
  });

  test("other-content: companions too, when they are meant", async () => {
    const simulator = await camera();
    const gps = "20261121_101500_N.gps";
    const whole = Buffer.from(await simulator.card.bytes(gps));
    simulator.fault("other-content");
    expect((await raw(simulator, `/Record/${gps}`)).body.equals(whole)).toBe(true);
    simulator.fault({ name: "other-content", match: /gps$/ });
    const other = (await raw(simulator, `/Record/${gps}`)).body;
    expect([other.length, other.equals(whole)]).toEqual([whole.length, false]);
    expect(other.toString().replace(/[0-9]/g, "")).toBe(whole.toString().replace(/[0-9]/g, ""));
  });

  test("what is wrong with a file shows beside what is wrong with the connection", async () => {
    const simulator = await camera();
    simulator.fault({ name: "paused", after: 70_000 });
    simulator.fault({ name: "cut-short", after: 1000 });
    const { headers, body } = await raw(simulator, PATH);
    expect([headers.get("Content-Length"), body.length]).toEqual(["70000", 1000]);
  });

  test("vanishing: a listed recording is gone when it is fetched, its companions with it, and no longer listed", async () => {
    const simulator = await camera();
    simulator.fault({ name: "vanishing", match: /_NF/ });
    expect((await list(simulator)).files).toHaveLength(2);
    expect((await raw(simulator, PATH)).status).toContain("404");
    expect(simulator.card.names()).toEqual(
      ["N.3gf", "N.gps", "NR.mp4", "NR.thm"].map((end) => `20261121_101500_${end}`),
    );
    expect((await raw(simulator, PATH.replace("NF", "NR"))).body).toHaveLength(SIZE);
    simulator.clearFaults();
    simulator.fault({ name: "vanishing", match: /_NR/ });
    await raw(simulator, PATH.replace("NF", "NR"));
    expect((await list(simulator)).files).toHaveLength(0);
    expect(simulator.card.names()).toHaveLength(0);
  });

  test("goes-away: serves some files, then nothing listens until it comes back on the same port", async () => {
    const simulator = await camera();
    const { address } = simulator;
    simulator.fault({ name: "goes-away", value: 2 });
    for (let count = 0; count < 2; count++) expect((await raw(simulator, PATH)).body).toHaveLength(SIZE);
    expect((await raw(simulator, PATH)).all).toHaveLength(0);
    expect(simulator.connections).toBe(0);
    for (const path of [PATH, LIST]) expect((await raw(simulator, path)).end).toBe("reset");
    expect(simulator.requests).toHaveLength(3);
    await simulator.comeBack();
    expect(simulator.address).toBe(address);
    expect((await raw(simulator, PATH)).body).toHaveLength(SIZE);
  });

  test("goes-away: may leave in the middle of a file", async () => {
    const { body, end, content, simulator } = await faulty({ name: "goes-away", value: 0, after: 70_000 });
    expect([end, body.equals(content.subarray(0, 70_000))]).toEqual(["reset", true]);
    expect((await raw(simulator, LIST)).all).toHaveLength(0);
  });

  test("sleeps: accepts and closes, then is awake again", async () => {
    const simulator = await camera();
    simulator.fault({ name: "sleeps", times: 2 });
    for (let count = 0; count < 2; count++) expect((await raw(simulator, LIST)).all).toHaveLength(0);
    expect(simulator.requests).toHaveLength(0);
    expect((await list(simulator)).files).toHaveLength(2);
  });

  test("comes back on its port even when it is called back while it goes", async () => {
    const simulator = await camera();
    const { address } = simulator;
    for (let count = 0; count < 20; count++) {
      const answer = raw(simulator, PATH);
      await simulator.asked(/Record/);
      const going = simulator.goAway();
      await Promise.all([simulator.comeBack(), simulator.goAway().then(() => simulator.comeBack()), going, answer]);
      await simulator.comeBack();
      simulator.requests.length = 0;
    }
    expect(simulator.address).toBe(address);
    expect((await raw(simulator, PATH)).body).toHaveLength(SIZE);
  });

  test("goes away and comes back on demand", async () => {
    const simulator = await camera();
    await simulator.goAway();
    await expect(fetch(`${simulator.url}${LIST}`)).rejects.toThrow();
    await simulator.comeBack();
    await simulator.comeBack();
    expect((await fetch(`${simulator.url}${LIST}`)).status).toBe(200);
  });
});
