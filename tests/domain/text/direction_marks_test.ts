import { expect, test } from "bun:test";
import { withoutDirectionMarks } from "../../../server/domain/text/direction_marks.ts";

test("takes out what turns the direction of writing, and no letter of any script", () => {
  const marks = [0x61c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069];
  for (const mark of marks) expect(withoutDirectionMarks(`a${String.fromCodePoint(mark)}b`)).toBe("ab");
  for (const text of ["", "Größe", "مرحبا", "שלום", "駐車", "👩‍🚗", "1\u202f234", "a\u200bb"])
    expect(withoutDirectionMarks(text)).toBe(text);
});
