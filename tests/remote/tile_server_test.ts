import { describe, expect, test } from "bun:test";
import { type TileLimits, TileProblem, TileServer } from "../../server/remote/tile_server.ts";
import { FakeClock } from "../support/app/clock.ts";
import { until } from "../support/app/http.ts";
import { PretendTiles, picture, tilePng } from "../support/browser/pretend_tiles.ts";

const SHORT: TileLimits = { answerMs: 150, wholeMs: 300, restMs: 30_000 };
const LONG: TileLimits = { answerMs: 20_000, wholeMs: 20_000, restMs: 30_000 };
const STAYS = new AbortController().signal;

function open(tiles: PretendTiles, waitLimits = LONG) {
  const clock = new FakeClock();
  const server = new TileServer({ clock, userAgent: "Dashdock/test", waitLimits });
  const fetchTile = (x = 0, signal = STAYS) => server.fetch(tiles.address.replace("{z}/{x}/{y}", `9/${x}/0`), signal);
  return { clock, fetchTile };
}

/** Reason why a picture did not come. */
const problemOf = (picture: Promise<unknown>): Promise<unknown> =>
  picture.then(
    () => null,
    (error) => error,
  );

describe("a tile server", () => {
  test("is asked with our own name and nothing of the user, and its picture comes as what it is", async () => {
    await using tiles = new PretendTiles();
    tiles.behave = () => new Response(tilePng(), { headers: { "content-type": "text/html", "set-cookie": "id=1" } });
    const { fetchTile } = open(tiles);
    const { bytes, type } = await fetchTile();
    expect([bytes, type]).toEqual([tilePng(), "image/png"]);
    await fetchTile();
    expect([...tiles.userAgents]).toEqual(["Dashdock/test"]);
    expect([...tiles.headers].sort()).toEqual(["accept", "accept-encoding", "connection", "host", "user-agent"]);
  });

  test("gets two requests at once, however many are wanted", async () => {
    await using tiles = new PretendTiles();
    const gate = Promise.withResolvers<void>();
    tiles.behave = async () => {
      await gate.promise;
      return picture();
    };
    const { fetchTile } = open(tiles);
    const all = Array.from({ length: 9 }, (_, x) => fetchTile(x));
    await until(() => tiles.open === 2);
    gate.resolve();
    await Promise.all(all);
    expect(tiles.most).toBe(2);
    expect(tiles.asked.toSorted()).toEqual(all.map((_, x) => `/9/${x}/0.png`));
  });

  test("is not asked for what its caller has given up, neither in the queue nor under way", async () => {
    await using tiles = new PretendTiles();
    let hungUp = 0;
    tiles.behave = (request) =>
      new Promise(() => {
        request.signal.addEventListener("abort", () => hungUp++);
      });
    const { fetchTile } = open(tiles);
    const callers = [0, 1, 2, 3].map(() => new AbortController());
    const problems = callers.map(({ signal }, x) => problemOf(fetchTile(x, signal)));
    await until(() => tiles.open === 2);
    callers[2]?.abort("gone");
    expect(await problems[2]).toBe("gone");
    callers[0]?.abort("gone");
    callers[1]?.abort("gone");
    await until(() => hungUp === 2 && tiles.asked.length === 3);
    callers[3]?.abort("gone");
    expect(await Promise.all(problems)).toEqual(["gone", "gone", "gone", "gone"]);
    expect(tiles.asked).not.toContain("/9/2/0.png");
    tiles.behave = () => picture();
    await fetchTile(5);
  });

  const LIES: [what: string, behave: () => Response, kind: string, status: number | null][] = [
    ["a page instead of a picture", () => new Response("<!doctype html>", PNG), "no-picture", null],
    ["an empty answer", () => new Response("", PNG), "no-picture", null],
    ["a packed picture", () => new Response(Bun.gzipSync(tilePng()), GZIP), "no-picture", null],
    ["10 MB with their length", () => new Response(new Uint8Array(10_000_000), PNG), "too-long", null],
    ["10 MB without it", () => new Response(endless(10_000_000), PNG), "too-long", null],
    ["a redirect", () => Response.redirect("/elsewhere", 302), "redirect", 302],
    ["an error", () => new Response("no", { status: 500 }), "status", 500],
    ["a refusal", () => new Response("no", { status: 429 }), "status", 429],
    ["no content", () => new Response(null, { status: 204 }), "status", 204],
  ];
  for (const [what, behave, kind, status] of LIES)
    test(`that sends ${what} is told so, and not followed`, async () => {
      await using tiles = new PretendTiles();
      tiles.behave = behave;
      const { fetchTile } = open(tiles);
      const problem = await problemOf(fetchTile());
      expect(problem).toBeInstanceOf(TileProblem);
      expect(problem).toMatchObject({ kind, status });
      expect((problem as TileProblem).message).toMatch(/^[A-Z].*127\.0\.0\.1.*\.$/);
      expect(tiles.asked).toHaveLength(1);
      // A lie is no silence: the next picture is asked for.
      tiles.behave = () => picture();
      expect((await fetchTile(1)).type).toBe("image/png");
    });

  const SILENCE: [what: string, behave: () => Response | Promise<Response>][] = [
    ["does not answer", () => new Promise(() => {})],
    ["stops in the middle of a picture", () => new Response(begunOnly(), PNG)],
  ];
  for (const [what, behave] of SILENCE)
    test(`that ${what} is given up, and after three times left alone for a while`, async () => {
      await using tiles = new PretendTiles();
      tiles.behave = behave;
      const { fetchTile, clock } = open(tiles, SHORT);
      for (let x = 0; x < 3; x++) expect(await problemOf(fetchTile(x))).toMatchObject({ kind: "timeout" });
      expect(await problemOf(fetchTile(3))).toMatchObject({ kind: "resting" });
      expect(tiles.asked).toHaveLength(3);
      tiles.behave = () => picture();
      await clock.advance(SHORT.restMs);
      expect((await fetchTile(4)).type).toBe("image/png");
    });

  test("that closes, or is not there, is told as out of reach; another one is asked at once", async () => {
    const closing = Bun.listen({
      port: 0,
      hostname: "127.0.0.1",
      socket: { data: (socket) => void socket.terminate() },
    });
    await using tiles = new PretendTiles();
    const { fetchTile } = open(tiles);
    const server = new TileServer({ clock: new FakeClock(), userAgent: "Dashdock/test", waitLimits: LONG });
    const address = `http://127.0.0.1:${closing.port}/1/0/0.png`;
    for (let time = 0; time < 3; time++)
      expect(await problemOf(server.fetch(address, STAYS))).toMatchObject({ kind: "unreachable" });
    closing.stop(true);
    expect(await problemOf(server.fetch(address, STAYS))).toMatchObject({ kind: "resting" });
    expect((await server.fetch(tiles.address.replace("{z}/{x}/{y}", "1/0/0"), STAYS)).type).toBe("image/png");
    expect((await fetchTile()).type).toBe("image/png");
  });
});

const PNG = { headers: { "content-type": "image/png" } };
const GZIP = { headers: { "content-type": "image/png", "content-encoding": "gzip" } };

function endless(bytes: number): ReadableStream {
  let left = bytes;
  return new ReadableStream({
    pull(controller) {
      if (left <= 0) return controller.close();
      left -= 100_000;
      controller.enqueue(new Uint8Array(100_000));
    },
  });
}

function begunOnly(): ReadableStream {
  return new ReadableStream({ start: (controller) => controller.enqueue(tilePng().slice(0, 20)) });
}
