import type * as v from "valibot";
import { fieldsOf, MASK, SECTION_NAMES, SECTIONS, type SectionName } from "../settings/settings.ts";
import { ERROR } from "./api_schema.ts";
import { ERRORS, type ErrorCode } from "./errors.ts";
import { type JsonSchema, type SchemaNames, toJsonSchema } from "./json_schema.ts";

/** A schema of ours, or the name of one that is told once. */
export type Told = v.GenericSchema | { readonly $ref: string };

export interface Parameter {
  readonly in: "path" | "query" | "header";
  readonly description: string;
  readonly schema: Told;
}

export interface Answer {
  readonly description: string;
  /** Default: JSON when there is a schema, nothing when there is none. */
  readonly type?: string;
  readonly schema?: Told;
}

/** What is told of one endpoint. */
export interface Endpoint {
  readonly summary: string;
  readonly description?: string;
  /** Anyone; who is signed in; who brings the token for collectors, when one is set. */
  readonly access: "open" | "signed-in" | "collector";
  readonly parameters?: Readonly<Record<string, Parameter>>;
  readonly body?: Told;
  /** By status, without those of `errors`. */
  readonly answers: Readonly<Record<number, Answer>>;
  /** Beside what every endpoint of its kind may answer. */
  readonly errors?: readonly ErrorCode[];
}

export interface Description {
  readonly version: string;
  /** By `METHOD /path/:name`. */
  readonly endpoints: Readonly<Record<string, Endpoint>>;
  /** Schemas told once, by name. */
  readonly named: Readonly<Record<string, v.GenericSchema>>;
  readonly sessionCookie: string;
}

/** The description of the API, as OpenAPI 3.1. */
export function openApi({ version, endpoints, named, sessionCookie }: Description): JsonSchema {
  const schemas = { ...named, Error: ERROR };
  const names: SchemaNames = new Map(Object.entries(schemas).map(([name, schema]) => [schema, name]));
  const writer = new Writer(names);
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const [key, endpoint] of Object.entries(endpoints)) {
    const [method = "", route = ""] = key.split(" ");
    const path = pathOf(route);
    paths[path] = { ...paths[path], [method.toLowerCase()]: writer.operation(method, route, endpoint) };
  }
  const told = Object.entries(schemas).map(([name, schema]) => [name, toJsonSchema(schema, names)]);
  return {
    openapi: "3.1.0",
    info: { title: "Dashdock", version, description: ABOUT, license: { name: "MIT", identifier: "MIT" } },
    servers: [{ url: "/" }],
    paths,
    components: {
      schemas: { ...Object.fromEntries(told), ...settingsSchemas() },
      securitySchemes: {
        session: { type: "apiKey", in: "cookie", name: sessionCookie, description: SESSION },
        csrf: { type: "apiKey", in: "header", name: "X-CSRFToken", description: CSRF },
        collector: { type: "http", scheme: "bearer", description: "The setting metrics.scrape_token." },
      },
    },
  };
}

const ABOUT =
  "What Dashdock tells and takes. Every GET endpoint answers HEAD as well. A method an endpoint does not know is 405 " +
  "METHOD_NOT_ALLOWED with `Allow`, an unknown path 404 NOT_FOUND. Answers may gain fields; ignore those you do not know.";
const SESSION =
  "Set by signing in at /login. With auth.mode `none` no cookie is needed; with `proxy` the proxy in front says who it is.";
const CSRF = "For every change: the token in the `csrf-token` meta tag of any page, bound to the same browser.";

/** The path as OpenAPI writes it: `/media/{path}`, `/api/settings/{section}`. */
export function pathOf(route: string): string {
  return route.replace(/:(\w+)/g, "{$1}").replace(/\*$/, "{path}");
}

class Writer {
  readonly #names: SchemaNames;

  constructor(names: SchemaNames) {
    this.#names = names;
  }

  operation(method: string, route: string, endpoint: Endpoint): JsonSchema {
    const { summary, description, parameters = {}, body, answers } = endpoint;
    const told = Object.entries(answers).map(([status, answer]) => [status, this.#answer(answer)]);
    return {
      operationId: `${method} ${route}`
        .toLowerCase()
        .replace(/ \/(api\/)?|\W+/g, "_")
        .replace(/_$/, ""),
      tags: [tagOf(route)],
      summary,
      ...(description && { description }),
      security: securityOf(method, endpoint),
      ...(Object.keys(parameters).length > 0 && {
        parameters: Object.entries(parameters).map(([name, parameter]) => ({
          name,
          in: parameter.in,
          required: parameter.in === "path",
          description: parameter.description,
          schema: this.#told(parameter.schema),
        })),
      }),
      ...(body && { requestBody: { required: true, content: { "application/json": { schema: this.#told(body) } } } }),
      responses: { ...Object.fromEntries(told), ...this.#refusals(errorsOf(method, route, endpoint)) },
    };
  }

  #answer({ description, type, schema }: Answer): JsonSchema {
    const form = type ?? (schema && "application/json");
    return { description, ...(form && { content: { [form]: schema ? { schema: this.#told(schema) } : {} } }) };
  }

  /** Refusals by status: several codes may share one. */
  #refusals(codes: ReadonlySet<ErrorCode>): Record<string, JsonSchema> {
    const byStatus = Map.groupBy(codes, (code) => ERRORS[code].status);
    const told = [...byStatus].map(([status, same]) => {
      const schema = { allOf: [{ $ref: "#/components/schemas/Error" }, { properties: { code: { enum: same } } }] };
      const description = same.map((code) => `${code}: ${ERRORS[code].meaning}`).join(". ");
      return [status, { description: `${description}.`, content: { "application/json": { schema } } }];
    });
    return Object.fromEntries(told);
  }

  #told(schema: Told): JsonSchema {
    if ("$ref" in schema) return { $ref: schema.$ref };
    const name = this.#names.get(schema);
    return name === undefined ? toJsonSchema(schema, this.#names) : { $ref: `#/components/schemas/${name}` };
  }
}

/** `/api/sync/now` belongs to `sync`, `/healthz` to `service`. */
function tagOf(route: string): string {
  const [, root = "", noun = ""] = route.split("/");
  return root === "api" ? noun.replace(/\.json$/, "") : root === "media" ? "viewer" : "service";
}

function isChange(method: string): boolean {
  return method !== "GET";
}

function securityOf(method: string, { access }: Endpoint): JsonSchema[] {
  if (access === "open") return [];
  if (access === "collector") return [{}, { collector: [] }];
  return [isChange(method) ? { session: [], csrf: [] } : { session: [] }];
}

function errorsOf(method: string, route: string, { access, errors = [] }: Endpoint): ReadonlySet<ErrorCode> {
  const codes = new Set<ErrorCode>();
  // Elsewhere a refusal is a page for people.
  if (!route.startsWith("/api/")) return codes;
  if (access === "signed-in") codes.add("AUTH_REQUIRED").add("HOST_NOT_ALLOWED");
  if (access === "signed-in" && isChange(method)) codes.add("CSRF_FAILED").add("BODY_TOO_LARGE");
  for (const code of errors) codes.add(code);
  return codes.add("INTERNAL").add("STARTING");
}

/** Where the settings as a whole, and the changes to one section of them, are told. */
export const SETTINGS_REF = { $ref: "#/components/schemas/Settings" } as const;
export const CHANGES_REF = { $ref: "#/components/schemas/Changes" } as const;

/** The settings from their one table: as they are read, and what may be sent to change a section. */
function settingsSchemas(): Record<string, JsonSchema> {
  const told: Record<string, JsonSchema> = {};
  const sections: Record<string, JsonSchema> = {};
  for (const name of SECTION_NAMES) {
    const section = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    const fields = sectionFields(name);
    told[`${section}Settings`] = {
      type: "object",
      title: SECTIONS[name].label,
      properties: { _tier: { const: SECTIONS[name].tier }, ...fields },
      required: ["_tier", ...Object.keys(fields)],
    };
    told[`${section}Changes`] = {
      type: "object",
      title: `Changes to ${name}`,
      properties: { _tier: { description: "Ignored" }, ...fields },
      additionalProperties: false,
    };
    sections[name] = { $ref: `#/components/schemas/${section}Settings` };
  }
  const changes = Object.keys(told).filter((name) => name.endsWith("Changes"));
  return {
    Settings: {
      type: "object",
      properties: { version: { type: "integer" }, ...sections },
      required: ["version", ...SECTION_NAMES],
    },
    Changes: { anyOf: changes.map((name) => ({ $ref: `#/components/schemas/${name}` })) },
    ...told,
  };
}

function sectionFields(name: SectionName): Record<string, JsonSchema> {
  const fields = fieldsOf(name).map(([key, { check, initial, label, help, unit, secret }]) => {
    const description = `${label}${unit ? `, in ${unit}` : ""}. ${help}`;
    if (secret?.remedy)
      return [key, { const: MASK, description: `${description} Never shown; to set it, ${secret.remedy}.` }];
    if (secret)
      return [key, { anyOf: [{ const: MASK }, toJsonSchema(check)], description: `${description} Never shown.` }];
    return [key, { ...toJsonSchema(check), default: initial, description }];
  });
  return Object.fromEntries(fields);
}
