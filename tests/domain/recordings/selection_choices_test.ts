import { describe, expect, test } from "bun:test";
import { TYPES } from "../../../server/domain/recordings/recording_codes.ts";
import {
  hasCamera,
  hasKind,
  leftOut,
  type Selection,
  turnCamera,
  turnKind,
} from "../../../server/domain/recordings/selection_choices.ts";

const ALL: Selection = { include: [], exclude: [] };
const select = (include: string, exclude = ""): Selection => ({
  include: include.split(" ").filter(Boolean),
  exclude: exclude.split(" ").filter(Boolean),
});
const WITHOUT_INTERIOR = turnCamera(ALL, "I", false);

describe("what is downloaded, as buttons", () => {
  test("shows which kinds and cameras the codes let through", () => {
    const rows: [selection: Selection, kinds: string, cameras: string][] = [
      [ALL, "NEMP", "FRI"],
      [select("", "P"), "NEM", "FRI"],
      [select("E"), "E", "FRI"],
      [select("NF"), "N", "F"],
      [select("", "PI NI"), "NEMP", "FRI"],
      [WITHOUT_INTERIOR, "NEMP", "FR"],
    ];
    for (const [selection, kinds, cameras] of rows) {
      expect([..."NEMP"].filter((kind) => hasKind(selection, kind)).join("")).toBe(kinds);
      expect([..."FRI"].filter((camera) => hasCamera(selection, camera)).join("")).toBe(cameras);
    }
  });

  test("turns kinds off and on, and back to where it began", () => {
    const rows: [selection: Selection, kind: string, isOn: boolean, then: Selection][] = [
      [ALL, "P", false, select("", "P")],
      [select("", "P"), "P", true, ALL],
      [select("", "P PI"), "P", true, ALL],
      [select("E"), "N", true, select("E N")],
      [select("E"), "E", false, select("E", "E")],
      [turnKind(WITHOUT_INTERIOR, "P", false), "P", true, WITHOUT_INTERIOR],
    ];
    for (const [selection, kind, isOn, then] of rows) expect(turnKind(selection, kind, isOn)).toEqual(then);
  });

  test("turns a camera off for every kind, and on again", () => {
    expect(WITHOUT_INTERIOR.exclude.length).toBe(Object.keys(TYPES).length);
    expect(turnCamera(WITHOUT_INTERIOR, "I", true)).toEqual(ALL);
    expect(turnCamera(select("NF EF"), "R", true)).toEqual(select("NF EF NR ER"));
    expect(turnCamera(select("", "P NI"), "I", false).exclude[0]).toBe("P");
  });

  test("counts what is left out of a camera's list", () => {
    const listed = { NF: 10, NR: 10, PF: 3, NI: 2 };
    expect(leftOut(ALL, listed)).toBe(0);
    expect(leftOut(select("", "P"), listed)).toBe(3);
    expect(leftOut(turnKind(WITHOUT_INTERIOR, "P", false), listed)).toBe(5);
  });
});
