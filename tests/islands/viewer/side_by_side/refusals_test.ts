import { describe, expect, test } from "bun:test";
import {
  browserRefusal,
  CannotMake,
  notPlayable,
  REFUSALS,
  sentenceOf,
} from "../../../../islands/viewer/side_by_side/refusals.ts";

const able = {
  isSecureContext: true,
  VideoEncoder: class {},
  VideoDecoder: class {},
  OffscreenCanvas: class {},
  Worker: class {},
};

describe("browserRefusal()", () => {
  const rows: readonly (readonly [what: string, browser: Parameters<typeof browserRefusal>[0], why: string | null])[] =
    [
      ["a browser with all that is needed", able, null],
      ["a page without HTTPS, where encoders are missing, too", { isSecureContext: false }, REFUSALS.needsHttps],
      ["a browser without an encoder", { ...able, VideoEncoder: undefined }, REFUSALS.noEncoder],
      ["a browser without a decoder", { ...able, VideoDecoder: undefined }, REFUSALS.noEncoder],
      ["a browser that draws only in pages", { ...able, OffscreenCanvas: undefined }, REFUSALS.noEncoder],
    ];
  for (const [what, browser, why] of rows) test(what, () => expect(browserRefusal(browser)).toBe(why));
});

describe("sentenceOf()", () => {
  const rows: readonly (readonly [what: string, error: unknown, sentence: string])[] = [
    ["our own", new CannotMake("So it is."), "So it is."],
    ["a full disk", new DOMException("full", "QuotaExceededError"), REFUSALS.diskFull],
    ["a file that may not be written", new DOMException("no", "NotAllowedError"), REFUSALS.noFile],
    ["a file that is gone", new DOMException("no", "NotFoundError"), REFUSALS.noFile],
    ["an encoder that broke", new DOMException("broken", "EncodingError"), REFUSALS.unexpected],
    ["a mistake of ours", new TypeError("x is not a function"), REFUSALS.unexpected],
    ["something else", "no", REFUSALS.unexpected],
  ];
  for (const [what, error, sentence] of rows) test(what, () => expect(sentenceOf(error)).toBe(sentence));
});

test("names the coding that a browser does not play", () => {
  expect(notPlayable("Front", "hevc")).toStartWith(
    "This browser cannot play the videos of the front camera: they are in H.265 (HEVC).",
  );
  expect(notPlayable("Camera X", "hevc")).toContain("the videos of Camera X:");
  expect(notPlayable("Rear", null)).toContain("a coding that is not known");
});
