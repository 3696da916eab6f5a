import { describe, expect, test } from "bun:test";
import { isDoubtfulType, isOtherAnswer } from "../../../server/domain/recordings/answer_kind.ts";
import type { ArtifactKind } from "../../../server/domain/recordings/recording_name.ts";

const text = (content: string) => new TextEncoder().encode(content);
/** `ftyp` of 24 bytes, as a video begins. */
const VIDEO = Uint8Array.of(0, 0, 0, 24, ...text("ftypmp42"), 0, 0, 0, 0, ...text("mp42isom"));
const PAGE = text("<!DOCTYPE html>\n<html><head><title>Router</title></head></html>");
const OBJECT = text('{"resultcode":"BC_ERR_BUSY"}');
const JPEG = Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 16, ...text("JFIF"), 0);
const POSITIONS = text("[1780826100000]$GPRMC,101500.00,A,5230.0,N,01324.0,E,0.1,,070626,,,A*71\r\n");
const SENSOR = Uint8Array.of(0, 0, 0, 100, 0, 1, 0xff, 0xfe, 0, 120, 0, 0, 0, 200, 0, 1);

type Row = readonly [what: string, kind: ArtifactKind, type: string | null, head: Uint8Array, isOther: boolean];

const ROWS: readonly Row[] = [
  ["a video", "mp4", "video/mp4", VIDEO, false],
  ["a video without a type", "mp4", null, VIDEO, false],
  ["a video that is called text", "mp4", "text/plain", VIDEO, false],
  ["a video that is called a page", "mp4", "text/html", VIDEO, false],
  ["a video that is called JSON", "mp4", "application/json", VIDEO, false],
  ["bytes of no kind that are called a video: their length has to do", "mp4", "video/mp4", SENSOR, false],
  ["bytes of no kind without a type", "mp4", null, SENSOR, false],
  ["zeros that are called a video", "mp4", "video/mp4", new Uint8Array(64), false],
  ["text that is called text", "mp4", "text/plain", text("Access denied\n"), true],
  ["bytes that are called text", "mp4", "text/plain", SENSOR, true],
  ["bytes that are called JSON", "mp4", "application/problem+json", SENSOR, true],
  ["bytes that are called XML", "mp4", "image/svg+xml", SENSOR, true],
  ["a page that is called one", "mp4", "text/html", PAGE, true],
  ["a page that is called a video", "mp4", "video/mp4", PAGE, true],
  ["a page without a type", "mp4", null, PAGE, true],
  ["a page behind blank lines", "mp4", "video/mp4", text("\r\n \n<html>"), true],
  ["a page behind a byte order mark", "mp4", null, text("\ufeff<!DOCTYPE html>"), true],
  ["an object that is called a video", "mp4", "video/mp4", OBJECT, true],
  ["a list that is called a video", "mp4", "video/mp4", text('[{"error":1}]'), true],
  ["XML that is called a video", "mp4", "application/octet-stream", text('<?xml version="1.0"?>'), true],
  ["an empty page", "mp4", "text/html", new Uint8Array(0), true],
  ["nothing", "mp4", "video/mp4", new Uint8Array(0), false],
  ["a picture", "thm", "image/jpeg", JPEG, false],
  ["a picture without a type", "thm", null, JPEG, false],
  ["a picture that is called a page", "thm", "text/html", JPEG, true],
  ["a page instead of a picture", "thm", "image/jpeg", PAGE, true],
  ["positions", "gps", "text/plain", POSITIONS, false],
  ["positions of an unknown type, which begin with a bracket", "gps", "application/octet-stream", POSITIONS, false],
  ["positions that are called JSON", "gps", "application/json", POSITIONS, true],
  ["an object instead of positions", "gps", "text/plain", OBJECT, true],
  ["a page instead of positions", "gps", "text/plain", text("<HTML><body>"), true],
  ["XML instead of positions", "gps", null, text(' <?xml version="1.0"?>'), true],
  ["sensor data", "3gf", "application/octet-stream", SENSOR, false],
  ["sensor data that is called text", "3gf", "text/plain", SENSOR, false],
  ["sensor data that begins like a bracket by chance", "3gf", null, Uint8Array.of(0x3c, 0x21, 0, 1), false],
  ["a page instead of sensor data", "3gf", "application/octet-stream", PAGE, true],
  ["an object instead of sensor data", "3gf", null, OBJECT, true],
];

describe("isOtherAnswer()", () => {
  test.each(ROWS)("%s (%s)", (_what, kind, type, head, isOther) => {
    expect(isOtherAnswer(kind, type, head)).toBe(isOther);
  });
});

describe("isDoubtfulType()", () => {
  const rows: [type: string | null, isDoubtful: boolean][] = [
    [null, false],
    ["video/mp4", false],
    ["application/octet-stream", false],
    ["image/jpeg", false],
    ["application/mp4", false],
    ["text/plain", true],
    ["text/html", true],
    ["text/xml", true],
    ["application/json", true],
    ["application/xml", true],
    ["application/xhtml+xml", true],
    ["application/problem+json", true],
    ["application/vnd.camera+json", true],
  ];
  test.each(rows)("%p: %p", (type, isDoubtful) => expect(isDoubtfulType(type)).toBe(isDoubtful));
});
