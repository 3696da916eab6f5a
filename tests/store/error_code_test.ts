import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { errorCode } from "../../server/store/error_code.ts";

test("the code of a failed system call is told", () => {
  let error: unknown;
  try {
    readFileSync("/no/such/file");
  } catch (thrown) {
    error = thrown;
  }
  expect(errorCode(error)).toBe("ENOENT");
});

const others: [string, unknown][] = [
  ["an error without a code", new Error("plain")],
  ["a text", "ENOENT"],
  ["nothing", undefined],
  ["null", null],
  ["an object that is no error", { code: "ENOENT" }],
];
test.each(others)("%s has no code", (_, thrown) => {
  expect(errorCode(thrown)).toBe("");
});
