import { describe, expect, test } from "bun:test";
import { AppError } from "../../../server/domain/answers/errors.ts";
import { addressProblem, networkProblem } from "../../../server/domain/settings/address.ts";
import { MOST_ENTRIES } from "../../../server/domain/settings/field_kinds.ts";
import { initialSettings, type SectionName } from "../../../server/domain/settings/settings.ts";
import { applyPatch } from "../../../server/domain/settings/settings_patch.ts";
import { shown } from "../../../server/domain/text/shown.ts";

const MIB = 1024 * 1024;

/** A value that counts the looks into it. */
function watched<T extends object>(target: T): { value: T; looks: () => number } {
  let looks = 0;
  const value = new Proxy(target, {
    get(of, key, self) {
      // The length of a list may be asked without looking into it.
      if (key !== "length" && key !== "constructor") looks += 1;
      return Reflect.get(of, key, self);
    },
    ownKeys(of) {
      looks += 1;
      return Reflect.ownKeys(of);
    },
  });
  return { value, looks: () => looks };
}

describe("shown()", () => {
  const rows: [value: unknown, text: string][] = [
    ["newest", '"newest"'],
    ["", '""'],
    ['a"b\n\u0000', '"a\\"b\\n\\u0000"'],
    [5, "5"],
    [Number.NaN, "NaN"],
    [true, "true"],
    [null, "null"],
    [undefined, "undefined"],
    [[], "a list"],
    [["2w"], "a list"],
    [{ toJSON: () => "x" }, "an object"],
    ["http://user:pass@host/", '"***@host/"'],
    [`http://user:${"p".repeat(200)}@host/`, '"***@host/"'],
    [`${'"'.repeat(MIB)}@host`, '"***@host"'],
    ["@host", '"@host"'],
  ];
  for (const [value, text] of rows)
    test(`says ${text}`, () => {
      expect(shown(value)).toBe(text);
    });

  test("has at most 80 characters, whatever is shown", () => {
    for (const piece of ['"', "\\", "\u0000", "🚗", "x"]) {
      const text = shown(piece.repeat(MIB / piece.length));
      expect([piece, text.length <= 80, text.endsWith("…")]).toEqual([piece, true, true]);
    }
    expect(shown("a@".repeat(MIB / 2))).toBe('"***@"');
  });

  test("does not look into lists and objects", () => {
    let nested: unknown = [];
    for (let depth = 0; depth < 100_000; depth++) nested = [nested];
    expect(shown(nested)).toBe("a list");
    const list = watched(Array.from({ length: 1000 }, () => "x"));
    const object = watched({ a: 1 });
    expect([shown(list.value), list.looks()]).toEqual(["a list", 0]);
    expect([shown(object.value), object.looks()]).toEqual(["an object", 0]);
  });
});

describe("what is too long", () => {
  const lists = ["sync.include", "sync.exclude", "sync.skip_metadata", "auth.trusted_proxies", "web.allowed_hosts"];
  const errorsOf = (path: string, value: unknown) => {
    const [section = "", key = ""] = path.split(".");
    try {
      applyPatch(initialSettings(), section as SectionName, { [key]: value });
      return [];
    } catch (error) {
      return (error as AppError).details["field_errors"] as { path: string; message: string }[];
    }
  };
  const GOOD: Readonly<Record<string, string>> = {
    "sync.skip_metadata": "t",
    "auth.trusted_proxies": "10.0.0.1",
    "web.allowed_hosts": "nas",
  };
  for (const path of lists) {
    test(`is refused for ${path} before an entry is looked at`, () => {
      const good = GOOD[path] ?? "P";
      expect(
        errorsOf(
          path,
          Array.from({ length: MOST_ENTRIES }, () => good),
        ),
      ).toEqual([]);
      const { value, looks } = watched(Array.from({ length: MOST_ENTRIES + 1 }, () => good));
      const message = `${path} must have at most 1000 entries, got 1001`;
      expect(errorsOf(path, value)).toEqual([{ path, message }]);
      expect(looks()).toBe(0);
    });
    test(`is refused for an entry of ${path}`, () => {
      const [error] = errorsOf(path, ["x".repeat(261)]);
      expect([error?.path, (error?.message.length ?? 999) < 300]).toEqual([path, true]);
    });
  }

  test("is refused as an address and as a range", () => {
    const name = (length: number) => "abcdefghi.".repeat(30).slice(0, length);
    expect(addressProblem(`${name(249)}:8080`)).toBeNull();
    expect(addressProblem(name(261))).toEndWith("is longer than 260 characters");
    expect(networkProblem("1".repeat(MIB))).toContain("is neither an IP address nor a range");
    expect(errorsOf("connection.address", "a".repeat(3000))[0]?.message).toContain("longer than 260 characters");
  });

  test("is answered with so many errors and no more", () => {
    const body = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`x${index}`, 1]));
    expect(() => applyPatch(initialSettings(), "sync", body)).toThrow(AppError);
    try {
      applyPatch(initialSettings(), "sync", body);
    } catch (error) {
      expect(((error as AppError).details["field_errors"] as unknown[]).length).toBe(1000);
    }
  });
});
