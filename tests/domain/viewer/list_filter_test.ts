import { describe, expect, test } from "bun:test";
import {
  filterOf,
  filterQuery,
  isEverything,
  isOfKind,
  NO_FILTER,
  withLetter,
} from "../../../server/domain/viewer/list_filter.ts";

describe("the filter of a list", () => {
  const rows: readonly (readonly [address: string, as: string])[] = [
    ["", ""],
    ["types=E", "&types=E"],
    ["types=N,E,N&cameras=R,F", "&types=E,N&cameras=F,R"],
    ["only=kept&types=M", "&types=M&only=kept"],
    ["only=all&types=,e,EE,%00,1", ""],
    ["types=&cameras=", ""],
  ];
  test.each(rows)("%s in an address is %s", (address, as) => {
    const filter = filterOf(new URLSearchParams(address));
    expect(filterQuery(filter)).toBe(as);
    expect(filterOf(new URLSearchParams(filterQuery(filter)))).toEqual(filter);
    expect(isEverything(filter)).toBe(as === "");
  });

  test("holds clips of its types that have one of its cameras", () => {
    const filter = filterOf(new URLSearchParams("types=E,M&cameras=R,I"));
    expect(isOfKind(filter, "20261120_080000_E", "FR")).toBe(true);
    expect(isOfKind(filter, "20261120_080000_E", "F")).toBe(false);
    expect(isOfKind(filter, "20261120_080000_N", "FR")).toBe(false);
    expect(isOfKind(NO_FILTER, "20261120_080000_Q", "")).toBe(true);
  });

  test("gains a letter, and loses it again", () => {
    const events = withLetter(NO_FILTER, "types", "E");
    expect(filterQuery(withLetter(events, "types", "B"))).toBe("&types=B,E");
    expect(withLetter(events, "types", "E")).toEqual(NO_FILTER);
    expect(filterQuery(withLetter(events, "cameras", "R"))).toBe("&types=E&cameras=R");
  });
});
