import { expect, test } from "bun:test";
import { namesakeInWords } from "../../../server/domain/viewer/namesake_text.ts";

test("namesakeInWords() tells which recording of its name it is, and nothing of the first", () => {
  expect(namesakeInWords("20261120_080000_N")).toBeNull();
  expect(namesakeInWords("20261120_080000_N.2")).toBe("Second recording of this name");
  expect(namesakeInWords("20261120_080000_N.3")).toBe("Third recording of this name");
  expect(namesakeInWords("20261120_080000_N.4")).toBe("Recording 4 of this name");
});
