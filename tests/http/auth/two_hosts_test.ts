import { describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { type HttpOptions, HttpStage, SAMPLES } from "../../support/app/http.ts";

const MODES: readonly (readonly [name: string, options: HttpOptions])[] = [
  ["login before a password is set", { password: null }],
  ["login", {}],
  ["none", { auth: { mode: "none" } }],
  ["proxy", { auth: { mode: "proxy", trusted_proxies: ["127.0.0.1"], proxy_user_header: "X-Remote-User" } }],
];
const HOSTS = [
  "Host: nas\r\nHost: evil.example",
  "Host: nas\r\nhost: nas",
  "Host: \r\nHOST: nas",
  "Host: nas, evil.example",
];

/** Status line, headers and body of what is answered to these bytes. */
function answerTo(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    socket.on("data", (data) => {
      answer += data;
    });
    socket.on("close", () => resolve(answer));
    socket.on("error", reject);
  });
}

describe("a request that names two hosts", () => {
  for (const [mode, options] of MODES)
    test(`is refused in mode ${mode}, whatever is asked for`, async () => {
      await using stage = await HttpStage.open({ routes: SAMPLES, ...options });
      const { port } = stage.listening;
      for (const hosts of HOSTS)
        for (const path of ["/", "/healthz", "/login", "/first-run", "/api/auth/me", "/media/a.mp4", "/nosuch"])
          for (const version of ["1.1", "1.0"]) {
            const head = `GET ${path} HTTP/${version}\r\n${hosts}\r\nX-Remote-User: anna\r\nConnection: close\r\n\r\n`;
            const answer = await answerTo(port, head);
            expect([hosts, path, answer.slice(9, 12)]).toEqual([hosts, path, "400"]);
            expect(answer).toContain("names more than one host");
            if (path.startsWith("/api/")) expect(answer).toContain('"code":"BAD_HOST"');
          }
      const form = "username=admin&password=correct+horse+battery";
      const head = `POST /first-run HTTP/1.1\r\nHost: nas\r\nHost: nas\r\nConnection: close\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${form.length}\r\n\r\n${form}`;
      expect((await answerTo(port, head)).slice(9, 12)).toBe("400");
    });
});
