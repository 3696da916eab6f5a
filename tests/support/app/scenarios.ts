import { expect } from "bun:test";
import type { Client } from "./client.ts";

/** One row of a tour: a request, and everything its answer must be. */
export interface Scenario {
  name: string;
  /** Method, path, JSON body (or text that is sent as it is), more headers. */
  ask: readonly [method: string, path: string, body?: unknown, headers?: Record<string, string>];
  status: number;
  /** Values that the answer's headers have; null: the header is not there. */
  headers?: Record<string, string | RegExp | null>;
  /** Parts of the JSON body; arrays are compared as a whole. */
  has?: Record<string, unknown>;
  /** The whole JSON body. */
  is?: unknown;
  /** Parts that the body's text has. */
  says?: readonly (string | RegExp)[];
  /** Parts that the body's text does not have. */
  lacks?: readonly (string | RegExp)[];
}

/** Headers of all answers: the policy of what pages may load, and that nothing is kept. */
export const ALWAYS: Readonly<Record<string, string | RegExp>> = {
  "content-security-policy": /^default-src 'none'; script-src 'self'; style-src 'self';/,
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
  "permissions-policy": /geolocation=\(\)/,
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

/** Plays one row and checks all of it. */
export async function play(client: Client, { ask, ...row }: Scenario): Promise<void> {
  const [method, path, body, headers] = ask;
  const answer = await client.send(method, path, body, headers);
  const text = answer.headers.get("content-type")?.startsWith("text/event-stream")
    ? await firstOf(answer)
    : await answer.text();
  expect([answer.status, text.slice(0, 400)]).toEqual([row.status, expect.any(String)]);
  expectHeaders(answer.headers, { ...ALWAYS, ...row.headers });
  if (method === "HEAD") expect(text).toBe("");
  if (row.has) expect(JSON.parse(text)).toMatchObject(row.has);
  if (row.is !== undefined) expect(JSON.parse(text)).toEqual(row.is);
  for (const part of row.says ?? []) expect(text).toMatch(part);
  for (const part of row.lacks ?? []) expect(text).not.toMatch(part);
}

export function expectHeaders(headers: Headers, wanted: Readonly<Record<string, string | RegExp | null>>): void {
  for (const [name, value] of Object.entries(wanted)) {
    const found = headers.get(name);
    if (value instanceof RegExp) expect([name, found]).toEqual([name, expect.stringMatching(value)]);
    else expect([name, found]).toEqual([name, value]);
  }
}

/** The envelope of an error, with these details or any. */
export function refused(code: string, details?: unknown): Record<string, unknown> {
  return { error: expect.any(String), code, details: details ?? expect.any(Object) };
}

/** Reads the first part of a stream, then hangs up. */
async function firstOf(answer: Response): Promise<string> {
  const reader = answer.body?.getReader();
  const part = await reader?.read();
  await reader?.cancel();
  return new TextDecoder().decode(part?.value);
}
