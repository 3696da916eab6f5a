import { describe, expect, test } from "bun:test";
import { greyImage } from "../../../server/dashcam/simulator/simulated_image.ts";
import {
  type CompanionKind,
  hasItsEnd,
  judgeCompanion,
  readsAs,
} from "../../../server/domain/recordings/companion_content.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const line = (stamp: number, state: "A" | "V" = "A") =>
  `[${stamp}]$GNRMC,101500.00,${state},2430.00000,S,01515.00000,W,10.000,,070626,,,A,V*00\r\n`;
const track = (from: number, count: number, state: "A" | "V" = "A") =>
  bytes(Array.from({ length: count }, (_, second) => line(from + second * 1000, state)).join(""));
const samples = (count: number, first = 1) =>
  new Uint8Array(count * 10).map((_, at) => (at < 10 ? first : Math.floor(at / 10)));

const TRACK = track(1_000_000, 5);
const PICTURE = greyImage("20260607_101500_NF.thm");
const OTHER_PICTURE = greyImage("20260607_101600_NF.thm");
const smaller = OTHER_PICTURE.slice();
// The frame header's height, 480, becomes 4.
smaller.set([0, 4], smaller.findIndex((byte, at) => byte === 0xc0 && smaller[at - 1] === 0xff) + 4);
const plain = (length: number, filled: number, hasEnd = true) => {
  const picture = new Uint8Array(length).fill(filled);
  picture.set([0xff, 0xd8, 0xff]);
  if (hasEnd) picture.set([0xff, 0xd9], length - 2);
  return picture;
};

describe("judgeCompanion()", () => {
  const rows: [what: string, CompanionKind, home: Uint8Array, fresh: Uint8Array, ReturnType<typeof judgeCompanion>][] =
    [
      ["the same track", "gps", TRACK, TRACK.slice(), "same"],
      ["a longer track of the drive", "gps", TRACK.subarray(0, 90), TRACK, "better"],
      ["a track that was cut", "gps", TRACK, TRACK.subarray(0, 90), "worse"],
      ["no bytes", "gps", TRACK, new Uint8Array(), "worse"],
      ["a text", "gps", TRACK, bytes("no track ".repeat(200)), "worse"],
      ["a track where a text was", "gps", bytes("no track ".repeat(200)), TRACK, "better"],
      ["another drive, though it is shorter", "gps", TRACK, track(9_000_000, 2), "better"],
      ["other lines without a place", "gps", TRACK, track(9_000_000, 50, "V"), "worse"],
      [
        "a sentence without a time",
        "gps",
        TRACK,
        bytes("$GNRMC,101500.00,A,2430.0,S,01515.0,W,1.0,,070626,,,A,V*00\r\n"),
        "worse",
      ],
      ["fewer lines of the drive", "gps", TRACK, bytes(line(1_001_000) + line(1_003_000)), "worse"],
      ["the same picture", "thm", PICTURE, PICTURE.slice(), "same"],
      ["another picture of as many points", "thm", PICTURE, OTHER_PICTURE, "better"],
      ["a picture of fewer points", "thm", PICTURE, smaller, "worse"],
      ["a picture that was cut", "thm", PICTURE, OTHER_PICTURE.subarray(0, 600), "worse"],
      ["a whole one where a cut one was", "thm", PICTURE.subarray(0, 600), OTHER_PICTURE, "better"],
      ["the rest of a cut one", "thm", PICTURE.subarray(0, 600), PICTURE, "better"],
      ["a text where a picture was", "thm", PICTURE, bytes("bytes ".repeat(2000)), "worse"],
      ["a longer one of unknown points", "thm", plain(500, 1), plain(600, 2), "better"],
      ["a shorter one of unknown points", "thm", plain(500, 1), plain(400, 2), "worse"],
      ["a longer one without its end", "thm", plain(500, 1), plain(600, 2, false), "worse"],
      ["more samples", "3gf", samples(5), samples(9), "better"],
      ["fewer samples", "3gf", samples(5), samples(3), "worse"],
      ["other samples, though fewer", "3gf", samples(5), samples(3, 7), "better"],
    ];
  test.each(rows)("%s (%s)", (_, kind, home, fresh, expected) => {
    expect(judgeCompanion(kind, home, fresh)).toBe(expected);
  });
});

describe("hasItsEnd() and readsAs()", () => {
  const rows: [what: string, CompanionKind, Uint8Array, reads: boolean, ends: boolean][] = [
    ["a track", "gps", TRACK, true, true],
    ["a track and zeros", "gps", Uint8Array.from([...TRACK, 0, 0, 0]), true, true],
    ["a track within a line", "gps", TRACK.subarray(0, 90), true, false],
    ["no track", "gps", bytes("hello\r\n"), false, false],
    ["a sentence behind other dollars", "gps", bytes("$ $$GPS,$NMEA$GPRMC,\n"), true, true],
    ["a name that is too short or too long", "gps", bytes("$GPS,$GPRMCXY,$gprmc,\n"), false, false],
    ["a name without its comma", "gps", bytes("$GPRMC"), false, false],
    ["a picture", "thm", PICTURE, true, true],
    ["the beginning of one", "thm", PICTURE.subarray(0, 600), true, false],
    ["nothing", "thm", new Uint8Array(), false, false],
    ["samples", "3gf", samples(3), true, true],
    ["a part of a sample", "3gf", samples(3).subarray(0, 25), true, false],
  ];
  test.each(rows)("%s (%s)", (_, kind, content, reads, ends) => {
    expect([readsAs(kind, content), hasItsEnd(kind, content)]).toEqual([reads, ends]);
  });
});
