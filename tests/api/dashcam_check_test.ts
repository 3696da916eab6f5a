import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { startApp } from "../support/app/app.ts";
import { WatchedClock } from "../support/app/http.ts";

setDefaultTimeout(30_000);

const PATH = "/api/dashcam/check";
const PASSWORD = "correct horse battery staple";
const FIRST_USE = { settings: { connection: { address: "" } } };

describe("POST /api/dashcam/check", () => {
  test("tells of the camera at an address and leaves the setting as it is", async () => {
    await using running = await startApp(FIRST_USE);
    await running.client.open("/");
    const { address } = running.simulator;
    const answer = await running.client.send("POST", PATH, { address });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({
      reachable: true,
      address,
      latency_ms: expect.any(Number),
      recordings: 4,
      bytes: null,
    });
    expect(running.app.settings.current.connection.address).toBe("");
  });

  test("tells why there is none, and what to try", async () => {
    await using running = await startApp({ ...FIRST_USE, mode: "login", password: PASSWORD });
    await running.client.signIn("admin", PASSWORD);
    const { address } = running.simulator;
    running.simulator.fault("list-html");
    const something = await running.client.send("POST", PATH, { address });
    expect(await something.json()).toMatchObject({ reachable: false, address, reason: "not-a-listing" });
    await running.simulator.goAway();
    const nothing = await running.client.send("POST", PATH, { address });
    expect(nothing.status).toBe(200);
    expect(await nothing.json()).toMatchObject({ reachable: false, address, reason: "refused" });
  });

  test("does not tell open ports apart where nobody signs in", async () => {
    const clock = new WatchedClock();
    await using running = await startApp({ ...FIRST_USE, clock });
    await running.client.open("/");
    const { address } = running.simulator;
    const check = async () => {
      const asleep = clock.asleep(6000);
      const answer = running.client.send("POST", PATH, { address });
      await asleep;
      await clock.advance(6000);
      return await (await answer).json();
    };
    running.simulator.fault("list-html");
    const open = await check();
    await running.simulator.goAway();
    expect(await check()).toEqual(open);
    expect(open).toMatchObject({ reachable: false, address, reason: "no-camera" });
  });

  test("is one at a time, and free again when it is answered or nobody waits for it", async () => {
    await using running = await startApp(FIRST_USE);
    await running.client.open("/");
    const { simulator, client } = running;
    const { address } = simulator;
    const lift = simulator.fault("never-answers");
    const waitLimits = new AbortController();
    const waiting = client
      .fetch(PATH, {
        method: "POST",
        headers: { "x-csrftoken": client.token, "content-type": "application/json" },
        body: JSON.stringify({ address }),
        signal: waitLimits.signal,
      })
      .catch(() => null);
    await simulator.asked(/accessible/);
    const refused = await client.send("POST", PATH, { address: "127.0.0.1:1" });
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "5"]);
    expect(await refused.json()).toMatchObject({
      code: "RATE_LIMITED",
      error: expect.stringContaining("Another address"),
    });
    waitLimits.abort();
    await waiting;
    await simulator.quiet();
    lift();
    for (const _ of [1, 2]) {
      const answer = await client.send("POST", PATH, { address });
      expect(await answer.json()).toMatchObject({ reachable: true });
    }
  });

  test("refuses what is no address, with the sentence for the field, and asks nobody", async () => {
    await using running = await startApp(FIRST_USE);
    await running.client.open("/");
    const rows: [address: unknown, message: RegExp][] = [
      ["", /^Type the camera's address/],
      [undefined, /^Type the camera's address/],
      ["http://192.168.1.20", /is not an address/],
      ["192.168.1.300", /is not an address/],
      ["a@b", /is not an address/],
      [["192.168.1.20"], /must be a string/],
    ];
    for (const [address, message] of rows) {
      const answer = await running.client.send("POST", PATH, { address });
      expect([address, answer.status]).toEqual([address, 422]);
      const body = await answer.json();
      expect(body.code).toBe("VALIDATION_ERROR");
      expect(body.details.field_errors).toEqual([{ path: "address", message: expect.stringMatching(message) }]);
    }
    expect((await running.client.send("POST", PATH, "no JSON")).status).toBe(400);
    expect(running.simulator.requests).toEqual([]);
  });

  test("does not disturb a sync: it is refused while one runs, with the job's id", async () => {
    await using running = await startApp({ rate: 100_000, settings: { retention: { keep: "" } } });
    await running.client.open("/");
    const { job_id } = await (await running.client.send("POST", "/api/sync/now")).json();
    const answer = await running.client.send("POST", PATH, { address: running.simulator.address });
    expect(answer.status).toBe(409);
    expect(await answer.json()).toMatchObject({
      code: "SYNC_ALREADY_RUNNING",
      details: { current_job_id: job_id },
    });
  });

  test("is for those who are signed in, with the token of their browser", async () => {
    await using running = await startApp({ mode: "login", password: PASSWORD });
    await running.client.open("/login");
    const { address } = running.simulator;
    expect((await running.client.send("POST", PATH, { address })).status).toBe(401);
    await running.client.signIn("admin", PASSWORD);
    running.client.token = "another";
    expect((await running.client.send("POST", PATH, { address })).status).toBe(403);
    expect(running.simulator.requests).toEqual([]);
  });
});
