import { describe, expect, test } from "bun:test";
import {
  isMetadataRefusal,
  type MetadataKind,
  metadataRequest,
  NotMetadata,
  readMetadata,
} from "../../../server/domain/recordings/v1009_metadata.ts";

const PICTURE = new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3, 0xff, 0xd9]);
const TRACK = "[1783000000000]$GPRMC,141045.00,A,4722.12,N,00832.15,E,12.5,,020726,,,A*57\r\n";
const bytesOf = (text: string) => new TextEncoder().encode(text);
const base64 = (bytes: Uint8Array | string) => (typeof bytes === "string" ? bytesOf(bytes) : bytes).toBase64();
const ok = (fields: object) => JSON.stringify({ resultcode: "BC_ERR_OK", ...fields });

test("a request names the video and one type", () => {
  expect(JSON.parse(metadataRequest("20260702_141045_PF.mp4", "thm"))).toEqual({
    file: "20260702_141045_PF.mp4",
    types: ["thumbnail"],
  });
  expect(JSON.parse(metadataRequest("20260702_141045_PF.mp4", "gps"))).toMatchObject({ types: ["gps"] });
});

describe("readMetadata()", () => {
  const read: [what: string, kind: MetadataKind, text: string, content: Uint8Array][] = [
    ["a thumbnail", "thm", ok({ thumbnail: base64(PICTURE) }), PICTURE],
    ["a thumbnail below metadata", "thm", ok({ metadata: { thumbnail: base64(PICTURE) } }), PICTURE],
    ["base64 in lines", "thm", ok({ thumbnail: base64(PICTURE).replace(/(.{4})/g, "$1\r\n") }), PICTURE],
    ["base64 without its padding", "thm", ok({ thumbnail: base64(PICTURE).replaceAll("=", "") }), PICTURE],
    ["GPS in base64", "gps", ok({ gps: base64(TRACK) }), bytesOf(TRACK)],
    ["GPS in base64 below metadata", "gps", ok({ metadata: { gps: base64(TRACK) } }), bytesOf(TRACK)],
    ["GPS as text", "gps", ok({ gps: TRACK }), bytesOf(TRACK)],
    ["GPS as text below metadata", "gps", ok({ metadata: { gps: TRACK } }), bytesOf(TRACK)],
    ["GPS below metadata that is empty beside it", "gps", ok({ gps: "", metadata: { gps: TRACK } }), bytesOf(TRACK)],
    [
      "GPS of other satellites, without a fix",
      "gps",
      ok({ gps: "[1]$GNGGA,,,,,,0,,,,,,,,*66\n" }),
      bytesOf("[1]$GNGGA,,,,,,0,,,,,,,,*66\n"),
    ],
    ["beside more than is known", "gps", ok({ gps: TRACK, metadata: [7], message: "fine" }), bytesOf(TRACK)],
  ];
  test.each(read)("reads %s", (_, kind, text, content) => {
    expect(readMetadata(kind, text)).toEqual(content);
  });

  const none: [what: string, kind: MetadataKind, text: string][] = [
    ["another result code", "thm", '{"resultcode":"BC_ERR_NO_FILE"}'],
    ["another result code beside content", "gps", JSON.stringify({ resultcode: "BC_ERR_BUSY", gps: base64(TRACK) })],
    ["an empty content", "thm", ok({ thumbnail: "" })],
    ["no value as content", "gps", ok({ gps: null })],
    ["an empty content below metadata", "gps", ok({ metadata: { gps: "" } })],
    ["a line end as track, of a car that was parked", "gps", ok({ gps: "\r\n" })],
    ["a line end in base64", "gps", ok({ gps: base64("\r\n") })],
    ["a line end below metadata", "gps", ok({ metadata: { gps: base64(" \n\n") } })],
    ["blanks as thumbnail", "thm", ok({ thumbnail: " \r\n" })],
  ];
  test.each(none)("knows that there is none by %s", (_, kind, text) => {
    expect(readMetadata(kind, text)).toBeNull();
  });

  const nonsense: [what: string, kind: MetadataKind, text: string, words: string][] = [
    ["nothing", "thm", "", "not what such a camera answers"],
    ["a web page", "thm", "<!DOCTYPE html>", "not what such a camera answers"],
    ["JSON that is cut off", "gps", ok({ gps: TRACK }).slice(0, -10), "not what such a camera answers"],
    ["a list", "gps", "[]", "not what such a camera answers"],
    ["millions of values", "gps", ok({ gps: TRACK, more: Array(1_000_000).fill(0) }), "not what such a camera answers"],
    [
      "lists in lists",
      "gps",
      `{"resultcode":"BC_ERR_OK","a":${"[".repeat(300_000)}${"]".repeat(300_000)}}`,
      "not what such a camera answers",
    ],
    ["no result code", "thm", JSON.stringify({ thumbnail: base64(PICTURE) }), "not what such a camera answers"],
    ["a number as result code", "thm", '{"resultcode":0,"thumbnail":"/9j/"}', "not what such a camera answers"],
    ["a number as content", "thm", ok({ thumbnail: 7 }), "not what such a camera answers"],
    ["no content", "thm", ok({}), "no thumbnail"],
    ["the other type's content", "gps", ok({ thumbnail: base64(PICTURE) }), "no gps"],
    ["content of another shape below metadata", "gps", ok({ metadata: [{ type: "gps", data: {} }] }), "no gps"],
    ["no base64", "thm", ok({ thumbnail: "*** this is no base64 ***" }), "no base64"],
    ["no base64 of a track", "gps", ok({ gps: "*** this is no base64 ***" }), "no base64"],
    ["a page as thumbnail", "thm", ok({ thumbnail: base64("<html>") }), "no JPEG"],
    ["another picture", "thm", ok({ thumbnail: base64(new Uint8Array([0x89, 0x50, 0x4e, 0x47])) }), "no JPEG"],
    ["the beginning of a picture", "thm", ok({ thumbnail: base64(PICTURE.subarray(0, 2)) }), "no JPEG"],
    ["a page as track", "gps", ok({ gps: base64("<html>$5</html>") }), "no NMEA"],
    ["a page as text", "gps", ok({ gps: "<html>$5</html>" }), "no NMEA"],
    ["a picture as track", "gps", ok({ gps: base64(PICTURE) }), "no NMEA"],
  ];
  test.each(nonsense)("refuses %s", (_, kind, text, words) => {
    expect(() => readMetadata(kind, text)).toThrow(NotMetadata);
    expect(() => readMetadata(kind, text)).toThrow(words);
  });
});

test("a refusal is the interface's own answer with another result code, and nothing else", () => {
  expect(isMetadataRefusal('{"resultcode":"BC_ERR_NO_FILE"}')).toBe(true);
  for (const text of [ok({}), "", "mp4 only", "<html>", "{}", "null"]) expect(isMetadataRefusal(text)).toBe(false);
});
