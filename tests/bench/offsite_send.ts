import { lstatSync, readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { systemClock } from "../../server/clock.ts";
import { openChunkSeal } from "../../server/engine/offsite/chunk_seal.ts";
import { sendFile } from "../../server/engine/offsite/send_file.ts";
import { AskBucket } from "../../server/remote/s3/ask_bucket.ts";
import { Bucket } from "../../server/remote/s3/bucket.ts";
import { OffsiteDatabase } from "../../server/store/config/offsite_database.ts";
import { BENCH_LOGIN } from "./offsite_login.ts";

/** `FILE ENDPOINT KEY PASSPHRASE`: sends a file, and prints its seconds and the memory that it took on top, as JSON. */
const [path = "", endpoint = "", key = "", passphrase = ""] = process.argv.slice(2);
const megabytes = () => Number(/VmRSS:\s+([0-9]+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1]) / 1024;

const bucket = new Bucket(new AskBucket({ ...BENCH_LOGIN, endpoint, authority: null }, { clock: systemClock }));
const database = OffsiteDatabase.open(`${path}.${key}.db`, endpoint, systemClock.now());
const { size, mtimeNs } = lstatSync(path, { bigint: true });
const sum = new Bun.CryptoHasher("sha256");
for await (const piece of Bun.file(path).stream()) sum.update(piece);
const file = {
  root: dirname(path),
  path: basename(path),
  key,
  size: Number(size),
  modified: Number(mtimeNs / 1_000_000n),
  sha256: sum.digest("hex"),
  homeHash: "00",
};
const parts = {
  clock: systemClock,
  bucket,
  database,
  seal: openChunkSeal(),
  passphrase: passphrase === "" ? null : passphrase,
  turn: async () => {},
  had: () => {},
  sent: async () => {},
};
Bun.gc(true);
const before = megabytes();
let most = before;
const watch = setInterval(() => {
  most = Math.max(most, megabytes());
}, 10);
const began = performance.now();
const { outcome } = await sendFile(file, parts, new AbortController().signal);
const seconds = (performance.now() - began) / 1000;
clearInterval(watch);
database.close();
if (outcome !== "there") throw new Error(`the file is ${outcome}`);
console.log(JSON.stringify({ seconds, more: most - before }));
process.exit(0);
