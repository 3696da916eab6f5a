import { expect, test } from "bun:test";
import { pingAfter, pingProblem, secretsOfPing, shownPing } from "../../../server/domain/settings/ping_address.ts";

const ID = "12345678-1234-1234-1234-123456789012";

test("the ping's address is shown without its secrets, and refused when it comes back so, changed", () => {
  const address = `https://u:pass@hc.example/ping/${ID}?key=abcd`;
  expect(shownPing(address)).toBe("https://***@hc.example/ping/***?key=***");
  expect(pingProblem(address)).toBeNull();
  expect(pingProblem(`https://hc.example/ping/${ID}`)).toBeNull();
  for (const wrong of ["https://other.example/ping/***", "ftp://h/a", "h/a", ""])
    expect(pingProblem(wrong)).toMatch(/^it /);
  expect(secretsOfPing(address)).toEqual(expect.arrayContaining([ID, "u:pass"]));
});

test("a failed run is told in the path", () => {
  expect([
    pingAfter("https://h/a", false),
    pingAfter("https://h/a", true),
    pingAfter("https://h/a/?x=1", true),
    pingAfter("https://h", true),
  ]).toEqual(["https://h/a", "https://h/a/fail", "https://h/a/fail?x=1", "https://h/fail"]);
});
