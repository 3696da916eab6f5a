import { afterAll, beforeAll, expect, test } from "bun:test";
import * as v from "valibot";
import { readForm, TYPED } from "../../../server/http/request/read_request.ts";
import type { Route } from "../../../server/http/request/route.ts";
import { HttpStage, SAMPLES, type StageApp } from "../../support/app/http.ts";

const SENT = v.object({ name: TYPED, keep: v.nullable(v.string(), "later"), zone: v.nullable(v.string()) });

const FORM: Route<StageApp> = {
  method: "POST",
  path: "/api/form",
  access: "open",
  handle: async (context) => Response.json(await readForm(context, SENT)),
};

let stage: HttpStage;
beforeAll(async () => {
  stage = await HttpStage.open({ auth: { mode: "none" }, routes: [...SAMPLES, FORM] });
});
afterAll(() => stage[Symbol.asyncDispose]());

async function read(body: FormData | URLSearchParams | string): Promise<unknown> {
  const sent = new Request("http://dashdock.test", { method: "POST", body });
  const headers = { "content-type": sent.headers.get("content-type") ?? "" };
  const bytes = new Uint8Array(await sent.arrayBuffer());
  return (await stage.browser().ask("/api/form", { method: "POST", body: bytes, headers })).json();
}

test("a form is read as declared, and what it leaves out has its usual value", async () => {
  expect(await read(new URLSearchParams("name=a+b&keep=2w&zone=UTC&more=1"))).toEqual({
    name: "a b",
    keep: "2w",
    zone: "UTC",
  });
  const left = { name: "", keep: "later", zone: null };
  expect(await read(new URLSearchParams("keep="))).toEqual({ ...left, keep: "" });
  expect(await read("name=a")).toEqual(left);
});

test("of a name that stands there twice the first counts, and a file counts as left out", async () => {
  expect(await read(new URLSearchParams("name=a&name=b"))).toMatchObject({ name: "a" });
  const form = new FormData();
  form.append("name", new Blob(["a"]), "name.txt");
  form.append("zone", "UTC");
  expect(await read(form)).toEqual({ name: "", keep: "later", zone: "UTC" });
});
