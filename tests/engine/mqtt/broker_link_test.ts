import { afterEach, expect, test } from "bun:test";
import { initialSettings } from "../../../server/domain/settings/settings.ts";
import { BrokerLink } from "../../../server/engine/mqtt/broker_link.ts";
import { Log } from "../../../server/log.ts";
import { FakeClock } from "../../support/app/clock.ts";
import { ACCEPT_4, ACCEPT_5, type OddBroker, openOddBroker } from "../../support/app/odd_broker.ts";

const opened: BrokerLink[] = [];
afterEach(async () => {
  for (const link of opened.splice(0)) await link.close(async () => {}, 0);
});

function linkTo(
  { port }: OddBroker,
  clock = new FakeClock(),
): { link: BrokerLink; clock: FakeClock; connected: Promise<void> } {
  const { promise: connected, resolve } = Promise.withResolvers<void>();
  const link = new BrokerLink({
    clock,
    log: new Log(clock),
    settings: { ...initialSettings().mqtt, url: `mqtt://127.0.0.1:${port}` },
    clientId: "dashdock_1",
    will: { topic: "a", payload: "offline" },
    onConnect: async () => resolve(),
    onOrder: () => {},
  });
  opened.push(link);
  link.start();
  return { link, clock, connected };
}

/** Lets time pass until it is so, slowly enough for what goes over the connection meanwhile: both ends are in this process. */
async function passUntil(clock: FakeClock, isSo: () => boolean): Promise<void> {
  const end = performance.now() + 10_000;
  while (!isSo()) {
    if (performance.now() > end) throw new Error("it never came about");
    await clock.advance(500);
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
}

for (const [says, refusal] of [
  ["with the code of MQTT 5", [0x20, 0x03, 0x00, 132, 0x00]],
  ["with the code of MQTT 3.1.1", [0x20, 0x02, 0x00, 0x01]],
] as const)
  test(`a broker that refuses MQTT 5 ${says} is asked with 3.1.1`, async () => {
    await using broker = await openOddBroker((version) => (version === 5 ? refusal : ACCEPT_4));
    const { link, clock, connected } = linkTo(broker);
    await broker.until(() => broker.versions.length === 1);
    await passUntil(clock, () => broker.versions.length === 2);
    await connected;
    expect([broker.versions, link.state.version]).toEqual([[5, 4], 4]);
  });

test("a broker that says nothing to MQTT 5 for ten seconds is asked with 3.1.1", async () => {
  await using broker = await openOddBroker((version) => (version === 5 ? null : ACCEPT_4));
  const { link, clock, connected } = linkTo(broker);
  await broker.until(() => broker.versions.length === 1);
  await clock.advance(9_000);
  expect([broker.versions, link.state.state]).toEqual([[5], "connecting"]);
  await passUntil(clock, () => broker.versions.length === 2);
  await connected;
  expect([broker.versions, link.state.version]).toEqual([[5, 4], 4]);
});

test("something that is no broker is asked more and more rarely, with both versions in turns", async () => {
  await using broker = await openOddBroker(() => "close");
  const { link, clock } = linkTo(broker);
  await passUntil(clock, () => broker.versions.length === 4);
  expect(broker.versions).toEqual([5, 4, 5, 4]);
  expect(link.state).toMatchObject({
    state: "failed",
    problem: expect.stringContaining("does not answer like a broker"),
  });
});

test("a broker that says that another one took the id is left alone for five minutes", async () => {
  await using broker = await openOddBroker(() => [...ACCEPT_5, 0xe0, 0x01, 142]);
  const { link, clock } = linkTo(broker);
  await broker.until(() => broker.versions.length === 1);
  await passUntil(clock, () => link.state.state === "failed");
  expect(link.state.problem).toStartWith("Another program connected with the id of this one");
  await clock.advance(4 * 60_000);
  expect(broker.versions).toEqual([5]);
  await passUntil(clock, () => broker.versions.length === 2);
});

test("two programs with one id do not fight: the one that lost three times waits, and tells why", async () => {
  await using broker = await openOddBroker(() => ACCEPT_5, { isForOne: true });
  const { link: one, clock } = linkTo(broker);
  await broker.until(() => broker.versions.length === 1);
  const { link: other } = linkTo(broker, clock);
  const told = new Set<string>();
  const end = clock.elapsed() + 3_600_000;
  await passUntil(clock, () => {
    for (const { state } of [one, other]) if (state.problem !== null) told.add(state.problem);
    return clock.elapsed() >= end;
  });
  expect([...told].filter((problem) => problem.startsWith("The connection is lost again and again."))).toHaveLength(1);
  // Twelve times five minutes.
  expect(broker.versions.length).toBeLessThan(45);
  expect(broker.versions.length).toBeGreaterThan(12);
  expect([one, other].some(({ state }) => state.state === "connected")).toBe(true);
});

test("an end that was not said in time is a cut, so that the broker tells the last will", async () => {
  await using broker = await openOddBroker(() => ACCEPT_5);
  const { link, clock, connected } = linkTo(broker);
  await connected;
  const closing = link.close((connection) => connection.publish("a", "offline", "retained"), 2000);
  await broker.until(() => (broker.later[0]?.length ?? 0) > 0);
  await clock.advance(2000);
  await closing;
  await broker.until(() => broker.open === 0);
  // The publication, and no farewell behind it.
  expect([broker.later[0]?.[0], broker.later[0]?.at(-2)]).not.toContain(0xe0);
  expect(broker.later).toHaveLength(1);
});
