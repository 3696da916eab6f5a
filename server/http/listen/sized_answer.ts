/**
 * Answers whose body is made while it is sent, and whose length is known beforehand.
 *
 * `Bun.serve` sends every streamed body in chunks and drops its `Content-Length` (oven-sh/bun#10507), without which no
 * browser shows how far a download is. The way in which Bun's own `node:http` listens keeps that header: it is what
 * answers where no route of the listener does. Where a Bun has no such way, `fetch` answers there, in chunks.
 */

/** What that way calls: of its many arguments those that are used. */
export type NodeRequest = (
  server: Bun.Server<undefined>,
  url: string,
  method: string,
  bits: number,
  handle: NodeHandle,
  hasBody: boolean,
  socket: NodeSocket,
  isSocketNew: boolean,
  known: unknown,
  isOldHttp: boolean,
  connectHead: unknown,
  isPipelined: boolean,
) => Promise<void> | undefined;

interface NodeHandle {
  /** Names and values in turn. */
  takeRawHeaders(): readonly string[] | undefined;
  cork(work: () => void): void;
  writeHead(status: number, text: string, headers: readonly string[]): void;
  /** Negative when the client has to take some of it first; what is written is copied. */
  write(chunk: Uint8Array, encoding: undefined, drained: (() => void) | undefined): number;
  end(chunk?: Uint8Array): number;
  onabort: (() => void) | null;
}

interface NodeSocket {
  readonly remoteAddress?: { readonly address?: string } | null;
  close(): void;
}

/** Answers as a handler of `fetch` would. */
type Answer = (request: Request, peer: string) => Promise<Response>;

/** A client that takes nothing for this long has hung up, and what is kept for it is let go. */
const STALLED_MS = 60_000;

/** The options of the listener by which answers keep their length. @param failed is told why a body broke off */
export function sizedAnswers(
  answer: Answer,
  failed: (error: unknown) => void,
  stalledMs = STALLED_MS,
): { readonly onNodeHTTPRequest: NodeRequest } {
  return {
    onNodeHTTPRequest(
      _server,
      url,
      method,
      _bits,
      handle,
      _hasBody,
      socket,
      _isNew,
      _known,
      _isOld,
      _head,
      isPipelined,
    ) {
      // As of what is listened to by `fetch`: a second request before the first is answered ends the connection.
      if (isPipelined || method === "CONNECT") {
        socket.close();
        return undefined;
      }
      const gone = new AbortController();
      const ended = Promise.withResolvers<void>();
      handle.onabort = () => {
        gone.abort();
        ended.resolve();
      };
      const request = requestOf(url, method, handle.takeRawHeaders() ?? [], gone.signal);
      const peer = socket.remoteAddress?.address ?? "";
      const answered = answer(request, peer)
        .then(async (response) => {
          if ((await send(response, method, handle, gone.signal, stalledMs)) === "stalled") socket.close();
        })
        .catch((error: unknown) => {
          if (gone.signal.aborted) return;
          failed(error);
          // A body that ends before its length is one that failed, to every client.
          socket.close();
        });
      return Promise.race([answered, ended.promise]);
    },
  };
}

function requestOf(url: string, method: string, raw: readonly string[], signal: AbortSignal): Request {
  const headers = new Headers();
  for (let at = 0; at + 1 < raw.length; at += 2) headers.append(raw[at] ?? "", raw[at + 1] ?? "");
  // The host is a stand-in, as everywhere: what the client names is in its header.
  return new Request(`http://dashdock.invalid${url.startsWith("/") ? url : "/"}`, { method, headers, signal });
}

type Sent = "all" | "gone" | "stalled";

async function send(
  response: Response,
  method: string,
  handle: NodeHandle,
  gone: AbortSignal,
  stalledMs: number,
): Promise<Sent> {
  const { headers } = response;
  const isSized = headers.has("content-length") && response.body !== null && method !== "HEAD";
  const body = isSized ? null : await response.bytes();
  const isEmpty = response.status === 304;
  if (body && !isEmpty && !headers.has("content-length")) headers.set("content-length", String(body.length));
  headers.set("date", new Date().toUTCString());
  const reader = isSized ? response.body?.getReader() : undefined;
  // It waits for the disk, or for the client: whatever holds a file for it is told at once.
  const leave = () => void reader?.cancel().catch(() => {});
  gone.addEventListener("abort", leave);
  try {
    if (gone.aborted) return "gone";
    handle.cork(() => {
      handle.writeHead(response.status, response.statusText, [...headers].flat());
      if (body) handle.end(method === "HEAD" || isEmpty ? undefined : body);
    });
    if (body || !reader) return "all";
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      if (gone.aborted) return "gone";
      const taken = Promise.withResolvers<boolean>();
      if (handle.write(part.value, undefined, () => taken.resolve(true)) >= 0) continue;
      const left = () => taken.resolve(true);
      const stalled = setTimeout(() => taken.resolve(false), stalledMs);
      gone.addEventListener("abort", left);
      const isTaken = await taken.promise;
      clearTimeout(stalled);
      gone.removeEventListener("abort", left);
      if (!isTaken) return "stalled";
    }
    handle.end();
    return "all";
  } finally {
    gone.removeEventListener("abort", leave);
    leave();
  }
}

/** Closes connections that wait for a request: a listener with this way does not, once it was told to stop. */
export function closeIdle(server: Bun.Server<undefined> & { closeIdleConnections?: () => void }): void {
  server.closeIdleConnections?.();
}
