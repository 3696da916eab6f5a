import { describe, expect, test } from "bun:test";
import { FilmParts } from "../../../../islands/viewer/side_by_side/film_source.ts";
import { CannotMake, REFUSALS } from "../../../../islands/viewer/side_by_side/refusals.ts";

const FILM = Uint8Array.from({ length: 5000 }, (_, at) => at % 251);

type Answer = () => Response | Promise<Response>;

/** The part that was asked for. */
function part(init: RequestInit, etag = '"one"'): Response {
  const [, from = 0, to = 0] = (/bytes=(\d+)-(\d+)/.exec(new Headers(init.headers).get("range") ?? "") ?? []).map(
    Number,
  );
  return new Response(FILM.slice(from, to + 1), { status: 206, headers: { etag } });
}

/** Parts of a film whose first answers are these, and all others good. */
function filmWith(first: readonly Answer[]) {
  const asked: string[] = [];
  const pauses: number[] = [];
  const left = [...first];
  const ends = new AbortController();
  const parts = new FilmParts("/film/F.mp4?key=a", ends.signal, {
    ask: async (address, init) => {
      asked.push(address);
      return (await left.shift()?.()) ?? part(init);
    },
    pause: async (ms) => void pauses.push(ms),
  });
  return { parts, asked, pauses, ends };
}

const refused = (status: number, error: string) => () => Response.json({ error, code: "X" }, { status });
const cut = () => Promise.reject(new TypeError("Failed to fetch"));

describe("parts of a film", () => {
  test("are the bytes that were asked for", async () => {
    const { parts, asked } = filmWith([]);
    expect(await parts.read(100, 300)).toEqual(FILM.slice(100, 300));
    expect(asked).toEqual(["/film/F.mp4?key=a"]);
  });

  test("are asked for again when a connection is cut, or the service has too much to do", async () => {
    const { parts, asked, pauses } = filmWith([
      cut,
      refused(503, "Too many."),
      () => new Response(FILM.slice(0, 7), { status: 206, headers: { etag: '"one"' } }),
    ]);
    expect(await parts.read(0, 10)).toEqual(FILM.slice(0, 10));
    expect([asked.length, pauses.length]).toEqual([4, 3]);
    expect(pauses[2]).toBeGreaterThan(pauses[0] ?? 0);
  });

  const rows: readonly (readonly [what: string, answers: readonly Answer[], sentence: string, asked: number])[] = [
    ["no answer, again and again", [cut, cut, cut, cut, cut], REFUSALS.noAnswer, 5],
    ["too much to do, again and again", Array(5).fill(refused(503, "Too many videos.")), "Too many videos.", 5],
    ["a session that is over", [refused(401, "Sign in.")], REFUSALS.signedOut, 1],
    ["a recording that was deleted", [refused(404, "Not found.")], REFUSALS.gone, 1],
    ["no film", [refused(409, "The recording at 08:00:00 is damaged.")], "The recording at 08:00:00 is damaged.", 1],
    ["all of it in place of a part", [() => new Response(FILM, { headers: { etag: '"one"' } })], REFUSALS.changed, 1],
    ["a part that is not there any more", [refused(416, "No such part.")], REFUSALS.changed, 1],
  ];
  for (const [what, answers, sentence, count] of rows)
    test(`${what}: says so`, async () => {
      const { parts, asked } = filmWith(answers);
      const error = await parts.read(0, 10).catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(CannotMake);
      expect([(error as Error).message, asked.length]).toEqual([sentence, count]);
    });

  test("of a film that is another one by now are not taken", async () => {
    const { parts } = filmWith([]);
    await parts.read(0, 10);
    const other = filmWith([
      () => part({ headers: { range: "bytes=0-9" } }),
      () => part({ headers: { range: "bytes=10-19" } }, '"two"'),
    ]);
    await other.parts.read(0, 10);
    await expect(other.parts.read(10, 20)).rejects.toThrow(REFUSALS.changed);
  });

  test("are asked for no more when the user has ended it", async () => {
    const { parts, asked, ends } = filmWith([
      () => {
        ends.abort();
        return cut();
      },
    ]);
    await expect(parts.read(0, 10)).rejects.toThrow("Failed to fetch");
    expect(asked).toHaveLength(1);
  });
});
