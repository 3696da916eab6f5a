import { describe, expect, test } from "bun:test";
import { formatListing, NotAListing, parseListing } from "../../../server/domain/recordings/camera_listing.ts";

const FRONT = "20260607_101500_NF.mp4";
const REAR = "20260607_101500_NR.mp4";

/** The names a listing's text holds. */
function names(text: string): string[] {
  return parseListing(text).files.map(({ name }) => name);
}

describe("parseListing()", () => {
  test("reads what a camera prints: the version, names in order, and no size from the constant", () => {
    const text = `v:1.00\r\nn:/Record/${REAR},s:1000000\r\nn:/Record/${FRONT},s:1000000\r\n`;
    expect(parseListing(text)).toEqual({
      version: "1.00",
      files: [
        { name: REAR, size: null },
        { name: FRONT, size: null },
      ],
      strange: [],
      strangeCount: 0,
    });
  });

  const both = [FRONT, REAR];
  const entries = both.map((name) => `n:/Record/${name},s:1000000`);
  const tolerated: [sentence: string, text: string][] = [
    ["LF line ends", `v:1.00\n${entries.join("\n")}\n`],
    ["mixed line ends", `v:1.00\r\n${entries.join("\n")}\r\n`],
    ["no line end after the last line", `v:2.00\r\n${entries.join("\r\n")}`],
    ["blank lines anywhere", `\r\n\r\nv:1.00\r\n\r\n${entries.join("\r\n\r\n")}\r\n\r\n`],
    ["blanks around lines", `  v:1.00 \r\n\t${entries.join(" \r\n ")}  \r\n`],
    ["a byte order mark", `\ufeffv:1.00\r\n${entries.join("\r\n")}\r\n`],
    ["a version without a number", `v:\r\n${entries.join("\r\n")}\r\n`],
    ["every name twice", `v:1.00\r\n${[...entries, ...entries].join("\r\n")}\r\n`],
    ["a name twice with another size", `v:1.00\r\n${entries.join("\r\n")}\r\nn:/Record/${FRONT},s:7\r\n`],
  ];
  for (const [sentence, text] of tolerated)
    test(`tolerates ${sentence}`, () => {
      expect(names(text)).toEqual(both);
      expect(parseListing(text).strangeCount).toBe(0);
    });

  test("takes any other size as a hint", () => {
    const listing = parseListing(
      "v:1.00\nn:/Record/a.mp4,s:0\nn:/Record/b.mp4,s:73400320\nn:/Record/c.mp4,s:1000001\n",
    );
    expect(listing.files.map(({ size }) => size)).toEqual([0, 73_400_320, 1_000_001]);
  });

  test("the first of two entries for one name counts", () => {
    expect(parseListing("v:1\nn:/Record/a.mp4,s:5\nn:/Record/a.mp4,s:9\n").files).toEqual([{ name: "a.mp4", size: 5 }]);
  });

  test("keeps companions and names it cannot judge; those are for the plan", () => {
    const listed = [
      "20260607_101500_NF.thm",
      "20260607_101500_N.gps",
      "note, with comma.txt",
      "20251345_250000_NF.mp4",
    ];
    expect(names(`v:1.00\n${listed.map((name) => `n:/Record/${name},s:1`).join("\n")}`)).toEqual(listed);
  });

  const strange = [
    `n:/Record/../${FRONT},s:1`,
    `n:/Record/sub/${FRONT},s:1`,
    `n:/Record/..\\${FRONT},s:1`,
    `n:/Record//${FRONT},s:1`,
    `n:/etc/${FRONT},s:1`,
    `n:Record/${FRONT},s:1`,
    `n:/record/${FRONT},s:1`,
    `n:/Record/,s:1`,
    `n:/Record/${FRONT}`,
    `n:/Record/${FRONT},s:`,
    `n:/Record/${FRONT},s:-1`,
    `n:/Record/${FRONT},s:1.5`,
    `n:/Record/${FRONT},s:1e6`,
    `n:/Record/${FRONT},s:٣`,
    `n:/Record/${FRONT}, s:1`,
    `N:/Record/${FRONT},s:1`,
    "v:1.00",
    "hello",
  ];
  for (const line of strange)
    test(`${JSON.stringify(line)} is a strange line, and the good ones around it still count`, () => {
      const listing = parseListing(`v:1.00\r\n${line}\r\nn:/Record/${REAR},s:1000000\r\n`);
      expect(listing.files.map(({ name }) => name)).toEqual([REAR]);
      expect(listing).toMatchObject({ strange: [line], strangeCount: 1 });
    });

  test("a last line that was cut short is strange", () => {
    expect(parseListing(`v:1.00\r\n${entries[0]}\r\nn:/Record/20260607_10`)).toMatchObject({
      files: [{ name: FRONT, size: null }],
      strangeCount: 1,
    });
  });

  test("keeps at most five strange lines, none of them long, and counts them all", () => {
    const noise = Array.from({ length: 40 }, (_, index) => `${index} ${"x".repeat(1000)}`);
    const listing = parseListing(`v:1.00\n${entries[0]}\n${noise.join("\n")}`);
    expect(listing.strangeCount).toBe(40);
    expect(listing.strange).toEqual(noise.slice(0, 5).map((line) => line.slice(0, 120)));
  });

  test("the version line alone is the listing of an empty card", () => {
    for (const text of ["v:1.00", "v:1.00\r\n", "v:1.00\n\n\n"])
      expect(parseListing(text)).toMatchObject({ files: [], strangeCount: 0 });
  });

  const refused: [sentence: string, text: string, said: string][] = [
    ["nothing", "", "the answer is empty"],
    ["blanks", " \r\n\t\r\n", "the answer is empty"],
    ["a web page", "<!DOCTYPE html>\n<html><body>router</body></html>", "a web page"],
    ["a web page after blanks", "\r\n\r\n  <html>", "a web page"],
    ["XML", '<?xml version="1.0"?><list/>', "a web page"],
    ["JSON", '{"filelist":[]}', "JSON"],
    ["a JSON list", "[1, 2]", "JSON"],
    ["words", "mp4 only", "not a version line"],
    ["entries without a version", `${entries[0]}\r\n`, "not a version line"],
    ["random bytes", "\u0000\ufffd\ufffd\u0001v:1.00\n", "not a version line"],
    ["a version line and then no entry at all", "v:1.00\r\nhello\r\nworld\r\n", "none of its lines"],
    ["a version line and then a web page", "v:1.00\n<html>\n</html>\n", "none of its lines"],
    ["nothing but names that leave the folder", `v:1.00\nn:/Record/../${FRONT},s:1\n`, "none of its lines"],
  ];
  for (const [sentence, text, said] of refused)
    test(`refuses ${sentence} and says what it looked like`, () => {
      expect(() => parseListing(text)).toThrow(NotAListing);
      expect(() => parseListing(text)).toThrow(said);
    });

  test("agrees with the plain definition of an entry on lines put together at random", () => {
    const pieces = [
      "n:/Record/",
      "n:",
      "/",
      "\\",
      ",s:",
      ",",
      "s:",
      "12",
      "0",
      "x",
      "é",
      "٣",
      " ",
      "\t",
      "\r",
      ".mp4",
      "v:1",
      "😀",
    ];
    let seed = 1;
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    let entries = 0;
    for (let round = 0; round < 20_000; round++) {
      const middle = Array.from({ length: random(7) }, () => pieces[random(pieces.length)] ?? "").join("");
      const line = random(3) === 0 ? middle : `n:/Record/a${middle},s:${random(2_000_000)}`;
      const match = /^n:\/Record\/([^/\\]+),s:([0-9]+)$/.exec(line.trim());
      const { files, strangeCount } = parseListing(`v:1\nn:/Record/z,s:1\n${line}\n`);
      const read = files.slice(1).map(({ name, size }) => `${name} ${size}`);
      expect({ line, read }).toEqual({ line, read: match ? [`${match[1]} ${Number(match[2])}`] : [] });
      expect(strangeCount).toBe(match || line.trim() === "" ? 0 : 1);
      if (match) entries++;
    }
    expect(entries).toBeGreaterThan(1000);
  });

  test("reads the list of a full card in well under a second", () => {
    const many = Array.from({ length: 60_000 }, (_, index) => ({ name: `${index}.mp4` }));
    expect(parseListing(formatListing(many)).files.length).toBe(60_000);
  });
});

describe("formatListing()", () => {
  test("prints CRLF and the constant size, as cameras do", () => {
    expect(formatListing([{ name: FRONT }])).toBe(`v:1.00\r\nn:/Record/${FRONT},s:1000000\r\n`);
    expect(formatListing([])).toBe("v:1.00\r\n");
    expect(formatListing([{ name: FRONT, size: null }], "2.00")).toBe(`v:2.00\r\nn:/Record/${FRONT},s:1000000\r\n`);
  });

  test("is read back as it was, order and sizes included", () => {
    const files = [
      { name: REAR, size: 73_400_320 },
      { name: FRONT, size: null },
      { name: "20260607_101500_N.gps", size: 0 },
    ];
    expect(parseListing(formatListing(files, "2.00"))).toEqual({
      version: "2.00",
      files,
      strange: [],
      strangeCount: 0,
    });
  });
});
