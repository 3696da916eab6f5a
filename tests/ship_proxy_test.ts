import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { SECTIONS } from "../server/domain/settings/settings.ts";
import { SESSION_COOKIE } from "../server/http/request/sessions.ts";
import { startApp } from "./support/app/app.ts";
import { Client } from "./support/app/client.ts";
import { PROXIES, shippedFile, startCaddy } from "./support/app/front_proxy.ts";
import { GUIDE } from "./support/app/guide.ts";

setDefaultTimeout(60_000);

const FILE = "compose.proxy.yaml";
const PASSWORD = "a long enough password";

/** Caddy's file in the compose file, with a password's hash in its place. */
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

const withHash = () => caddyfileFor(caddy("hash-password", "--plaintext", PASSWORD));
const authorization = `Basic ${btoa(`admin:${PASSWORD}`)}`;

describe.skipIf(PROXIES.Caddy === null)(`behind Caddy, as ${FILE} sets it up`, () => {
  test("Caddy asks for the password, and Dashdock believes the name it passes on, never the client's", async () => {
    const settings = { auth: { trusted_proxies: ["127.0.0.1"] } };
    await using app = await startApp({ mode: "proxy", settings, env: { SERVICE_TRUST_PROXY: "1" } });
    await using front = await startCaddy({ file: FILE, service: app.listening.port, signIn: 0, edit: withHash });
    expect((await front.client.fetch("/")).status).toBe(401);
    const me = await front.client.fetch("/api/auth/me", { headers: { authorization, "x-remote-user": "eve" } });
    expect([me.status, await me.json()]).toEqual([200, { username: "admin", mode: "proxy", role: "admin" }]);
  });

  test("the three settings that it names are saved together through the proxy, and refused on any other way", async () => {
    await using app = await startApp({ mode: "login", password: PASSWORD, env: { SERVICE_TRUST_PROXY: "1" } });
    await using front = await startCaddy({ file: FILE, service: app.listening.port, signIn: 0, edit: withHash });
    const direct = new Client(app.url);
    await direct.signIn("admin", PASSWORD);
    const [, header = ""] = /User header: (\S+)/.exec(shippedFile(FILE)) ?? [];
    const auth = { mode: "proxy", trusted_proxies: ["127.0.0.1"], proxy_user_header: header };
    const refused = await direct.send("PATCH", "/api/settings/auth", auth);
    expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining("it would lock you out")]);
    // The same browser, by way of Caddy.
    front.client.setCookie(SESSION_COOKIE, direct.cookie(SESSION_COOKIE) ?? "");
    front.client.token = direct.token;
    expect((await front.client.send("PATCH", "/api/settings/auth", auth, { authorization })).status).toBe(200);
    const me = await front.visitor().fetch("/api/auth/me", { headers: { authorization } });
    expect(await me.json()).toEqual({ username: "admin", mode: "proxy", role: "admin" });
  });

  test("it names the image and the address of its Caddy, and what the settings page says", () => {
    const { services } = Bun.YAML.parse(shippedFile(FILE)) as {
      services: { proxy: { image: string; networks: { inside: { ipv4_address: string } } } };
    };
    const command = `docker run --rm -it ${services.proxy.image} caddy hash-password\n`;
    for (const text of [shippedFile(FILE), GUIDE]) expect(text).toContain(command);
    expect(shippedFile(FILE)).toContain(`Trusted proxies: ${services.proxy.networks.inside.ipv4_address}\n`);
    const { mode, trusted_proxies, proxy_user_header } = SECTIONS.auth.fields;
    const option = "options" in mode.widget ? mode.widget.options.find(({ value }) => value === "proxy") : undefined;
    for (const words of [`${mode.label}: ${option?.words}`, trusted_proxies.label, proxy_user_header.label])
      expect(shippedFile(FILE)).toContain(words);
  });
});
