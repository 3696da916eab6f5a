/** Result of a load of requests: requests per second, and milliseconds at the 50th and the 99th percentile. */
export interface LoadFigures {
  perSecond: number;
  p50: number;
  p99: number;
}

/**
 * Asks the same thing over so many keep-alive connections, each sending its next request when the last is answered.
 * Answers need a Content-Length. The load shares the machine with the service, so the figures are a lower bound.
 */
export async function load(
  url: string,
  options: { connections: number; requests: number; headers?: Record<string, string> },
): Promise<LoadFigures> {
  const { hostname, port, pathname, search, host } = new URL(url);
  const extra = Object.entries(options.headers ?? {})
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
  const request = `GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\n${extra}\r\n`;
  const latencies: number[] = [];
  const each = Math.ceil(options.requests / options.connections);
  const began = performance.now();
  await Promise.all(
    Array.from({ length: options.connections }, () => converse(hostname, Number(port), request, each, latencies)),
  );
  const seconds = (performance.now() - began) / 1000;
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? Number.NaN;
  return { perSecond: latencies.length / seconds, p50: at(0.5), p99: at(0.99) };
}

function converse(hostname: string, port: number, request: string, times: number, latencies: number[]): Promise<void> {
  return new Promise((resolve, reject) => {
    let sentAt = 0;
    let left = times;
    let missing = -1;
    let head = "";
    const next = (socket: Bun.Socket) => {
      missing = -1;
      head = "";
      sentAt = performance.now();
      socket.write(request);
    };
    Bun.connect({
      hostname,
      port,
      socket: {
        open: next,
        data(socket, data) {
          if (missing < 0) {
            head += data.toString("latin1");
            const end = head.indexOf("\r\n\r\n");
            if (end < 0) return;
            if (!head.startsWith("HTTP/1.1 20")) return reject(new Error(head.slice(0, 60)));
            const length = /content-length: *([0-9]+)/i.exec(head)?.[1];
            missing = Number(length ?? Number.NaN) - (head.length - end - 4);
          } else missing -= data.length;
          if (missing > 0) return;
          latencies.push(performance.now() - sentAt);
          if (--left > 0) return next(socket);
          socket.end();
          resolve();
        },
        error: (_socket, error) => reject(error),
        close: () => (left > 0 ? reject(new Error("The service closed the connection")) : undefined),
      },
    }).catch(reject);
  });
}
