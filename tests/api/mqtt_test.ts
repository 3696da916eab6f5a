import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SimulatedCard, syntheticFootage } from "../../server/dashcam/simulator/simulated_card.ts";
import { ENTITIES } from "../../server/domain/mqtt/entities.ts";
import type { MqttState } from "../../server/domain/mqtt/mqtt_schema.ts";
import { type AppOptions, type RunningApp, startApp } from "../support/app/app.ts";
import { FakeClock } from "../support/app/clock.ts";
import { type Heard, MOSQUITTO, type MqttBroker, openBroker, openGate } from "../support/app/mqtt_broker.ts";
import { freePort } from "../support/app/other_program.ts";
import { carAndVan } from "../support/app/several_cameras.ts";

if (MOSQUITTO === null) console.log("No mosquitto found: the tests with a real broker are skipped.");

const SECRET = "a secret of the broker";

async function stateOf({ client }: RunningApp): Promise<MqttState> {
  return (await (await client.fetch("/api/mqtt")).json()) as MqttState;
}

/** Asks until the state is as it should be. @param clock of which half a second passes with each question */
async function untilState(app: RunningApp, isSo: (state: MqttState) => boolean, clock?: FakeClock): Promise<MqttState> {
  const end = performance.now() + 20_000;
  for (;;) {
    const state = await stateOf(app);
    if (isSo(state)) return state;
    if (performance.now() > end) throw new Error(`it never came about: ${JSON.stringify(state)}`);
    await clock?.advance(500);
  }
}

const isConnected = ({ state }: MqttState) => state === "connected";
const patch = ({ client }: RunningApp, body: unknown) => client.send("PATCH", "/api/settings/mqtt", body);
const idOf = ({ folder }: RunningApp) => readFileSync(join(folder, "config", "installation-id"), "utf8").trim();

/** `YYYYMMDD_HHMMSS` of two minutes ago. */
const RECENT = new Date(Date.now() - 120_000)
  .toISOString()
  .replaceAll(/[-:]|\..*/g, "")
  .replace("T", "_");

/** A card with a drive and an event of just now, thumbnails included. */
function card(): SimulatedCard {
  const made = new SimulatedCard(syntheticFootage(20_000));
  for (const name of ["20260607_100000_NF.mp4", `${RECENT}_EF.mp4`]) made.record(name);
  return made;
}

/** A service that publishes; its schedule does not start. */
async function publishing(options: AppOptions = {}): Promise<RunningApp> {
  const app = await startApp({ card: card(), ...options });
  await app.client.open("/");
  app.app.homeAssistant.start();
  return app;
}

describe("the settings", () => {
  let app: RunningApp;
  beforeAll(async () => {
    app = await publishing();
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test("refuse credentials in the address, and prefixes that are no topics", async () => {
    for (const body of [
      { url: `mqtt://user:${SECRET.replaceAll(" ", "-")}@host` },
      { url: "http://host" },
      { url: "mqtt://" },
      { url: "mqtt://host:99999" },
      { url: "mqtt://host/path" },
      { topic_prefix: "" },
      { topic_prefix: "a/#" },
      { topic_prefix: "a+b" },
      { topic_prefix: "/a" },
      { discovery_prefix: "a/" },
      { discovery_prefix: "a\0b" },
      { ca_file: "authority.pem" },
    ]) {
      const refused = await patch(app, body);
      const text = await refused.text();
      expect([JSON.stringify(body), refused.status]).toEqual([JSON.stringify(body), 422]);
      expect(text).not.toContain(SECRET.replaceAll(" ", "-"));
    }
  });

  test("never show the password, on no page, in no answer, in no log", async () => {
    expect((await patch(app, { password: SECRET, username: "car" })).status).toBe(200);
    app.app.log.info("test", `something says ${SECRET}`);
    const settings = await (await app.client.fetch("/api/settings")).text();
    const page = (await app.client.open("/settings")).text;
    const log = app.app.log.lines.map(({ message }) => message).join("\n");
    for (const text of [settings, page, log]) expect(text).not.toContain(SECRET);
    expect(log).toContain("something says ***");
  });

  test("switched off, nothing is made in the config folder, and the state says so", async () => {
    expect(await stateOf(app)).toEqual({
      state: "off",
      since: null,
      problem: null,
      version: null,
      devices: [],
      entities: [],
    });
    expect(existsSync(join(app.folder, "config", "installation-id"))).toBe(false);
  });
});

test("a broker that is not there is told, and tried again", async () => {
  await using app = await publishing({ settings: { mqtt: { url: `mqtt://127.0.0.1:${freePort()}` } } });
  const { problem, since } = await untilState(app, ({ state }) => state === "failed");
  expect(problem).toBe("The broker is not there: the connection was refused.");
  expect(since).not.toBeNull();
});

describe.skipIf(MOSQUITTO === null)("with the real broker", () => {
  let broker: MqttBroker;
  beforeAll(async () => {
    broker = await openBroker();
  });
  afterAll(() => broker?.[Symbol.asyncDispose]());

  const at = (prefix: string) => ({ url: broker.url, topic_prefix: `${prefix}/dashdock`, discovery_prefix: prefix });
  const under = (prefix: string) => (heard: Heard) => heard.topic.startsWith(prefix);

  test("the device, its states and its picture are kept, an event is not; off, all of it is removed", async () => {
    await using home = await broker.client();
    await using app = await publishing({ settings: { mqtt: at("one") } });
    const state = await untilState(app, isConnected);
    expect(state).toMatchObject({ version: "5", problem: null, devices: [{ camera: "main", name: "Dashcam" }] });
    const page = (await app.client.open("/settings")).text;
    expect(page).toContain("Connected since");
    expect(page).toContain(`Dashcam is a device with ${ENTITIES.length} entities: State, Camera at home`);
    const id = idOf(app);
    const base = `one/dashdock/${id}`;
    const config = JSON.parse((await home.until(({ topic }) => topic.endsWith("/config"))).text);
    expect(config.device.identifiers).toEqual([`dashdock_${id}`]);
    expect(config.availability_topic).toBe(`${base}/service`);
    expect(Object.keys(config.components)).toEqual(ENTITIES.map(({ key }) => key));
    app.app.job.start("manual");
    await app.synced();
    await home.until(({ topic }) => topic === `${base}/picture`);
    const event = await home.until(({ topic }) => topic === `${base}/event`);
    expect(event.retained).toBe(false);
    expect(JSON.parse(event.text)).toMatchObject({
      event_type: "event",
      recording: `${RECENT}_E`,
      recorded_at: expect.stringMatching(/^20..-..-..T..:..:..$/),
    });
    await home.until(({ topic, text }) => topic === `${base}/state` && JSON.parse(text).all_safe === true);

    // A program that comes later finds what the broker has kept.
    await using later = await broker.client();
    const picture = await later.until(({ topic }) => topic === `${base}/picture`);
    expect([picture.retained, ...picture.bytes.subarray(0, 3)]).toEqual([true, 0xff, 0xd8, 0xff]);
    await later.until(({ topic, text }) => topic === `${base}/service` && text === "online");
    await later.until(({ topic }) => topic === `one/device/dashdock_${id}/config`);
    await later.until(({ topic }) => topic === `${base}/state`);
    expect(later.heard.filter(({ topic }) => topic.endsWith("/event"))).toEqual([]);
    expect(
      later.heard
        .filter(under("one"))
        .map(({ text }) => text)
        .join(),
    ).not.toContain(app.simulator.address);

    const from = home.heard.length;
    expect((await patch(app, { url: null })).status).toBe(200);
    for (const topic of [`one/device/dashdock_${id}/config`, `${base}/state`, `${base}/picture`, `${base}/service`])
      await home.until((heard) => heard.topic === topic && heard.text === "", from);
    await app.app.homeAssistant.settled();
    expect((await stateOf(app)).state).toBe("off");
    await using last = await broker.client();
    await last.say("one/end", "over");
    await last.until(({ topic }) => topic === "one/end");
    expect(last.heard.filter(under("one")).map(({ topic }) => topic)).toEqual(["one/end"]);
  });

  test("a changed prefix takes the device away from the old topics", async () => {
    await using home = await broker.client();
    await using app = await publishing({ settings: { mqtt: at("old") } });
    await home.until(({ topic }) => topic.startsWith("old/device/"));
    const backup = await (await app.client.fetch("/api/backup")).bytes();
    const has = (name: string) => Buffer.from(backup).includes(name);
    expect([has("settings.json"), has("installation-id"), has(idOf(app))]).toEqual([true, false, false]);
    const from = home.heard.length;
    await patch(app, { topic_prefix: "neu 🚗/dashdock", discovery_prefix: "neu 🚗" });
    await home.until(({ topic, text }) => topic.startsWith("old/device/") && text === "", from);
    const config = await home.until(({ topic }) => topic.startsWith("neu 🚗/device/"), from);
    expect(JSON.parse(config.text).availability_topic).toBe(`neu 🚗/dashdock/${idOf(app)}/service`);
  });

  test("nothing that is published tells a place, an address, a name of a person or a secret", async () => {
    const gps = "4916.45678,N,12311.12345,E";
    const places = ["4916.45", "12311.12", "49.27", "123.18"];
    const made = new SimulatedCard(syntheticFootage(20_000));
    const name = `${RECENT}_EF.mp4`;
    made.record(name);
    made.add(
      name.replace("F.mp4", ".gps"),
      Buffer.from(`[${Date.now() - 120_000}]$GPRMC,101500.00,A,${gps.replace(",E", ",W")},0.0,0.0,070626,,,A*00\r\n`),
    );
    // A thumbnail that knows where it was made.
    const picture = await made.bytes(name.replace(".mp4", ".thm"));
    const exif = [...Buffer.from(`Exif\0\0${gps}`)];
    const beside = [0xff, 0xe1, 0, exif.length + 2, ...exif];
    made.add(
      name.replace(".mp4", ".thm"),
      Uint8Array.from([...picture.subarray(0, 2), ...beside, ...picture.subarray(2), ...exif]),
    );
    await using home = await broker.client();
    await using app = await publishing({
      card: made,
      settings: {
        mqtt: { ...at("private"), username: "erika", password: SECRET },
        auth: { username: "erika.mustermann" },
        notify: { targets: ["gotify://gotify.example/TokenOfGotify"] },
        web: { public_url: "https://car.example/dashdock" },
        places: { in_messages: true },
        metrics: { scrape_token: "TokenOfMetrics".padEnd(32, "x") },
      },
    });
    await untilState(app, isConnected);
    app.app.job.start("manual");
    await app.synced();
    const base = `private/dashdock/${idOf(app)}`;
    await home.until(({ topic }) => topic === `${base}/event`);
    const shown = await home.until(({ topic }) => topic === `${base}/picture`);
    expect([...shown.bytes]).toEqual([...picture]);
    await home.say(`${base}/command`, "pause");
    await home.until(({ topic, text }) => topic === `${base}/state` && JSON.parse(text).paused);
    await patch(app, { url: null });
    await home.until(({ topic, text }) => topic === `${base}/service` && text === "");
    const { auth } = app.app.settings.current;
    const hidden = [
      ...places,
      ...[SECRET, "erika", "TokenOf", "gotify", auth.session_secret],
      ...[app.simulator.address, app.folder, app.destination],
    ];
    const heard = home.heard.filter(({ topic }) => under("private")({ topic } as Heard) && !topic.endsWith("/command"));
    expect(new Set(heard.map(({ topic }) => topic)).size).toBe(5);
    for (const { topic, bytes } of heard) {
      const all = `${topic} ${Buffer.from(bytes).toString("latin1")}`;
      expect([topic, hidden.filter((secret) => all.includes(secret))]).toEqual([topic, []]);
    }
  });

  test("orders are followed, those that the broker had kept are not", async () => {
    await using home = await broker.client();
    await using before = await publishing({ settings: { mqtt: at("orders") } });
    await untilState(before, isConnected);
    const command = `orders/dashdock/${idOf(before)}/command`;
    await home.say(command, "pause", { retain: true });
    await before.stop();
    await using app = await publishing({ folder: before.folder, settings: { mqtt: at("orders") } });
    await untilState(app, isConnected);
    const isPaused = (is: boolean) => (heard: Heard) =>
      heard.topic.endsWith("/state") && heard.text !== "" && JSON.parse(heard.text).paused === is;
    await home.until(isPaused(false));
    expect(app.app.settings.current.schedule.paused).toBe(false);
    let from = home.heard.length;
    await home.say(command, "pause");
    await home.until(isPaused(true), from);
    expect(app.app.settings.current.schedule.paused).toBe(true);
    expect(app.app.log.lines.map(({ message }) => message)).toContain(
      "The order pause was ignored: the broker had kept it from before",
    );
    from = home.heard.length;
    await home.say(command, "resume");
    await home.until(isPaused(false), from);
    for (const nonsense of ["", "PAUSE", "delete", "x".repeat(100_000)]) await home.say(command, nonsense);
    from = home.heard.length;
    await home.say(command, "sync");
    await home.until(({ topic, text }) => topic.endsWith("/state") && JSON.parse(text).all_safe === true, from);
    expect(app.app.job.snapshot.state).toBe("completed");
    expect(app.app.settings.current.schedule.paused).toBe(false);
  });

  test("when Home Assistant has started, all is published again: once, however often it says so", async () => {
    const clock = new FakeClock();
    await using home = await broker.client();
    await using app = await publishing({ clock, settings: { mqtt: at("birth") } });
    await untilState(app, isConnected);
    await app.app.homeAssistant.settled();
    const command = `birth/dashdock/${idOf(app)}/command`;
    const from = home.heard.length;
    for (let times = 0; times < 200; times++) await home.say("birth/status", times % 2 ? "offline" : "online");
    // Orders come to the same connection, behind those.
    await home.say(command, "pause");
    while (!app.app.settings.current.schedule.paused) await stateOf(app);
    const configs = () => home.heard.slice(from).filter(({ topic }) => topic.startsWith("birth/device/")).length;
    expect(configs()).toBe(0);
    await clock.advance(2499);
    await app.app.homeAssistant.settled();
    expect(configs()).toBe(0);
    await clock.advance(2501);
    await home.until(({ topic }) => topic.endsWith("/state"), from);
    await clock.advance(60_000);
    await app.app.homeAssistant.settled();
    await home.say("birth/end", "over");
    await home.until(({ topic }) => topic === "birth/end");
    expect(configs()).toBe(1);
  });

  test("each camera is a device, whatever its name; one that is taken away is removed", async () => {
    await using home = await broker.client();
    await using app = await carAndVan({ settings: { mqtt: at("two") } });
    app.app.homeAssistant.start();
    const configs = (id: string) => home.until(({ topic }) => topic.endsWith(id));
    const van = JSON.parse((await configs("_van/config")).text);
    expect([van.device.name, van.components.state.default_entity_id]).toEqual(["Van", "sensor.van_state"]);
    const from = home.heard.length;
    const name = "Für #1+2/3 🚐 عربة";
    expect((await app.client.send("PATCH", "/api/cameras/van", { name })).status).toBe(200);
    const renamed = await home.until(({ topic }) => topic.endsWith("_van/config"), from);
    const { device, components } = JSON.parse(renamed.text);
    expect([device.name, components.state.default_entity_id]).toEqual([name, "sensor.fur_1_2_3_state"]);
    expect((await app.client.send("DELETE", "/api/cameras/van")).status).toBeLessThan(300);
    await home.until(({ topic, text }) => topic.endsWith("_van/config") && text === "", from);
    const topics = home.heard.map(({ topic }) => topic).filter(under2);
    expect(topics.filter((topic) => /[#+]|[^ -~]/.test(topic))).toEqual([]);
  });
  const under2 = (topic: string) => topic.startsWith("two");

  test("a copy with the same id is told, and both leave each other alone", async () => {
    const clock = new FakeClock();
    await using app = await publishing({ clock, settings: { mqtt: at("fight") } });
    await untilState(app, isConnected);
    await using copy = await publishing({ clock });
    writeFileSync(join(copy.folder, "config", "installation-id"), idOf(app));
    await patch(copy, at("fight"));
    const problems = async () => (await Promise.all([app, copy].map(stateOf))).map(({ problem }) => problem ?? "");
    const isTold = (problem: string) =>
      /^(The connection is lost again and again|Another program connected with the id of this one)/.test(problem);
    while (!(await problems()).some(isTold)) await clock.advance(500);
    const [first, second] = (await problems()).map(isTold);
    expect([first, second]).toContain(true);
    await untilState(first ? copy : app, isConnected, clock);
    const tries = () =>
      [app, copy].flatMap(({ app: { log } }) => log.lines.filter(({ message }) => message.startsWith("Connected")))
        .length;
    const before = tries();
    for (let seconds = 0; seconds < 120; seconds++) {
      await clock.advance(1000);
      await stateOf(app);
    }
    expect(tries()).toBe(before);
  });

  test("a service that ends says so first, also where the broker does not answer", async () => {
    const clock = new FakeClock();
    await using home = await broker.client();
    await using gate = await openGate(broker);
    for (const isHeld of [false, true]) {
      const name = isHeld ? "held" : "end";
      await using app = await publishing({ clock, settings: { mqtt: { ...at(name), url: gate.url } } });
      await untilState(app, isConnected);
      await app.app.homeAssistant.settled();
      if (isHeld) gate.hold();
      let hasEnded = false;
      const ending = app.stop().then(() => {
        hasEnded = true;
      });
      while (isHeld && !hasEnded) {
        await clock.advance(250);
        await new Promise((resolve) => setImmediate(resolve));
      }
      await ending;
      await home.until(({ topic, text }) => topic === `${name}/dashdock/${idOf(app)}/service` && text === "offline");
    }
  });

  test("a broker that takes nothing keeps no run waiting, and gets the last state when it does", async () => {
    await using home = await broker.client();
    await using gate = await openGate(broker);
    await using app = await publishing({ settings: { mqtt: { ...at("slow"), url: gate.url } } });
    await untilState(app, isConnected);
    await app.app.homeAssistant.settled();
    gate.hold();
    const from = home.heard.length;
    for (let run = 0; run < 3; run++) {
      app.app.job.start("manual");
      expect((await app.synced()).state).toBe("completed");
    }
    await home.say("slow/end", "over");
    await home.until(({ topic }) => topic === "slow/end");
    // What comes next waits for the first to be taken.
    expect(home.heard.slice(from).filter(under("slow/dashdock")).length).toBeLessThan(2);
    gate.release();
    await home.until(({ topic, text }) => topic.endsWith("/state") && JSON.parse(text).all_safe === true, from);
    await home.until(({ topic }) => topic.startsWith("slow/") && topic.endsWith("/event"), from);
  });
});

describe.skipIf(MOSQUITTO === null)("a broker of its own", () => {
  test("that is away for an hour is told once; when it is back, all is published again", async () => {
    const clock = new FakeClock(Date.now());
    await using broker = await openBroker();
    await using app = await carAndVan({ clock, card: card(), settings: { mqtt: { url: broker.url } } });
    app.app.homeAssistant.start();
    await untilState(app, isConnected);
    await broker.kill();
    await untilState(app, ({ state }) => state === "failed");
    app.app.job.start("manual");
    expect((await app.synced()).state).toBe("completed");
    for (let seconds = 0; seconds < 3600; seconds += 5) {
      await clock.advance(5000);
      await stateOf(app);
    }
    const warnings = app.app.log.lines.filter(({ level, logger }) => logger === "mqtt" && level === "WARNING");
    expect(warnings.length).toBeLessThan(4);
    expect((await app.client.send("DELETE", "/api/cameras/van")).status).toBeLessThan(300);
    await broker.restart();
    await using home = await broker.client();
    const back = clock.elapsed();
    await untilState(app, isConnected, clock);
    // It is asked once a minute, and may take a while to answer.
    expect(clock.elapsed() - back).toBeLessThan(240_000);
    const id = idOf(app);
    await home.until(({ topic }) => topic === `homeassistant/device/dashdock_${id}/config`);
    await home.until(
      ({ topic, text }) => topic === `dashdock/${id}/state` && JSON.parse(text).waiting_recordings === 0,
    );
    // It was taken away meanwhile.
    await home.until(({ topic, text }) => topic === `homeassistant/device/dashdock_${id}_van/config` && text === "");
  });

  test("whose rules forbid the device is told, and what is allowed is published", async () => {
    await using broker = await openBroker({ writable: ["dashdock/#"] });
    await using home = await broker.client();
    await using app = await publishing({ settings: { mqtt: { url: broker.url } } });
    const { state } = await untilState(app, ({ problem }) => problem !== null);
    await home.until(({ topic }) => topic.endsWith("/state"));
    expect([state, (await stateOf(app)).problem]).toEqual([
      "connected",
      "The broker does not let this user publish everything. Allow it both prefixes in the rules of the broker.",
    ]);
    expect((await app.client.open("/settings")).text).toContain("does not let this user publish everything");
  });

  test("with passwords and an authority of its own lets in who has both", async () => {
    const user = { name: "car", password: "Fahr 🚗 zu" };
    await using broker = await openBroker({ user, isEncrypted: true });
    await using home = await broker.client();
    await using app = await publishing({ settings: { mqtt: { url: broker.url } } });
    const failed = async (problem: string) => {
      await untilState(app, (state) => state.problem === problem);
    };
    await failed("The certificate of the broker is not trusted. Set the file of your certificate authority.");
    await patch(app, { ca_file: "/nowhere/authority.pem" });
    await failed("The file of your certificate authority cannot be read. Check mqtt.ca_file.");
    await patch(app, { ca_file: broker.authority, username: "car", password: "wrong" });
    await untilState(app, ({ problem }) => problem?.includes("user") ?? false);
    await patch(app, { password: user.password });
    await untilState(app, isConnected);
    await home.until(({ topic }) => topic.startsWith("homeassistant/device/"));
    await patch(app, { url: broker.url.replace("localhost", "127.0.0.1") });
    await failed("The certificate of the broker is for another name.");
  });
});
