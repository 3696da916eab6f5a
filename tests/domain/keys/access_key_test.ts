import { expect, test } from "bun:test";
import { hasKeyInQuery, hintOf, isKeyText, keyText } from "../../../server/domain/keys/access_key.ts";

const bytes = (byte: number) => new Uint8Array(32).fill(byte);
const KEY = keyText(crypto.getRandomValues(new Uint8Array(32)));

test("a key is `dd_` and 43 digits of base 62, also of the lowest and the highest number", () => {
  expect(keyText(bytes(0))).toBe(`dd_${"0".repeat(43)}`);
  expect(keyText(bytes(255))).toBe("dd_yhjskwdA6OZ1AL1YmHWZWm8LLG7HjnuCA2j5rOw8Xp1");
  expect(keyText(Uint8Array.from({ length: 32 }, (_, at) => (at === 31 ? 61 : 0)))).toBe(`dd_${"0".repeat(42)}z`);
  expect(() => keyText(new Uint8Array(31))).toThrow("32 bytes");
});

for (const [text, is] of [
  [KEY, true],
  ["", false],
  ["dd_", false],
  [KEY.slice(0, -1), false],
  [`${KEY}0`, false],
  [KEY.toUpperCase(), false],
  [`${KEY}\n`, false],
  [`${KEY.slice(0, -1)}-`, false],
  [`${KEY.slice(0, -1)}٣`, false],
  [`${KEY},${KEY}`, false],
] as const)
  test(`${JSON.stringify(text.replace(KEY.slice(3, -1), "…"))} is ${is ? "the text of a key" : "none"}`, () =>
    expect(isKeyText(text)).toBe(is));

for (const [address, has] of [
  [`/api/status?key=${KEY}`, true],
  [`/api/status?a=1&token=x${KEY}y`, true],
  [`http://127.0.0.1/metrics?${KEY}`, true],
  [`/media/${KEY}`, false],
  ["/api/search?q=dd_", false],
  [`/api/search?q=${"dd_&".repeat(4000)}`, false],
] as const)
  test(`${address.slice(0, 40)} has ${has ? "a key" : "no key"} in its query`, () =>
    expect(hasKeyInQuery(address)).toBe(has));

test("what is shown of a key tells four of its 43 digits", () => {
  expect(hintOf(KEY)).toBe(`${KEY.slice(0, 7)}…`);
});
