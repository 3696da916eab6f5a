import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SharedFilmProps } from "../../islands/shared/shared_props.ts";
import { FakeClock } from "../support/app/clock.ts";
import { carAndVan } from "../support/app/several_cameras.ts";
import {
  gpsNorth,
  OTHER_DAY,
  OWNER_PASSWORD,
  type Sharing,
  sharedClip,
  startSharing,
  TRIP,
} from "../support/app/sharing.ts";
import { samplesOf } from "../support/camera/film_clip.ts";
import { brakedAt } from "../support/camera/gsensor_file.ts";

const [FIRST = "", SECOND = "", THIRD = "", FOURTH = "", LAST = ""] = TRIP;
const DAY_MS = 86_400_000;
const NO_LINK = `/s/${"A".repeat(32)}`;

let app: Sharing;
beforeAll(async () => {
  app = await startSharing();
});
afterAll(() => app[Symbol.asyncDispose]());

const codeOf = async (answer: Response) => [answer.status, ((await answer.json()) as { code: string }).code];
const listed = async (of: Sharing = app) =>
  (await (await of.client.fetch("/api/shares")).json()) as Record<"shares" | "ended", Record<string, unknown>[]>;
const namesOf = (bytes: Uint8Array) => samplesOf(bytes).map(({ samples }) => samples.map((one) => one.bytes));

describe("POST /api/shares", () => {
  test("makes a link whose address is told once", async () => {
    const asked = {
      span: { from: FIRST, to: THIRD, from_seconds: 1, to_seconds: 1 },
      directions: "RF",
      note: "for Mia",
    };
    const answer = await app.client.send("POST", "/api/shares", asked);
    const made = (await answer.json()) as Record<string, string>;
    expect([answer.status, made]).toEqual([
      201,
      {
        id: expect.any(String),
        url: expect.stringMatching(new RegExp(`^${app.url}/s/[\\w-]{32}$`)),
        expires_at: expect.any(String),
      },
    ]);
    const week = Date.parse(made["expires_at"] ?? "") - Date.now();
    expect(Math.abs(week - 7 * DAY_MS)).toBeLessThan(60_000);
    const { shares } = await listed();
    expect(shares.find(({ id }) => id === made["id"])).toEqual({
      id: made["id"],
      span: asked.span,
      camera: "main",
      starts_at: "2026-11-20T08:00:01",
      ends_at: "2026-11-20T08:00:05",
      directions: "RF",
      place: false,
      sound: false,
      download: false,
      note: "for Mia",
      made_at: expect.any(String),
      expires_at: made["expires_at"],
      views: 0,
      last_view: null,
      has_password: false,
      recordings: { there: 3, missing: 0 },
    });
    const token = made["url"]?.slice(-32) ?? "";
    const file = readFileSync(join(app.folder, "config", "shares.json"), "utf8");
    expect([JSON.stringify(shares).includes(token), file.includes(token)]).toEqual([false, false]);
  });

  test("takes the span as the query of a film, and tells it as it was sent", async () => {
    for (const [span, told] of [
      [{ key: FIRST, trip: null }, { key: FIRST }],
      [{ trip: `main~${SECOND}` }, { trip: SECOND }],
      [
        { from: FIRST, to: FIRST, from_seconds: "0", to_seconds: "1.5" },
        { from: FIRST, to: FIRST, from_seconds: 0, to_seconds: 1.5 },
      ],
    ] as const) {
      const { id } = await app.share({ span });
      const { shares } = await listed();
      expect(shares.find((share) => share["id"] === id)?.["span"]).toEqual(told);
    }
  });

  test("begins the address with the one that others use", async () => {
    const made = async () =>
      ((await (await app.client.send("POST", "/api/shares", wanted)).json()) as { url: string }).url;
    const wanted = { span: { key: FIRST } };
    await app.app.settings.patch("web", { public_url: "https://cam.example.org/dash/" });
    expect(await made()).toMatch(/^https:\/\/cam\.example\.org\/dash\/s\/[\w-]{32}$/);
    await app.app.settings.patch("web", { public_url: null });
    expect(await made()).toStartWith(`${app.url}/s/`);
  });

  for (const [name, body, status, code, field] of [
    ["no span", {}, 422, "VALIDATION_ERROR", "span"],
    ["an empty span", { span: {} }, 422, "VALIDATION_ERROR", "span"],
    ["a span of nonsense", { span: { key: "../x" } }, 422, "VALIDATION_ERROR", "span.key"],
    ["an end before the beginning", { span: { from: LAST, to: FIRST } }, 422, "VALIDATION_ERROR", "span"],
    ["seconds of one clip", { span: { key: FIRST, from_seconds: 0.5 } }, 422, "VALIDATION_ERROR", "span"],
    ["a trip and a part of it", { span: { trip: FIRST, from: FIRST, to: FIRST } }, 422, "VALIDATION_ERROR", "span"],
    ["no days", { days: 0 }, 422, "VALIDATION_ERROR", "days"],
    ["too many days", { days: 91 }, 422, "VALIDATION_ERROR", "days"],
    ["parts of days", { days: 1.5 }, 422, "VALIDATION_ERROR", "days"],
    ["days as words", { days: "7" }, 422, "VALIDATION_ERROR", "days"],
    ["directions of nonsense", { directions: "fr" }, 422, "VALIDATION_ERROR", "directions"],
    ["a switch that is none", { sound: "no" }, 422, "VALIDATION_ERROR", "sound"],
    ["a password that is too short", { password: "abc" }, 422, "VALIDATION_ERROR", "password"],
    ["an empty password", { password: "" }, 422, "VALIDATION_ERROR", "password"],
    ["a password that is too long", { password: "x".repeat(257) }, 422, "VALIDATION_ERROR", "password"],
    ["a long note", { note: "x".repeat(201) }, 422, "VALIDATION_ERROR", "note"],
    ["a field that it does not know", { passwort: "secret word" }, 422, "VALIDATION_ERROR", "passwort"],
    ["a recording that is not there", { span: { key: "20200101_000000_N" } }, 404, "RECORDING_NOT_FOUND", null],
    ["a camera that is not there", { directions: "FI" }, 404, "RECORDING_NOT_FOUND", null],
  ] as const)
    test(`refuses ${name}`, async () => {
      const asked = name === "no span" ? body : { span: { trip: FIRST }, ...body };
      const answer = await app.client.send("POST", "/api/shares", asked);
      const { code: told, details } = (await answer.json()) as {
        code: string;
        details: { field_errors?: { path: string }[] };
      };
      const paths = details.field_errors?.map(({ path }) => path) ?? [];
      expect([answer.status, told, paths]).toEqual([status, code, field === null ? [] : [field]]);
    });

  test("refuses what cannot be a film", async () => {
    app.put("20261118_100000_PF.mp4", new Uint8Array(5000).fill(7));
    const answer = await app.client.send("POST", "/api/shares", { span: { key: "20261118_100000_P" } });
    expect(await codeOf(answer)).toEqual([409, "NOT_ONE_FILM"]);
  });

  test("asks for a session and its token", async () => {
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" };
    expect(await codeOf(await app.outside("/api/shares", init))).toEqual([401, "AUTH_REQUIRED"]);
    expect(await codeOf(await app.client.fetch("/api/shares", init))).toEqual([403, "CSRF_FAILED"]);
    expect(await codeOf(await app.outside("/api/shares"))).toEqual([401, "AUTH_REQUIRED"]);
    expect((await app.outside("/links")).status).toBe(302);
  });
});

describe("a link", () => {
  test("shows films of its span, and nothing of what was cut", async () => {
    const span = { from: SECOND, to: THIRD, from_seconds: 0.6, to_seconds: 1 };
    const { path } = await app.share({ span, sound: true });
    const answer = await app.outside(`${path}/F.mp4`);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "video/mp4"]);
    const [pictures, sounds] = namesOf(await answer.bytes());
    expect([pictures?.[0], pictures?.at(-1), pictures?.length]).toEqual(["v1.15", "v2.30", 76]);
    expect(sounds?.[0]).toMatch(/^a1\./);
    const rear = namesOf(await (await app.outside(`${path}/R.mp4`)).bytes());
    expect(rear[0]?.[0]).toBe("v11.15");
  });

  test("has no byte of sound unless it was wanted", async () => {
    const { path } = await app.share({});
    const bytes = await (await app.outside(`${path}/F.mp4`)).bytes();
    const tracks = namesOf(bytes);
    expect([tracks.length, tracks[0]?.length]).toEqual([1, 300]);
    expect(new TextDecoder("latin1").decode(bytes)).not.toMatch(/a[0-4]\.\d+;|soun|mp4a/);
  });

  test("is sent as other films, and kept by nobody", async () => {
    const { path } = await app.share({});
    const whole = await app.outside(`${path}/F.mp4`);
    const bytes = await whole.bytes();
    const size = bytes.length;
    const etag = whole.headers.get("etag") ?? "";
    for (const answer of [whole, await app.outside(path), await app.outside(NO_LINK), await app.outside(`${path}/x`)]) {
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(answer.headers.get("x-robots-tag")).toBe("noindex");
      expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
      expect(answer.headers.get("set-cookie")).toBeNull();
    }
    const head = await app.outside(`${path}/F.mp4`, { method: "HEAD" });
    expect([head.status, head.headers.get("content-length")]).toEqual([200, String(size)]);
    const part = await app.outside(`${path}/F.mp4`, { headers: { range: "bytes=10-99", "if-range": etag } });
    expect([part.status, part.headers.get("content-range")]).toEqual([206, `bytes 10-99/${size}`]);
    expect(Buffer.compare(await part.bytes(), bytes.subarray(10, 100))).toBe(0);
    const beyond = await app.outside(`${path}/F.mp4`, { headers: { range: `bytes=${size}-` } });
    expect([beyond.status, beyond.headers.get("cache-control")]).toEqual([416, "no-store"]);
    // A client that has it all is told nothing but all of it.
    const same = await app.outside(`${path}/F.mp4`, { headers: { "if-none-match": etag } });
    expect([same.status, (await same.bytes()).length]).toEqual([200, size]);
    expect(whole.headers.get("content-disposition")).toStartWith("inline");
    const { path: free } = await app.share({ download: true });
    const saved = (await app.outside(`${free}/F.mp4?download=1`)).headers.get("content-disposition");
    expect(saved).toBe('attachment; filename="2026-11-20_0800-0800_range_F.mp4"');
    const not = (await app.outside(`${path}/F.mp4?download=1`)).headers.get("content-disposition");
    expect(not).toStartWith("inline");
    // The ETag of the film itself is made of the names of its files.
    const own = await app.client.fetch(`/film/F.mp4?trip=${FIRST}&plain=true`, { method: "HEAD" });
    expect(own.headers.get("etag")).not.toBe(etag);
  });

  test("counts how often its page was opened", async () => {
    const { path, id } = await app.share({});
    await app.outside(path);
    await app.outside(`${path}/F.mp4`);
    await app.outside(path, { method: "HEAD" });
    await app.outside(path, { headers: { "sec-purpose": "prefetch" } });
    await app.outside(path);
    await app.client.fetch(`/links/${id}`);
    const { shares } = await listed();
    expect(shares.find((share) => share["id"] === id)).toMatchObject({ views: 2, last_view: expect.any(String) });
  });

  test("is seen by its owner as by others", async () => {
    const { path, id } = await app.share({ place: true });
    const page = await (await app.client.fetch(`/links/${id}`)).text();
    expect(page).toContain("This is what people with the link see.");
    expect(page).not.toContain(path.slice(3));
    const theirs = await (await app.outside(`${path}/F.mp4`)).bytes();
    const own = await (await app.client.fetch(`/links/${id}/F.mp4`)).bytes();
    expect(Buffer.compare(own, theirs)).toBe(0);
    expect((await app.client.fetch(`/links/${id}/track.json`)).status).toBe(200);
    expect((await app.outside(`/links/${id}/F.mp4`)).status).toBe(401);
    expect((await app.outside(`/links/${id}`)).status).toBe(302);
  });

  test("tells of its recordings when each begins and of which type it is, and no more", async () => {
    await using own = await startSharing({ settings: { schedule: { timezone: "Europe/Berlin" } } });
    const [before, event, after] = ["20260329_015958_N", "20260329_030000_E", "20260329_030002_N"] as const;
    for (const [seed, key] of [before, event, after].entries()) own.put(`${key}F.mp4`, sharedClip(60 + seed));
    await own.app.library.refreshIfOlder(0);
    const span = { from: before, to: after, from_seconds: 0.5, to_seconds: 1 };
    const { path } = await own.share({ span, directions: "F" });
    const page = await (await own.outside(path)).text();
    const [, told = ""] = /data-props="([^"]*)"/.exec(page) ?? [];
    const props = JSON.parse(told.replaceAll("&quot;", '"')) as SharedFilmProps;
    // The hour that clocks leave out is none.
    expect([props.seconds, props.skip]).toEqual([4.5, { at: 1.5, seconds: 3600 }]);
    expect(props.clips).toEqual([
      { from: 0, to: 1.5, type: "N" },
      { from: 1.5, to: 3.5, type: "E" },
      { from: 3.5, to: 4.5, type: "N" },
    ]);
    expect(page).toMatch(/>5\u00a0s · Front · shared without/);
    rmSync(own.placeOf(`${event}F.mp4`));
    await own.app.library.refreshIfOlder(0);
    const left = await (await own.outside(path)).text();
    expect(left).not.toContain("&quot;E&quot;");
  });

  test("never shows what came home after it was made", async () => {
    await using own = await startSharing();
    const { path } = await own.share({ span: { from: FIRST, to: LAST } });
    own.put("20261120_080003_EF.mp4", sharedClip(77));
    own.put("20261120_080010_NF.mp4", sharedClip(78));
    await own.app.library.refreshIfOlder(0);
    const text = new TextDecoder("latin1").decode(await (await own.outside(`${path}/F.mp4`)).bytes());
    expect([text.includes("v77."), text.includes("v78."), text.includes("v4.59")]).toEqual([false, false, true]);
  });
});

test("a link never shows a camera’s video that came home after it was made, of a recording that it shows", async () => {
  await using own = await startSharing();
  own.put("20261120_080010_NF.mp4", sharedClip(80));
  await own.app.library.refreshIfOlder(0);
  const { path } = await own.share({ span: { from: FIRST, to: "20261120_080010_N" }, directions: "FR" });
  own.put("20261120_080010_NR.mp4", sharedClip(79));
  await own.app.library.refreshIfOlder(0);
  const textOf = async (part: string) =>
    new TextDecoder("latin1").decode(await (await own.outside(`${path}/${part}`)).bytes());
  expect((await textOf("F.mp4")).includes("v80.")).toBe(true);
  expect((await textOf("R.mp4")).includes("v79.")).toBe(false);
});

test("a link never shows another recording that came to have the name of one that has gone", async () => {
  await using own = await startSharing();
  const { path } = await own.share({ span: { from: FIRST, to: SECOND }, place: true });
  for (const direction of ["F", "R"]) rmSync(own.placeOf(`${SECOND}${direction}.mp4`));
  const more = new TextEncoder().encode("\0\0\0\u0008free");
  own.put(`${SECOND}F.mp4`, sharedClip(81, { more }));
  own.put(`${SECOND}.gps`, gpsNorth([5000, 5010, 5020]));
  await own.app.library.refreshIfOlder(0);
  const film = await (await own.outside(`${path}/F.mp4`)).bytes();
  const pictures = namesOf(film)[0] ?? [];
  expect([pictures.length, pictures.at(-1), new TextDecoder("latin1").decode(film).includes("v81.")]).toEqual([
    60,
    "v0.59",
    false,
  ]);
  expect(await (await own.outside(path)).text()).toContain("of this link was deleted.");
  expect(await (await own.outside(`${path}/track.json`)).json()).toEqual({ stretches: [], forces: [] });
});

describe("a link opens without a sign-in, in mode", () => {
  const proxy = { trusted_proxies: ["192.0.2.1"], proxy_user_header: "X-Remote-User" };
  for (const [name, auth, foreign] of [
    ["login", {}, 200],
    ["login before a password is set", { password_hash: "" }, 421],
    ["none", { mode: "none" }, 421],
    ["proxy", { mode: "proxy", ...proxy }, 200],
  ] as const)
    test(name, async () => {
      await using own = await startSharing();
      const { path } = await own.share({});
      await own.app.settings.update((latest) => ({ ...latest, auth: { ...latest.auth, ...auth } }));
      for (const part of ["", "/F.mp4"]) {
        expect((await own.outside(path + part)).status).toBe(200);
        const elsewhere = await own.outside(path + part, { headers: { host: "cam.example.org" } });
        expect([part, elsewhere.status]).toEqual([part, foreign]);
      }
      await own.app.settings.patch("web", { allowed_hosts: ["cam.example.org"] });
      expect((await own.outside(path, { headers: { host: "cam.example.org" } })).status).toBe(200);
    });
});

describe("what a link does not show", () => {
  const parts = ["", "/F.mp4", "/R.mp4", "/track.json"];
  const asks: readonly (readonly [string, RequestInit])[] = [
    ["GET", {}],
    ["HEAD", { method: "HEAD" }],
    ["Range", { headers: { range: "bytes=0-9" } }],
    ["If-None-Match", { headers: { "if-none-match": "*" } }],
    ["If-Modified-Since", { headers: { "if-modified-since": "Fri, 01 Jan 2100 00:00:00 GMT" } }],
  ];

  test("is the same page, whether it never was, has ended, was revoked or is switched off", async () => {
    const clock = new FakeClock(Date.now());
    await using own = await startSharing({ clock });
    const all = { place: true, sound: true, download: true };
    const [ended, revoked, off] = [await own.share({ ...all, days: 1 }), await own.share(all), await own.share(all)];
    const etag = (await own.outside(`${revoked.path}/F.mp4`)).headers.get("etag") ?? "";
    for (const link of [ended, revoked, off]) {
      const statuses = await Promise.all(parts.map(async (part) => (await own.outside(link.path + part)).status));
      expect(statuses).toEqual([200, 200, 200, 200]);
    }
    const list = await (await own.client.fetch("/links")).text();
    expect(list.match(/Ends (in )?<b>[^<]+/g)).toEqual([
      "Ends in <b>7\u00a0days",
      "Ends in <b>7\u00a0days",
      "Ends <b>tomorrow",
    ]);
    clock.jump(DAY_MS + 1);
    await own.client.signIn("admin", OWNER_PASSWORD);
    expect((await own.client.send("DELETE", `/api/shares/${revoked.id}`)).status).toBe(204);
    const headersOf = ({ headers }: Response) => [...headers].filter(([name]) => name !== "date");
    const unknown = await own.outside(NO_LINK);
    const expected = { status: 404, headers: headersOf(unknown), text: await unknown.text() };
    expect(expected.text).toContain("This link is not valid");
    const same = async (path: string) => {
      for (const [name, init] of [...asks, ["ETag", { headers: { "if-none-match": etag } }] as const]) {
        const answer = await own.outside(path, init);
        const text = await answer.text();
        const told = { status: answer.status, text: name === "HEAD" ? expected.text : text };
        expect([path, name, told]).toEqual([path, name, { status: 404, text: expected.text }]);
        if (name !== "HEAD") expect(headersOf(answer)).toEqual(expected.headers);
      }
    };
    for (const part of parts) await same(ended.path + part);
    for (const part of parts) await same(revoked.path + part);
    for (const part of [...parts, "/I.mp4", "/F.mp3", "/thumb.jpg", "/F.mp4.bak"]) await same(NO_LINK + part);
    await own.app.settings.patch("share", { enabled: false });
    for (const part of parts) await same(off.path + part);
    expect(await codeOf(await own.client.send("POST", "/api/shares", { span: { key: FIRST } }))).toEqual([
      403,
      "SHARING_OFF",
    ]);
    await own.app.settings.patch("share", { enabled: true });
    expect((await own.outside(`${off.path}/F.mp4`)).status).toBe(200);
    for (const part of ["/I.mp4", "/f.mp4", "/F.mp4.bak", "/%46.mp4x", "/..%2f..%2fsettings.json", "/F.mp4%00"]) {
      const answer = await own.outside(off.path + part);
      expect([part, answer.status]).toEqual([part, 404]);
    }
    // Which of the two it was is told to the owner alone.
    const { shares, ended: over } = await listed(own);
    expect(shares.map(({ id }) => id)).toEqual([off.id]);
    expect(over.map(({ id, revoked: byHand }) => [id, byHand])).toEqual([
      [revoked.id, true],
      [ended.id, false],
    ]);
    clock.jump(30 * DAY_MS - 1);
    await own.client.signIn("admin", OWNER_PASSWORD);
    expect((await listed(own)).ended.map(({ id }) => id)).toEqual([off.id, revoked.id]);
  });

  test("holds over a restart, and so does what has ended", async () => {
    const own = await startSharing();
    try {
      const [one, other] = [await own.share({}), await own.share({})];
      await own.client.send("DELETE", `/api/shares/${other.id}`);
      await own.outside(one.path);
      await own.stop();
      await using again = await startSharing({ folder: own.folder });
      expect((await again.outside(`${one.path}/F.mp4`)).status).toBe(200);
      expect((await again.outside(`${other.path}/F.mp4`)).status).toBe(404);
      expect((await listed(again)).shares).toMatchObject([{ id: one.id, views: 1 }]);
    } finally {
      await own[Symbol.asyncDispose]();
    }
  });

  test("includes recordings that were deleted: the page says so, and what is left plays", async () => {
    await using own = await startSharing();
    const { path, id } = await own.share({ span: { from: FIRST, to: THIRD, from_seconds: 1 } });
    rmSync(own.placeOf(`${FIRST}F.mp4`));
    rmSync(own.placeOf(`${FIRST}R.mp4`));
    await own.app.library.refreshIfOlder(0);
    const page = await (await own.outside(path)).text();
    expect(page).toContain("of this link was deleted. The rest is here.");
    expect(namesOf(await (await own.outside(`${path}/F.mp4`)).bytes())[0]?.[0]).toBe("v1.0");
    expect((await listed(own)).shares).toMatchObject([{ id, recordings: { there: 2, missing: 1 } }]);
    const last = own.placeOf(`${THIRD}F.mp4`);
    renameSync(last, `${last}.away`);
    await own.app.library.refreshIfOlder(0);
    const shorter = await (await own.outside(path)).text();
    expect(shorter).toContain("Not everything could be put into one video.");
    expect(shorter).not.toContain("The rest is here.");
    renameSync(`${last}.away`, last);
    for (const key of [SECOND, THIRD]) renameSync(own.placeOf(`${key}R.mp4`), `${own.placeOf(`${key}R.mp4`)}.away`);
    await own.app.library.refreshIfOlder(0);
    const [front, rear] = [await own.outside(`${path}/F.mp4`), await own.outside(`${path}/R.mp4`)];
    expect([front.status, rear.status]).toEqual([200, 404]);
    for (const key of [SECOND, THIRD]) rmSync(own.placeOf(`${key}F.mp4`));
    await own.app.library.refreshIfOlder(0);
    expect((await own.outside(`${path}/F.mp4`)).status).toBe(404);
    expect(await (await own.outside(path)).text()).toContain("The recordings of this link were deleted.");
    // A disk that is away is no deletion.
    renameSync(own.destination, `${own.destination}.away`);
    expect(await (await own.outside(path)).text()).toContain("cannot be read just now");
    renameSync(`${own.destination}.away`, own.destination);
    // A link keeps no recording, and one that comes back is shown again.
    renameSync(`${own.placeOf(`${SECOND}R.mp4`)}.away`, own.placeOf(`${SECOND}R.mp4`));
    await own.app.library.refreshIfOlder(0);
    expect((await own.outside(`${path}/R.mp4`)).status).toBe(200);
  });

  test("and whose recordings are another camera’s is of that camera", async () => {
    await using both = await carAndVan({ settings: { share: { enabled: true } } });
    const root = both.app.cameras.of("van")?.recordings.root ?? "";
    mkdirSync(root, { recursive: true });
    writeFileSync(join(root, `${FIRST}F.mp4`), sharedClip(5));
    const answer = await both.client.send("POST", "/api/shares", { span: { key: `van~${FIRST}` } });
    const { url } = (await answer.json()) as { url: string };
    expect(answer.status).toBe(201);
    const list = await (await both.client.fetch("/api/shares")).json();
    expect(list).toMatchObject({ shares: [{ camera: "van", span: { key: `van~${FIRST}` } }] });
    expect(namesOf(await (await fetch(`${url}/F.mp4`)).bytes())[0]?.[0]).toBe("v5.0");
    expect(await (await fetch(url)).text()).not.toContain("van");
    const mixed = { span: { from: `van~${FIRST}`, to: LAST } };
    expect(await codeOf(await both.client.send("POST", "/api/shares", mixed))).toEqual([422, "VALIDATION_ERROR"]);
  });
});

describe("the password of a link", () => {
  const form = (password: string, headers: Record<string, string> = {}) => ({
    method: "POST",
    body: new URLSearchParams({ password }),
    headers,
  });
  const SECRET = "open sesame";

  test("guards every part, and opens this link alone", async () => {
    const { path, id } = await app.share({ password: SECRET, place: true });
    const other = await app.share({ password: SECRET });
    for (const part of ["", "/F.mp4", "/R.mp4", "/track.json"])
      for (const method of ["GET", "HEAD"]) {
        const answer = await app.outside(path + part, { method, headers: { range: "bytes=0-9" } });
        expect([part, method, answer.status]).toEqual([part, method, 401]);
      }
    expect(await (await app.outside(path)).text()).toContain('type="password"');
    const started = performance.now();
    const wrong = await app.outside(path, form("open barley"));
    expect([wrong.status, wrong.headers.get("set-cookie")]).toEqual([401, null]);
    expect(await wrong.text()).toContain("This password is wrong.");
    expect(performance.now() - started).toBeGreaterThan(1400);
    const right = await app.outside(path, form(SECRET));
    const cookie = right.headers.get("set-cookie") ?? "";
    expect([right.status, right.headers.get("location"), cookie]).toEqual([
      303,
      path,
      expect.stringMatching(new RegExp(`^dashdock_link=[\\w-]{43}; Path=${path}; HttpOnly; SameSite=Lax$`)),
    ]);
    const headers = { cookie: cookie.split(";")[0] ?? "" };
    for (const part of ["/F.mp4", "/R.mp4", "/track.json"])
      expect((await app.outside(path + part, { headers })).status).toBe(200);
    // The log has the address of the wrong one.
    expect(await (await app.outside(path, { headers })).text()).toContain("from which wrong passwords came");
    for (const part of ["", "/F.mp4"]) expect((await app.outside(other.path + part, { headers })).status).toBe(401);
    const { shares } = await listed();
    const viewsOf = (one: string) => shares.find((share) => share["id"] === one)?.["views"];
    expect([viewsOf(id), viewsOf(other.id)]).toEqual([1, 0]);
    await app.client.send("DELETE", `/api/shares/${id}`);
    expect((await app.outside(`${path}/F.mp4`, { headers })).status).toBe(404);
    expect((await app.outside(path, form(SECRET))).status).toBe(404);
    const file = readFileSync(join(app.folder, "config", "shares.json"), "utf8");
    expect([file.includes(SECRET), file.includes("$argon2id$")]).toEqual([false, true]);
  });

  test("cannot be guessed: ten wrong ones of one link, and none of another", async () => {
    const [one, other] = [await app.share({ password: SECRET }), await app.share({ password: SECRET })];
    const guesses = await Promise.all(
      Array.from({ length: 12 }, (_, at) => app.outside(one.path, form(`guess ${at}`))),
    );
    const statuses = guesses.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429]);
    const locked = await app.outside(one.path, form(SECRET));
    expect([locked.status, locked.headers.get("retry-after")]).toEqual([429, expect.stringMatching(/^(900|89\d)$/)]);
    expect(await locked.text()).toContain("Try again in 15 minutes.");
    expect((await app.outside(other.path, form(SECRET))).status).toBe(303);
  });

  test("is not taken from a page of another site, nor with too much beside it", async () => {
    const { path } = await app.share({ password: SECRET });
    const foreign = await app.outside(path, form(SECRET, { origin: "https://elsewhere.example" }));
    expect([foreign.status, foreign.headers.get("set-cookie")]).toEqual([403, null]);
    expect((await app.outside(path, form("x".repeat(20_000)))).status).toBe(413);
    const plain = await app.share({});
    expect((await app.outside(plain.path, form("anything"))).status).toBe(303);
  });
});

describe("the track of a link", () => {
  test("is there only if it was wanted, without what lies around both ends of the trip", async () => {
    await using own = await startSharing();
    // Ten clips' worth of fixes on a line to the north: 400 m in a clip, from 0 to 2000 m.
    for (const [at, key] of TRIP.entries())
      own.put(`${key}.gps`, gpsNorth([0, 50, 100, 150, 200, 250, 300, 350].map((more) => 400 * at + more)));
    for (const key of TRIP) own.put(`${key}.3gf`, brakedAt(0.5));
    await own.app.library.refreshIfOlder(0);
    const [without, placed] = [await own.share({}), await own.share({ place: true })];
    expect((await own.outside(`${without.path}/track.json`)).status).toBe(404);
    const { stretches } = (await (await own.outside(`${placed.path}/track.json`)).json()) as {
      stretches: [number, number, number, number | null][][];
    };
    const fixes = stretches.flat();
    // Brakes are hit in the first second of each clip; it is told of those alone whose place is shown.
    const { forces } = (await (await own.outside(`${placed.path}/track.json`)).json()) as { forces: number[][] };
    const hits = forces.filter(([, g = 0]) => g > 0.5).map(([seconds]) => seconds);
    expect(hits).toEqual([4.4, 6.4]);
    expect(forces.every(([seconds = 0]) => seconds >= 2.4 && seconds <= 7.75)).toBe(true);
    const north = fixes.map(([, lat]) => Math.round((lat - 48) * 111_195));
    expect(Math.min(...north)).toBeGreaterThan(500);
    expect(Math.max(...north)).toBeLessThan(1950 - 500);
    expect(north).toContain(1000);
    expect([Math.min(...north) <= 650, Math.max(...north) >= 1300]).toEqual([true, true]);
    // A part of the trip is cut at its own ends, and still around those of the trip.
    const part = await own.share({ place: true, span: { from: FIRST, to: THIRD, to_seconds: 1 } });
    const cut = (await (await own.outside(`${part.path}/track.json`)).json()) as { stretches: typeof stretches };
    const times = cut.stretches.flat().map(([seconds]) => seconds);
    expect([Math.min(...times) > 0, Math.max(...times) <= 5, times.length > 0]).toEqual([true, true, true]);
    // An end that becomes known later is left out as well.
    rmSync(own.placeOf(`${FIRST}.gps`));
    await own.app.library.refreshIfOlder(0);
    const later = await own.share({ place: true });
    own.put(`${FIRST}.gps`, gpsNorth([0, 50, 100, 150, 200, 250, 300, 350]));
    await own.app.library.refreshIfOlder(0);
    const known = (await (await own.outside(`${later.path}/track.json`)).json()) as { stretches: typeof stretches };
    expect(Math.min(...known.stretches.flat().map(([, lat]) => (lat - 48) * 111_195))).toBeGreaterThan(500);
  });
});

test("the track of a link is hidden around an hour that clocks leave out, in which the car may have been at home", async () => {
  await using own = await startSharing({ settings: { schedule: { timezone: "Europe/Berlin" } } });
  const keys = ["015956", "015958", "030000", "030002"].map((time) => `20260329_${time}_N`);
  for (const [at, key] of keys.entries()) {
    own.put(`${key}F.mp4`, sharedClip(60 + at));
    own.put(`${key}.gps`, gpsNorth(Array.from({ length: 8 }, (_, fix) => 1600 * at + 200 * fix)));
  }
  await own.app.library.refreshIfOlder(0);
  const { path } = await own.share({ span: { trip: keys[0] }, place: true });
  const { stretches } = (await (await own.outside(`${path}/track.json`)).json()) as { stretches: number[][][] };
  const north = stretches.flat().map(([, lat = 0]) => Math.round((lat - 48) * 111_195));
  // The ends of the trip lie at 0 and 6200 m, those of its parts at 3000 and 3200 m.
  for (const end of [0, 3000, 3200, 6200]) expect(north.filter((meters) => Math.abs(meters - end) < 500)).toEqual([]);
  expect(north).toEqual(expect.arrayContaining([1000, 2000, 4000, 5000]));
});

test("a byte of a link holds none of 40 planted texts", async () => {
  const planted = Array.from({ length: 40 }, (_, at) => `planted-${at}-${"qwxz"[at % 4]}`);
  await using own = await startSharing();
  const free = (...texts: (string | undefined)[]) => {
    const content = texts.join(" ");
    const box = Buffer.alloc(8 + content.length);
    box.writeUInt32BE(box.length);
    box.write(`gps ${content}`, 4, "latin1");
    return new Uint8Array(box);
  };
  let next = 0;
  const take = () => planted[next++] ?? "";
  // Serial numbers and places in boxes of each clip, in the files beside it, and in pictures.
  for (const [at, key] of TRIP.entries()) {
    for (const [side, direction] of ["F", "R"].entries())
      own.put(`${key}${direction}.mp4`, sharedClip(10 * side + at, { more: free(take(), take()) }));
    own.put(`${key}.gps`, `${gpsNorth([0, 10, 20])}[1]$PNAME,${take()}\r\n`);
    own.put(`${key}F.thm`, `\u00ff\u00d8${take()}`);
  }
  own.put(`${OTHER_DAY}F.mp4`, sharedClip(50, { more: free(take(), take()) }));
  await own.app.library.refreshIfOlder(0);
  const folder = own.app.recordings.root;
  await own.client.send("PUT", `/api/recordings/${SECOND}/keep`, { note: take() });
  const note = take();
  const name = take();
  await own.app.settings.patch("auth", { username: name });
  const texts = [
    ...planted.slice(0, next),
    ...[...TRIP, OTHER_DAY].flatMap((key) => [key, key.slice(0, 15)]),
    folder,
    own.folder,
    own.simulator.address,
    "Europe/Berlin",
  ];
  await own.app.settings.patch("schedule", { timezone: "Europe/Berlin" });
  const guarded = await own.share({ password: "open sesame", note });
  const { path, id } = await own.share({ note, span: { from: SECOND, to: FOURTH, from_seconds: 1, to_seconds: 1 } });
  texts.push(id, note);
  expect(texts.length).toBeGreaterThanOrEqual(40);
  const answers = [
    await own.outside(path),
    await own.outside(`${path}/F.mp4`),
    await own.outside(`${path}/R.mp4`),
    await own.outside(`${path}/track.json`),
    await own.outside(`${path}/F.mp4`, { headers: { range: "bytes=5-90000" } }),
    await own.outside(`${path}/F.mp4`, { headers: { range: "bytes=99999999-" } }),
    await own.outside(`${path}/nothing`),
    await own.outside(NO_LINK),
    await own.outside(guarded.path),
    await own.outside(`${guarded.path}/F.mp4`),
    await own.outside(guarded.path, { method: "PUT" }),
  ];
  for (const answer of answers) {
    const bytes = Buffer.from(await answer.bytes()).toString("latin1");
    const all = `${JSON.stringify([...answer.headers])}\n${bytes}`;
    const found = texts.filter((text) => all.includes(text));
    // Other clips, and what was cut of these: the pictures before the last key frame, and behind the end.
    const cut = all.match(/\bv1?[04]\.\d+;|\bv1?1\.(\d|[12]\d);|\bv1?3\.(3[1-9]|[45]\d);|\ba\d+\.\d+;/g) ?? [];
    expect([answer.url, found, cut]).toEqual([answer.url, [], []]);
  }
});
