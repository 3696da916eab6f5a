import { afterEach, describe, expect, test } from "bun:test";
import { createServer, type Server, type Socket } from "node:net";
import { openCamera } from "../../server/dashcam/camera.ts";
import { simulatedCard, syntheticFootage } from "../../server/dashcam/simulator/simulated_card.ts";
import { openSimulator } from "../../server/dashcam/simulator/simulator.ts";
import { until } from "../support/app/http.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A port that takes connections, and all that came by them. */
async function port(host: string, accept: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    accept(socket);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const bound = server.address();
  return typeof bound === "object" && bound ? bound.port : 0;
}

const camera = (address: string) => openCamera({ address, timeoutMs: 5000 });
const signal = () => new AbortController().signal;

describe("a look at a camera's port", () => {
  test("is one connection that sends nothing and is closed again", async () => {
    const seen = { connections: 0, bytes: 0, closed: 0 };
    const at = await port("127.0.0.1", (socket) => {
      seen.connections += 1;
      socket.on("data", (bytes) => {
        seen.bytes += bytes.length;
      });
      socket.on("end", () => {
        seen.closed += 1;
      });
    });
    for (const looks of [1, 2]) {
      expect(await camera(`127.0.0.1:${at}`).isThere(2000, signal())).toBe(true);
      await until(() => seen.closed === looks);
      expect(seen).toEqual({ connections: looks, bytes: 0, closed: looks });
    }
  });

  test("finds the simulated camera, which sees no request, until it drives off", async () => {
    const card = simulatedCard({ recordings: 1, now: Date.UTC(2026, 10, 20, 12), footage: syntheticFootage(1000) });
    await using simulator = await openSimulator({ card, host: "127.77.3.5" });
    const client = camera(simulator.address);
    expect(await client.isThere(2000, signal())).toBe(true);
    await simulator.quiet();
    expect(simulator.requests).toEqual([]);
    await simulator.goAway();
    expect(await client.isThere(2000, signal())).toBe(false);
    await simulator.comeBack();
    expect(await client.isThere(2000, signal())).toBe(true);
  });

  test("reaches an address of the newer Internet protocol", async () => {
    const at = await port("::1", () => {});
    expect(await camera(`[::1]:${at}`).isThere(2000, signal())).toBe(true);
  });

  test("ends at once when it is no longer wanted", async () => {
    const stopping = new AbortController();
    stopping.abort(new Error("The service ends"));
    await expect(camera("127.0.0.1:1").isThere(2000, stopping.signal)).rejects.toThrow("The service ends");
  });

  test("waits for a request that is under way, and holds up none behind it", async () => {
    let answer = () => {};
    const at = await port("127.0.0.1", (socket) => {
      socket.on("data", () => {
        answer = () => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
      });
    });
    const client = camera(`127.0.0.1:${at}`);
    const asked = client.probe().catch(() => {});
    const looked = client.isThere(2000, signal());
    let isSeen = false;
    void looked.then(() => {
      isSeen = true;
    });
    const none = answer;
    await until(() => answer !== none);
    expect(isSeen).toBe(false);
    answer();
    await asked;
    expect(await looked).toBe(true);
    expect(client.isBusy).toBe(false);
  });
});
