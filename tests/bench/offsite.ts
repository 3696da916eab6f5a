import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { median } from "./measure.ts";
import { BENCH_LOGIN } from "./offsite_login.ts";
import { benchSyncBesideSending } from "./offsite_sync.ts";
import type { Part } from "./part.ts";
import { MEMORY } from "./stage.ts";

const BYTES = 150_000_000;
const PASSPHRASE = "five words that are long";

/** One file to a bucket of our own on this machine, encrypted and not, and by `curl -T` to the same one, in turn. */
async function benchSending(rounds: number) {
  const folder = mkdtempSync(join(MEMORY, "dashdock-bench-offsite-"));
  const bucket = Bun.spawn([process.execPath, join(import.meta.dir, "offsite_bucket.ts")], {
    stdin: "pipe",
    stdout: "pipe",
  });
  try {
    const path = join(folder, "20260607_101500_EF.mp4");
    const content = new Uint8Array(BYTES);
    for (let at = 0; at < BYTES; at += 65_536) crypto.getRandomValues(content.subarray(at, at + 65_536));
    await Bun.write(path, content);
    const hash = new Bun.CryptoHasher("sha256").update(content).digest("hex");
    const { value } = await bucket.stdout.getReader().read();
    const endpoint = new TextDecoder().decode(value).trim();
    const send = async (key: string, passphrase: string) => {
      const script = join(import.meta.dir, "offsite_send.ts");
      const text = await Bun.$`${process.execPath} ${script} ${path} ${endpoint} ${key} ${passphrase}`.text();
      return JSON.parse(text) as { seconds: number; more: number };
    };
    const curl = async (key: string): Promise<number> => {
      const { region, accessKey, secretKey } = BENCH_LOGIN;
      const began = performance.now();
      const sign = `aws:amz:${region}:s3`;
      const header = `x-amz-content-sha256: ${hash}`;
      const place = `${endpoint}/${BENCH_LOGIN.bucket}/${key}`;
      await Bun.$`curl -sf -o /dev/null --aws-sigv4 ${sign} --user ${`${accessKey}:${secretKey}`} -H ${header} -T ${path} ${place}`;
      return (performance.now() - began) / 1000;
    };
    const turns = [];
    for (let round = 0; round < rounds; round++)
      turns.push({
        plain: await send(`plain-${round}`, ""),
        sealed: await send(`sealed-${round}`, PASSPHRASE),
        curl: await curl(`curl-${round}`),
      });
    return {
      rate: median(turns.map(({ sealed }) => BYTES / 1e6 / sealed.seconds)),
      plain: median(turns.map(({ plain, curl: seconds }) => seconds / plain.seconds)),
      sealed: median(turns.map(({ sealed, curl: seconds }) => seconds / sealed.seconds)),
      more: median(turns.map(({ sealed }) => sealed.more)),
    };
  } finally {
    bucket.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Copies to a bucket. It needs `curl`. */
export const OFFSITE_PARTS: readonly Part[] = [
  {
    name: "offsite",
    async measure(add, rounds) {
      const { rate, plain, sealed, more } = await benchSending(rounds);
      const ratios = `${sealed.toFixed(2)} × (${rate.toFixed(0)} MB/s; without encryption ${plain.toFixed(2)} ×)`;
      add("sending 150 MB encrypted to a bucket on this machine against `curl -T` of the file", ratios, "≥ 0.7 ×");
      add("memory on top while 150 MB are sent encrypted", `${more.toFixed(0)} MB`, "≤ 40 MB");
      const beside = await benchSyncBesideSending(rounds);
      add("a sync that comes while recordings are sent, against one alone", `${beside.toFixed(2)} ×`, "≤ 1.05 ×");
    },
  },
];
