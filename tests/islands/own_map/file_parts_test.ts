import { describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { BadMapFile, FileParts, OtherMapFile, unpacked } from "../../../islands/own_map/file_parts.ts";
import { NO_CONNECTION, Refusal } from "../../../islands/browser/client.ts";

const MEGABYTE = 1024 * 1024;

/** A service whose answers come one after the other. */
function answering(...answers: readonly (Response | null)[]) {
  const left = [...answers];
  const asked: string[] = [];
  const parts = new FileParts("/map/file.pmtiles", (address, { headers, cache }) => {
    asked.push(`${address} ${new Headers(headers).get("range")} ${cache}`);
    const next = left.shift();
    return next ? Promise.resolve(next) : Promise.reject(new TypeError("Failed to fetch"));
  });
  return { parts, asked };
}

const part = (text: string, etag = '"1"') => new Response(text, { status: 206, headers: { etag } });
const outside = (etag = '"1"') => new Response("", { status: 416, headers: { etag } });

describe("a part of the own map file", () => {
  test("is asked for by its bytes, and never taken from what the browser has kept", async () => {
    const { parts, asked } = answering(part("map!"));
    const { data } = await parts.getBytes(7, 4);
    expect(new TextDecoder().decode(data)).toBe("map!");
    expect(asked).toEqual(["/map/file.pmtiles bytes=7-10 no-store"]);
  });

  test("may be shorter than asked for at the beginning of the file, and nowhere else", async () => {
    const { parts } = answering(part("short"), part("short"));
    expect((await parts.getBytes(0, 16_384)).data.byteLength).toBe(5);
    expect(parts.getBytes(1, 16_384)).rejects.toThrow(BadMapFile);
  });

  for (const [name, from, length] of [
    ["without bytes", 7, 0],
    ["before the file", -1, 10],
    ["larger than any tile", 0, 5 * MEGABYTE],
    ["of a length that is no number", 0, Number.NaN],
  ] as const)
    test(`${name} is not asked for: the file is damaged`, async () => {
      const { parts, asked } = answering(part("map!"));
      expect(parts.getBytes(from, length)).rejects.toThrow(BadMapFile);
      expect(asked).toEqual([]);
    });

  test("beyond the end tells a damaged file, or another one", async () => {
    const { parts } = answering(part("map!"), outside(), outside('"2"'));
    await parts.getBytes(0, 4);
    expect(parts.getBytes(90, 4)).rejects.toThrow(BadMapFile);
    expect(parts.getBytes(90, 4)).rejects.toThrow(OtherMapFile);
  });

  test("of another file than at first is not taken", async () => {
    const { parts } = answering(part("map!"), part("MAP!", '"2"'));
    await parts.getBytes(0, 4);
    expect(parts.getBytes(0, 4)).rejects.toThrow(OtherMapFile);
  });

  test("that is refused is told in the words of the service, and no answer in ours", async () => {
    const told = { code: "MAP_FILE_OFF", error: "The map file is gone." };
    const { parts } = answering(Response.json(told, { status: 404 }), new Response("<html>", { status: 502 }), null);
    expect(parts.getBytes(0, 4)).rejects.toThrow(new Refusal("MAP_FILE_OFF", told.error));
    expect(parts.getBytes(0, 4)).rejects.toThrow("Dashdock answered with the status 502.");
    expect(parts.getBytes(0, 4)).rejects.toThrow(NO_CONNECTION);
  });
});

describe("unpacking", () => {
  const packed = (bytes: Uint8Array) => new Uint8Array(gzipSync(bytes)).buffer;

  test("gives what was packed, and what was not packed as it is", async () => {
    const bytes = new TextEncoder().encode("a tile ".repeat(40_000));
    expect(new Uint8Array(await unpacked(packed(bytes), 2))).toEqual(bytes);
    expect(new Uint8Array(await unpacked(bytes.buffer, 1))).toEqual(bytes);
  });

  test("finds what is cut, turned, no gzip, or grows beyond all measure", async () => {
    const whole = packed(new TextEncoder().encode("a tile ".repeat(100)));
    const turned = new Uint8Array(whole.slice(0));
    turned[turned.length - 6] = (turned[turned.length - 6] ?? 0) ^ 1;
    for (const bytes of [whole.slice(0, -9), turned.buffer, new ArrayBuffer(64), packed(new Uint8Array(17 * MEGABYTE))])
      expect(unpacked(bytes, 2)).rejects.toThrow(BadMapFile);
  });
});
