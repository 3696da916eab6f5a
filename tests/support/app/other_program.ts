/** A port that nothing listens at. */
export function freePort(): number {
  const server = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const { port } = server;
  server.stop(true);
  return port;
}

/** Waits until a program that was started listens; it tells of that in no other way. */
export async function untilListening(port: number, program: string): Promise<void> {
  const end = performance.now() + 30_000;
  while (performance.now() < end) {
    try {
      const socket = await Bun.connect({ hostname: "127.0.0.1", port, socket: { data() {} } });
      socket.end();
      return;
    } catch {
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  throw new Error(`${program} did not listen`);
}
