import * as v from "valibot";
import { AppError, type ErrorCode } from "../../domain/answers/errors.ts";
import type { RequestContext } from "./request_context.ts";

/** A schema of named texts, of which those that are left out are null. */
export type Fields = v.GenericSchema & { readonly entries: Readonly<Record<string, v.GenericSchema>> };

interface Refusal {
  readonly code: ErrorCode;
  /** The key of the refused value in `details`; of a VALIDATION_ERROR the path that is told for every field. */
  readonly name?: string | undefined;
  /** The sentence of the refusal; without it that of the first field. */
  readonly message?: string | undefined;
}

/** Declares the refusal of a request whose value is not as the schema wants it. */
export function refusedAs<T>(
  code: ErrorCode,
  name?: string,
  message?: string,
): v.MetadataAction<T, { readonly refusal: Refusal }> {
  return v.metadata({ refusal: { code, name, message } });
}

/** The refusal that a schema declares. */
export function refusalOf(schema: v.GenericSchema | undefined): Refusal | undefined {
  return schema && (v.getMetadata(schema) as { readonly refusal?: Refusal }).refusal;
}

/** Checks a text by what tells its problem as a sentence. */
export function noProblem(problem: (text: string) => string | null) {
  return v.check<string, (issue: v.CheckIssue<string>) => string>(
    (text) => problem(text) === null,
    ({ input }) => problem(input) ?? "",
  );
}

/** Reads the fields from the texts that `get` has. @throws AppError as `refusedAs` says, VALIDATION_ERROR without */
export function readFields<S extends Fields>(schema: S, get: (name: string) => string | null): v.InferOutput<S> {
  const given = Object.keys(schema.entries).map((name) => [name, get(name)]);
  return read(schema, Object.fromEntries(given), "VALIDATION_ERROR");
}

/** Reads the query of the address, of a name that stands there twice the first. @throws AppError as `readFields` */
export function readQuery<S extends Fields>({ url }: RequestContext, schema: S): v.InferOutput<S> {
  return readFields(schema, (name) => url.searchParams.get(name));
}

/** Reads a submitted form, of a name that stands there twice the first. @throws AppError as `readFields` */
export async function readForm<S extends Fields>(context: RequestContext, schema: S): Promise<v.InferOutput<S>> {
  const form = await context.form();
  return readFields(schema, (name) => form.get(name));
}

/** A text that a form or an address may leave out; empty then. */
export const TYPED = v.nullable(v.string(), "");

/** Reads the JSON of the body, which may only be left out where the schema is optional. @throws AppError as `refusedAs` says, INVALID_BODY without */
export async function readBody<S extends v.GenericSchema>(
  context: RequestContext,
  schema: S,
): Promise<v.InferOutput<S>> {
  const isLeftOut = schema.type === "optional" && (await context.bytes()).length === 0;
  return read(schema, isLeftOut ? undefined : await context.json(), "INVALID_BODY");
}

function read<S extends v.GenericSchema>(schema: S, given: unknown, code: ErrorCode): v.InferOutput<S> {
  const whole = refusalOf(schema) ?? { code };
  // The refusal of a body has one sentence, however many entries of a list are wrong.
  const abortEarly = whole.code !== "VALIDATION_ERROR";
  const { success, output, issues } = v.safeParse(schema, given, { abortEarly, abortPipeEarly: true });
  if (success) return output;
  const [{ message, path }] = issues;
  const entries: Fields["entries"] = "entries" in schema ? (schema as unknown as Fields).entries : {};
  const refusal = refusalOf(entries[String(path?.[0].key)]) ?? whole;
  throw new AppError(refusal.code, refusal.message ?? message, detailsOf(refusal, issues));
}

type Issues = readonly [v.BaseIssue<unknown>, ...v.BaseIssue<unknown>[]];

function detailsOf({ code, name }: Refusal, issues: Issues): Record<string, unknown> {
  if (code === "VALIDATION_ERROR")
    return { field_errors: issues.map((issue) => ({ path: name ?? v.getDotPath(issue), message: issue.message })) };
  return name === undefined ? {} : { [name]: issues[0].path?.[0].value };
}
