import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BrokerError, type BrokerLogin, connectBroker, type Order } from "../../../server/remote/mqtt/broker.ts";
import { makeCertificates } from "../../support/app/certificates.ts";
import { FakeClock } from "../../support/app/clock.ts";
import { ACCEPT_5, type OddAnswer, type OddBroker, openOddBroker } from "../../support/app/odd_broker.ts";

const PASSWORD = "a password of the broker";

function connectTo(
  { port }: OddBroker,
  {
    clock = new FakeClock(),
    orders = [] as Order[],
    ...login
  }: Partial<BrokerLogin> & { clock?: FakeClock; orders?: Order[] } = {},
) {
  return connectBroker(
    {
      broker: { isEncrypted: false, host: "127.0.0.1", port },
      version: 5,
      username: "car",
      password: PASSWORD,
      authority: null,
      clientId: "dashdock_1",
      will: { topic: "a", payload: "offline" },
      ...login,
    },
    { clock, signal: new AbortController().signal, onOrder: (order) => orders.push(order) },
  );
}

async function failureOf(work: Promise<unknown>) {
  const error = await work.then(
    () => null,
    (why: unknown) => why,
  );
  if (error instanceof BrokerError) return error.failure;
  throw new Error(`it did not fail as it should: ${error}`);
}

const text = (words: string) => [...new TextEncoder().encode(words)];
/** A packet of this kind; a short one. */
const packet = (kind: number, body: readonly number[]) => [kind, body.length, ...body];

test("a password is sent only when the certificate is trusted", async () => {
  const folder = mkdtempSync(join(tmpdir(), "certificates-"));
  makeCertificates(folder);
  const [key = "", cert = "", authority = ""] = ["broker.key", "broker.pem", "authority.pem"].map((name) =>
    readFileSync(join(folder, name), "utf8"),
  );
  rmSync(folder, { recursive: true });
  await using broker = await openOddBroker(() => ACCEPT_5, { certificate: { key, cert } });
  const encrypted = { isEncrypted: true, host: "localhost", port: broker.port };
  for (const [host, trusted, problem] of [
    ["localhost", null, /UNABLE|SELF_SIGNED/],
    ["127.0.0.1", authority, /ALTNAME/],
  ] as const) {
    const { code } = await failureOf(connectTo(broker, { broker: { ...encrypted, host }, authority: trusted }));
    expect(code).toMatch(problem);
  }
  await broker.until(() => broker.open === 0);
  expect(broker.versions).toEqual([]);
  const connection = await connectTo(broker, { broker: encrypted, authority });
  expect(broker.versions).toEqual([5]);
  await connection.end();
});

test("nonsense instead of an answer is a failure, and nothing more", async () => {
  const rows: readonly OddAnswer[] = [
    text("HTTP/1.1 400 Bad Request\r\n\r\n"),
    text("220 mail.example ESMTP\r\n"),
    [0, 0, 0, 0],
    [0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
    // An answer that is cut off, of an impossible length, and with properties beyond its end.
    [0x20, 0x03, 0x00, 0x00, 0x05],
    [0x20, 0xff, 0xff, 0xff, 0xff, 0x7f],
    [0x20, 0x05, 0x00, 0x00, 0x7f, 0x21, 0x00],
    [0x20, 0x06, 0x00, 0x00, 0x03, 0x99, 0x00, 0x01],
    // A message and an acknowledgement before the answer.
    packet(0x30, [0, 1, 0x61, 0]),
    packet(0x40, [0, 1]),
    "close",
  ];
  for (const answer of rows) {
    await using broker = await openOddBroker(() => answer);
    const clock = new FakeClock();
    const failing = failureOf(connectTo(broker, { clock }));
    await broker.until(() => broker.versions.length === 1);
    await clock.advance(10_000);
    const failure = await failing;
    expect([answer, failure.isSilent]).toEqual([answer, true]);
    await broker.until(() => broker.open === 0);
  }
});

test("nonsense behind the answer ends the connection, without an order in it", async () => {
  const rows: readonly (readonly number[])[] = [
    [0x00, 0x00],
    [0xff, 0xff, 0xff, 0xff, 0xff],
    packet(0x20, [0, 0, 0]),
    // Messages with a name that is longer than they are, and with a name by an alias that was never given.
    packet(0x32, [0xff, 0xff, 0x61]),
    packet(0x30, [0, 0, 3, 0x23, 0, 9, 0x61]),
    packet(0xe0, [0x8b, 0]),
    packet(0xf0, [0x18, 0]),
    // The number of a message that has none.
    packet(0x62, [0]),
    // Goes on after it has ended the connection.
    [...packet(0xe0, [0x8b, 0]), ...packet(0x62, [0, 1]), ...packet(0x62, [0, 2]), ...packet(0x30, [0, 1, 0x61, 0])],
  ];
  for (const bytes of rows) {
    const orders: Order[] = [];
    await using broker = await openOddBroker(() => [...ACCEPT_5, ...bytes]);
    const outcome = await connectTo(broker, { orders }).then(
      (connection) => connection.closed,
      (error: unknown) => error,
    );
    expect([bytes, outcome]).toEqual([bytes, expect.anything()]);
    await broker.until(() => broker.open === 0);
    expect([bytes, orders]).toEqual([bytes, []]);
  }
});

test("a message without an end does not fill the memory", async () => {
  const endless = new Uint8Array(3_000_000);
  // It claims 200 MB.
  endless.set([...ACCEPT_5, 0x30, 0x80, 0x84, 0xaf, 0x5f, 0, 1, 0x61]);
  await using broker = await openOddBroker(() => endless);
  const connection = await connectTo(broker);
  expect(await connection.closed).toMatchObject({ code: "EMSGSIZE" });
});

test("an order is read with its topic; one that is too long is none", async () => {
  const orders: Order[] = [];
  const sync = packet(0x30, [0, 1, 0x61, 0, ...text("sync")]);
  const kept = packet(0x31, [0, 1, 0x61, 0, ...text("pause")]);
  const long = [0x30, 0xac, 0x02, 0, 1, 0x61, 0, ...Array<number>(296).fill(0x78)];
  await using broker = await openOddBroker(() => [...ACCEPT_5, ...long, ...sync, ...kept, 0xe0, 0]);
  const connection = await connectTo(broker, { orders });
  await connection.closed;
  expect(orders).toEqual([
    { topic: "a", text: "sync", isRetained: false },
    { topic: "a", text: "pause", isRetained: true },
  ]);
});

test("an end in order is said; a cut is not, so that the broker tells the last will", async () => {
  await using broker = await openOddBroker(() => ACCEPT_5);
  const first = await connectTo(broker);
  await first.end();
  expect(await first.closed).toBeNull();
  const second = await connectTo(broker);
  second.cut();
  expect(await second.closed).toBeNull();
  await broker.until(() => broker.open === 0);
  expect(broker.later.map((bytes) => bytes[0])).toEqual([0xe0, undefined]);
});

test("a broker that does not acknowledge is given up after twenty seconds", async () => {
  await using broker = await openOddBroker(() => ACCEPT_5);
  const clock = new FakeClock();
  const connection = await connectTo(broker, { clock });
  const failing = failureOf(connection.publish("a", "b", "retained"));
  await broker.until(() => (broker.later[0]?.length ?? 0) > 0);
  await clock.advance(20_000);
  expect(await failing).toMatchObject({ code: "ETIME" });
  expect(await connection.closed).toMatchObject({ code: "ETIME" });
  expect(await failureOf(connection.publish("a", "b", "passing"))).toMatchObject({ code: "ETIME" });
  await broker.until(() => broker.open === 0);
});

test("an end waits a second for what the broker does not acknowledge, and no longer", async () => {
  await using broker = await openOddBroker(() => ACCEPT_5);
  const clock = new FakeClock();
  const connection = await connectTo(broker, { clock });
  const publishing = failureOf(connection.publish("a", "b", "retained"));
  await broker.until(() => (broker.later[0]?.length ?? 0) > 0);
  const ending = connection.end();
  await clock.advance(1000);
  await ending;
  await publishing;
  await broker.until(() => broker.open === 0);
});
