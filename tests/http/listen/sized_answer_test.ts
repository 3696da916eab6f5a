import { expect, test } from "bun:test";
import { sizedAnswers } from "../../../server/http/listen/sized_answer.ts";

test("a client that takes nothing for too long is given up, and what is kept for it is let go", async () => {
  const cancelled = Promise.withResolvers<void>();
  const failures: unknown[] = [];
  const answer = async () => {
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(1024 * 1024)),
      cancel: () => cancelled.resolve(),
    });
    return new Response(body, { headers: { "content-length": String(10 ** 12) } });
  };
  using server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: answer,
    ...sizedAnswers(answer, (error) => failures.push(error), 50),
  });
  const handlers = { data: (socket: Bun.Socket) => void socket.pause() };
  const client = await Bun.connect({ hostname: "127.0.0.1", port: server.port ?? 0, socket: handlers });
  client.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await cancelled.promise;
  client.terminate();
  expect(failures).toEqual([]);
});
