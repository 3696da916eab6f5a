import { describe, expect, test } from "bun:test";
import { pictureType, tileAddress, tileHost, tileOf } from "../../../server/domain/viewer/map_tile.ts";

describe("tileOf()", () => {
  const samples: [z: number, x: number, y: number, isThere: boolean][] = [
    [0, 0, 0, true],
    [1, 1, 1, true],
    [19, 524_287, 524_287, true],
    [19, 524_288, 0, false],
    [20, 0, 0, false],
    [1, 0, 2, false],
    [1, 2, 0, false],
    [Number.NaN, 0, 0, false],
    [1, Number.NaN, 0, false],
    [1, 0, Number.NaN, false],
  ];
  for (const [z, x, y, isThere] of samples)
    test(`${z}/${x}/${y} is ${isThere ? "a square" : "none"}`, () => {
      expect(tileOf({ z, x, y })).toEqual(isThere ? { z, x, y } : null);
    });
});

describe("tileAddress()", () => {
  const tile = { z: 3, x: 4, y: 5 };
  const samples: [template: string, address: string | null][] = [
    ["https://tiles.example/{z}/{x}/{y}.png", "https://tiles.example/3/4/5.png"],
    ["https://tiles.example/{z}/{x}/{y}/{z}?key=abc", "https://tiles.example/3/4/5/3?key=abc"],
    ["http://127.0.0.1:9000/?{x},{y},{z}", "http://127.0.0.1:9000/?4,5,3"],
    ["https://t{x}.example/{z}/{x}/{y}", null],
    ["https://tiles.example:80{x}/{z}/{y}", null],
    ["https://tiles.example{x}/{z}/{y}", null],
    ["file:///{z}/{x}/{y}", null],
    ["nonsense {z}{x}{y}", null],
  ];
  for (const [template, address] of samples)
    test(`${template} is ${address ?? "refused: squares must not name the host"}`, () => {
      expect(tileAddress(template, tile)).toBe(address);
    });

  test("names the host for people", () => {
    expect(tileHost("https://tile.openstreetmap.org/{z}/{x}/{y}.png")).toBe("tile.openstreetmap.org");
    expect(tileHost("https://user:secret@tiles.example:8443/{z}/{x}/{y}?key=secret")).toBe("tiles.example:8443");
    expect(tileHost("nonsense")).toBe("");
  });
});

describe("pictureType()", () => {
  const samples: [what: string, text: string, type: string | null][] = [
    ["a PNG", "\x89PNG\r\n\x1a\n\0\0", "image/png"],
    ["a JPEG", "\xff\xd8\xff\xe0", "image/jpeg"],
    ["a WebP", "RIFF\x10\0\0\0WEBPVP8 ", "image/webp"],
    ["another RIFF", "RIFF\x10\0\0\0AVI LIST", null],
    ["HTML", "<!doctype html>", null],
    ["SVG", "<svg xmlns='http://www.w3.org/2000/svg'/>", null],
    ["a cut PNG", "\x89PN", null],
    ["nothing", "", null],
  ];
  for (const [what, text, type] of samples)
    test(`${what} is ${type ?? "no map picture"}`, () => {
      expect(pictureType(Uint8Array.from(text, (letter) => letter.charCodeAt(0)))).toBe(type);
    });
});
