import { describe, expect, test } from "bun:test";
import { NotAListing } from "../../../server/domain/recordings/camera_listing.ts";
import { parseVodList } from "../../../server/domain/recordings/v1009_list.ts";

const FIRST = "20260702_141045_PF.mp4";
const SECOND = "20260702_141045_PR.mp4";
const listOf = (...entries: unknown[]) => JSON.stringify({ filelist: entries });
const named = (filename: string) => ({ filename });

describe("parseVodList()", () => {
  const read: [what: string, text: string, names: string[], strange: number][] = [
    ["the names in their order", listOf(named(SECOND), named(FIRST)), [SECOND, FIRST], 0],
    ["an empty card", listOf(), [], 0],
    ["a list over several lines", JSON.stringify({ filelist: [named(FIRST)] }, null, 2), [FIRST], 0],
    ["a list with more in it than is known", `{"total":1,"filelist":[{"filename":"${FIRST}","size":7}]}`, [FIRST], 0],
    ["a doubled entry once", listOf(named(FIRST), named(FIRST), named(SECOND)), [FIRST, SECOND], 0],
    ["names of other files, which the plan judges", listOf(named("readme.txt")), ["readme.txt"], 0],
    ["no path parts", listOf(named("../Config/x.mp4"), named(`/Record/${FIRST}`), named(FIRST)), [FIRST], 2],
    ["no path parts of Windows", listOf(named("..\\x.mp4"), named(FIRST)), [FIRST], 1],
    [
      "no control characters",
      listOf(named(`${FIRST}\n`), named("a\u0000.mp4"), named("\u007f.mp4"), named(FIRST)),
      [FIRST],
      3,
    ],
    [
      "entries of another kind as strange",
      listOf({}, [], null, 7, FIRST, named(""), { filename: 7 }, { filename: [FIRST] }, { name: FIRST }, named(FIRST)),
      [FIRST],
      9,
    ],
    ["a few strange entries in a long list", listOf(...Array(9999).fill({}), named(FIRST)), [FIRST], 9999],
    ["brackets and quotes in names as what they are", listOf(named('[{",'.repeat(50))), ['[{",'.repeat(50)], 0],
    [
      "a name like one of the language's own",
      listOf(named("__proto__"), named("constructor")),
      ["__proto__", "constructor"],
      0,
    ],
  ];
  test.each(read)("reads %s", (_, text, names, strange) => {
    const listing = parseVodList(text);
    expect(listing.files).toEqual(names.map((name) => ({ name, size: null })));
    expect(listing.strangeCount).toBe(strange);
    expect(listing.strange).toHaveLength(Math.min(strange, 5));
  });

  const refused: [what: string, text: string, words: string][] = [
    ["nothing", "", "empty"],
    ["blanks", " \r\n", "empty"],
    ["a web page", "<!DOCTYPE html><title>Router</title>", "web page"],
    ["a legacy list", `v:1.00\r\nn:/Record/${FIRST},s:1000000\r\n`, "no JSON"],
    ["a list that is cut off", listOf(named(FIRST), named(SECOND)).slice(0, -5), "cut off or damaged"],
    ["other JSON", '{"resultcode":"BC_ERR_BUSY"}', "without a list"],
    ["a list in place of the object", JSON.stringify([named(FIRST)]), "without a list"],
    ["no list at its place", '{"filelist":{"filename":"x"}}', "without a list"],
    ["no value at its place", '{"filelist":null}', "without a list"],
    ["a number", "7", "without a list"],
    ["nothing but strange entries", listOf(7, {}, named("/x.mp4")), "none of its entries"],
    ["thousands of strange entries", listOf(named(FIRST), ...Array(10_001).fill({})), "thousands of its entries"],
    ["millions of entries", `{"filelist":[${"{},".repeat(2_700_000)}{"filename":"${FIRST}"}]}`, "far more in it"],
    ["lists in lists", `{"filelist":${"[".repeat(300_000)}${"]".repeat(300_000)}}`, "far more in it"],
    ["lists in lists that never end", "[".repeat(3_000_000), "far more in it"],
    ["a deep entry", `{"filelist":[${'{"a":'.repeat(9000)}1${"}".repeat(9000)}]}`, "far more in it"],
    ["a text without an end", `{"filelist":[{"filename":"${"\\".repeat(1_000_001)}"`, "cut off or damaged"],
  ];
  test.each(refused)("refuses %s in plain words: it is never an empty card", (_, text, words) => {
    expect(() => parseVodList(text)).toThrow(NotAListing);
    expect(() => parseVodList(text)).toThrow(words);
  });

  test("shows of what was strange no more than a line of the log holds", () => {
    const { strange, strangeCount } = parseVodList(
      listOf(named(FIRST), ...Array(9).fill(named(`/${"x".repeat(500)}`))),
    );
    expect([strangeCount, strange.length, ...strange.map(({ length }) => length)]).toEqual([
      9, 5, 120, 120, 120, 120, 120,
    ]);
  });

  test("reads the list of a full card", () => {
    const names = Array.from({ length: 50_000 }, (_, at) => `${String(20_260_101_000_000 + at)}.mp4`);
    expect(parseVodList(listOf(...names.map(named))).files).toHaveLength(50_000);
    const more = { size: 1_000_000, locked: false, codec: "hevc", parts: [1, 2], tags: {} };
    expect(parseVodList(listOf(...names.map((name) => ({ ...named(name), ...more })))).files).toHaveLength(50_000);
  });
});
