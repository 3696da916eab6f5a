import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";

/** Bytes of an answer, null for nothing, or the end of the connection. */
export type OddAnswer = readonly number[] | Uint8Array | null | "close";

/** Answers that let a client in. */
export const ACCEPT_5: readonly number[] = [0x20, 0x03, 0x00, 0x00, 0x00];
export const ACCEPT_4: readonly number[] = [0x20, 0x02, 0x00, 0x00];

export interface OddBroker extends AsyncDisposable {
  readonly port: number;
  /** Versions of MQTT of the connections so far, the first packets of which have come. */
  readonly versions: readonly (number | undefined)[];
  /** All that came behind the first packet of each connection, in the same order. */
  readonly later: readonly Buffer[];
  /** Connections that are open. */
  readonly open: number;
  /** Resolves when it is so; looked at whenever something comes or ends. */
  until(isSo: () => boolean): Promise<void>;
}

interface Options {
  /** Encrypted, with this. */
  readonly certificate?: { readonly key: string; readonly cert: string };
  /** A new connection ends those before, as when all come with one id. */
  readonly isForOne?: true;
}

/** Something at the address of a broker, which answers the first packet as the test says, and nothing else. */
export async function openOddBroker(
  answer: (version: number | undefined) => OddAnswer,
  { certificate, isForOne }: Options = {},
): Promise<OddBroker> {
  const versions: (number | undefined)[] = [];
  const later: Buffer[] = [];
  const sockets = new Set<Socket>();
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const look of waiting) look();
  };
  const serve = (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => {
      sockets.delete(socket);
      wake();
    });
    let at = -1;
    socket.on("data", (packet: Buffer) => {
      if (at >= 0) later[at] = Buffer.concat([later[at] ?? Buffer.alloc(0), packet]);
      else {
        at = later.push(Buffer.alloc(0)) - 1;
        const version = versionIn(packet);
        for (const other of sockets) if (isForOne && other !== socket) other.destroy();
        const bytes = answer(version);
        if (bytes === "close") socket.destroy();
        else if (bytes !== null) socket.write(Uint8Array.from(bytes));
        versions.push(version);
      }
      wake();
    });
  };
  const server: Server = certificate ? createTlsServer(certificate, serve) : createServer(serve);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    versions,
    later,
    get open() {
      return sockets.size;
    },
    async until(isSo) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const look = () => {
        if (isSo()) resolve();
      };
      waiting.add(look);
      look();
      await promise;
      waiting.delete(look);
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The version stands behind the name of the protocol. */
const versionIn = (packet: Buffer) => packet[packet.indexOf("MQTT") + 4];
