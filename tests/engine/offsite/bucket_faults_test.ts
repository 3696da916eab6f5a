import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunningApp } from "../../support/app/app.ts";
import { makeCertificates } from "../../support/app/certificates.ts";
import {
  type BucketCall,
  bucketRefusal,
  cutAnswer,
  otherTag,
  type FakeBucket,
  openFakeBucket,
} from "../../support/app/fake_bucket.ts";
import { FastClock } from "../../support/app/fast_clock.ts";
import { House, put } from "../../support/app/held.ts";
import {
  askOffsite,
  differences,
  isAllSent,
  offsiteTo,
  offsiteUntil,
  startSending,
} from "../../support/app/sending.ts";

setDefaultTimeout(60_000);

const SMALL = ["20260601_100000_EF.mp4", "20260601_100000_E.gps"];
/** Two parts. */
const LONG = "20260603_100000_NF.mp4";
const PASSPHRASE = "five words that are long";
/** A minute of tries takes a third of a second. */
const TIMES = 200;
const HOUR = 3_600_000;

const BUSY = "The server is busy, or the connection broke. Dashdock tries again by itself.";
const DAMAGED = "The server received other bytes than Dashdock sent. Dashdock tries again by itself.";
const NO_UPLOAD = "The server no longer knows an upload that had begun. Dashdock begins it again.";
const CLOCK = "The clock of this machine and the clock of the server differ too much. Set the clock of this machine.";
const FULL = "The bucket is full, or its quota is used up. Free some room at your provider, or raise the quota.";
const NO_RIGHT = "This key may not do that. It needs the rights to read, write and list the bucket.";
const WRONG_KEY = "The server does not know this access key, or the secret key does not belong to it. Check both.";
const REGION = "The bucket is in another region. Set the region that your provider names.";
const NO_BUCKET = "There is no bucket of this name. Create the bucket at your provider, or check its name.";
const PAGE = "The address answers with a web page, not as an S3 server. Check the address.";
const REDIRECT = "The server sends us to another address. Set the address of the bucket’s own server.";
const AWAY = "The server cannot be reached. Check the address, and the Internet connection.";
const TAKEN = "The bucket holds another file of this name. Nothing there is ever written over.";

const isPart = ({ query }: BucketCall, number: number) => query.get("partNumber") === String(number);
const isStored = ({ method }: BucketCall) => method === "PUT";
const isCompleted = ({ method, query }: BucketCall) => method === "POST" && query.has("uploadId");
const isList = ({ method, key, query }: BucketCall) => method === "GET" && key === "" && !query.has("uploads");

const page = () => new Response("<!DOCTYPE html><p>Hello", { headers: { "content-type": "text/html" } });

interface Row {
  readonly name: string;
  readonly sentence: string;
  readonly stage?: (fake: FakeBucket) => void;
  /** Settings that are wrong, until the fault is over. */
  readonly change?: (fake: FakeBucket) => Record<string, unknown>;
  /** Name that the sentence is about. */
  readonly key?: string | undefined;
}

const ROWS: readonly Row[] = [
  { name: "status 500", sentence: BUSY, stage: (it) => (it.instead = () => bucketRefusal(500, "InternalError")) },
  {
    name: "status 503, slow down",
    sentence: BUSY,
    stage: (it) => (it.instead = (call) => (isStored(call) ? bucketRefusal(503, "SlowDown") : null)),
    key: SMALL[0],
  },
  {
    name: "a connection that is cut in a part",
    sentence: BUSY,
    stage: (it) => (it.instead = (call) => (isPart(call, 2) ? cutAnswer() : null)),
    key: LONG,
  },
  {
    name: "a part that is lost",
    sentence: NO_UPLOAD,
    stage: (it) =>
      (it.instead = (call) => {
        if (isCompleted(call)) for (const { parts } of it.uploads.values()) parts.delete(1);
        return null;
      }),
    key: LONG,
  },
  {
    name: "another tag than that of the bytes",
    sentence: DAMAGED,
    stage: (it) => (it.after = (call, answer) => (isPart(call, 2) ? otherTag(answer) : answer)),
    key: LONG,
  },
  {
    name: "an upload that expires",
    sentence: NO_UPLOAD,
    stage: (it) =>
      (it.instead = (call) => {
        if (isPart(call, 2)) it.uploads.clear();
        return null;
      }),
    key: LONG,
  },
  {
    name: "a clock that is an hour ahead",
    sentence: CLOCK,
    stage: (it) => {
      const { now } = it;
      it.now = () => now() - HOUR;
    },
  },
  { name: "no more room", sentence: FULL, stage: (it) => (it.room = 10_000), key: LONG },
  {
    name: "no right in the middle",
    sentence: NO_RIGHT,
    stage: (it) => (it.instead = (call) => (isPart(call, 2) ? bucketRefusal(403, "AccessDenied") : null)),
    key: LONG,
  },
  {
    name: "an answer that does not come",
    sentence: BUSY,
    stage: (it) => (it.instead = (call) => (call.query.has("uploads") ? new Promise(() => {}) : null)),
  },
  {
    name: "a list that breaks after its first page",
    sentence: BUSY,
    stage: (it) =>
      (it.instead = (call) =>
        isList(call) && call.query.has("continuation-token") ? bucketRefusal(500, "InternalError") : null),
  },
  { name: "another access key", sentence: WRONG_KEY, change: () => ({ access_key: "OTHER" }) },
  { name: "another secret key", sentence: WRONG_KEY, change: () => ({ secret_key: "other" }) },
  { name: "another region", sentence: REGION, change: () => ({ region: "us-east-1" }) },
  { name: "a bucket that is not there", sentence: NO_BUCKET, change: () => ({ bucket: "another" }) },
  {
    name: "a bucket that is not ours",
    sentence: NO_RIGHT,
    stage: (it) =>
      (it.instead = ({ method }) =>
        method === "HEAD" ? new Response(null, { status: 403 }) : bucketRefusal(403, "AccessDenied")),
  },
  { name: "a web page", sentence: PAGE, stage: (it) => (it.instead = page) },
  {
    name: "a redirect",
    sentence: REDIRECT,
    stage: (it) =>
      (it.instead = () => new Response(null, { status: 307, headers: { location: "https://127.0.0.1:9/" } })),
  },
  { name: "an address where nobody listens", sentence: AWAY, change: () => ({ endpoint: "http://127.0.0.1:9" }) },
];

describe("a bucket with a fault", () => {
  let fake: FakeBucket;
  let house: House;
  let app: RunningApp;
  let rows = 0;
  let prefix = "";

  beforeAll(async () => {
    fake = openFakeBucket();
    house = new House(SMALL);
    put(house, [LONG], randomBytes(9 * 1024 * 1024));
    const clock = new FastClock(TIMES);
    fake.now = clock.now;
    app = await startSending(house, offsiteTo(fake, { prefix: "first" }), { clock });
    await offsiteUntil(app, isAllSent);
  });
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    house[Symbol.dispose]();
    await fake[Symbol.asyncDispose]();
  });
  beforeEach(() => {
    rows += 1;
    prefix = `row-${rows}/`;
    fake.objects.clear();
    fake.uploads.clear();
    fake.calls.length = 0;
  });

  const set = async (offsite: object) => {
    const answer = await app.client.send("PATCH", "/api/settings/offsite", offsite);
    expect(answer.status).toBe(200);
  };
  /** All is well from now on, and what waits is tried again. */
  const heal = async (right: object = {}) => {
    if (Object.keys(right).length > 0) await set(right);
    await askOffsite(app, "check");
    await offsiteUntil(app, isAllSent);
    expect(await differences(fake, house, { prefix })).toEqual([]);
  };

  for (const { name, sentence, stage, change, key } of ROWS)
    test(`such as ${name} is told, and all is there once when it is over`, async () => {
      const { now } = fake;
      // Names of others, on more than one page.
      fake.pageLength = 2;
      for (const one of "abc")
        fake.objects.set(`${prefix}${one}`, { bytes: new Uint8Array(1), homeHash: null, times: 1 });
      stage?.(fake);
      await set({ prefix, ...change?.(fake) });
      const { problem, state } = await offsiteUntil(app, (it) => it.problem !== null);
      expect({ sentence: problem?.sentence, state }).toEqual({ sentence, state: "problem" });
      expect(problem?.key ?? null).toBe(key === undefined ? null : `${prefix}${key}`);
      Object.assign(fake, { instead: null, after: null, room: Number.POSITIVE_INFINITY, now, pageLength: 1000 });
      for (const one of "abc") fake.objects.delete(`${prefix}${one}`);
      const { endpoint, bucket, region, accessKey, secretKey } = fake;
      const right = { endpoint, bucket, region, access_key: accessKey, secret_key: secretKey };
      await heal(change === undefined ? {} : right);
    });

  test("such as a single refusal, cut or wrong tag of each kind is got over without a word", async () => {
    const once = new Set<string>();
    const isFirst = (name: string) => !once.has(name) && once.add(name).size > 0;
    fake.instead = (call) => {
      if (isList(call) && isFirst("list")) return bucketRefusal(503, "SlowDown");
      if (call.method === "HEAD" && isFirst("head")) return new Response(null, { status: 500 });
      if (isPart(call, 1) && isFirst("part")) return cutAnswer();
      if (isStored(call) && isFirst("put")) return page();
      return null;
    };
    fake.after = (call, answer) => {
      if (isCompleted(call) && isFirst("complete")) return bucketRefusal(500, "InternalError");
      if (call.query.has("uploads") && call.method === "POST" && isFirst("begin")) return cutAnswer();
      if (isPart(call, 2) && isFirst("tag")) return otherTag(answer);
      return isStored(call) && call.key.endsWith(".gps") && isFirst("stored") ? cutAnswer() : answer;
    };
    await set({ prefix });
    const { problem } = await offsiteUntil(app, (it) => it.problem !== null || isAllSent(it));
    fake.instead = null;
    fake.after = null;
    expect([problem, once.size]).toEqual([null, 8]);
    // The answer to the begin of an upload that nobody knows was lost; a day later it is ended.
    for (const [id, upload] of fake.uploads) fake.uploads.set(id, { ...upload, begunAt: fake.now() - 25 * HOUR });
    await askOffsite(app, "compare");
    expect(await differences(fake, house, { prefix })).toEqual([]);
  });

  test("such as an object that has gone is found by the comparison, page by page, and sent again", async () => {
    await set({ prefix });
    await offsiteUntil(app, isAllSent);
    fake.pageLength = 1;
    fake.objects.delete(`${prefix}${LONG}`);
    await askOffsite(app, "compare");
    fake.pageLength = 1000;
    const { sent, problem } = await offsiteUntil(app, isAllSent);
    expect([sent.recordings, problem]).toEqual([2, null]);
    expect(await differences(fake, house, { prefix })).toEqual([]);
    expect(app.app.log.lines.map(({ message }) => message)).toContain(
      "1\u00a0file is no longer in the bucket, and is sent again",
    );
  });

  test("such as an upload of a file that is no longer sent is none: the comparison ends it", async () => {
    fake.instead = (call) => (isPart(call, 2) ? bucketRefusal(403, "AccessDenied") : null);
    await set({ prefix });
    await offsiteUntil(app, ({ problem }) => problem?.sentence === NO_RIGHT);
    expect(fake.uploads.size).toBe(1);
    fake.instead = null;
    await set({ what: "events" });
    await askOffsite(app, "compare");
    expect(fake.uploads.size).toBe(0);
    await set({ what: "all" });
    await heal();
  });

  test("such as old versions, or a lock that wants a checksum with each object, is none", async () => {
    fake.instead = (call) => {
      const isChecked = call.headers.has("x-amz-checksum-sha256") || call.headers.has("content-md5");
      const words =
        "Content-MD5 OR x-amz-checksum- HTTP header is required for Put Object requests with Object Lock parameters";
      return isStored(call) && !isChecked ? bucketRefusal(400, "InvalidRequest", words) : null;
    };
    fake.after = (_call, answer) => {
      answer.headers.set("x-amz-version-id", "3sL4kqtJlcpXroDTDmJ+rmSpXd3dIbrHY+MTRCxf3vjVBH40Nr8X8gdRQBpUMLUo");
      return answer;
    };
    await set({ prefix });
    expect((await offsiteUntil(app, (it) => it.problem !== null || isAllSent(it))).problem).toBeNull();
    fake.instead = null;
    fake.after = null;
    expect(await differences(fake, house, { prefix })).toEqual([]);
  });

  test("such as a name that another installation has taken is told; a prefix of its own helps", async () => {
    using other = new House(SMALL);
    put(other, [LONG], randomBytes(9 * 1024 * 1024));
    await set({ prefix });
    await offsiteUntil(app, isAllSent);
    const clock = new FastClock(TIMES);
    await using second = await startSending(other, offsiteTo(fake, { prefix }), { clock });
    const taken = await offsiteUntil(second, ({ refused }) => refused.recordings === 1);
    // What is the same counts as sent.
    expect(taken).toMatchObject({ problem: { sentence: TAKEN, key: `${prefix}${LONG}` } });
    const done = await offsiteUntil(second, (it) => it.waiting.bytes === 0);
    expect(done.sent.recordings).toBe(1);
    expect(await differences(fake, house, { prefix })).toEqual([]);
    const page = await second.client.send("PATCH", "/api/settings/offsite", { prefix: `${prefix}second` });
    expect(page.status).toBe(200);
    await offsiteUntil(second, (it) => isAllSent(it) && it.sent.recordings === 2);
    expect(await differences(fake, other, { prefix: `${prefix}second/` })).toEqual([]);
  });

  test("such as a name that comes to be taken while parts are sent is told, and stays as it is", async () => {
    const mine = { bytes: new Uint8Array(7), homeHash: null, times: 1 };
    fake.instead = (call) => {
      if (isPart(call, 2)) fake.objects.set(call.key, mine);
      return null;
    };
    fake.knowsConditions = false;
    await set({ prefix });
    const { problem } = await offsiteUntil(app, ({ refused }) => refused.recordings === 1);
    Object.assign(fake, { instead: null, knowsConditions: true });
    expect(problem).toMatchObject({ sentence: TAKEN, key: `${prefix}${LONG}` });
    expect(fake.objects.get(`${prefix}${LONG}`)).toEqual(mine);
    expect(fake.uploads.size).toBe(0);
  });

  test("such as copies of another passphrase: those stay, and a cut upload is begun anew", async () => {
    fake.instead = (call) => (isPart(call, 2) ? bucketRefusal(403, "AccessDenied") : null);
    await set({ prefix, passphrase: "another passphrase", what: "events" });
    await offsiteUntil(app, isAllSent);
    await set({ what: "all" });
    await offsiteUntil(app, ({ problem }) => problem?.sentence === NO_RIGHT);
    const before = new Map(fake.objects);
    expect(before.size).toBe(SMALL.length);
    fake.instead = null;
    await set({ passphrase: PASSPHRASE });
    const state = await offsiteUntil(app, isAllSent);
    expect([state.sent.recordings, state.problem]).toEqual([2, null]);
    for (const [key, object] of before) expect(fake.objects.get(key)).toBe(object);
    for (const key of before.keys()) fake.objects.delete(key);
    expect(await differences(fake, house, { prefix, passphrase: PASSPHRASE })).toEqual(
      SMALL.map((path) => `${path} is not there`).toSorted(),
    );
    await set({ passphrase: null });
  });
});

test.skipIf(Bun.which("openssl") === null)(
  "a certificate of an authority of one's own is told, and trusted with its file alone",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "bucket-tls-"));
    try {
      makeCertificates(folder);
      const pem = (name: string) => readFileSync(join(folder, name), "utf8");
      await using fake = openFakeBucket({ tls: { cert: pem("broker.pem"), key: pem("broker.key") } });
      using house = new House(SMALL);
      await using app = await startSending(house, offsiteTo(fake));
      const sentenceOf = async () => (await offsiteUntil(app, ({ problem }) => problem !== null)).problem?.sentence;
      expect(await sentenceOf()).toBe(
        "The certificate of the server is not trusted. Set the file of its certificate authority.",
      );
      const set = (ca_file: string) => app.client.send("PATCH", "/api/settings/offsite", { ca_file });
      await set(join(folder, "none.pem"));
      expect(await sentenceOf()).toBe("The file of your certificate authority cannot be read. Check offsite.ca_file.");
      await set(join(folder, "authority.pem"));
      await offsiteUntil(app, isAllSent);
      expect(await differences(fake, house)).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
