import { describe, expect, test } from "bun:test";
import { anchorOf, chapterOf, headingsOf, wordsOf } from "../../../server/domain/guide/chapters.ts";

describe("anchorOf", () => {
  test.each([
    ["Find the address of the camera", "find-the-address-of-the-camera"],
    ["The camera’s Wi-Fi sleeps", "the-cameras-wi-fi-sleeps"],
    ["`doctor`: why a camera cannot be reached", "doctor-why-a-camera-cannot-be-reached"],
    ["Camera address `connection.address`", "connection-address"],
    ["Delete oldest above, in % of the disk `retention.max_percent`", "retention-max_percent"],
  ])("of %p is %p", (heading, anchor) => expect(anchorOf(heading)).toBe(anchor));
});

describe("a chapter", () => {
  const chapter = chapterOf(
    "cameras",
    "# The camera's \"own\" name\n\nIt's \"so\".\n\n## Don't\n\n```sh\n# it's \"code\"\n```\n\n`a'b` [x](y.md#it's)\n\n### More\n",
  );

  test("has a title, and the apostrophes and quotation marks of print but in code and addresses", () => {
    expect(chapter.title).toBe("The camera’s “own” name");
    expect(chapter.text).toBe(
      "It’s “so”.\n\n## Don’t\n\n```sh\n# it's \"code\"\n```\n\n`a'b` [x](y.md#it's)\n\n### More\n",
    );
  });

  test("has headings, to which comments of a shell do not count", () => {
    expect(headingsOf(chapter)).toEqual([
      { level: 2, title: "Don’t" },
      { level: 3, title: "More" },
    ]);
  });

  test("is words without marks", () => {
    expect(wordsOf("**Bold** and *leaning* `code` [a link](there.md) a*b*c")).toBe(
      "Bold and leaning code a link a*b*c",
    );
  });
});
