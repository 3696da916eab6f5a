import { connect as connectPlain, isIP, type Socket } from "node:net";
import { connect as connectEncrypted } from "node:tls";
import LibraryClient, { type IClientOptions } from "mqtt/lib/client";
import LibraryStore from "mqtt/lib/store";
import { type Clock, within } from "../../clock.ts";
import type { BrokerFailure } from "../../domain/mqtt/broker_problem.ts";
import type { Broker } from "../../domain/settings/mqtt_address.ts";

/** In the executable a module of the library stands in the place of what it exports. */
const exported = <T extends object>(found: T): T => ("default" in found ? (found.default as T) : found);
/** The library's client without its other ways to a broker, which would take memory. */
const MqttClient = exported(LibraryClient);
const Store = exported(LibraryStore);

/** Versions of MQTT by their numbers in the protocol: 4 is 3.1.1. */
export type MqttVersion = 4 | 5;

/** Time for the connection, and for the broker's answer to the first packet. */
const ANSWER_MS = 10_000;
const KEEPALIVE_SECONDS = 60;
/** Orders are short; more than this is none. */
const LONGEST_ORDER = 256;
/** Longest packet that the broker is asked to send. */
const LONGEST_PACKET = 64 * 1024;
/** Bytes without the end of a packet in them: a broker that sends so many would fill the memory. */
const MOST_UNREAD = 1024 * 1024;
/** A broker that does not take what is published for so long is gone. */
const TAKES_MS = 20_000;
/** Limit of an end in order. */
const END_MS = 1000;

export interface BrokerLogin {
  readonly broker: Broker;
  readonly version: MqttVersion;
  readonly username: string;
  readonly password: string | null;
  /** Text of the file with certificate authorities; null for the public ones. */
  readonly authority: string | null;
  readonly clientId: string;
  /** Published and kept by the broker when the connection is lost. */
  readonly will: { readonly topic: string; readonly payload: string };
}

/** A message that came to a topic. */
export interface Order {
  readonly topic: string;
  readonly text: string;
  /** The broker had kept it: it was sent before. */
  readonly isRetained: boolean;
}

/** A connection to a broker. */
export interface BrokerConnection {
  /** Resolves when the broker has it. @throws BrokerError when the connection is lost before */
  publish(topic: string, payload: string | Uint8Array, kind: "retained" | "passing"): Promise<void>;
  /**
   * Asks for the messages of a topic. Those of `orders` tell that they were sent to be kept, also when they have just been
   * sent, as far as the broker's version of MQTT has that.
   * @throws BrokerError when the broker does not allow it, or the connection is lost before
   */
  subscribe(topic: string, kind: "orders" | "news"): Promise<void>;
  /** Resolves when the connection is over, with its failure; null when it was ended here. */
  readonly closed: Promise<BrokerFailure | null>;
  /** Ends the connection in order: the broker publishes no last will. */
  end(): Promise<void>;
  /** Cuts the connection: the broker publishes the last will. */
  cut(): void;
}

/** A broker that cannot be reached, or that does not do what it is asked for. */
export class BrokerError extends Error {
  readonly failure: BrokerFailure;

  constructor(failure: BrokerFailure) {
    super(failure.words);
    this.failure = failure;
  }
}

/** Connects once. @throws BrokerError */
export async function connectBroker(
  login: BrokerLogin,
  { clock, signal, onOrder }: { clock: Clock; signal: AbortSignal; onOrder: (order: Order) => void },
): Promise<BrokerConnection> {
  const { promise: closed, resolve: close } = Promise.withResolvers<BrokerFailure | null>();
  const { promise: connected, resolve: isConnected, reject: isFailed } = Promise.withResolvers<void>();
  // A failure after the connection is no one's to catch here.
  connected.catch(() => {});
  let failure: BrokerFailure | null = null;
  /** The host has taken the connection and, with encryption, shown a certificate that is trusted. */
  let isReached = false;
  /** The broker has let this program in. */
  let wasOpen = false;
  let isEnded = false;
  const stream = streamTo(login);
  const client = new MqttClient(() => stream, optionsOf(login));
  const over = new AbortController();
  const cut = () => {
    if (isReached) client.end(true);
    // While an end in order is under way, the library does not do it.
    stream.destroy();
    over.abort();
  };
  const fail = (why: BrokerFailure) => {
    failure ??= why;
    isFailed(new BrokerError(failure));
    cut();
    close(isEnded ? null : failure);
  };
  // The library answers numbers of messages that it has not checked, and throws where no one can catch it.
  const write = stream.write.bind(stream);
  stream.write = ((...written: Parameters<typeof write>) => {
    try {
      return write(...written);
    } catch (error) {
      fail(failureOf(error));
      return false;
    }
  }) as typeof write;
  stream.once(login.broker.isEncrypted ? "secureConnect" : "connect", () => {
    isReached = true;
    // Only now: the first packet has the password.
    client.connect();
    let unread = 0;
    client.on("packetreceive", () => {
      unread = 0;
    });
    stream.on("data", ({ length }: Buffer) => {
      unread += length;
      if (unread > MOST_UNREAD) fail(TOO_LONG);
    });
  });
  // The library passes on only some of the system's errors.
  stream.on("error", (error: unknown) => {
    const why = failureOf(error);
    // Something was there, and hung up at the first packet.
    fail(!stream.connecting && !wasOpen && why.code === "ECONNRESET" ? SILENT : why);
  });
  stream.on("close", () => fail(wasOpen ? LOST : SILENT));
  client.on("connect", () => {
    wasOpen = true;
    isConnected();
  });
  client.on("error", (error) => {
    const why = failureOf(error);
    // An answer that makes no sense is no answer.
    fail(wasOpen || why.reason !== null || why.code !== null ? why : { ...SILENT, words: why.words });
  });
  client.on("disconnect", ({ reasonCode }) => fail({ ...LOST, reason: reasonCode ?? null }));
  client.on("message", (topic, payload, { retain }) => {
    if (payload.length <= LONGEST_ORDER && failure === null && !isEnded)
      onOrder({ topic, text: payload.toString(), isRetained: retain });
  });
  const stop = () => fail({ ...LOST, words: "it was stopped" });
  signal.addEventListener("abort", stop, { once: true });
  closed.then(() => signal.removeEventListener("abort", stop));
  if (signal.aborted) stop();
  clock.sleep(ANSWER_MS, over.signal).then(
    () => {
      if (!wasOpen) fail(stream.connecting ? UNREACHED : SILENT);
    },
    () => {},
  );
  await connected;
  const waiting = new Set<(why: BrokerFailure) => void>();
  closed.then((why) => {
    for (const lose of waiting) lose(why ?? LOST);
  });
  const taken = async (work: Promise<unknown>) => {
    const { promise: lost, reject } = Promise.withResolvers<never>();
    const lose = (why: BrokerFailure) => reject(new BrokerError(why));
    waiting.add(lose);
    const inTime = new AbortController();
    clock.sleep(TAKES_MS, inTime.signal).then(
      () => fail(LATE),
      () => {},
    );
    if (failure !== null || isEnded) lose(failure ?? LOST);
    try {
      await Promise.race([work, lost]);
    } catch (error) {
      if (error instanceof BrokerError) throw error;
      const said = failureOf(error);
      // Without a reason the library only says that the connection is closed.
      throw new BrokerError(said.reason === null ? (failure ?? said) : said);
    } finally {
      inTime.abort();
      waiting.delete(lose);
    }
  };
  return {
    closed,
    async publish(topic, payload, kind) {
      const bytes = typeof payload === "string" ? payload : Buffer.from(payload);
      await taken(client.publishAsync(topic, bytes, { qos: 1, retain: kind === "retained" }));
    },
    async subscribe(topic, kind) {
      const rap = kind === "orders" && login.version === 5;
      await taken(client.subscribeAsync(topic, { qos: 1, ...(rap && { rap }) }));
    },
    async end() {
      isEnded = true;
      await within(clock, END_MS, Promise.race([client.endAsync().catch(() => {}), closed]));
      cut();
      close(null);
    },
    cut() {
      isEnded = true;
      cut();
      close(null);
    },
  };
}

const LOST: BrokerFailure = { reason: null, code: "ECONNRESET", isSilent: false, words: "the connection was lost" };
const SILENT: BrokerFailure = { reason: null, code: null, isSilent: true, words: "the broker did not answer" };
const UNREACHED: BrokerFailure = { ...LOST, code: "ETIMEDOUT", words: "the host did not answer" };
const LATE: BrokerFailure = { ...LOST, code: "ETIME", words: "the broker did not take a message" };
const TOO_LONG: BrokerFailure = { ...LOST, code: "EMSGSIZE", words: "the broker sent something too long" };

function streamTo({ broker: { isEncrypted, host, port }, authority }: BrokerLogin): Socket {
  if (!isEncrypted) return connectPlain({ host, port });
  return connectEncrypted({
    host,
    port,
    rejectUnauthorized: true,
    ...(authority !== null && { ca: authority }),
    // An address is no server name of TLS.
    ...(isIP(host) === 0 && { servername: host }),
  });
}

function optionsOf({ version, username, password, clientId, will }: BrokerLogin): IClientOptions {
  return {
    manualConnect: true,
    protocolVersion: version,
    protocolId: "MQTT",
    clientId,
    clean: true,
    keepalive: KEEPALIVE_SECONDS,
    // Waiting and trying again is done by those who ask for the connection, by their clock.
    reconnectPeriod: 0,
    connectTimeout: 3_600_000,
    resubscribe: false,
    queueQoSZero: false,
    // The usual ones throw when a broker goes on to send while its connection is ended.
    incomingStore: new Store({ clean: false }),
    outgoingStore: new Store({ clean: false }),
    timerVariant: "native",
    ...(version === 5 && { properties: { maximumPacketSize: LONGEST_PACKET } }),
    ...(username !== "" && { username }),
    ...(username !== "" && password !== null && { password }),
    will: { topic: will.topic, payload: Buffer.from(will.payload), qos: 1, retain: true },
  };
}

function failureOf(error: unknown): BrokerFailure {
  const { code, message } =
    error instanceof Error ? (error as Error & { code?: unknown }) : { code: null, message: "" };
  return {
    reason: typeof code === "number" ? code : null,
    code: typeof code === "string" ? code : null,
    isSilent: false,
    words: message || String(error),
  };
}
