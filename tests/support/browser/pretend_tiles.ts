import { crc32, deflateSync } from "node:zlib";

type Behave = (request: Request, path: string) => Response | Promise<Response>;

/** A tile server on loopback that counts who asks, and answers as a test wants it to. */
export class PretendTiles implements AsyncDisposable {
  readonly #server: Bun.Server<undefined>;
  /** Paths in the order they were asked for. */
  readonly asked: string[] = [];
  readonly userAgents = new Set<string | null>();
  /** Names of all headers that came. */
  readonly headers = new Set<string>();
  /** The most requests that were open at the same time. */
  most = 0;
  open = 0;
  behave: Behave = () => picture();

  constructor() {
    this.#server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      idleTimeout: 60,
      fetch: (request) => this.#answer(request),
    });
  }

  /** Address in the form of `viewer.tile_url`. */
  get address(): string {
    return `http://127.0.0.1:${this.#server.port}/{z}/{x}/{y}.png`;
  }

  get host(): string {
    return `127.0.0.1:${this.#server.port}`;
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    this.asked.push(pathname);
    this.userAgents.add(request.headers.get("user-agent"));
    for (const name of request.headers.keys()) this.headers.add(name);
    this.open++;
    this.most = Math.max(this.most, this.open);
    try {
      return await this.behave(request, pathname);
    } finally {
      this.open--;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.stop(true);
  }
}

/** An answer with a real picture of one colour. */
export function picture(grey = 200): Response {
  return new Response(tilePng(grey), { headers: { "content-type": "image/png" } });
}

/** A square of 256 by 256 pixels. */
export function tilePng(grey = 200): Uint8Array<ArrayBuffer> {
  const rows = Buffer.alloc(256 * 257, grey);
  for (let row = 0; row < 256; row++) rows[row * 257] = 0;
  const head = Buffer.alloc(13);
  head.writeUInt32BE(256, 0);
  head.writeUInt32BE(256, 4);
  head[8] = 8;
  const parts = [chunk("IHDR", head), chunk("IDAT", deflateSync(rows)), chunk("IEND", Buffer.alloc(0))];
  return new Uint8Array(Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), ...parts]));
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
