import { describe, expect, test } from "bun:test";
import { linkSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CommandIO } from "../../server/commands/command_io.ts";
import { fetchOffsiteCommand } from "../../server/commands/fetch_offsite.ts";
import { UsageProblem } from "../../server/commands/usage.ts";
import { sealedPart, sealedSize } from "../../server/engine/offsite/age_content.ts";
import { makeHead } from "../../server/engine/offsite/age_head.ts";
import { openChunkSeal } from "../../server/engine/offsite/chunk_seal.ts";
import { homeHashes } from "../../server/engine/offsite/home_hash.ts";
import { bucketRefusal, type FakeBucket, openFakeBucket } from "../support/app/fake_bucket.ts";

const PASSPHRASE = "five words that are long";
const FILES = [
  "20260601_100000_EF.mp4",
  "2026-06/20260602_100000_NF.mp4",
  "2026-06/20260602_100000_N.gps",
  "~van/20260603_100000_NF.mp4",
];
const contentOf = (path: string) =>
  Uint8Array.from({ length: path.endsWith(".gps") ? 0 : 200_000 }, (_, at) => (at * 7 + path.length) & 255);

/** Puts copies into a bucket as the service does. */
async function fill(fake: FakeBucket, { passphrase = null as string | null, prefix = "" } = {}): Promise<void> {
  const hash = await homeHashes({ bucket: fake.bucket, prefix, passphrase });
  const beginning = prefix === "" ? "" : `${prefix}/`;
  for (const path of FILES) {
    const plain = contentOf(path);
    const homeHash = hash(new Bun.CryptoHasher("sha256").update(plain).digest("hex"));
    if (passphrase === null) fake.objects.set(beginning + path, { bytes: plain, homeHash, times: 1 });
    else {
      const read = async (from: number, to: number, into: Uint8Array) => into.set(plain.subarray(from, to));
      const source = { head: await makeHead(passphrase), size: plain.length, read, seal: openChunkSeal() };
      const bytes = await sealedPart(source, 0, sealedSize(plain.length), () => {});
      fake.objects.set(`${beginning}${path}.age`, { bytes, homeHash, times: 1 });
    }
  }
}

class Run implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), "fetch-"));
  readonly at = join(this.folder, "back");
  err = "";
  out = "";
  readonly env: Record<string, string>;

  constructor(fake: FakeBucket, more: Record<string, string> = {}) {
    this.env = {
      SERVICE_OFFSITE_ENDPOINT: fake.endpoint,
      SERVICE_OFFSITE_BUCKET: fake.bucket,
      SERVICE_OFFSITE_REGION: fake.region,
      SERVICE_OFFSITE_ACCESS_KEY: fake.accessKey,
      SERVICE_OFFSITE_SECRET_KEY: fake.secretKey,
      ...more,
    };
  }

  async run(...args: string[]): Promise<number> {
    this.out = "";
    this.err = "";
    const io = {
      env: this.env,
      out: { write: (text: string) => (this.out += text) },
      err: { write: (text: string) => (this.err += text) },
      onSignal: () => () => {},
      onOutputClosed: () => () => {},
    } as unknown as CommandIO;
    return await fetchOffsiteCommand([this.at, ...args], io);
  }

  requireAll(paths: readonly string[] = FILES): void {
    for (const path of paths) expect(readFileSync(join(this.at, path)).equals(Buffer.from(contentOf(path)))).toBe(true);
    const found = readdirSync(this.at, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(found.length).toBe(paths.length);
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true });
  }
}

describe("fetch-offsite", () => {
  test("brings everything back, byte for byte, page by page", async () => {
    await using fake = openFakeBucket();
    fake.pageLength = 2;
    await fill(fake);
    using run = new Run(fake);
    expect(await run.run()).toBe(0);
    run.requireAll();
    expect(run.out).toContain("Fetched 4\u00a0files");
    expect(await run.run()).toBe(2);
    expect(await run.run("--into-existing")).toBe(0);
    expect(run.out).toContain("4\u00a0files were here already");
  });

  test("opens what is encrypted with the passphrase of a file, and nothing without it", async () => {
    await using fake = openFakeBucket();
    await fill(fake, { passphrase: PASSPHRASE, prefix: "car" });
    using run = new Run(fake, { SERVICE_OFFSITE_PREFIX: "car" });
    expect(await run.run()).toBe(1);
    expect(run.err).toContain("the passphrase does not open it");
    rmSync(run.at, { recursive: true });
    const file = join(run.folder, "passphrase");
    writeFileSync(file, "another passphrase\n");
    expect(await run.run("--passphrase-file", file)).toBe(1);
    // The same folder goes on with the right one.
    writeFileSync(file, `${PASSPHRASE}\n`);
    expect(await run.run("--passphrase-file", file)).toBe(0);
    run.requireAll();
  }, 60_000);

  test("goes on where a connection was cut, and after it was stopped", async () => {
    await using fake = openFakeBucket();
    await fill(fake);
    using run = new Run(fake);
    let cuts = 0;
    fake.after = (call, answer) => {
      if (call.method !== "GET" || call.key === "" || cuts >= 2) return answer;
      cuts += 1;
      const whole = fake.objects.get(call.key)?.bytes ?? new Uint8Array();
      const body = new ReadableStream({
        start(stream) {
          stream.enqueue(whole.slice(0, 70_000));
          stream.close();
        },
      });
      return call.headers.has("range") ? answer : new Response(body);
    };
    expect(await run.run()).toBe(0);
    expect(cuts).toBeGreaterThan(0);
    run.requireAll();
    rmSync(run.at, { recursive: true });
    fake.after = null;
    fake.instead = ({ method, key }) =>
      method === "HEAD" && key.startsWith("~van") ? bucketRefusal(403, "AccessDenied") : null;
    expect(await run.run()).toBe(1);
    fake.instead = null;
    const before = fake.calls.length;
    expect(await run.run()).toBe(0);
    run.requireAll();
    expect(fake.calls.slice(before).filter(({ method, key }) => method === "GET" && key !== "").length).toBe(1);
  }, 60_000);

  test("leaves nothing behind of a run that was killed when a file had just got its name", async () => {
    await using fake = openFakeBucket();
    await fill(fake);
    using run = new Run(fake);
    expect(await run.run()).toBe(0);
    const [name = ""] = FILES;
    linkSync(join(run.at, name), join(run.at, `.${name}.fetching`));
    expect(await run.run("--into-existing")).toBe(0);
    run.requireAll();
  });

  test("fetches turned bits again four times, then tells the name", async () => {
    await using fake = openFakeBucket();
    await fill(fake);
    using run = new Run(fake);
    const [name = ""] = FILES;
    let asked = 0;
    fake.after = (call, answer) => {
      if (call.method !== "GET" || call.key !== name || ++asked > 5) return answer;
      const turned = fake.objects.get(name)?.bytes.slice() ?? new Uint8Array();
      turned[1000] = (turned[1000] ?? 0) ^ 1;
      return new Response(turned);
    };
    expect(await run.run()).toBe(1);
    expect(run.err).toContain(`${name}: its bytes are not those that were sent`);
    expect(asked).toBe(5);
    expect(await run.run("--into-existing")).toBe(0);
    run.requireAll();
  });

  test("takes no more bytes than the bucket has said", async () => {
    await using fake = openFakeBucket();
    await fill(fake);
    using run = new Run(fake);
    const [name = ""] = FILES;
    let sent = 0;
    fake.after = (call, answer) => {
      if (call.method !== "GET" || call.key !== name) return answer;
      const body = new ReadableStream({
        pull(stream) {
          sent += 1;
          stream.enqueue(new Uint8Array(1024 * 1024));
          if (sent > 2000) stream.close();
        },
      });
      return new Response(body);
    };
    expect(await run.run()).toBe(1);
    expect(run.err).toContain(`${name}: its bytes are not those that were sent`);
    expect(sent).toBeLessThan(1000);
    expect(readdirSync(run.at).filter((file) => file.endsWith(".fetching"))).toEqual([]);
  });

  test("writes nothing over, and leaves out what others have stored and what leads out of the folder", async () => {
    await using fake = openFakeBucket();
    await fill(fake);
    fake.objects.set("../20260605_100000_NF.mp4", { bytes: new Uint8Array(3), homeHash: "00", times: 1 });
    fake.objects.set("holiday.jpg", { bytes: new Uint8Array(3), homeHash: null, times: 1 });
    using run = new Run(fake);
    mkdirSync(run.at);
    writeFileSync(join(run.at, FILES[0] ?? ""), "mine");
    expect(await run.run()).toBe(2);
    expect(await run.run("--into-existing")).toBe(1);
    expect(readFileSync(join(run.at, FILES[0] ?? ""), "utf8")).toBe("mine");
    expect(run.err).toContain("another file of this name is here");
    expect(readdirSync(run.folder)).toEqual(["back"]);
  });

  test("brings recordings from a day on", async () => {
    await using fake = openFakeBucket();
    await fill(fake);
    using run = new Run(fake);
    expect(await run.run("--since", "2026-06-02")).toBe(0);
    run.requireAll(FILES.slice(1));
    expect(run.run("--since", "yesterday")).rejects.toBeInstanceOf(UsageProblem);
  });

  test("says what is not set, and what the bucket says", async () => {
    await using fake = openFakeBucket();
    using run = new Run(fake, { SERVICE_OFFSITE_SECRET_KEY: "other" });
    expect(await run.run()).toBe(1);
    expect(run.err).toContain("the secret key does not belong to it");
    delete run.env["SERVICE_OFFSITE_ENDPOINT"];
    expect(await run.run()).toBe(2);
  });
});
