import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import type { Description } from "../../server/api/endpoint.ts";
import { openApi, pathOf } from "../../server/api/openapi.ts";
import { ERRORS, type ErrorCode } from "../../server/domain/answers/errors.ts";
import { isForPrograms } from "../../server/http/request/request_context.ts";
import type { RouteAddress } from "../../server/http/request/route.ts";
import { ROUTES } from "../../server/routes.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { nodeOf } from "../support/app/json_schema.ts";

setDefaultTimeout(30_000);

interface Declared {
  readonly route: RouteAddress;
  readonly about: Description;
}

const DOCUMENT = nodeOf(JSON.parse(JSON.stringify(await openApi(ROUTES))));
const ALL: Declared[] = [];
for (const route of ROUTES.filter(({ path }) => isForPrograms(path))) {
  const about = await route.about();
  if (about !== null) ALL.push({ route, about });
}

const nameOf = ({ method, path }: RouteAddress) => `${method} ${path}`;

/** Codes that the description names under a status. */
function codesOf({ method, path }: RouteAddress, status: number): readonly string[] {
  const operation = nodeOf(nodeOf(nodeOf(DOCUMENT["paths"])[pathOf(path)])[method.toLowerCase()]);
  return JSON.stringify(nodeOf(operation["responses"])[String(status)] ?? null).match(/[A-Z]{2,}(_[A-Z]+)*/g) ?? [];
}

/** Values of every kind that JSON has. */
const KINDS: readonly unknown[] = [null, true, false, 0, -1, 0.5, "", "x", [], ["x"], [null], {}, { x: 1 }];

/** Bodies of every kind, and those in which one field of the right ones is of another. */
function bodiesFor(body: v.GenericSchema): unknown[] {
  const fields = fieldsIn(body);
  return [...KINDS, ...fields.flatMap((name) => KINDS.map((value) => ({ [name]: value })))];
}

/** Names of the fields of a body, also of each form that it may have. */
function fieldsIn(schema: object): string[] {
  if ("entries" in schema) return Object.keys(schema.entries as object);
  if ("options" in schema) return (schema.options as object[]).flatMap(fieldsIn);
  return "wrapped" in schema ? fieldsIn(schema.wrapped as object) : [];
}

const TEXTS = [
  "",
  "x",
  "-1",
  "0.5",
  "1e999",
  "NaN",
  "null",
  "__proto__",
  "2026-13-01",
  "%",
  "\u0000",
  "x".repeat(3000),
];

let running: RunningApp;
beforeAll(async () => {
  running = await startApp();
  await running.client.open("/");
});
afterAll(() => running[Symbol.asyncDispose]());

/** The path with this in the place of each of its parts. */
const filled = (path: string, part = "20000101_000000_N") =>
  path.replace(/:\w+/g, encodeURIComponent(part)).replace("*", "x.mp4");

/** Checks that a refusal has the shape of all refusals, and a code that the description tells of. */
async function expectRefusal(route: RouteAddress, given: unknown, answer: Response): Promise<void> {
  const told = (await answer.json()) as { error: unknown; code: ErrorCode; details: unknown };
  const where = `${nameOf(route)} with ${JSON.stringify(given)}`;
  expect([where, Object.keys(told).sort()]).toEqual([where, ["code", "details", "error"]]);
  expect([where, typeof told.error, typeof told.details]).toEqual([where, "string", "object"]);
  expect([where, answer.status]).toEqual([where, ERRORS[told.code].status]);
  expect([where, codesOf(route, answer.status)]).toEqual([where, expect.arrayContaining([told.code])]);
  // The library's own sentences are for programmers.
  expect([where, String(told.error)]).toEqual([where, expect.not.stringMatching(/^Invalid |but received/)]);
  if (told.code === "VALIDATION_ERROR")
    expect([where, told.details]).toEqual([
      where,
      { field_errors: expect.arrayContaining([{ path: expect.any(String), message: expect.any(String) }]) },
    ]);
}

describe("a body that is not as its endpoint declares it is refused before anything is done", () => {
  for (const { route, about } of ALL) {
    const { body } = about;
    if (body === undefined) continue;
    test(nameOf(route), async () => {
      const isWrong = (value: unknown) => typeof body === "string" || !v.is(body, value);
      const wrong =
        typeof body === "string"
          ? KINDS.filter((value) => !v.is(v.object({}), value))
          : bodiesFor(body).filter(isWrong);
      // Settings are tried only with bodies that are no objects: their fields have a table of their own.
      expect(wrong.length).toBeGreaterThan(5);
      for (const value of wrong) {
        const path = filled(route.path).replace("/settings/20000101_000000_N", "/settings/sync");
        const answer = await running.client.send(route.method, path, JSON.stringify(value));
        expect([value, answer.status, [400, 422].includes(answer.status)]).toEqual([value, answer.status, true]);
        await expectRefusal(route, value, answer);
      }
    });
  }
});

describe("a query that is not as its endpoint declares it is refused, and one that may hold anything is answered", () => {
  for (const { route, about } of ALL) {
    const { query } = about;
    if (query === undefined || route.path.endsWith("/stream")) continue;
    test(nameOf(route), async () => {
      for (const [name, field] of Object.entries(query.entries))
        for (const text of TEXTS) {
          const asked = `${filled(route.path)}?${name}=${encodeURIComponent(text)}`;
          const answer = await running.client.send(route.method, asked);
          if (v.is(field, text) && answer.ok) await answer.body?.cancel();
          else await expectRefusal(route, asked, answer);
          if (!v.is(field, text)) expect([asked, [400, 404, 422].includes(answer.status)]).toEqual([asked, true]);
        }
    });
  }
});

describe("a path whose part is not as its endpoint declares it leads nowhere", () => {
  for (const { route, about } of ALL) {
    const { params } = about;
    if (params === undefined || route.path.includes("*")) continue;
    test(nameOf(route), async () => {
      for (const text of ["x", "-1", "20000101_000000_n", "20009999_999999_N"]) {
        const answer = await running.client.send(route.method, filled(route.path, text), about.body && "{}");
        expect([text, answer.status]).toEqual([text, 404]);
        await expectRefusal(route, text, answer);
      }
    });
  }
});

test("endpoints take nothing of a request but what they declare", () => {
  const folder = join(import.meta.dir, "../../server/api");
  // The compiler keeps them from the context; the raw request has an address and a body as well.
  const own = /searchParams|request\.(url|json|text|body|formData|bytes|blob|arrayBuffer)\b/;
  for (const name of readdirSync(folder).filter((file) => file !== "endpoint.ts"))
    expect([name, own.exec(readFileSync(join(folder, name), "utf8"))?.[0]]).toEqual([name, undefined]);
});
