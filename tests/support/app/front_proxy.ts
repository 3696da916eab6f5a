import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "./client.ts";
import { type Place, type Running, startCommand, temporaryPlace } from "./process.ts";

/** A real proxy in front of a service, set up with one of the files that we ship. */
export interface FrontProxy extends AsyncDisposable {
  readonly url: string;
  /** Address of its `http://` port; null without one. */
  readonly plainUrl: string | null;
  /** A browser that comes by way of the proxy. */
  readonly client: Client;
  /** Another one, with cookies of its own. @param base of all that it asks for */
  visitor(base?: string): Client;
}

export interface Behind {
  /** The file in `assets/deploy`. */
  readonly file: string;
  /** The ports of the service and of what signs people in. */
  readonly service: number;
  readonly signIn: number;
  /** Changes the file further, for a proxy that is set up wrongly. */
  readonly edit?: (text: string) => string;
}

export const PROXIES = { nginx: Bun.which("nginx"), Caddy: Bun.which("caddy") } as const;

export function shippedFile(name: string): string {
  return readFileSync(join(import.meta.dir, "../../../assets/deploy", name), "utf8");
}

/** Starts nginx as one of the files says, but for names, ports and the certificate. */
export async function startNginx({ file, service, signIn, edit = (text) => text }: Behind): Promise<FrontProxy> {
  const place = await temporaryPlace();
  // nginx gives up root for the user that it was built with.
  for (const folder of [join(place.home, ".."), place.home]) chmodSync(folder, 0o755);
  const [certificate, key] = makeCertificate(place);
  const port = freePort();
  const plainPort = freePort();
  const site = edit(shippedFile(file))
    .replace("listen 80", `listen 127.0.0.1:${plainPort}`)
    .replace("listen 443 ssl", `listen 127.0.0.1:${port} ssl`)
    .replace("/etc/ssl/dashdock.crt", certificate)
    .replace("/etc/ssl/dashdock.key", key)
    .replaceAll("dashdock.example.org", "localhost")
    .replaceAll(":8080", `:${service}`)
    .replace(":9091", `:${signIn}`);
  const folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  for (const name of folders) mkdirSync(place.at(name));
  for (const name of folders) chmodSync(place.at(name), 0o777);
  const paths = folders.map((name) => `${name}_temp_path ${place.at(name)};`).join("\n");
  const whole = `daemon off; pid ${place.at("pid")}; error_log stderr notice; worker_processes 1;
events {}
http { access_log off;
${paths}
${site}
}
`;
  writeFileSync(place.at("nginx.conf"), whole);
  const command = [PROXIES.nginx ?? "nginx", "-p", place.home, "-c", place.at("nginx.conf"), "-e", "stderr"];
  const running = startCommand(command, { cwd: place.cwd });
  await running.says(/start worker processes/, "err");
  return frontAt(port, running, place, `http://localhost:${plainPort}`);
}

/** Starts Caddy as one of the files says, but for names and ports, and with a certificate that is there at once. */
export async function startCaddy({ file, service, signIn, edit = (text) => text }: Behind): Promise<FrontProxy> {
  const place = await temporaryPlace();
  const [certificate, key] = makeCertificate(place);
  const port = freePort();
  const site = edit(shippedFile(file))
    .replace("dashdock.example.org {", `localhost:${port} {\n\ttls ${certificate} ${key}`)
    .replaceAll(":8080", `:${service}`)
    .replace(":9091", `:${signIn}`);
  const options = "{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n}\n";
  writeFileSync(place.at("Caddyfile"), options + site);
  const command = [PROXIES.Caddy ?? "caddy", "run", "--adapter", "caddyfile", "--config", place.at("Caddyfile")];
  const env = { HOME: place.home, XDG_DATA_HOME: place.home, XDG_CONFIG_HOME: place.home };
  const running = startCommand(command, { cwd: place.cwd, env });
  await running.says(/serving initial configuration/, "err");
  return frontAt(port, running, place);
}

function frontAt(port: number, running: Running, place: Place, plainUrl: string | null = null): FrontProxy {
  const url = `https://localhost:${port}`;
  const visitor = (base = "") => new Client(url + base, { tls: { rejectUnauthorized: false } });
  return {
    url,
    plainUrl,
    client: visitor(),
    visitor,
    async [Symbol.asyncDispose]() {
      // A signal lets the proxy end its workers, too.
      running.signal("SIGTERM");
      await running.ended;
      await place[Symbol.asyncDispose]();
    },
  };
}

function makeCertificate(place: Place): [certificate: string, key: string] {
  const certificate = place.at("front.crt");
  const key = place.at("front.key");
  const subject = ["-subj", "/CN=localhost", "-days", "1"];
  const made = Bun.spawnSync(
    ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", ...subject, "-keyout", key, "-out", certificate],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  if (!made.success) throw new Error(`openssl made no certificate: ${made.stderr}`);
  return [certificate, key];
}

/** A port that nothing listens on at this moment: neither proxy tells which one it was given. */
function freePort(): number {
  const server = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  server.stop(true);
  return server.port;
}
