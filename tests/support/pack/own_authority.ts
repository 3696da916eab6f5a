import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const CONFIG = `
[req]
distinguished_name = name
prompt = no
[name]
CN = A time stamp authority of a test
[stamping]
extendedKeyUsage = critical,timeStamping
[tsa]
default_tsa = own
[own]
dir = .
serial = ./serial
signer_cert = ./authority.pem
signer_key = ./authority.key
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
ess_cert_id_alg = sha256
`;

/** A time stamp authority of our own on loopback, made with OpenSSL. */
export interface OwnAuthority extends Disposable {
  readonly address: string;
  /** Its certificate, which OpenSSL needs to check a stamp. */
  readonly certificate: string;
  /** Bodies of the requests so far. */
  readonly requests: readonly Uint8Array[];
  /** Answers in place of a stamp, while it is set. */
  instead: ((stamp: Uint8Array<ArrayBuffer>) => Response | Promise<Response>) | null;
}

export function ownAuthority(): OwnAuthority {
  const folder = mkdtempSync(join(tmpdir(), "authority-"));
  const run = (...args: string[]) => {
    const { exitCode, stderr } = Bun.spawnSync(["openssl", ...args], { cwd: folder });
    if (exitCode !== 0) throw new Error(`openssl ${args[0]}: ${stderr}`);
  };
  writeFileSync(join(folder, "own.cnf"), CONFIG);
  writeFileSync(join(folder, "serial"), "01\n");
  const key = ["-newkey", "rsa:2048", "-nodes", "-keyout", "authority.key"];
  run("req", "-x509", ...key, "-config", "own.cnf", "-extensions", "stamping", "-days", "9", "-out", "authority.pem");
  const requests: Uint8Array[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const body = await request.bytes();
      requests.push(body);
      writeFileSync(join(folder, "request.tsq"), body);
      run("ts", "-reply", "-queryfile", "request.tsq", "-config", "own.cnf", "-out", "response.tsr");
      const stamp = await Bun.file(join(folder, "response.tsr")).bytes();
      return (
        (await own.instead?.(stamp)) ??
        new Response(stamp, { headers: { "content-type": "application/timestamp-reply" } })
      );
    },
  });
  const own: OwnAuthority = {
    address: `http://127.0.0.1:${server.port}/tsa`,
    certificate: join(folder, "authority.pem"),
    requests,
    instead: null,
    [Symbol.dispose]() {
      void server.stop(true);
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return own;
}
