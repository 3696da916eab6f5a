import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

/** The address of this machine that the pretended Supervisor comes from. */
export const SUPERVISOR = "127.0.0.2";
export const INGRESS_PATH = "/api/hassio_ingress/yR3_dq-Vx";

/** Home Assistant and its Supervisor, as an app meets them. */
export interface Ingress extends AsyncDisposable {
  readonly url: string;
}

/**
 * Shows an app below `INGRESS_PATH` to one user who is signed in, as Home Assistant does: it takes the path away, names it,
 * and names the user. What a client says of that never gets through.
 */
export async function startIngress(service: number, user: string): Promise<Ingress> {
  const server = createServer((asked, answer) => {
    const path = asked.url ?? "";
    if (!path.startsWith(`${INGRESS_PATH}/`)) return answer.writeHead(404).end("Home Assistant’s own page");
    const own = Object.entries(asked.headers).filter(([name]) => !/^x-(remote-user|ingress|hass|forwarded)/.test(name));
    const headers = {
      ...Object.fromEntries(own),
      "x-ingress-path": INGRESS_PATH,
      "x-hass-source": "core.ingress",
      "x-remote-user-id": "8d1f",
      "x-remote-user-name": user,
      "x-remote-user-display-name": "Ada Lovelace",
      "x-forwarded-for": asked.socket.remoteAddress ?? "",
      "x-forwarded-host": asked.headers.host ?? "",
      "x-forwarded-proto": "http",
    };
    const sent = request(
      {
        host: "127.0.0.1",
        port: service,
        localAddress: SUPERVISOR,
        agent: false,
        method: asked.method ?? "GET",
        path: path.slice(INGRESS_PATH.length),
        headers,
      },
      (got) => {
        answer.writeHead(got.statusCode ?? 502, got.headers);
        got.pipe(answer);
      },
    );
    sent.on("error", () => answer.destroy());
    answer.on("close", () => sent.destroy());
    asked.pipe(sent);
    return answer;
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
