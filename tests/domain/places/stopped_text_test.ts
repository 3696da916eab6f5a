import { expect, test } from "bun:test";
import { stoppedText } from "../../../server/domain/places/stopped_text.ts";

test("what has stopped says how far it came, where to look and that it goes on by itself", () => {
  expect(stoppedText({ done: 3610, total: 19_900, stopped: true })).toBe(
    "Reading the recordings has stopped after 3\u202f610 of 19\u202f900\u00a0clips. The log says why. Dashdock tries again every minute.",
  );
});
