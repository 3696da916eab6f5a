import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** `authority.pem` of an authority of our own, and `broker.pem` for `localhost` that it signed, with `broker.key`. */
export function makeCertificates(folder: string): void {
  const run = (...args: string[]) => {
    const { exitCode, stderr } = Bun.spawnSync(["openssl", ...args], { cwd: folder });
    if (exitCode !== 0) throw new Error(`openssl ${args[0]}: ${stderr}`);
  };
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const own = ["-subj", "/CN=An authority of a test", "-days", "9"];
  run("req", "-x509", ...key, "-keyout", "authority.key", "-out", "authority.pem", ...own);
  run("req", ...key, "-keyout", "broker.key", "-out", "broker.csr", "-subj", "/CN=localhost");
  writeFileSync(join(folder, "names.cnf"), "subjectAltName = DNS:localhost\n");
  const signed = ["-CA", "authority.pem", "-CAkey", "authority.key", "-CAcreateserial", "-days", "9"];
  run("x509", "-req", "-in", "broker.csr", ...signed, "-extfile", "names.cnf", "-out", "broker.pem");
}
