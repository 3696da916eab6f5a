import { expect, test } from "bun:test";
import * as v from "valibot";
import { addressText, orNull, pageText } from "../../server/domain/answers/answer_fields.ts";
import { baseRewriteOf } from "../../server/domain/settings/keys_in_answers.ts";
import { ROUTES } from "../../server/routes.ts";

interface Part extends v.GenericSchema {
  readonly entries?: Readonly<Record<string, v.GenericSchema>>;
  readonly item?: v.GenericSchema;
  readonly value?: v.GenericSchema;
  readonly wrapped?: v.GenericSchema;
  readonly options?: readonly v.GenericSchema[];
}

/** Names of the texts in a shape that are an address by their name, and are not declared as one. */
function undeclared(schema: v.GenericSchema, name = ""): string[] {
  const { camera: part } = v.getMetadata(schema) as { readonly camera?: string };
  if (part !== undefined) return [];
  const { entries, item, value, wrapped, options, type } = schema as Part;
  if (entries !== undefined) return Object.entries(entries).flatMap(([key, of]) => undeclared(of, key));
  const inner = [
    item,
    wrapped,
    type === "record" ? value : undefined,
    ...(type === "picklist" ? [] : (options ?? [])),
  ].filter((one) => one !== undefined);
  if (inner.length > 0) return inner.flatMap((of) => undeclared(of, name));
  return type === "string" && /^(href|thumb|thumbnail|videos|picture|link)$|(^|_)url$/.test(name) ? [name] : [];
}

test("every address in an answer is declared as one, but for those that name a host", async () => {
  const found: string[] = [];
  for (const { about, path } of ROUTES)
    for (const { schema } of Object.values((await about())?.answers ?? {}))
      if (typeof schema === "object") for (const name of undeclared(schema)) found.push(`${path} ${name}`);
  expect(found).toEqual(["/api/shares url"]);
});

test("the base is put before addresses wherever they stand, and before nothing else", () => {
  const shape = v.object({
    key: v.string(),
    path: v.string(),
    href: pageText("A page"),
    thumb: orNull(addressText, "A picture"),
    videos: v.record(v.string(), addressText),
    list: v.array(v.object({ url: v.optional(addressText) })),
  });
  const rewrite = baseRewriteOf(shape);
  const value = {
    key: "/x",
    path: "/media/disk",
    href: "/settings#sync",
    thumb: null,
    videos: { F: "/media/a.mp4", R: "/media/b.mp4" },
    list: [{ url: "/api/x" }, {}],
  };
  expect(rewrite?.(value, "/dashcam")).toEqual({
    ...value,
    href: "/dashcam/settings#sync",
    videos: { F: "/dashcam/media/a.mp4", R: "/dashcam/media/b.mp4" },
    list: [{ url: "/dashcam/api/x" }, {}],
  });
  expect(value.href).toBe("/settings#sync");
  expect(baseRewriteOf(v.object({ key: v.string() }))).toBeNull();
});
