import { expect, setDefaultTimeout, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../server/clock.ts";
import type { CommandIO } from "../server/commands/command_io.ts";
import { fetchOffsiteCommand } from "../server/commands/fetch_offsite.ts";
import { AskBucket } from "../server/remote/s3/ask_bucket.ts";
import { Bucket } from "../server/remote/s3/bucket.ts";
import { House, put } from "./support/app/held.ts";
import { until } from "./support/app/http.ts";
import { MOTO, type MotoServer, openMotoServer } from "./support/app/moto_server.ts";
import { askOffsite, isAllSent, offsiteTo, offsiteUntil, startSending } from "./support/app/sending.ts";
import { listTree } from "./support/app/sync.ts";

setDefaultTimeout(60_000);

if (MOTO === null) console.log("No moto_server found: the test with a bucket that others wrote is skipped.");
const AGE = Bun.which("age");
if (AGE === null) console.log("No age found: nothing is opened with the program itself.");

const FILES = ["20260601_100000_EF.mp4", "2026-05/20260501_100000_NF.mp4", "20260601_100000_E.gps"];
/** Two parts. */
const LONG = "20260603_100000_EF.mp4";
const LONG_BYTES = 10 * 1024 * 1024;
const CUT_AFTER = 9 * 1024 * 1024;
const PASSPHRASE = "five words that are long";
const SIGNAL = new AbortController().signal;

interface Line extends AsyncDisposable {
  readonly port: number;
  /** Bytes that have gone to the server. */
  sent: number;
  /** Connections break at so many bytes, and no new ones come about. */
  most: number;
}

/** A line to a server that can be cut. */
async function openLine(to: number): Promise<Line> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    if (line.sent >= line.most) {
      client.destroy();
      return;
    }
    const other = connect({ host: "127.0.0.1", port: to });
    for (const [socket, peer] of [[client, other] as const, [other, client] as const]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        peer.destroy();
      });
      socket.pipe(peer);
    }
    client.on("data", (bytes) => {
      line.sent += bytes.length;
      if (line.sent >= line.most) for (const socket of sockets) socket.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const line: Line = {
    port: (server.address() as AddressInfo).port,
    sent: 0,
    most: Number.POSITIVE_INFINITY,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return line;
}

async function fetchBack(server: MotoServer, folder: string): Promise<{ code: number; said: string }> {
  let said = "";
  const write = (text: string) => (said += text);
  const io = {
    env: {
      SERVICE_OFFSITE_ENDPOINT: server.endpoint,
      SERVICE_OFFSITE_BUCKET: server.bucket,
      SERVICE_OFFSITE_REGION: server.region,
      SERVICE_OFFSITE_ACCESS_KEY: server.accessKey,
      SERVICE_OFFSITE_SECRET_KEY: server.secretKey,
      SERVICE_OFFSITE_CA_FILE: server.authority,
      SERVICE_OFFSITE_PASSPHRASE: PASSPHRASE,
    },
    out: { write },
    err: { write },
    onSignal: () => () => {},
    onOutputClosed: () => () => {},
  } as unknown as CommandIO;
  return { code: await fetchOffsiteCommand([folder], io), said };
}

/** Opens a file with the program age, which asks for the passphrase on a terminal and nowhere else. */
async function openedByAge(path: string): Promise<Buffer> {
  const child = Bun.spawn(["script", "-qec", `${AGE} -d -o ${path}.open ${path}`, "/dev/null"], { stdin: "pipe" });
  child.stdin.write(`${PASSPHRASE}\n`);
  child.stdin.flush();
  expect(await child.exited).toBe(0);
  return readFileSync(`${path}.open`);
}

test.skipIf(MOTO === null)(
  "copies go to a bucket that others wrote, over a line that is cut, and come back as they were",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "moto-"));
    try {
      await using server = await openMotoServer(folder);
      await using line = await openLine(Number(new URL(server.endpoint).port));
      using house = new House(FILES);
      put(house, [LONG], randomBytes(LONG_BYTES));
      line.most = CUT_AFTER;
      const offsite = offsiteTo(server, {
        endpoint: `https://localhost:${line.port}`,
        ca_file: server.authority,
        passphrase: PASSPHRASE,
      });
      {
        await using _app = await startSending(house, offsite);
        await until(() => line.sent >= CUT_AFTER, 30_000);
      }
      Object.assign(line, { sent: 0, most: Number.POSITIVE_INFINITY });
      await using app = await startSending(house, offsite);
      expect(await offsiteUntil(app, isAllSent)).toMatchObject({ sent: { recordings: 3 }, problem: null });
      // It went on with the second part.
      expect(line.sent).toBeLessThan(4 * 1024 * 1024);

      const authority = readFileSync(server.authority, "utf8");
      const ask = new AskBucket({ ...server, authority }, { clock: systemClock });
      const bucket = new Bucket(ask);
      const home = listTree(house.destination).filter((path) => !path.startsWith(".") && !path.endsWith("/"));
      const names = async () =>
        (await Array.fromAsync(bucket.list("", SIGNAL))).map((page) => page.map(({ key }) => key));
      const pages = await names();
      expect(pages.length).toBe(2);
      expect(pages.flat()).toEqual(home.map((path) => `${path}.age`).sort());
      expect(await bucket.uploads("", SIGNAL)).toEqual([]);

      // The last name of the second page.
      const last = pages.flat().at(-1) ?? "";
      await ask.send({ method: "DELETE", key: last, signal: SIGNAL });
      expect((await names()).flat()).not.toContain(last);
      await askOffsite(app, "compare");
      await offsiteUntil(app, (state) => isAllSent(state) && state.sent.recordings === 3);
      expect((await names()).flat()).toContain(last);

      const back = join(folder, "back");
      const { code, said } = await fetchBack(server, back);
      expect([code, said]).toEqual([0, expect.stringContaining("Fetched 4\u00a0files")]);
      expect(listTree(back)).toEqual(listTree(house.destination).filter((path) => !path.startsWith(".")));
      for (const path of home)
        expect(readFileSync(join(back, path)).equals(readFileSync(join(house.destination, path)))).toBe(true);

      const stored = join(folder, "stored.age");
      await Bun.write(stored, Buffer.concat(await Array.fromAsync(bucket.get(`${LONG}.age`, 0, SIGNAL))));
      if (AGE !== null)
        expect((await openedByAge(stored)).equals(readFileSync(join(house.destination, LONG)))).toBe(true);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
