import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { NotifyState, NotifyTest } from "../../server/domain/notify/notify_schema.ts";
import { SimulatedCard, syntheticFootage } from "../../server/dashcam/simulator/simulated_card.ts";
import { NOTIFY_CODES } from "../../server/domain/settings/sections/notify.ts";
import { type AppOptions, type RunningApp, startApp } from "../support/app/app.ts";
import { carAndVan } from "../support/app/several_cameras.ts";
import { FakeClock } from "../support/app/clock.ts";
import { openReceiver, type Received, type Receiver } from "../support/app/receivers.ts";

const MINUTE = 60_000;
const EVENTS = [...NOTIFY_CODES];

/** The bodies of a webhook's requests, as they came. */
const bodiesOf = (received: readonly Received[]) => received.map(({ text }) => JSON.parse(text));
const hook = ({ host }: Receiver, path = "hook") => `generic://${host}/${path}?disabletls=yes`;
const stateOf = (app: RunningApp) => json<NotifyState>(app.client.fetch("/api/notify"));

async function json<T = unknown>(answer: Promise<Response>): Promise<T> {
  return (await (await answer).json()) as T;
}

/** Asks until the answer is as it should be. */
async function untilState(app: RunningApp, isSo: (state: NotifyState) => boolean): Promise<void> {
  const end = performance.now() + 10_000;
  while (!isSo(await stateOf(app))) if (performance.now() > end) throw new Error("it never came about");
}

describe("the addresses", () => {
  let app: RunningApp;
  beforeAll(async () => {
    app = await startApp();
    await app.client.open("/");
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const patch = (body: unknown) => app.client.send("PATCH", "/api/settings/notify", body);
  const test_ = (body: unknown) => app.client.send("POST", "/api/notify/test", body);
  const SECRET = "tk_verysecret";

  test("tell no secret, and keep it when they come back in another order with another name", async () => {
    const targets = [`ntfy://:${SECRET}@h/car`, "gotify://h/GotifyToken"];
    expect((await patch({ targets })).status).toBe(200);
    const shown = await json<{ notify: unknown }>(app.client.fetch("/api/settings"));
    expect(shown.notify).toHaveProperty("targets", ["ntfy://:***@h/car", "gotify://h/***"]);
    const page = (await app.client.open("/settings")).text;
    for (const text of [page, JSON.stringify(await stateOf(app))]) {
      expect(text).toContain("ntfy://:***@h/car");
      expect(text).not.toContain(SECRET);
      expect(text).not.toContain("GotifyToken");
    }
    expect((await patch({ targets: ["gotify://h/***#Home", "ntfy://:***@h/car"] })).status).toBe(200);
    expect(app.app.settings.current.notify.targets).toEqual(["gotify://h/GotifyToken#Home", `ntfy://:${SECRET}@h/car`]);
    expect((await stateOf(app)).targets.map(({ name, kind, address, last }) => [name, kind, address, last])).toEqual([
      ["Home", "gotify", "gotify://h/***#Home", null],
      ["ntfy at h", "ntfy", "ntfy://:***@h/car", null],
    ]);
  });

  test("are refused with *** elsewhere, without a secret in the refusal or the log", async () => {
    const before = app.app.settings.current.notify.targets;
    for (const targets of [
      ["ntfy://:***@evil/car"],
      [`ntfy://${SECRET}@h/a/b`],
      `gotify://h/${SECRET}`,
      [`gotify://u:p@h/${SECRET}`],
      [{ url: SECRET }],
      Array(21).fill("ntfy://h/c"),
    ]) {
      const refused = await patch({ targets });
      const text = await refused.text();
      expect([refused.status, text]).toEqual([422, expect.stringContaining("notify.targets")]);
      expect(text).not.toContain(SECRET);
    }
    expect(app.app.settings.current.notify.targets).toEqual(before);
    app.app.log.info("test", `something says ${SECRET}`);
    const log = app.app.log.lines.map(({ message }) => message).join("\n");
    expect(log).toContain("something says ***");
    expect(log).not.toContain(SECRET);
  });

  test("take any form of time, and only whole days", async () => {
    expect((await patch({ quiet_from: "22:00", quiet_to: "07:00", camera_missing_days: 90 })).status).toBe(200);
    for (const body of [
      { quiet_from: "24:00" },
      { quiet_to: "7" },
      { camera_missing_days: 0 },
      { events: ["all"] },
      { ping_url: "x" },
    ])
      expect((await patch(body)).status).toBe(422);
  });

  test("can be tested, whatever is switched off; an unknown one is not found", async () => {
    await using receiver = openReceiver();
    await patch({ targets: [hook(receiver), "ntfy://h/car"], events: [], quiet_from: "00:00", quiet_to: "23:59" });
    const id = (await stateOf(app)).targets[0]?.id;
    expect(await json<NotifyTest>(test_({ id }))).toEqual({
      ok: true,
      status: 200,
      answer: '{"ok":true}',
      milliseconds: expect.any(Number),
    });
    expect(bodiesOf(receiver.received)).toMatchObject([{ type: "dashdock.test", data: { level: "info", url: null } }]);
    receiver.instead = () => new Response("token expired", { status: 403 });
    expect(await json(test_({ id }))).toMatchObject({ ok: false, status: 403, answer: "token expired" });
    expect((await stateOf(app)).targets[0]?.last).toMatchObject({ ok: false, status: 403, answer: "token expired" });
    const missing = await test_({ id: "nothing" });
    expect([missing.status, await missing.json()]).toMatchObject([404, { code: "TARGET_NOT_FOUND" }]);
    expect((await test_({})).status).toBe(400);
    expect((await stateOf(app)).waiting).toBe(0);
  });
});

/** A card with a drive, and events of both cameras at these times, thumbnails included. */
function cardWith(...times: readonly string[]): SimulatedCard {
  const card = new SimulatedCard(syntheticFootage(20_000));
  card.record("20260607_100000_NF.mp4");
  for (const time of times) for (const direction of ["F", "R"]) card.record(`20260607_${time}_E${direction}.mp4`);
  return card;
}

type Telling = RunningApp & { readonly clock: FakeClock };

/** A service that tells what it is told to, at a quarter past ten. */
async function telling(options: AppOptions & { readonly at?: string }): Promise<Telling> {
  const clock = new FakeClock(options.at ?? "2026-06-07T10:15:00Z");
  const running = await startApp({ clock, card: cardWith(), ...options });
  // Without the schedule: each sync is one that the test starts.
  running.app.notifications.start();
  return Object.assign(running, { clock });
}

/** A sync, and all that follows from it. */
async function sync(running: Telling): Promise<void> {
  running.app.job.start("manual");
  await running.synced();
  await running.app.notifications.settled();
}

describe("after a sync", () => {
  test("events are told in one message with picture and link, and further ones after ten minutes", async () => {
    await using hooked = openReceiver();
    await using phone = openReceiver();
    await using app = await telling({
      card: cardWith("100100", "100500"),
      settings: {
        notify: { targets: [hook(hooked), `ntfy://${phone.host}/car?scheme=http`] },
        web: { public_url: "https://cam.example/" },
      },
    });
    await sync(app);
    await Promise.all([hooked.has(1), phone.has(1)]);
    expect(bodiesOf(hooked.received)).toMatchObject([
      {
        type: "dashdock.event",
        timestamp: new Date(app.clock.now()).toISOString(),
        data: {
          level: "warning",
          key: "20260607_100500_E",
          url: "https://cam.example/viewer?key=20260607_100500_E",
          camera: null,
        },
      },
    ]);
    const [picture] = phone.received;
    expect([picture?.method, Buffer.from(picture?.body ?? [])]).toEqual([
      "PUT",
      Buffer.from(await app.simulator.card.bytes("20260607_100500_EF.thm")),
    ]);
    await sync(app);
    app.simulator.card.record("20260607_101300_IF.mp4");
    await sync(app);
    app.simulator.card.record("20260607_101400_BF.mp4");
    await sync(app);
    expect(hooked.received).toHaveLength(1);
    await app.clock.advance(10 * MINUTE);
    await hooked.has(2);
    expect(bodiesOf(hooked.received)[1].data.title.replaceAll("\u00a0", " ")).toBe("2 events came home");
    await untilState(app, (state) => state.waiting === 0);
    expect((await stateOf(app)).targets.map(({ last }) => last?.ok)).toEqual([true, true]);
    expect(new Set(hooked.received.map(({ headers }) => headers.get("webhook-id"))).size).toBe(2);
  });

  test("a failure is told once, and the ping is called with it, also when the camera was away", async () => {
    await using hooked = openReceiver();
    await using waiting = openReceiver();
    await using app = await telling({
      settings: {
        notify: {
          targets: [hook(hooked)],
          ping_url: `http://${waiting.host}/ping/0123456789abcdef0123`,
          events: EVENTS,
        },
      },
    });
    await sync(app);
    await hooked.has(1);
    app.simulator.fault("list-500");
    await sync(app);
    await sync(app);
    await hooked.has(2);
    await app.simulator.goAway();
    await sync(app);
    expect(waiting.received.map(({ method, path }) => `${method} ${path}`)).toEqual(
      ["", "/fail", "/fail", ""].map((end) => `GET /ping/0123456789abcdef0123${end}`),
    );
    expect(bodiesOf(hooked.received).map(({ type }) => type)).toEqual(["dashdock.all_safe", "dashdock.sync_failed"]);
    const { ping } = await stateOf(app);
    expect(ping).toMatchObject({ ok: true, status: 200 });
    expect(JSON.stringify(await json(app.client.fetch("/api/settings")))).not.toContain("0123456789abcdef");
  });

  test("a camera that stays away is told once a week, without a further run", async () => {
    await using hooked = openReceiver();
    await using app = await telling({ settings: { notify: { targets: [hook(hooked)] }, schedule: { paused: true } } });
    await sync(app);
    await app.clock.advance(71 * 60 * MINUTE);
    await stateOf(app);
    expect(hooked.received).toHaveLength(0);
    await app.clock.advance(120 * MINUTE);
    await hooked.has(1);
    app.clock.pass(7 * 24 * 60 * MINUTE - 180 * MINUTE);
    await app.clock.advance(60 * MINUTE);
    await stateOf(app);
    expect(hooked.received).toHaveLength(1);
    await app.clock.advance(180 * MINUTE);
    await hooked.has(2);
    expect(bodiesOf(hooked.received).map(({ type, timestamp }) => `${type} ${timestamp.slice(0, 10)}`)).toEqual([
      "dashdock.camera_missing 2026-06-10",
      "dashdock.camera_missing 2026-06-17",
    ]);
  });
});

describe("the quiet hours", () => {
  test("end with one message that names all, and what is urgent comes at once", async () => {
    await using hooked = openReceiver();
    await using app = await telling({
      at: "2026-06-07T22:15:00Z",
      card: cardWith("100100"),
      settings: { notify: { targets: [hook(hooked)], quiet_from: "22:00", quiet_to: "07:00", events: EVENTS } },
    });
    await sync(app);
    app.simulator.fault("list-500");
    await sync(app);
    expect((await stateOf(app)).waiting).toBe(3);
    await app.clock.advance(8 * 60 * MINUTE);
    expect(hooked.received).toHaveLength(0);
    await app.clock.advance(60 * MINUTE);
    await hooked.has(1);
    const [told] = bodiesOf(hooked.received);
    expect([told.type, told.data.level, told.data.title]).toEqual([
      "dashdock.summary",
      "error",
      "During the quiet hours",
    ]);
    expect(told.data.text.split("\n")).toEqual([
      "The car came home and all is safe (all_safe): 1",
      "An event came home (event): 1",
      "A sync failed (sync_failed): 1",
    ]);
  });
});

describe("a service that is dead", () => {
  test("is tried after 1, 5 and 30 minutes, then given up and told on the page", async () => {
    await using hooked = openReceiver();
    hooked.instead = () => new Response("come back later", { status: 503 });
    await using app = await telling({
      card: cardWith("100100"),
      settings: { notify: { targets: [`${hook(hooked)}#Phone`] } },
    });
    await sync(app);
    for (const [tries, minutes] of [
      [1, 1],
      [2, 5],
      [3, 30],
      [4, 60],
    ] as const) {
      await hooked.has(tries);
      await untilState(app, (state) => state.targets[0]?.last?.at === new Date(app.clock.now()).toISOString());
      expect((await stateOf(app)).waiting).toBe(tries < 4 ? 1 : 0);
      await app.clock.advance(minutes * MINUTE - 1);
      expect(hooked.received).toHaveLength(tries);
      await app.clock.advance(1);
    }
    expect(hooked.received).toHaveLength(4);
    expect((await stateOf(app)).targets[0]?.lost).toBe(1);
    const overview = () => json<{ notify_notes: string[] }>(app.client.fetch("/api/overview"));
    expect((await overview()).notify_notes).toEqual(["A message did not reach you: Phone did not take it."]);
    expect((await app.client.open("/")).text).toContain("Phone did not take it.");
    // A receiver knows a repetition by its id.
    expect(new Set(hooked.received.map(({ headers }) => headers.get("webhook-id"))).size).toBe(1);
    expect((await stateOf(app)).targets[0]?.last).toMatchObject({ ok: false, status: 503, answer: "come back later" });
    const page = (await app.client.open("/settings")).text;
    expect(page).toContain("The last message was refused. What came back:");
    expect(page).toContain("come back later");
    hooked.instead = null;
    await app.client.open("/");
    const { id } = (await stateOf(app)).targets[0] ?? {};
    expect((await app.client.send("POST", "/api/notify/test", { id })).status).toBe(200);
    expect((await overview()).notify_notes).toEqual([]);
  });

  test("gets what waits after a restart, and holds up neither the others nor a sync", async () => {
    await using dead = openReceiver();
    await using good = openReceiver();
    dead.instead = () => new Promise<Response>(() => {});
    const targets = [hook(dead), hook(good)];
    await using app = await telling({ card: cardWith("100100"), settings: { notify: { targets } } });
    await sync(app);
    await Promise.all([dead.has(1), good.has(1)]);
    // The first is on its way still.
    await sync(app);
    await untilState(app, (state) => state.waiting === 1);
    await app.stop();
    dead.instead = null;
    await using again = await startApp({ clock: app.clock, folder: app.folder, settings: { notify: { targets } } });
    again.app.notifications.start();
    await dead.has(2);
    expect(new Set(dead.received.map(({ headers }) => headers.get("webhook-id"))).size).toBe(1);
    await untilState(again, (state) => state.waiting === 0);
    expect(good.received).toHaveLength(1);
  });
});

test("of several cameras each is told by its name, with a key and a link of its own", async () => {
  await using hooked = openReceiver();
  await using app = await carAndVan();
  // Events of the very first run are too old by the machine's clock.
  const van = app.app.cameras.all.find(({ camera }) => camera.id === "van");
  van?.job.start("manual");
  await van?.job.ended();
  app.app.notifications.start();
  const settings = { targets: [hook(hooked)], events: ["event"] };
  expect((await app.client.send("PATCH", "/api/settings/notify", settings)).status).toBe(200);
  app.van.card.record("20260607_101300_BF.mp4");
  van?.job.start("manual");
  await van?.job.ended();
  await hooked.has(1);
  const { data } = bodiesOf(hooked.received).at(-1);
  expect([data.camera, data.key]).toEqual(["Van", "van~20260607_101300_B"]);
  expect(data.title).toStartWith("Van: Hard braking");
});

test("an update is told, of the version before", async () => {
  await using hooked = openReceiver();
  const settings = { notify: { targets: [hook(hooked)], events: EVENTS } };
  await using app = await telling({ settings });
  await stateOf(app);
  await app.stop();
  const path = join(app.folder, "config", "notify.json");
  writeFileSync(path, readFileSync(path, "utf8").replace(/"version":"[^"]*"/, '"version":"0.9.0"'));
  await using again = await startApp({ clock: app.clock, folder: app.folder, settings });
  again.app.notifications.start();
  await hooked.has(1);
  const [told] = bodiesOf(hooked.received);
  expect([told.type, told.data.text]).toEqual(["dashdock.new_version", "Before it was 0.9.0."]);
});

test("while no one wants to be told, nothing is written and nothing looked for", async () => {
  await using app = await telling({ card: cardWith("100100") });
  await sync(app);
  expect(await stateOf(app)).toEqual({ targets: [], waiting: 0, ping: null });
  await app.stop();
  expect(existsSync(join(app.folder, "config", "notify.json"))).toBe(false);
});
