import { describe, expect, test } from "bun:test";
import * as v from "valibot";
import { exactly } from "../../../server/domain/api/exactly.ts";
import { type JsonSchema, toJsonSchema } from "../../../server/domain/api/json_schema.ts";
import { fieldsOf, SECTION_NAMES } from "../../../server/domain/settings/settings.ts";
import { schemaProblems } from "../../support/json_schema.ts";

describe("toJsonSchema()", () => {
  const rows: [name: string, schema: v.GenericSchema, expected: JsonSchema][] = [
    ["a boolean", v.boolean(), { type: "boolean" }],
    ["anything", v.unknown(), {}],
    ["a literal", v.literal("ok"), { const: "ok" }],
    ["a choice", v.picklist(["a", "b"]), { enum: ["a", "b"] }],
    ["a nullable number", v.nullable(v.number()), { type: ["number", "null"] }],
    ["a nullable choice", v.nullable(v.picklist(["a"])), { anyOf: [{ enum: ["a"] }, { type: "null" }] }],
    ["a list", v.pipe(v.array(v.string()), v.readonly()), { type: "array", items: { type: "string" } }],
    ["a map", v.record(v.string(), v.number()), { type: "object", additionalProperties: { type: "number" } }],
    ["a union", v.union([v.string(), v.number()]), { anyOf: [{ type: "string" }, { type: "number" }] }],
    [
      "an object with a field that may be missing",
      v.object({ a: v.string(), b: v.exactOptional(v.number()) }),
      { type: "object", properties: { a: { type: "string" }, b: { type: "number" } }, required: ["a"] },
    ],
    ["an object that needs nothing", v.object({}), { type: "object", properties: {} }],
    [
      "a whole number in a range",
      v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(9)),
      { type: "integer", minimum: 1, maximum: 9 },
    ],
    ["a number above", v.pipe(v.number(), v.finite(), v.gtValue(0)), { type: "number", exclusiveMinimum: 0 }],
    [
      "a text with rules that can be said and one that cannot",
      v.pipe(
        v.string(),
        v.minLength(1),
        v.maxLength(9),
        v.regex(/^a/),
        v.check(() => true),
        v.description("Words"),
      ),
      { type: "string", minLength: 1, maxLength: 9, pattern: "^a", description: "Words" },
    ],
    [
      "a dot that is any character",
      v.pipe(v.string(), v.regex(/^.\.$/s)),
      { type: "string", pattern: "^[\\s\\S]\\.$" },
    ],
    [
      "a second schema in a pipe",
      v.pipe(v.string(), v.picklist(["a"])),
      { allOf: [{ type: "string" }, { enum: ["a"] }] },
    ],
    ["what is accepted, not what becomes of it", v.pipe(v.string(), v.transform(Number)), { type: "string" }],
    [
      "a pipe in a pipe",
      v.pipe(v.pipe(v.number(), v.minValue(0)), v.maxValue(1)),
      { type: "number", minimum: 0, maximum: 1 },
    ],
  ];
  for (const [name, schema, expected] of rows) test(name, () => expect(toJsonSchema(schema)).toEqual(expected));

  test("refers to schemas that have a name, but tells the one it was asked for", () => {
    const inner = v.object({ a: v.string() });
    const outer = v.object({
      one: inner,
      many: v.array(inner),
      maybe: v.nullable(inner),
      more: v.pipe(inner, v.readonly()),
    });
    const names = new Map<v.GenericSchema, string>([
      [inner, "Inner"],
      [outer, "Outer"],
    ]);
    const ref = { $ref: "#/components/schemas/Inner" };
    expect(toJsonSchema(outer, names)["properties"]).toEqual({
      one: ref,
      many: { type: "array", items: ref },
      maybe: { anyOf: [ref, { type: "null" }] },
      more: { allOf: [ref] },
    });
    expect(toJsonSchema(inner, names)["type"]).toBe("object");
  });

  const refused: [name: string, schema: v.GenericSchema][] = [
    ["date", v.date()],
    ["email", v.pipe(v.string(), v.email())],
    ["optional", v.object({ a: v.optional(v.string()) })],
    ["bigint", v.array(v.bigint())],
  ];
  for (const [name, schema] of refused)
    test(`refuses the kind ${name}`, () => expect(() => toJsonSchema(schema)).toThrow(`"${name}"`));

  test("refuses flags of a pattern that JSON Schema cannot say", () => {
    expect(() => toJsonSchema(v.pipe(v.string(), v.regex(/a/i)))).toThrow("/a/i");
  });
});

describe("every setting", () => {
  for (const section of SECTION_NAMES) {
    for (const [key, { check, initial }] of fieldsOf(section)) {
      test(`${section}.${key} has a translation that takes its initial value and no value of another type`, () => {
        const schema = toJsonSchema(check);
        expect(schemaProblems({}, schema, initial)).toEqual([]);
        for (const value of [{}, undefined, true, 1, "x", null, [1], -1, 1e12, 0.5]) {
          // What JSON Schema refuses the program refuses too; not the other way round, since code knows more.
          if (schemaProblems({}, schema, value).length > 0) expect(v.is(check, value)).toBe(false);
        }
        expect(schemaProblems({}, schema, {})).not.toEqual([]);
      });
    }
  }
});

describe("exactly()", () => {
  test("takes a schema of the same values, and at compile time no other", () => {
    interface Thing {
      a: string;
      b?: number;
    }
    exactly<Thing>()(v.object({ a: v.string(), b: v.exactOptional(v.number()) }));
    // @ts-expect-error a field is missing
    exactly<Thing>()(v.object({ b: v.exactOptional(v.number()) }));
    // @ts-expect-error a field has another type
    exactly<Thing>()(v.object({ a: v.number(), b: v.exactOptional(v.number()) }));
    // @ts-expect-error a field may be missing in the schema only
    exactly<{ a: string }>()(v.object({ a: v.exactOptional(v.string()) }));
    // @ts-expect-error a value of the type is missing
    exactly<"x" | "y">()(v.picklist(["x"]));
    // @ts-expect-error the schema has a value the type has not
    exactly<"x">()(v.picklist(["x", "y"]));
    // @ts-expect-error the type may be null
    exactly<{ a: string | null }>()(v.object({ a: v.string() }));
    const known = exactly<{ a: string }>()(v.object({ a: v.string() }));
    expect(Object.keys(known.entries)).toEqual(["a"]);
  });
});
