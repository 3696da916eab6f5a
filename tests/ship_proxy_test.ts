import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { startApp } from "./support/app.ts";
import { PROXIES, shippedFile, startCaddy } from "./support/front_proxy.ts";

setDefaultTimeout(60_000);

const FILE = "compose.proxy.yaml";
const PASSWORD = "a long enough password";

/** What Caddy is told in the compose file, with a password's hash in the place that is for one. */
function caddyfileFor(hash: string): string {
  const { configs } = Bun.YAML.parse(shippedFile(FILE)) as { configs: { caddyfile: { content: string } } };
  const { content } = configs.caddyfile;
  const [place = ""] = /\$\$2a\$\$14\$\$\S+/.exec(content) ?? [];
  return (
    content
      .replace(place, () => hash)
      .replaceAll("$$", "$")
      .replace("dashdock:8080", "127.0.0.1:8080")
      // Before 2.8 the directive had another name.
      .replace("basic_auth", olderName())
  );
}

function olderName(): string {
  const [, minor = ""] = /^v?2\.([0-9]+)/.exec(caddy("version")) ?? [];
  return Number(minor) < 8 ? "basicauth" : "basic_auth";
}

function caddy(...args: string[]): string {
  return Bun.spawnSync([PROXIES.Caddy ?? "caddy", ...args])
    .stdout.toString()
    .trim();
}

if (PROXIES.Caddy === null) console.log(`No Caddy found: the test of ${FILE} is skipped.`);

describe.skipIf(PROXIES.Caddy === null)(`behind Caddy, as ${FILE} sets it up`, () => {
  test("Caddy asks for the password, and Dashdock believes the name it passes on, never the client's", async () => {
    const settings = { auth: { trusted_proxies: ["127.0.0.1"] } };
    await using app = await startApp({ mode: "proxy", settings, env: { SERVICE_TRUST_PROXY: "1" } });
    const edit = () => caddyfileFor(caddy("hash-password", "--plaintext", PASSWORD));
    await using front = await startCaddy({ file: FILE, service: app.listening.port, signIn: 0, edit });
    expect((await front.client.fetch("/")).status).toBe(401);
    const authorization = `Basic ${btoa(`admin:${PASSWORD}`)}`;
    const me = await front.client.fetch("/api/auth/me", { headers: { authorization, "x-remote-user": "eve" } });
    expect([me.status, await me.json()]).toEqual([200, { username: "admin", mode: "proxy" }]);
  });
});
