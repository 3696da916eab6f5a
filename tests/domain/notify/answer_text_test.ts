import { expect, test } from "bun:test";
import { toldText } from "../../../server/domain/notify/answer_text.ts";

test("an answer is told short, on one line, without secrets and what could harm a terminal", () => {
  expect(toldText("a\r\nb\u0000\u001b[31mc\u202e", [])).toBe("a b [31mc");
  expect(toldText("bad token tk_12345, said tk_12", ["tk_12", "tk_12345"])).toBe("bad token ***, said ***");
  expect(toldText("x".repeat(100_000), []).length).toBe(500);
});
