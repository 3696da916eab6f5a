import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { media } from "../../server/api/media.ts";
import { RepairedVideos } from "../../server/store/clips/repaired_videos.ts";
import type { Browser, HttpStage } from "../support/app/http.ts";
import { openStage, Shelf } from "../support/app/viewer.ts";

const VIDEO = "20260607_101500_NF.mp4";
const TEN = "0123456789";
/** Whole seconds of the mtime, and what comes after. */
const MTIME = 1_780_000_000.123;
const MODIFIED = "Thu, 28 May 2026 20:26:40 GMT";

let shelf: Shelf;
let stage: HttpStage;
let browser: Browser;
beforeAll(async () => {
  shelf = new Shelf();
  const { served } = shelf;
  const route = { method: "GET", path: "/media/*", access: "signed-in" } as const;
  ({ stage, browser } = await openStage([
    {
      ...route,
      handle: (context, app) =>
        media.handle(context, { ...app, mediaFiles: served, repairedVideos: async () => new RepairedVideos() }),
    },
  ]));
  shelf.put(`2026-06-07/${VIDEO}`, TEN, MTIME);
  shelf.put("20260607_101500_NF.thm", "picture", MTIME);
  shelf.put("20260607_101600_NF.mp4", "", MTIME);
});
afterAll(async () => {
  await stage[Symbol.asyncDispose]();
  shelf[Symbol.dispose]();
});

const URL_PATH = `/media/2026-06-07/${VIDEO}`;
async function ask(headers: Record<string, string> = {}, path = URL_PATH, method = "GET") {
  const answer = await browser.ask(path, { headers, method });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

describe("GET /media/", () => {
  test("gives the whole video with what a player and a cache want to know", async () => {
    const { status, headers, text } = await ask();
    expect([status, text]).toEqual([200, TEN]);
    expect(Object.fromEntries(headers)).toMatchObject({
      "content-type": "video/mp4",
      "content-length": "10",
      "accept-ranges": "bytes",
      "last-modified": MODIFIED,
      etag: expect.stringMatching(/^"[0-9a-z]+-a"$/),
      "cache-control": expect.stringMatching(/^private, max-age=[1-9][0-9]+$/),
      "content-disposition": `inline; filename="${VIDEO}"`,
      "x-content-type-options": "nosniff",
    });
  });

  test("gives thumbnails as pictures, and an empty file as it is", async () => {
    const thumbnail = await ask({}, "/media/20260607_101500_NF.thm");
    expect([thumbnail.headers.get("content-type"), thumbnail.text]).toEqual(["image/jpeg", "picture"]);
    for (const range of [undefined, "bytes=0-4", "bytes=-1", "bytes=5-2"]) {
      const empty = await ask(range ? { range } : {}, "/media/20260607_101600_NF.mp4");
      expect([empty.status, empty.headers.get("content-length"), empty.text]).toEqual([200, "0", ""]);
    }
  });

  test("saves it under its name when asked to", async () => {
    const { headers } = await ask({}, `${URL_PATH}?download=1`);
    expect(headers.get("content-disposition")).toBe(`attachment; filename="${VIDEO}"`);
    expect((await ask({}, `${URL_PATH}?download=0`)).headers.get("content-disposition")).toStartWith("inline");
  });

  test("answers HEAD with the same headers and no body, whatever range", async () => {
    const head = await ask({ range: "bytes=0-4" }, URL_PATH, "HEAD");
    const whole = await ask();
    expect([head.status, head.text]).toEqual([200, ""]);
    const ours = (headers: Headers) => Object.fromEntries([...headers].filter(([name]) => name !== "date"));
    expect(ours(head.headers)).toEqual(ours(whole.headers));
  });

  test("refuses other methods", async () => {
    const { status, headers } = await ask({}, URL_PATH, "PUT");
    expect([status, headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });
});

describe("a range", () => {
  const cases: [range: string, status: number, contentRange: string | null, text: string][] = [
    ["bytes=0-4", 206, "bytes 0-4/10", "01234"],
    ["bytes=5-", 206, "bytes 5-9/10", "56789"],
    ["bytes=-3", 206, "bytes 7-9/10", "789"],
    ["bytes=8-100", 206, "bytes 8-9/10", "89"],
    ["bytes=0-", 206, "bytes 0-9/10", TEN],
    ["bytes=-100", 206, "bytes 0-9/10", TEN],
    ["bytes=9-9", 206, "bytes 9-9/10", "9"],
    ["bytes= 8 - 9", 206, "bytes 8-9/10", "89"],
    ["bytes=20-30", 416, "bytes */10", ""],
    ["bytes=10-", 416, "bytes */10", ""],
    ["bytes=-0", 416, "bytes */10", ""],
    ["bytes=5-2", 200, null, TEN],
    ["bytes=abc", 200, null, TEN],
    ["items=0-4", 200, null, TEN],
    ["bytes=0-1,4-5", 200, null, TEN],
  ];
  test.each(cases)("%s: %p", async (range, status, contentRange, text) => {
    const answer = await ask({ range });
    expect([answer.status, answer.headers.get("content-range"), answer.text]).toEqual([status, contentRange, text]);
    expect(answer.headers.get("content-length")).toBe(String(text.length));
    expect(answer.headers.get("accept-ranges")).toBe("bytes");
    if (status === 206) {
      expect(answer.headers.get("content-type")).toBe("video/mp4");
      expect(answer.headers.get("etag")).toBe((await ask()).headers.get("etag"));
    }
  });

  test("is given of the version the client has, else the whole file", async () => {
    const etag = (await ask()).headers.get("etag") ?? "";
    const conditions: [condition: string, status: number][] = [
      [etag, 206],
      [MODIFIED, 206],
      ['"other"', 200],
      [`W/${etag}`, 200],
      ["Fri, 29 May 2026 20:26:40 GMT", 200],
      ["nonsense", 200],
    ];
    for (const [condition, status] of conditions) {
      const answer = await ask({ range: "bytes=0-4", "if-range": condition });
      expect([condition, answer.status]).toEqual([condition, status]);
    }
  });

  test("is not looked at when nothing changed", async () => {
    const etag = (await ask()).headers.get("etag") ?? "";
    expect((await ask({ range: "bytes=20-", "if-none-match": etag })).status).toBe(304);
  });
});

describe("a file that did not change", () => {
  test("is not sent again", async () => {
    const etag = (await ask()).headers.get("etag") ?? "";
    for (const condition of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const { status, headers, text } = await ask({ "if-none-match": condition });
      expect([condition, status, text]).toEqual([condition, 304, ""]);
      expect([headers.get("etag"), headers.get("last-modified")]).toEqual([etag, MODIFIED]);
      expect(headers.get("cache-control")).toStartWith("private, max-age=");
    }
    expect((await ask({ "if-none-match": '"other"' })).status).toBe(200);
  });

  test("is known by its date too, unless there is an ETag", async () => {
    const dates: [headers: Record<string, string>, status: number][] = [
      [{ "if-modified-since": MODIFIED }, 304],
      [{ "if-modified-since": "Fri, 29 May 2026 00:00:00 GMT" }, 304],
      [{ "if-modified-since": "Thu, 28 May 2026 20:26:39 GMT" }, 200],
      [{ "if-modified-since": "last week" }, 200],
      [{ "if-modified-since": MODIFIED, "if-none-match": '"other"' }, 200],
    ];
    for (const [headers, status] of dates) expect([headers, (await ask(headers)).status]).toEqual([headers, status]);
  });

  test("is another one after it was written again, be it in the same second", async () => {
    const etag = (await ask()).headers.get("etag") ?? "";
    utimesSync(join(shelf.root, "2026-06-07", VIDEO), MTIME, MTIME + 0.001);
    await shelf.clock.advance(1000);
    expect((await ask({ "if-none-match": etag })).status).toBe(200);
    utimesSync(join(shelf.root, "2026-06-07", VIDEO), MTIME, MTIME);
    await shelf.clock.advance(1000);
  });

  test("never has a date in the future", async () => {
    const path = "20260607_101700_NF.mp4";
    shelf.put(path, TEN, Date.now() / 1000 + 1e6);
    const { headers } = await ask({}, `/media/${path}`);
    expect(Date.parse(headers.get("last-modified") ?? "")).toBeLessThanOrEqual(shelf.clock.now());
  });
});

describe("what is no recording is not there", () => {
  const LINKS = ["20260607_110000_NF.mp4", "20260607_110100_NF.mp4", "20260607_110200_NF.mp4", "linked"];
  beforeAll(() => {
    shelf.putAll(".20260607_101500_NF.mp4", "@eaDir/20260607_101500_NF.mp4", "#recycle/20260607_101500_NF.mp4");
    shelf.putAll("a/.hidden/20260607_101500_NF.mp4", "holiday.mp4", "20260607_101500_NF.MP4", "20260607_101500_N.gps");
    shelf.putAll("20260230_101500_NF.mp4", "20260607_101500_NF.mp4.failed");
    mkdirSync(join(shelf.root, "20260607_120000_NF.mp4"));
    writeFileSync(join(shelf.place, VIDEO), "secret");
    const [outside = "", hidden = "", nowhere = "", folder = ""] = LINKS.map((name) => join(shelf.root, name));
    symlinkSync(join(shelf.place, VIDEO), outside);
    symlinkSync(join(shelf.root, "@eaDir", VIDEO), hidden);
    symlinkSync(join(shelf.root, "nothing"), nowhere);
    symlinkSync(shelf.place, folder);
  });

  const paths: [sentence: string, path: string][] = [
    ["a partial", ".20260607_101500_NF.mp4"],
    ["a partial, encoded", "%2e20260607_101500_NF.mp4"],
    ["what a NAS keeps", "@eaDir/20260607_101500_NF.mp4"],
    ["a recycle bin", "%23recycle/20260607_101500_NF.mp4"],
    ["a hidden folder further down", "a/.hidden/20260607_101500_NF.mp4"],
    ["another film", "holiday.mp4"],
    ["capital letters", "20260607_101500_NF.MP4"],
    ["GPS data", "20260607_101500_N.gps"],
    ["an impossible date", "20260230_101500_NF.mp4"],
    ["a failure marker", "20260607_101500_NF.mp4.failed"],
    ["a folder with the name of a video", "20260607_120000_NF.mp4"],
    ["a folder", "2026-06-07"],
    ["a file that is not there", "20260607_235959_NF.mp4"],
    ["a folder that is not there", `nothing/${VIDEO}`],
    ["a path through a file", `2026-06-07/${VIDEO}/${VIDEO}`],
    ["a link out of the destination", LINKS[0] ?? ""],
    ["a link to what is hidden", LINKS[1] ?? ""],
    ["a link to nothing", LINKS[2] ?? ""],
    ["a link to a folder outside", `${LINKS[3]}/${VIDEO}`],
    ["the folder above", `2026-06-07/..%2f..%2f${VIDEO}`],
    ["the folder above, with dots encoded", `%2e%2e%2f${VIDEO}`],
    ["an absolute path", `%2fetc%2f${VIDEO}`],
    ["an empty part", `2026-06-07//${VIDEO}`],
    ["a NUL", `2026-06-07/${VIDEO}%00`],
    ["a NUL in between", `2026-06-07%00/${VIDEO}`],
    ["a bad escape", `%zz/${VIDEO}`],
    ["a name no disk has room for", `${"x".repeat(300)}/${VIDEO}`],
    ["a path no disk has room for", `${"x/".repeat(3000)}${VIDEO}`],
    ["nothing", ""],
  ];
  test.each(paths)("%s", async (_, path) => {
    const answer = await ask({}, `/media/${path}`);
    expect([answer.status, answer.text.includes("secret")]).toEqual([404, false]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  test("dots that a client sends as they are", async () => {
    const raw = (path: string) =>
      new Promise<string>((resolve, reject) => {
        const socket = connect(stage.listening.port, "127.0.0.1", () => {
          socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
        });
        let text = "";
        socket.on("data", (bytes) => {
          text += bytes;
        });
        socket.on("close", () => resolve(text)).on("error", reject);
      });
    for (const path of [`/media/../${VIDEO}`, `/media/2026-06-07/../../${VIDEO}`, `/media/./../../${VIDEO}`]) {
      const text = await raw(path);
      expect(text).toStartWith("HTTP/1.1 404 ");
      expect(text).not.toContain("secret");
    }
  });

  test("a link that stays inside is served, also when the destination itself is one", async () => {
    symlinkSync(join(shelf.root, "2026-06-07", VIDEO), join(shelf.root, "20260607_110300_NF.mp4"));
    expect((await ask({}, "/media/20260607_110300_NF.mp4")).text).toBe(TEN);
  });
});

test("without signing in there is nothing but 401, and no page", async () => {
  const route = { method: "GET", path: "/media/*", access: "signed-in" } as const;
  const { served } = shelf;
  const handle: Parameters<typeof openStage>[0][0]["handle"] = (context, app) =>
    media.handle(context, { ...app, mediaFiles: served, repairedVideos: async () => new RepairedVideos() });
  const other = await openStage([{ ...route, handle }], "login");
  await using _ = other.stage;
  const answer = await other.browser.ask(URL_PATH, { headers: { range: "bytes=0-4" } });
  expect([answer.status, answer.headers.get("location")]).toEqual([401, null]);
  expect(await answer.text()).not.toContain("01234");
});
