import { describe, expect, test } from "bun:test";
import { ERRORS } from "../../../server/domain/answers/errors.ts";
import { GUIDE } from "../../support/app/guide.ts";

describe("ERRORS", () => {
  const rows = Object.entries(ERRORS);

  test("has every code in the order of the alphabet, with the status of a refusal and words that go on after its name", () => {
    const codes = rows.map(([code]) => code);
    expect(codes).toEqual([...codes].sort());
    for (const [code, { status, meaning }] of rows) {
      expect([code, status >= 400 && status < 600]).toEqual([code, true]);
      expect(meaning).toMatch(/^[a-z].*[^.]$/);
    }
  });

  test("has each code that the guide names, with the status that it names", () => {
    const told = [...GUIDE.matchAll(/\b([45][0-9]{2})\s+`([A-Z_]+)`/g)].map(([, status, code]) => `${code} ${status}`);
    expect(told).not.toEqual([]);
    for (const row of told) expect(rows.map(([code, { status }]) => `${code} ${status}`)).toContain(row);
  });
});
