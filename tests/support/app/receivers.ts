/** A request that a receiver got, whole. */
export interface Received {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly text: string;
  /** Epoch milliseconds by the machine's clock. */
  readonly at: number;
}

/** A service of our own that takes messages on loopback, over a real socket. */
export interface Receiver extends AsyncDisposable {
  /** `127.0.0.1:PORT` */
  readonly host: string;
  readonly received: readonly Received[];
  /** Answers in place of a plain 200, while it is set. */
  instead: ((request: Received) => Response | Promise<Response>) | null;
  /** Resolves when so many requests have come in all. */
  has(count: number): Promise<readonly Received[]>;
}

export function openReceiver(): Receiver {
  const received: Received[] = [];
  const waiting: { readonly count: number; readonly wake: () => void }[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 60,
    async fetch(request) {
      const body = await request.bytes();
      const { pathname, search } = new URL(request.url);
      const one = {
        method: request.method,
        path: pathname + search,
        headers: request.headers,
        body,
        text: new TextDecoder().decode(body),
        at: Date.now(),
      };
      received.push(one);
      for (const { count, wake } of waiting) if (received.length >= count) wake();
      return (await own.instead?.(one)) ?? Response.json({ ok: true });
    },
  });
  const own: Receiver = {
    host: `127.0.0.1:${server.port}`,
    received,
    instead: null,
    async has(count) {
      if (received.length < count) await new Promise<void>((wake) => waiting.push({ count, wake }));
      return received;
    },
    async [Symbol.asyncDispose]() {
      await server.stop(true);
    },
  };
  return own;
}

/** The parts of a multipart body, each with its headers in small letters and its bytes as Latin-1. */
export async function partsOf({ headers, body }: Received): Promise<FormData> {
  return await new Response(body, { headers: { "content-type": headers.get("content-type") ?? "" } }).formData();
}
