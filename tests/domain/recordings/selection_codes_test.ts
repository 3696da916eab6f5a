import { describe, expect, test } from "bun:test";
import { parseRecording } from "../../../server/domain/recordings/recording_name.ts";
import { codeProblem, isSelected, splitList } from "../../../server/domain/recordings/selection_codes.ts";
import { upperCode } from "../../../server/domain/recordings/upper_code.ts";

/** True when the rules let `<type><direction>[flag]` through. */
function passes(letters: string, include: readonly string[], exclude: readonly string[] = []): boolean {
  const recording = parseRecording(`20260607_101500_${letters}.mp4`);
  if (!recording) throw new Error(`${letters} makes no recording`);
  return isSelected(recording.type, recording.direction, include, exclude);
}

describe("codeProblem()", () => {
  test("accepts every type alone and with every direction", () => {
    for (const type of "MEIBOATRXGDLYFNP") {
      expect(codeProblem(type)).toBeNull();
      for (const direction of "FRIO") expect(codeProblem(type + direction)).toBeNull();
    }
  });

  for (const code of [
    "",
    " ",
    "Z",
    "ZZ",
    "ZF",
    "PX",
    "ABC",
    "NFL",
    "nfl",
    "zf",
    "ſ",
    "ﬀ",
    "1F",
    "P,R",
    " P",
    "P ",
    "P\n",
    "toString",
    "Ｎ",
    "🚗",
  ])
    test(`refuses ${JSON.stringify(code)} with a sentence that quotes it and names the letters`, () => {
      const problem = codeProblem(code);
      expect(problem).toContain(JSON.stringify(code));
      expect(problem).toContain("M E I B O A T R X G D L Y F N P");
      expect(problem).toContain("F R I O");
    });
});

describe("upperCode()", () => {
  for (const [code, stored] of [
    ["nf", "NF"],
    ["nF", "NF"],
    ["p", "P"],
    ["PR", "PR"],
    ["zf", "ZF"],
    ["nfl", "nfl"],
    ["ſ", "ſ"],
    ["", ""],
  ] as const)
    test(`${JSON.stringify(code)} is ${JSON.stringify(stored)}, and says the same`, () => {
      expect(upperCode(code)).toBe(stored);
      expect(codeProblem(code) === null).toBe(codeProblem(stored) === null);
    });
});

describe("splitList()", () => {
  for (const [text, items] of [
    ["PF", ["PF"]],
    ["P", ["P"]],
    ["PF, PR", ["PF", "PR"]],
    ["P,NF", ["P", "NF"]],
    ["", []],
    ["   ", []],
    [" , ,", []],
    ["\tP ,, NF\n", ["P", "NF"]],
  ] as const)
    test(`splits ${JSON.stringify(text)}`, () => {
      expect(splitList(text)).toEqual([...items]);
      for (const code of splitList(text)) expect(codeProblem(code)).toBeNull();
    });
});

describe("isSelected()", () => {
  const cases: [sentence: string, letters: string, include: string[], exclude: string[], selected: boolean][] = [
    ["no rules let everything through", "NF", [], [], true],
    ["no rules let an unknown type through", "ZX", [], [], true],
    ["a type code takes every direction", "PR", ["P"], [], true],
    ["a type code takes no other type", "NR", ["P"], [], false],
    ["a code with a direction takes that direction", "NF", ["NF"], [], true],
    ["a code with a direction takes no other", "NR", ["NF"], [], false],
    ["any of several codes is enough", "EI", ["P", "NF", "EI"], [], true],
    ["an upload flag does not matter to a code", "NFL", ["NF"], [], true],
    ["an upload flag is not taken for a direction", "NFL", ["NL"], [], false],
    ["exclude alone takes out what it names", "PF", [], ["P"], false],
    ["exclude alone leaves the rest", "NF", [], ["P"], true],
    ["exclude wins over include", "PF", ["P"], ["P"], false],
    ["exclude can take one direction out of an included type", "NR", ["N"], ["NR"], false],
    ["and leaves the other", "NF", ["N"], ["NR"], true],
    ["a narrower include does not save from a wider exclude", "NF", ["NF"], ["N"], false],
  ];
  for (const [sentence, letters, include, exclude, selected] of cases)
    test(sentence, () => expect(passes(letters, include, exclude)).toBe(selected));
});
