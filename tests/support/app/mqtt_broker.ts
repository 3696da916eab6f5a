import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectAsync, type IClientOptions, type IPublishPacket, type MqttClient } from "mqtt";
import { makeCertificates } from "./certificates.ts";
import { freePort, untilListening } from "./other_program.ts";

/** The real broker, where Debian's package `mosquitto` is. */
export const MOSQUITTO = Bun.which("mosquitto", { PATH: `${process.env["PATH"]}:/usr/sbin:/usr/local/sbin` });

export interface MqttBroker extends AsyncDisposable {
  readonly port: number;
  readonly url: string;
  /** Certificate of the authority that signed the broker's; empty without encryption. */
  readonly authority: string;
  /** Kills it: connections break off. */
  kill(): Promise<void>;
  /** Starts it again at the same port. What it had kept is gone. */
  restart(): Promise<void>;
  /** Another program at the broker. */
  client(options?: IClientOptions): Promise<Observer>;
}

/** A program at the broker that takes down what it is told, as Home Assistant does. */
export interface Observer extends AsyncDisposable {
  readonly mqtt: MqttClient;
  /** What came, the oldest first; `retained` is true for what the broker had kept. */
  readonly heard: readonly Heard[];
  /** Resolves with the first message, from the one numbered `from` on, that is so. */
  until(isSo: (heard: Heard) => boolean, from?: number): Promise<Heard>;
  say(topic: string, text: string, options?: { retain: boolean }): Promise<unknown>;
}

export interface Heard {
  readonly topic: string;
  readonly text: string;
  readonly bytes: Uint8Array;
  readonly retained: boolean;
}

export interface BrokerOptions {
  readonly user?: { readonly name: string; readonly password: string };
  readonly isEncrypted?: boolean;
  /** Topics that may be written, as the broker's rules have them; all of them when left out. Every topic may be read. */
  readonly writable?: readonly string[];
}

export async function openBroker({ user, isEncrypted = false, writable }: BrokerOptions = {}): Promise<MqttBroker> {
  if (MOSQUITTO === null) throw new Error("there is no mosquitto");
  const folder = mkdtempSync(join(tmpdir(), "mosquitto-"));
  const at = (name: string) => join(folder, name);
  const port = freePort();
  const lines = [`listener ${port} 127.0.0.1`, "user root", "persistence false"];
  if (user === undefined) lines.push("allow_anonymous true");
  else {
    const made = Bun.spawnSync(["mosquitto_passwd", "-b", "-c", at("passwords"), user.name, user.password]);
    if (made.exitCode !== 0) throw new Error(made.stderr.toString());
    lines.push("allow_anonymous false", `password_file ${at("passwords")}`);
  }
  if (writable !== undefined) {
    writeFileSync(at("rules"), ["topic read #", ...writable.map((topic) => `topic write ${topic}`), ""].join("\n"));
    lines.push(`acl_file ${at("rules")}`);
  }
  if (isEncrypted) {
    makeCertificates(folder);
    lines.push(`certfile ${at("broker.pem")}`, `keyfile ${at("broker.key")}`);
  }
  writeFileSync(at("mosquitto.conf"), `${lines.join("\n")}\n`);
  const start = async () => {
    const started = Bun.spawn([MOSQUITTO ?? "", "-c", at("mosquitto.conf")], { stdout: "ignore", stderr: "ignore" });
    await untilListening(port, "mosquitto");
    return started;
  };
  let running = await start();
  const scheme = isEncrypted ? "mqtts" : "mqtt";
  const kill = async () => {
    running.kill("SIGKILL");
    await running.exited;
  };
  return {
    port,
    url: `${scheme}://localhost:${port}`,
    authority: isEncrypted ? at("authority.pem") : "",
    kill,
    async restart() {
      running = await start();
    },
    client: (options) =>
      observe(`${scheme}://localhost:${port}`, {
        ...(user && { username: user.name, password: user.password }),
        ...(isEncrypted && { ca: [readFileSync(at("authority.pem"), "utf8")] }),
        ...options,
      }),
    async [Symbol.asyncDispose]() {
      await kill();
      rmSync(folder, { recursive: true });
    },
  };
}

/** A way to a broker that can be held: then nothing of what the broker says comes through. */
export interface Gate extends AsyncDisposable {
  readonly url: string;
  hold(): void;
  release(): void;
}

export async function openGate({ port }: Pick<MqttBroker, "port">): Promise<Gate> {
  const sockets = new Set<Socket>();
  const brokers = new Set<Socket>();
  let isHeld = false;
  const server = createServer((client) => {
    const broker = connect({ host: "127.0.0.1", port });
    brokers.add(broker);
    for (const [socket, other] of [[client, broker] as const, [broker, client] as const]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        brokers.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
    if (isHeld) broker.pause();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hold() {
      isHeld = true;
      for (const broker of brokers) broker.pause();
    },
    release() {
      isHeld = false;
      for (const broker of brokers) broker.resume();
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function observe(url: string, options: IClientOptions): Promise<Observer> {
  const heard: Heard[] = [];
  const waiting = new Set<() => void>();
  const mqtt = await connectAsync(url, { protocolVersion: 5, reconnectPeriod: 0, timerVariant: "native", ...options });
  mqtt.on("error", () => {});
  mqtt.on("message", (topic: string, payload: Buffer, { retain }: IPublishPacket) => {
    heard.push({ topic, text: payload.toString(), bytes: new Uint8Array(payload), retained: retain });
    for (const wake of waiting) wake();
  });
  await mqtt.subscribeAsync("#", { qos: 1, rap: true });
  return {
    mqtt,
    heard,
    async until(isSo, from = 0) {
      const { promise, resolve, reject } = Promise.withResolvers<Heard>();
      const look = () => {
        const found = heard.slice(from).find(isSo);
        if (found) resolve(found);
      };
      const late = setTimeout(() => {
        reject(
          new Error(
            `it was not published; heard: ${heard.map(({ topic, text }) => `${topic} ${text.slice(0, 80)}`).join("\n")}`,
          ),
        );
      }, 15_000);
      waiting.add(look);
      look();
      try {
        return await promise;
      } finally {
        clearTimeout(late);
        waiting.delete(look);
      }
    },
    say: (topic, text, { retain } = { retain: false }) => mqtt.publishAsync(topic, text, { qos: 1, retain }),
    async [Symbol.asyncDispose]() {
      await mqtt.endAsync(true);
    },
  };
}
