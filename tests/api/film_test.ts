import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, renameSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { carAndVan, json } from "../support/app/several_cameras.ts";
import { type ClipPlan, clipFile, samplesOf } from "../support/camera/film_clip.ts";

const CLIPS = ["20261120_080000_N", "20261120_080002_N", "20261120_080004_E"] as const;
const [FIRST, SECOND, LAST] = CLIPS;

let app: RunningApp;
beforeAll(async () => {
  app = await startApp();
  for (const [seed, key] of CLIPS.entries()) {
    put(`${key}F.mp4`, clip(seed));
    if (seed !== 1) put(`${key}R.mp4`, clip(seed, { width: 32 }));
  }
  put("20261121_100000_PF.mp4", new Uint8Array(0));
  put("20261121_100000_PR.mp4", new Uint8Array(5000).fill(7));
});
afterAll(() => app[Symbol.asyncDispose]());

/** Two seconds of pictures and sound, of more than 200 kB. */
function clip(seed: number, more: Partial<ClipPlan> = {}): Uint8Array<ArrayBuffer> {
  const pictures = Array.from({ length: 60 }, (_, at) => ({ size: 4000 + at, lasts: 1000, isKey: at % 15 === 0 }));
  const sounds = Array.from({ length: 31 }, (_, at) => ({ size: 100 + (at % 3), lasts: 1024 }));
  return clipFile({ seed, pictures, sounds, ...more });
}
function placeOf(name: string): string {
  return join(app.destination, `${name.slice(0, 4)}-${name.slice(4, 6)}-${name.slice(6, 8)}`, name);
}
function put(name: string, content: Uint8Array): void {
  mkdirSync(dirname(placeOf(name)), { recursive: true });
  writeFileSync(placeOf(name), content);
  utimesSync(placeOf(name), 1_790_000_000, 1_790_000_000);
}
const ask = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  fetch(`${app.url}${path}`, { headers, method });
const headersOf = ({ headers }: Response) =>
  Object.fromEntries([...headers].filter(([name]) => !["date", "transfer-encoding", "content-length"].includes(name)));

describe("GET /film/<direction>.mp4", () => {
  test("gives the clips of one camera as one video, with their bytes as they are", async () => {
    const answer = await ask(`/film/F.mp4?trip=${SECOND}`);
    expect(headersOf(answer)).toMatchObject({
      "content-type": "video/mp4",
      "content-disposition": 'inline; filename="2026-11-20_0800-0800_trip_F.mp4"',
      "accept-ranges": "bytes",
      "cache-control": "private, no-cache",
      etag: expect.stringMatching(/^"[\w-]{27}"$/),
    });
    const bytes = await answer.bytes();
    const files = Buffer.concat([0, 1, 2].map((seed) => clip(seed)));
    expect(Buffer.compare(bytes.subarray(bytes.length - files.length), files)).toBe(0);
    const [picture, sound] = samplesOf(bytes);
    expect([picture?.samples.length, sound?.samples.length]).toEqual([180, 93]);
    expect(picture?.samples.at(-1)?.shown).toBeCloseTo(6 - 1 / 30, 5);
  });

  test("tells everything beforehand, and goes on where a download broke off", async () => {
    const path = `/film/F.mp4?from=${FIRST}&to=${LAST}&download=1`;
    const head = await ask(path, {}, "HEAD");
    const whole = await ask(path);
    const bytes = await whole.bytes();
    const size = bytes.length;
    const etag = whole.headers.get("etag") ?? "";
    expect([head.status, headersOf(head)]).toEqual([200, headersOf(whole)]);
    expect(head.headers.get("content-length")).toBe(String(size));
    expect(whole.headers.get("content-disposition")).toStartWith("attachment");
    const middle = size - 300_000;
    for (const [range, from, to] of [
      ["bytes=0-", 0, size],
      ["bytes=0-0", 0, 1],
      ["bytes=100-300099", 100, 300_100],
      [`bytes=${middle}-`, middle, size],
      ["bytes=-22", size - 22, size],
      ["bytes=1000-200999", 1000, 201_000],
    ] as const) {
      const part = await ask(path, { range, "if-range": etag });
      expect([part.status, part.headers.get("content-range")]).toEqual([206, `bytes ${from}-${to - 1}/${size}`]);
      expect(Buffer.compare(await part.bytes(), bytes.subarray(from, to))).toBe(0);
      const asked = await ask(path, { range }, "HEAD");
      expect([asked.status, asked.headers.get("content-length")]).toEqual([200, String(size)]);
    }
    // An answer that is short, or lies in one file, has its length in its own answer, too.
    const short = await ask(path, { range: "bytes=10-2009" });
    expect(short.headers.get("content-length")).toBe("2000");
    const other = await ask(path, { range: "bytes=5-9", "if-range": '"other"' });
    expect([other.status, (await other.bytes()).length]).toEqual([200, size]);
    const beyond = await ask(path, { range: `bytes=${size}-` });
    expect([beyond.status, beyond.headers.get("content-range")]).toEqual([416, `bytes */${size}`]);
    expect((await ask(path, { "if-none-match": etag })).status).toBe(304);
  });

  test("leaves out every byte that no sample needs", async () => {
    const plan = `from=${FIRST}&to=${LAST}&from_seconds=1.1&to_seconds=0.5`;
    const whole = await (await ask(`/film/F.mp4?${plan}`)).bytes();
    const plain = await (await ask(`/film/F.mp4?${plan}&plain=true`)).bytes();
    expect(plain.length).toBeLessThan((whole.length * 2) / 3);
    const names = (bytes: Uint8Array) => samplesOf(bytes).map(({ samples }) => samples.map((one) => one.bytes));
    expect(names(plain)).toEqual(names(whole));
    expect(names(plain)[0]?.[0]).toBe("v0.30");
    expect(names(plain)[0]?.at(-1)).toBe("v2.15");
    expect(new TextDecoder("latin1").decode(plain).split("moov")).toHaveLength(2);
  });

  test("refuses as the whole API does", async () => {
    for (const [path, status, code] of [
      [`/film/F.mp4`, 422, "VALIDATION_ERROR"],
      [`/film/F.mp4?from=${LAST}&to=${FIRST}`, 422, "VALIDATION_ERROR"],
      [`/film/F.mp4?from=${FIRST}&to=${FIRST}&from_seconds=2&to_seconds=1`, 422, "VALIDATION_ERROR"],
      [`/film/F.mp4?from=${FIRST}&to=${FIRST}&from_seconds=-1`, 422, "VALIDATION_ERROR"],
      [`/film/F.mp4?from=${FIRST}&to=${SECOND}&from_seconds=9&to_seconds=1`, 422, "VALIDATION_ERROR"],
      [`/film/I.mp4?key=${FIRST}`, 404, "RECORDING_NOT_FOUND"],
      [`/film/x.mp4?key=${FIRST}`, 404, "RECORDING_NOT_FOUND"],
      [`/film/F.avi?key=${FIRST}`, 404, "RECORDING_NOT_FOUND"],
      ["/film/F.mp4?key=20200101_000000_N", 404, "RECORDING_NOT_FOUND"],
      ["/film/F.mp4?key=nonsense", 404, "RECORDING_NOT_FOUND"],
      [`/film/F.mp4?key=van~${FIRST}`, 404, "CAMERA_NOT_FOUND"],
      ["/film/F.mp4?key=20261121_100000_P", 409, "NOT_ONE_FILM"],
      ["/film/R.mp4?key=20261121_100000_P", 409, "NOT_ONE_FILM"],
      [`/api/viewer/film?from=${LAST}&to=${FIRST}`, 422, "VALIDATION_ERROR"],
      // Parts of one clip are a range from it to itself, and what is more than one span is none.
      [`/film/F.mp4?key=${FIRST}&to_seconds=1`, 422, "VALIDATION_ERROR"],
      [`/film/F.mp4?trip=${FIRST}&from_seconds=1`, 422, "VALIDATION_ERROR"],
      [`/api/viewer/film?key=${FIRST}&trip=${FIRST}`, 422, "VALIDATION_ERROR"],
      [`/api/viewer/export/pack?trip=${FIRST}&from=${FIRST}&to=${FIRST}`, 422, "VALIDATION_ERROR"],
      [`/film/F.mp4?key=${FIRST}&plain=yes`, 422, "VALIDATION_ERROR"],
      ["/api/viewer/film?key=20200101_000000_N", 404, "RECORDING_NOT_FOUND"],
    ] as const) {
      const answer = await ask(path);
      const text = await answer.text();
      expect([path, answer.status, text]).toEqual([path, status, expect.stringContaining(`"code":"${code}"`)]);
    }
    const damaged = await (await ask("/film/R.mp4?key=20261121_100000_P")).json();
    expect(damaged).toEqual({
      error: "There is no recording that can be part of a film. The recording at 10:00:00 is damaged.",
      code: "NOT_ONE_FILM",
      details: { reason: "The recording at 10:00:00 is damaged." },
    });
  });

  test("asks for signing in as JSON does", async () => {
    await using guarded = await startApp({ mode: "login", password: "correct horse battery" });
    const answer = await fetch(`${guarded.url}/film/F.mp4?key=${FIRST}`, { redirect: "manual" });
    expect([answer.status, (await answer.json()).code]).toEqual([401, "AUTH_REQUIRED"]);
  });

  for (const [how, change] of [
    ["becomes shorter", (path: string) => truncateSync(path, statSync(path).size / 2)],
    ["is deleted", (path: string) => rmSync(path)],
    ["is moved", (path: string) => renameSync(path, `${path}.away`)],
    [
      "is replaced by one of the same size and time",
      (path: string) => {
        const { size, atime, mtime } = statSync(path);
        writeFileSync(`${path}.new`, new Uint8Array(size));
        utimesSync(`${path}.new`, atime, mtime);
        renameSync(`${path}.new`, path);
      },
    ],
  ] as const)
    test(`breaks off when a clip ${how} under way, and does not go on with another`, async () => {
      const keys = ["20261122_090000_N", "20261122_090002_N", "20261122_090004_N"] as const;
      const pictures = Array.from({ length: 60 }, (_, at) => ({ size: 400_000, lasts: 1000, isKey: at === 0 }));
      for (const [seed, key] of keys.entries()) put(`${key}F.mp4`, clipFile({ seed, pictures }));
      const path = `/film/F.mp4?trip=${keys[0]}`;
      const size = Number((await ask(path, {}, "HEAD")).headers.get("content-length"));
      const { headers, body } = await ask(path);
      // At once: nothing holds back what is sent, and a clip that was opened already is sent as it was.
      change(placeOf(`${keys[2]}F.mp4`));
      const reader = body?.getReader();
      let received = 0;
      const rest = async () => {
        for (let part = await reader?.read(); part && !part.done; part = await reader?.read())
          received += part.value.length;
      };
      await expect(rest()).rejects.toThrow();
      expect(received).toBeLessThan(size);
      const again = await ask(path, { range: "bytes=100-", "if-range": headers.get("etag") ?? "" });
      expect(again.status).toBe(200);
      expect(again.headers.get("etag")).not.toBe(headers.get("etag"));
      await again.body?.cancel();
      rmSync(dirname(placeOf(`${keys[0]}F.mp4`)), { recursive: true });
    });

  test("is sent to many at once, and the next is asked to wait", async () => {
    const keys = ["20261122_100000_N", "20261122_100002_N"] as const;
    const pictures = Array.from({ length: 60 }, (_, at) => ({ size: 200_000, lasts: 1000, isKey: at === 0 }));
    for (const [seed, key] of keys.entries()) put(`${key}F.mp4`, clipFile({ seed, pictures }));
    const path = `/film/F.mp4?trip=${keys[0]}`;
    const begun = async () => {
      const gone = new AbortController();
      const answer = await fetch(`${app.url}${path}`, { signal: gone.signal });
      return { answer, leave: () => gone.abort() };
    };
    const first = await Promise.all(Array.from({ length: 24 }, begun));
    expect(first.map(({ answer }) => answer.status)).toEqual(Array(24).fill(200));
    const { answer } = await begun();
    expect([answer.status, answer.headers.get("retry-after"), (await answer.json()).error]).toEqual([
      503,
      "5",
      "24 films are open already. Close one or try again in a moment.",
    ]);
    // Parts that lie in one file, and short ones, are answered as those of any video.
    expect((await ask(path, { range: "bytes=100-5000" })).status).toBe(206);
    expect((await ask(path, { range: "bytes=100000-1100000" })).status).toBe(206);
    for (const { leave } of first) leave();
    // Those that were stopped make room.
    for (let status = 503; status !== 200; ) {
      const next = await begun();
      ({ status } = next.answer);
      next.leave();
    }
    rmSync(dirname(placeOf(`${keys[0]}F.mp4`)), { recursive: true });
  });
});

describe("GET /api/viewer/film", () => {
  test("and the film are of the camera that the keys name", async () => {
    await using both = await carAndVan();
    const root = both.app.cameras.of("van")?.recordings.root ?? "";
    mkdirSync(root, { recursive: true });
    const [one, other] = ["20261120_080000_N", "20261120_080010_N"] as const;
    for (const [seed, key] of [one, other].entries()) writeFileSync(join(root, `${key}F.mp4`), clip(seed));
    const span = `from=van~${one}&to=van~${other}`;
    // A single one is looked for in the folders as they are now.
    expect(await json(both, `/api/viewer/film?key=van~${one}`)).toMatchObject({
      cameras: [{ clips: 1, cannot: null }],
    });
    const told = await json(both, `/api/viewer/film?${span}`);
    expect(told).toMatchObject({
      cameras: [{ direction: "F", clips: 2, gaps: [{ after: `van~${one}`, seconds: 8 }], cannot: null }],
    });
    expect(await json(both, `/api/viewer/film?${span}&camera=van`)).toEqual(told);
    for (const path of [
      "/api/viewer/film?key=van~20200101_000000_N",
      "/film/F.mp4?key=van~20200101_000000_N",
      "/api/viewer/export/zip?key=van~20200101_000000_N",
      "/api/viewer/pack?key=van~20200101_000000_N",
    ])
      expect([path, await (await both.client.fetch(path)).json()]).toMatchObject([
        path,
        { code: "RECORDING_NOT_FOUND", details: { recording: "van~20200101_000000_N" } },
      ]);
    expect(await (await both.client.fetch(`/film/R.mp4?key=van~${one}`)).json()).toMatchObject({
      details: { recording: `van~${one}` },
    });
    const places = [
      { key: `van~${one}`, at: 0, from: 0 },
      { key: `van~${other}`, at: 2, from: 0 },
    ];
    expect(await json(both, `/api/viewer/film?${span}&places=1`)).toMatchObject({ cameras: [{ places }] });
    expect((await both.client.fetch(`/film/F.mp4?${span}`)).status).toBe(200);
    const bare = await both.client.fetch(`/film/F.mp4?key=${one}`);
    expect([bare.status, await bare.json()]).toEqual([404, expect.objectContaining({ code: "RECORDING_NOT_FOUND" })]);
    const mixed = await both.client.fetch(`/film/F.mp4?from=van~${one}&to=${other}`);
    expect([mixed.status, (await mixed.json()).code]).toEqual([422, "VALIDATION_ERROR"]);
  });

  test("tells of each camera how long its film is, where it has gaps, and how far it goes", async () => {
    const answer = await (await ask(`/api/viewer/film?trip=${FIRST}`)).json();
    const bytesOf = async (direction: string) =>
      Number((await ask(`/film/${direction}.mp4?trip=${FIRST}`, {}, "HEAD")).headers.get("content-length"));
    const common = { starts_at: "2026-11-20T08:00:00", cannot: null };
    expect(answer).toEqual({
      cameras: [
        { direction: "F", seconds: 6, bytes: await bytesOf("F"), clips: 3, gaps: [], ...common },
        {
          direction: "R",
          seconds: 4,
          bytes: await bytesOf("R"),
          clips: 2,
          gaps: [{ after: FIRST, seconds: 2 }],
          ...common,
        },
      ],
    });
    const placed = await (await ask(`/api/viewer/film?trip=${FIRST}&places=true`)).json();
    expect(placed.cameras.map(({ places }: { readonly places: unknown }) => places)).toEqual([
      CLIPS.map((key, at) => ({ key, at: 2 * at, from: 0 })),
      [
        { key: FIRST, at: 0, from: 0 },
        { key: LAST, at: 2, from: 0 },
      ],
    ]);
    const cut = `from=${FIRST}&to=${LAST}&from_seconds=0.6&to_seconds=1&plain=true`;
    const plain = await (await ask(`/api/viewer/film?${cut}`)).json();
    expect(plain.cameras[0].bytes).toBe((await (await ask(`/film/F.mp4?${cut}`)).bytes()).length);
    expect(plain.cameras[0].bytes).toBeLessThan(answer.cameras[0].bytes);
    const part = await (await ask(`/api/viewer/film?from=${FIRST}&to=${SECOND}&from_seconds=0.6`)).json();
    expect(part.cameras).toMatchObject([
      { direction: "F", starts_at: "2026-11-20T08:00:00.500", seconds: 3.5, cannot: null },
      {
        direction: "R",
        seconds: 1.5,
        clips: 1,
        cannot: "The recording at 08:00:02 has no video of this camera. The film ends before it.",
      },
    ]);
    const american = { "accept-language": "en-US" };
    const late = await (await ask("/api/viewer/film?key=20261121_100000_P", american)).json();
    expect(late.cameras[0].cannot).toBe("The recording at 10:00:00\u00a0am is not finished.");
    const refused = await (await ask("/film/F.mp4?key=20261121_100000_P", american)).json();
    expect(refused.details.reason).toBe("The recording at 10:00:00\u00a0am is not finished.");
    const none = await (await ask("/api/viewer/film?key=20261121_100000_P")).json();
    expect(none.cameras).toEqual([
      {
        direction: "F",
        seconds: 0,
        bytes: 0,
        clips: 0,
        gaps: [],
        starts_at: null,
        cannot: "The recording at 10:00:00 is not finished.",
      },
      {
        direction: "R",
        seconds: 0,
        bytes: 0,
        clips: 0,
        gaps: [],
        starts_at: null,
        cannot: "The recording at 10:00:00 is damaged.",
      },
    ]);
  });
});
