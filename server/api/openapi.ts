import { type ConversionConfig, toJsonSchema, toJsonSchemaDefs } from "@valibot/to-json-schema";
import * as v from "valibot";
import { text } from "../domain/answers/answer_fields.ts";
import { ERRORS, type ErrorCode } from "../domain/answers/errors.ts";
import { LOG_FRAME, LOG_LINE } from "../domain/logs/log_schema.ts";
import { RUN_POINT } from "../domain/runs/stats_schema.ts";
import { describeField } from "../domain/settings/field.ts";
import { fieldsOf, MASK, SECTION_NAMES, SECTIONS, type SectionName } from "../domain/settings/settings.ts";
import { PROGRESS_UPDATE, STATUS } from "../domain/status/status_schema.ts";
import { CURRENT_FILE, SNAPSHOT } from "../domain/sync/job_schema.ts";
import { JOURNEY_SEGMENT, VIEWER_RECORDING } from "../domain/viewer/viewer_schema.ts";
import { scopesOf } from "../http/auth/permissions.ts";
import { type Fields, refusalOf } from "../http/request/read_request.ts";
import { isForPrograms } from "../http/request/request_context.ts";
import { needsSignIn, type RouteAddress } from "../http/request/route.ts";
import { SESSION_COOKIE } from "../http/request/sessions.ts";
import { VERSION } from "../version.ts";
import type { DescribedAnswer, DescribedRoute, Description, Shape } from "./endpoint.ts";

type JsonSchema = Readonly<Record<string, unknown>>;

/** Schemas that stand once, by name, among the components, and are referred to elsewhere. */
const NAMED = {
  CurrentFile: CURRENT_FILE,
  Error: v.object({
    error: text("A sentence for people"),
    code: v.picklist(Object.keys(ERRORS)),
    details: v.record(v.string(), v.unknown()),
  }),
  JourneySegment: JOURNEY_SEGMENT,
  LogFrame: LOG_FRAME,
  LogLine: LOG_LINE,
  ProgressUpdate: PROGRESS_UPDATE,
  RunPoint: RUN_POINT,
  Snapshot: SNAPSHOT,
  Status: STATUS,
  ViewerRecording: VIEWER_RECORDING,
} as const satisfies Readonly<Record<string, v.GenericSchema>>;

const refTo = (name: string) => `#/components/schemas/${name}`;

const CONVERSION: ConversionConfig = {
  target: "draft-2020-12",
  // The last of several schemas in one pipe is the strictest.
  typeMode: "output",
  overrideRef: ({ referenceId }) => refTo(referenceId),
  overrideAction({ jsonSchema }) {
    const { refusal, camera, ...schema } = jsonSchema as JsonSchema;
    return refusal === undefined && camera === undefined ? undefined : schema;
  },
  // JSON Schema has no words for what only code decides, and JSON has no infinite number.
  ignoreActions: ["check", "finite", "readonly", "transform"],
};

/** In place of a schema that has a name. With `definitions` the converter would make all of them anew at each call. */
const referTo: NonNullable<ConversionConfig["overrideSchema"]> = ({ valibotSchema }) => {
  const name = NAMES.get(valibotSchema);
  return name === undefined ? undefined : { $ref: refTo(name) };
};
const NAMES: ReadonlyMap<unknown, string> = new Map(Object.entries(NAMED).map(([name, schema]) => [schema, name]));

/**
 * The description of the API, as OpenAPI 3.1, of the routes that are for programs.
 * @param base the path below which they are
 */
export async function openApi(routes: readonly DescribedRoute[], base = ""): Promise<JsonSchema> {
  const paths: Record<string, JsonSchema> = {};
  for (const { about, ...route } of routes) {
    const described = await about();
    if (described === null) continue;
    const path = pathOf(route.path);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, described) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Dashdock", version: VERSION, description: ABOUT, license: { name: "MIT", identifier: "MIT" } },
    servers: [{ url: base || "/" }],
    paths,
    components: {
      schemas: { ...toJsonSchemaDefs(NAMED, CONVERSION), ...settingsSchemas() },
      securitySchemes: {
        session: { type: "apiKey", in: "cookie", name: SESSION_COOKIE, description: SESSION },
        csrf: { type: "apiKey", in: "header", name: "X-CSRFToken", description: CSRF },
        key: { type: "http", scheme: "bearer", description: KEY },
        keyHeader: { type: "apiKey", in: "header", name: "X-API-Key", description: KEY },
        collector: { type: "http", scheme: "bearer", description: "The setting metrics.scrape_token." },
      },
    },
  };
}

const ABOUT =
  "What Dashdock tells and takes. Every GET endpoint answers HEAD as well. A method an endpoint does not know is 405 " +
  "METHOD_NOT_ALLOWED with `Allow`, an unknown path 404 NOT_FOUND. Answers may gain fields; ignore those you do not know. " +
  "Sentences for people write times as the language in `Accept-Language` does, and without one with 24 hours.";
const SESSION =
  "Set by signing in at /login. With auth.mode `none` no cookie is needed; with `proxy` the proxy in front says who it is.";
const KEY = "A key from POST /api/keys. It needs no CSRF token, and counts where a cookie comes along.";
const CSRF = "For every change: the token in the `csrf-token` meta tag of any page, bound to the same browser.";

/** The path as OpenAPI writes it: `/media/{path}`, `/api/settings/{section}`. */
export function pathOf(route: string): string {
  return route.replace(/:(\w+)/g, "{$1}").replace(/\*$/, "{path}");
}

function operation(route: RouteAddress, about: Description): JsonSchema {
  const { summary, body, answers } = about;
  const description = [about.description, scopesInWords(route.access)].filter(Boolean).join(" ");
  const parameters = [...parametersOf(about), ...cameraParameter(route, about)];
  const responses = Object.entries(answers).map(([status, answer]) => [status, responseOf(answer)]);
  return {
    operationId: `${route.method} ${route.path}`
      .toLowerCase()
      .replace(/ \/(api\/)?|\W+/g, "_")
      .replace(/_$/, ""),
    tags: [tagOf(route.path)],
    summary,
    ...(description && { description }),
    security: securityOf(route, about),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: typeof body === "string" || body.type !== "optional",
        content: contentOf(body),
      },
    }),
    responses: { ...Object.fromEntries(responses), ...refusalsOf(route, about) },
  };
}

function contentOf(body: Shape): JsonSchema {
  const schema = { type: "string", format: "binary" };
  if (body === "Backup") return { "application/zip": { schema } };
  if (body !== "Picture") return { "application/json": { schema: schemaOf(body) } };
  return { "image/jpeg": { schema }, "image/png": { schema } };
}

/** Parameters as they are read: what is null when it is left out has no null in an address. */
function parametersOf({ params, query, headers = {} }: Description): JsonSchema[] {
  const of = (place: "path" | "query", fields: Fields | undefined) =>
    Object.entries(fields?.entries ?? {}).map(([name, field]) => {
      const { description, ...schema } = schemaOf(field);
      const { anyOf: [first] = [schema] } = schema as { readonly anyOf?: readonly JsonSchema[] };
      return { name, in: place, required: place === "path", description, schema: first };
    });
  const ofHeaders = Object.entries(headers).map(([name, description]) => {
    return { name, in: "header", required: false, description, schema: { type: "string" } };
  });
  return [...of("path", params), ...of("query", query), ...ofHeaders];
}

/** Endpoints that are about one camera, and name it by no key. */
function cameraParameter({ path, access }: RouteAddress, { takesAll }: Description): JsonSchema[] {
  if (!needsSignIn(access) || /:(key|camera)\b|\*$/.test(path) || OF_NO_CAMERA.test(path)) return [];
  const all = takesAll ? ", or `all` for all cameras" : "";
  const description = `The id of a camera${all}; the first camera when it is left out`;
  return [{ name: "camera", in: "query", required: false, description, schema: { type: "string" } }];
}
const OF_NO_CAMERA = /^\/(api\/(auth|cameras|folders|keys|logs|openapi|shares)|tiles)\b/;

function responseOf({ description, type, schema }: DescribedAnswer): JsonSchema {
  const form = type ?? (schema && "application/json");
  return { description, ...(form && { content: { [form]: schema ? { schema: schemaOf(schema) } : {} } }) };
}

/** Refusals by status: several codes may share one. */
function refusalsOf(route: RouteAddress, about: Description): JsonSchema {
  const byStatus = Map.groupBy(codesOf(route, about), (code) => ERRORS[code].status);
  const responses = [...byStatus].map(([status, codes]) => {
    const schema = { allOf: [{ $ref: refTo("Error") }, { properties: { code: { enum: codes } } }] };
    const description = codes.map((code) => `${code}: ${ERRORS[code].meaning}`).join(". ");
    return [status, { description: `${description}.`, content: { "application/json": { schema } } }];
  });
  return Object.fromEntries(responses);
}

function codesOf({ method, path, access }: RouteAddress, about: Description): ReadonlySet<ErrorCode> {
  const codes = new Set<ErrorCode>();
  // Elsewhere a refusal is an HTML page.
  if (!isForPrograms(path)) return codes;
  codes.add("BAD_HOST");
  if (needsSignIn(access)) codes.add("AUTH_REQUIRED").add("HOST_NOT_ALLOWED").add("SCOPE").add("RATE_LIMITED");
  if (needsSignIn(access) && !OF_NO_CAMERA.test(path)) codes.add("CAMERA_NOT_FOUND");
  if (needsSignIn(access) && method !== "GET") codes.add("CSRF_FAILED").add("BODY_TOO_LARGE");
  for (const code of [...refusals(about), ...(about.errors ?? [])]) codes.add(code);
  return codes.add("INTERNAL").add("STARTING");
}

/** The codes with which a request is refused that is not as it is declared. */
function refusals({ params, query, body }: Description): ErrorCode[] {
  const declared = [params, query, body].filter((each) => typeof each === "object");
  const all = declared.flatMap((each) => [each, ...("entries" in each ? Object.values(each.entries as object) : [])]);
  return [
    ...all.flatMap((each) => refusalOf(each)?.code ?? []),
    ...(body && body !== "Picture" && body !== "Backup" ? (["INVALID_BODY"] as const) : []),
  ];
}

function securityOf({ method, access }: RouteAddress, { token }: Description): JsonSchema[] {
  const byKey = [{ key: [] }, { keyHeader: [] }];
  if (token) return [{}, { [token]: [] }, ...byKey];
  if (access === "open") return [];
  return [
    method === "GET" ? { session: [] } : { session: [], csrf: [] },
    ...(scopesOf(access).length > 0 ? byKey : []),
  ];
}

/** The scopes of keys that may call it, as a sentence. */
function scopesInWords(access: RouteAddress["access"]): string {
  const scopes = scopesOf(access).map((scope) => `\`${scope}\``);
  return scopes.length === 0 ? "" : `Takes a key with the scope ${scopes.join(", ").replace(/, ([^,]*)$/, " or $1")}.`;
}

/** `/api/sync/now` belongs to `sync`, `/healthz` to `service`. */
function tagOf(route: string): string {
  const [, root = "", noun = ""] = route.split("/");
  return root === "api"
    ? noun.replace(/\.json$/, "")
    : ["film", "media", "tiles"].includes(root)
      ? "viewer"
      : "service";
}

function schemaOf(shape: Shape): JsonSchema {
  if (typeof shape === "string") return { $ref: refTo(shape) };
  const { $schema, ...schema } = toJsonSchema(shape, { ...CONVERSION, overrideSchema: referTo });
  return schema;
}

/** The settings from their one table: as they are read, and what may be sent to change a section. */
function settingsSchemas(): Record<string, JsonSchema> {
  const schemas: Record<string, JsonSchema> = {};
  const sections: Record<string, JsonSchema> = {};
  for (const name of SECTION_NAMES) {
    const section = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    const fields = sectionFields(name);
    schemas[`${section}Settings`] = {
      type: "object",
      title: SECTIONS[name].label,
      properties: { _tier: { const: SECTIONS[name].tier }, ...fields },
      required: ["_tier", ...Object.keys(fields)],
    };
    schemas[`${section}Changes`] = {
      type: "object",
      title: `Changes to ${name}`,
      properties: { _tier: { description: "Ignored" }, ...fields },
      additionalProperties: false,
    };
    sections[name] = { $ref: refTo(`${section}Settings`) };
  }
  const changes = Object.keys(schemas).filter((name) => name.endsWith("Changes"));
  return {
    Settings: {
      type: "object",
      properties: { version: { type: "integer" }, ...sections },
      required: ["version", ...SECTION_NAMES],
    },
    Changes: { anyOf: changes.map((name) => ({ $ref: refTo(name) })) },
    ...schemas,
  };
}

function sectionFields(name: SectionName): Record<string, JsonSchema> {
  const fields = fieldsOf(name).map(([key, field]) => {
    const { check, initial, secret } = field;
    const description = describeField(field);
    if (secret?.remedy)
      return [key, { const: MASK, description: `${description} Never shown; to set it, ${secret.remedy}.` }];
    if (secret) return [key, { anyOf: [{ const: MASK }, schemaOf(check)], description: `${description} Never shown.` }];
    return [key, { ...schemaOf(check), default: initial, description }];
  });
  return Object.fromEntries(fields);
}
