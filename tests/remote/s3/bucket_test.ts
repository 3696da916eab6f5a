import { describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../../server/clock.ts";
import { AskBucket, type BucketLogin } from "../../../server/remote/s3/ask_bucket.ts";
import { Bucket } from "../../../server/remote/s3/bucket.ts";
import { BucketError } from "../../../server/remote/s3/bucket_error.ts";
import { makeCertificates } from "../../support/app/certificates.ts";
import { type BucketCall, bucketRefusal, type FakeBucket, openFakeBucket } from "../../support/app/fake_bucket.ts";

const SIGNAL = new AbortController().signal;
const HASH = "ab".repeat(32);
const bytes = (length: number, seed = 1) => {
  const content = new Uint8Array(length);
  for (let at = 0; at < length; at++) content[at] = (at * 31 + seed) % 251;
  return content;
};

function loginOf(fake: FakeBucket, change: Partial<BucketLogin> = {}): BucketLogin {
  const { endpoint, bucket, region, accessKey, secretKey } = fake;
  return { endpoint, bucket, region, accessKey, secretKey, authority: null, ...change };
}

function bucketAt(fake: FakeBucket, change: Partial<BucketLogin> = {}, silenceMs?: number): Bucket {
  const options = { clock: systemClock, ...(silenceMs !== undefined && { silenceMs }) };
  return new Bucket(new AskBucket(loginOf(fake, change), options));
}

async function faultOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => "went well",
    (failure: unknown) => failure,
  );
  return error instanceof BucketError ? error.fault : String(error);
}

describe("a bucket", () => {
  for (const key of ["a.mp4", "2026/11/20261101_174001_NF.mp4.age", "odd + (name)!*'~ä&=%/#?.mp4"])
    test(`stores and gives back ${key}, signed as S3 asks for`, async () => {
      await using fake = openFakeBucket();
      const bucket = bucketAt(fake);
      await bucket.put(key, bytes(1000), HASH, SIGNAL);
      expect([...fake.objects.keys()]).toEqual([key]);
      expect(await bucket.head(key, SIGNAL)).toEqual({ bytes: 1000, homeHash: HASH });
      expect(Buffer.concat(await Array.fromAsync(bucket.get(key, 0, SIGNAL)))).toEqual(Buffer.from(bytes(1000)));
      expect(Buffer.concat(await Array.fromAsync(bucket.get(key, 990, SIGNAL)))).toEqual(
        Buffer.from(bytes(1000).slice(990)),
      );
      expect(await Array.fromAsync(bucket.list("", SIGNAL))).toEqual([[{ key, bytes: 1000 }]]);
    });

  test("never writes an object over, in one piece or in parts", async () => {
    await using fake = openFakeBucket();
    const bucket = bucketAt(fake);
    await bucket.put("a", bytes(10), HASH, SIGNAL);
    expect(await faultOf(bucket.put("a", bytes(11), HASH, SIGNAL))).toBe("taken");
    const id = await bucket.begin("a", HASH, SIGNAL);
    const part = await bucket.part({ key: "a", id, number: 1 }, bytes(12), SIGNAL);
    expect(await faultOf(bucket.complete({ key: "a", id }, [{ number: 1, ...part }], SIGNAL))).toBe("taken");
    expect(fake.objects.get("a")?.bytes.length).toBe(10);
  });

  test("takes an object in parts, lists these by pages, and ends an upload", async () => {
    await using fake = openFakeBucket();
    fake.pageLength = 2;
    const bucket = bucketAt(fake);
    const at = { key: "long/name.mp4", id: await bucket.begin("long/name.mp4", HASH, SIGNAL) };
    const size = 5 * 1024 * 1024;
    const parts = [];
    for (const number of [1, 2, 3, 4, 5])
      parts.push({ number, ...(await bucket.part({ ...at, number }, bytes(number === 5 ? 7 : size, number), SIGNAL)) });
    expect((await bucket.parts(at, SIGNAL)).map(({ number, bytes }) => [number, bytes])).toEqual(
      [1, 2, 3, 4, 5].map((number) => [number, number === 5 ? 7 : size]),
    );
    await bucket.complete(at, parts, SIGNAL);
    expect(await bucket.head(at.key, SIGNAL)).toEqual({ bytes: 4 * size + 7, homeHash: HASH });

    for (const key of ["o/1", "o/2", "o/3", "p/4"]) await bucket.begin(key, HASH, SIGNAL);
    const open = await bucket.uploads("o/", SIGNAL);
    expect(open.map(({ key }) => key)).toEqual(["o/1", "o/2", "o/3"]);
    for (const upload of open) await bucket.abort(upload, SIGNAL);
    for (const upload of open) await bucket.abort(upload, SIGNAL);
    expect(await bucket.uploads("", SIGNAL)).toMatchObject([{ key: "p/4" }]);
  });

  test("lists all objects by pages", async () => {
    await using fake = openFakeBucket();
    fake.pageLength = 7;
    for (let one = 0; one < 30; one++) fake.objects.set(`x/${one} &é`, { bytes: bytes(one), homeHash: null, times: 1 });
    const pages = await Array.fromAsync(bucketAt(fake).list("x/", SIGNAL));
    expect(pages.length).toBe(5);
    expect(new Set(pages.flat().map(({ key }) => key))).toEqual(new Set(fake.objects.keys()));
  });

  const rows: readonly (readonly [
    name: string,
    fault: string,
    login: Partial<BucketLogin>,
    stage: (fake: FakeBucket) => void,
  ])[] = [
    ["a key it does not know", "wrong_key", { accessKey: "OTHER" }, () => {}],
    ["a secret that is not the key’s", "wrong_key", { secretKey: "other" }, () => {}],
    ["another region", "wrong_region", { region: "us-east-1" }, () => {}],
    ["another bucket", "no_bucket", { bucket: "another" }, () => {}],
    ["a clock that is off by an hour", "clock", {}, (it) => (it.now = () => Date.now() + 3_600_000)],
    ["no room", "full", {}, (it) => (it.room = 100)],
    ["status 507", "full", {}, (it) => (it.instead = () => new Response("", { status: 507 }))],
    ["no right", "no_right", {}, (it) => (it.instead = () => bucketRefusal(403, "AccessDenied"))],
    [
      "a full account by its words",
      "full",
      {},
      (it) => (it.instead = () => bucketRefusal(403, "AccessDenied", "Cannot upload files, storage cap exceeded.")),
    ],
    ["status 500", "busy", {}, (it) => (it.instead = () => bucketRefusal(500, "InternalError"))],
    ["SlowDown", "busy", {}, (it) => (it.instead = () => bucketRefusal(503, "SlowDown"))],
    ["status 429", "busy", {}, (it) => (it.instead = () => new Response("", { status: 429 }))],
    [
      "a page",
      "page",
      {},
      (it) =>
        (it.instead = () => new Response("<!DOCTYPE html><p>Hello", { headers: { "content-type": "text/html" } })),
    ],
    [
      "a page that refuses",
      "page",
      {},
      (it) => (it.instead = () => new Response("<html>No", { status: 404, headers: { "content-type": "text/html" } })),
    ],
    [
      "another ETag",
      "damaged",
      {},
      (it) => (it.instead = () => new Response(null, { headers: { etag: `"${"0".repeat(32)}"` } })),
    ],
    ["no ETag", "damaged", {}, (it) => (it.instead = () => new Response(null))],
    [
      "another checksum",
      "damaged",
      {},
      (it) => (it.instead = () => new Response(null, { headers: { etag: '"x"', "x-amz-checksum-sha256": "AAAA" } })),
    ],
    ["an answer that never comes", "busy", {}, (it) => (it.instead = () => new Promise(() => {}))],
  ];
  for (const [name, fault, login, stage] of rows)
    test(`tells ${name} as ${fault}`, async () => {
      await using fake = openFakeBucket();
      stage(fake);
      expect(await faultOf(bucketAt(fake, login, 300).put("a", bytes(1000), HASH, SIGNAL))).toBe(fault);
    });

  const wordless: readonly (readonly [fault: string, login: Partial<BucketLogin>, ahead: number])[] = [
    ["wrong_key", { secretKey: "other" }, 0],
    ["wrong_region", { region: "us-east-1" }, 0],
    ["clock", {}, 3_600_000],
    ["no_bucket", { bucket: "another" }, 0],
  ];
  for (const [fault, login, ahead] of wordless)
    test(`tells ${fault} also where the first answer has no words, or one more does`, async () => {
      await using fake = openFakeBucket();
      fake.now = () => Date.now() + ahead;
      const bucket = bucketAt(fake, login);
      const asked = bucket.head("a", SIGNAL).catch((error: unknown) => {
        // A name that is not there and a bucket that is not there look the same.
        if (!(error instanceof BucketError) || error.fault !== "no_object") throw error;
        return bucket.put("a", bytes(10), HASH, SIGNAL);
      });
      expect(await faultOf(asked)).toBe(fault);
    });

  test("tells a name that is not there, whatever type the answer has that has no content", async () => {
    await using fake = openFakeBucket();
    fake.instead = () => new Response(null, { status: 404, headers: { "content-type": "text/html" } });
    expect(await faultOf(bucketAt(fake).head("a", SIGNAL))).toBe("no_object");
  });

  test("stores without a condition where the server does not know it", async () => {
    await using fake = openFakeBucket();
    fake.instead = ({ headers }) => (headers.has("if-none-match") ? bucketRefusal(501, "NotImplemented") : null);
    const bucket = bucketAt(fake);
    await bucket.put("a", bytes(10), HASH, SIGNAL);
    await bucket.put("b", bytes(10), HASH, SIGNAL);
    expect([...fake.objects.keys()]).toEqual(["a", "b"]);
    expect(fake.calls.filter(({ headers }) => headers.has("if-none-match")).length).toBe(1);
  });

  test("gets the older checksum where the server does not know the newer one, in parts too", async () => {
    await using fake = openFakeBucket();
    const message = "Unsupported header 'x-amz-checksum-sha256' received for this API call.";
    const isNew = ({ headers }: BucketCall) => [...headers.keys()].some((name) => name.startsWith("x-amz-checksum"));
    fake.instead = (call) => (isNew(call) ? bucketRefusal(400, "InvalidArgument", message) : null);
    const bucket = bucketAt(fake);
    await bucket.put("a", bytes(10), HASH, SIGNAL);
    const id = await bucket.begin("b", HASH, SIGNAL);
    const part = await bucket.part({ key: "b", id, number: 1 }, bytes(12), SIGNAL);
    await bucket.complete({ key: "b", id }, [{ number: 1, ...part }], SIGNAL);
    expect([...fake.objects.keys()]).toEqual(["a", "b"]);
    expect(fake.calls.filter(isNew).length).toBe(1);
    const md5 = new Bun.CryptoHasher("md5").update(bytes(10)).digest("base64");
    expect(fake.calls.map(({ headers }) => headers.get("content-md5"))).toContain(md5);
    // What the server knows is used on.
    expect(await faultOf(bucket.put("a", bytes(11), HASH, SIGNAL))).toBe("taken");
  });

  test("never follows a redirect", async () => {
    await using fake = openFakeBucket();
    await using other = openFakeBucket();
    fake.instead = () => new Response(null, { status: 307, headers: { location: `${other.endpoint}/our-dashcam/a` } });
    expect(await faultOf(bucketAt(fake).put("a", bytes(10), HASH, SIGNAL))).toBe("redirect");
    expect(other.calls).toEqual([]);
  });

  test("tells an address where nobody listens", async () => {
    const fake = openFakeBucket();
    await fake[Symbol.asyncDispose]();
    expect(await faultOf(bucketAt(fake).head("a", SIGNAL))).toBe("away");
  });

  test.skipIf(Bun.which("openssl") === null)("is trusted with a certificate of an authority that is set", async () => {
    const folder = mkdtempSync(join(tmpdir(), "bucket-tls-"));
    try {
      makeCertificates(folder);
      const pem = (name: string) => readFileSync(join(folder, name), "utf8");
      await using fake = openFakeBucket({ tls: { cert: pem("broker.pem"), key: pem("broker.key") } });
      expect(await faultOf(bucketAt(fake).put("a", bytes(10), HASH, SIGNAL))).toBe("certificate");
      expect(fake.calls).toEqual([]);
      await bucketAt(fake, { authority: pem("authority.pem") }).put("a", bytes(10), HASH, SIGNAL);
      expect(fake.objects.size).toBe(1);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("tells an upload that went well with an error in its answer", async () => {
    await using fake = openFakeBucket();
    const bucket = bucketAt(fake);
    const id = await bucket.begin("a", HASH, SIGNAL);
    const part = await bucket.part({ key: "a", id, number: 1 }, bytes(12), SIGNAL);
    fake.instead = () => new Response("<Error><Code>InternalError</Code></Error>");
    expect(await faultOf(bucket.complete({ key: "a", id }, [{ number: 1, ...part }], SIGNAL))).toBe("busy");
  });

  test("reads no more than 64 KiB of a refusal", async () => {
    await using fake = openFakeBucket();
    let sent = 0;
    fake.instead = () =>
      new Response(
        new ReadableStream({
          pull(stream) {
            sent += 1;
            stream.enqueue(new Uint8Array(64 * 1024));
            return sent > 400 ? stream.close() : undefined;
          },
        }),
        { status: 403 },
      );
    expect(await faultOf(bucketAt(fake).put("a", bytes(10), HASH, SIGNAL))).toBe("no_right");
    expect(sent).toBeLessThan(400);
  });

  test("ends when it is stopped", async () => {
    await using fake = openFakeBucket();
    fake.instead = () => new Promise(() => {});
    const stop = new AbortController();
    const asked = bucketAt(fake).put("a", bytes(10), HASH, stop.signal);
    stop.abort(new Error("stopped"));
    expect(await faultOf(asked)).toBe("Error: stopped");
  });
});
