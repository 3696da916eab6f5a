import { expect, test } from "bun:test";
import { elements, escaped, value } from "../../../server/remote/s3/xml_values.ts";

const LIST = `<?xml version="1.0"?><List xmlns="x"><Key>a</Key><KeyMarker>no</KeyMarker><Key x="1">b&amp;c</Key><Key/></List>`;

test("elements are found by their whole name, in order", () => {
  expect(elements(LIST, "Key")).toEqual(["a", "b&amp;c"]);
  expect(elements(LIST, "KeyMarker")).toEqual(["no"]);
  expect(elements(LIST, "None")).toEqual([]);
  expect(elements(`${LIST}<Key>cut`, "Key")).toEqual(["a", "b&amp;c"]);
  expect(elements("<Key", "Key")).toEqual([]);
});

test("a text is as it was before it was escaped", () => {
  for (const text of ["a", "<&>\"'", "ü 🚗", "&amp;"]) expect(value(`<A>${escaped(text)}</A>`, "A")).toBe(text);
  expect(value("<A>&#x41;&#66;&lt;&nothing;&#x110000;</A>", "A")).toBe("AB<&nothing;&#x110000;");
  expect(value("<A></A>", "A")).toBe("");
  expect(value("<B></B>", "A")).toBeNull();
});
