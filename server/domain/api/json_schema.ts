import type * as v from "valibot";

/** A JSON Schema, draft 2020-12 as OpenAPI 3.1 uses it. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** Schemas that are told once under a name and referred to everywhere else. */
export type SchemaNames = ReadonlyMap<v.GenericSchema, string>;

type Message = v.ErrorMessage<v.BaseIssue<unknown>> | undefined;

/** The kinds of schema we write. */
type KnownSchema =
  | v.BooleanSchema<Message>
  | v.StringSchema<Message>
  | v.NumberSchema<Message>
  | v.UnknownSchema
  | v.LiteralSchema<v.Literal, Message>
  | v.PicklistSchema<readonly string[], Message>
  | v.NullableSchema<v.GenericSchema, undefined>
  | v.ArraySchema<v.GenericSchema, Message>
  | v.RecordSchema<v.GenericSchema<string, string>, v.GenericSchema, Message>
  | v.ObjectSchema<v.ObjectEntries, Message>
  | v.UnionSchema<v.GenericSchema[], Message>;

/** The kinds of action that stand behind a schema in a pipe. */
type KnownAction =
  | v.CheckAction<unknown, Message>
  | v.DescriptionAction<unknown, string>
  | v.FiniteAction<number, Message>
  | v.GtValueAction<number, number, Message>
  | v.IntegerAction<number, Message>
  | v.MaxLengthAction<string, number, Message>
  | v.MaxValueAction<number, number, Message>
  | v.MinLengthAction<string, number, Message>
  | v.MinValueAction<number, number, Message>
  | v.ReadonlyAction<unknown>
  | v.RegexAction<string, Message>
  | v.SafeIntegerAction<number, Message>
  | v.TransformAction<unknown, unknown>;

type Part = v.GenericSchema | v.PipeAction<unknown, unknown, v.BaseIssue<unknown>>;

/**
 * What a valibot schema accepts, as JSON Schema. Rules that only code can say (`v.check`) are left out.
 * @param names referred to instead of repeated, but for `schema` itself
 * @throws TypeError when the schema holds a kind that has no translation here
 */
export function toJsonSchema(schema: v.GenericSchema, names: SchemaNames = new Map()): JsonSchema {
  const say = (inner: v.GenericSchema): JsonSchema => {
    const name = names.get(inner);
    return name === undefined ? toJsonSchema(inner, names) : { $ref: `#/components/schemas/${name}` };
  };
  const parts = pipeOf(schema);
  if (parts === null) return plain(schema, say);
  let result: JsonSchema = {};
  for (const [index, part] of parts.entries()) {
    if (part.kind !== "schema") result = { ...result, ...ruleOf(part, result) };
    else if (index === 0) result = names.has(part) ? { allOf: [say(part)] } : plain(part, say);
    else result = { allOf: [result, say(part)] };
  }
  return result;
}

/** The schema of a pipe and what comes after it; null when the schema stands alone. */
function pipeOf(schema: v.GenericSchema): readonly Part[] | null {
  return "pipe" in schema && Array.isArray(schema.pipe) ? schema.pipe : null;
}

function plain(schema: v.GenericSchema, say: (inner: v.GenericSchema) => JsonSchema): JsonSchema {
  if (pipeOf(schema)) return say(schema);
  const known = schema as unknown as KnownSchema;
  switch (known.type) {
    case "boolean":
    case "string":
    case "number":
      return { type: known.type };
    case "unknown":
      return {};
    case "literal":
      return { const: known.literal };
    case "picklist":
      return { enum: [...known.options] };
    case "nullable":
      return orNull(say(known.wrapped));
    case "array":
      return { type: "array", items: say(known.item) };
    case "record":
      return { type: "object", additionalProperties: say(known.value) };
    case "object":
      return objectOf(known.entries, say);
    case "union":
      return { anyOf: known.options.map(say) };
    default:
      throw unknownKind(known);
  }
}

function objectOf(entries: v.ObjectEntries, say: (inner: v.GenericSchema) => JsonSchema): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const [key, entry] of Object.entries(entries)) {
    const optional = entry.type === "exact_optional" && "wrapped" in entry;
    properties[key] = say((optional ? entry.wrapped : entry) as v.GenericSchema);
    if (!optional) required.push(key);
  }
  return { type: "object", properties, ...(required.length > 0 && { required }) };
}

function orNull(schema: JsonSchema): JsonSchema {
  const { type } = schema;
  return typeof type === "string" ? { ...schema, type: [type, "null"] } : { anyOf: [schema, { type: "null" }] };
}

/** What an action adds to the schema before it. */
function ruleOf(action: Part, before: JsonSchema): JsonSchema {
  const known = action as unknown as KnownAction;
  switch (known.type) {
    // JSON has no number that is not finite, what code decides cannot be said, and what becomes of it is not asked.
    case "check":
    case "finite":
    case "readonly":
    case "transform":
      return {};
    case "description":
      return { description: known.description };
    case "gt_value":
      return { exclusiveMinimum: known.requirement };
    case "integer":
    case "safe_integer":
      return { type: "integer" };
    case "max_length":
      return before["type"] === "array" ? { maxItems: known.requirement } : { maxLength: known.requirement };
    case "max_value":
      return { maximum: known.requirement };
    case "min_length":
      return { minLength: known.requirement };
    case "min_value":
      return { minimum: known.requirement };
    case "regex":
      return { pattern: patternOf(known.requirement) };
    default:
      throw unknownKind(known);
  }
}

/** JSON Schema patterns have no flags; the one we use lets a dot stand for a line break too. */
function patternOf({ source, flags }: RegExp): string {
  if (flags === "") return source;
  if (flags === "s") return source.replace(/(?<!\\)\./g, "[\\s\\S]");
  throw new TypeError(`JSON Schema cannot say the flags of /${source}/${flags}`);
}

function unknownKind({ type }: { readonly type: string }): TypeError {
  return new TypeError(`No translation into JSON Schema for the kind "${type}"`);
}
