import { expect, test } from "bun:test";
import { encodePassword } from "../../../server/dashcam/simulator/simulated_config.ts";
import { decryptPassword } from "../../../server/engine/camera/wifi_password_decryption.ts";

const VECTORS: readonly (readonly [plain: string, stored: string])[] = [
  ["throwaway-42", "672A212B031C1A3A58C29D0068A713E5245A9714C61A2D279E07F9D06760A06C"],
  ["", "C9A7F63B14BC1F6E532C4025BD640D3658D17CB9646AC01B29E32C427325C71D"],
  ["pässwörd-ü", "CC3525CA877671E37F7CACA0A510498576C9138873FE3B051F16F9648D4B91C1"],
  ["exactly-16-bytes", "517AE15D49226813187E7B46AF323509643CC0F43ABA3A5368B03EB07C1B36C3"],
  ["0123456789abcdef0", "147CFCF672100D1427F6A438088FA1D5D4B7FFDC2AC9004C0900F205965D9681"],
  ["x".repeat(32), "ACFECF3F3B6A67EE896E87903EFDCBFB564F429F1A368A306C644946FDCD88C9"],
  ["demo-cam", "14F26B26C93362897DB40E63C4A0B19ACE7784AE98C3871839B712AB6D046B86"],
  ["DemoHome-123", "1E1BC3E1AAF232190207C42ECF6427FA82B73AE39A7BCCDF8345B0D2B2AECF40"],
  ["DemoGarage-2", "4F87DFC8DC0622FEFE29F6D8BF799891781141FC71639C7CDB379848A905901D"],
  ["DemoPhone-33", "163EE7BD9DBAA49587393F98CCD74080B93B92D288397663D918078E57F45817"],
];

test.each(VECTORS)("%p is stored as %s, in either case of letters", (plain, stored) => {
  expect(decryptPassword(stored)).toBe(plain);
  expect(decryptPassword(stored.toLowerCase())).toBe(plain);
  expect(encodePassword(plain)).toBe(stored);
});

test.each(["hunter22", "", "A".repeat(63), "G".repeat(64)])("%p is stored as it is typed", (stored) => {
  expect(decryptPassword(stored)).toBe(stored);
});

test.each([
  ["noise", "0".repeat(64)],
  ["other noise", "F".repeat(64)],
  ["a NUL in its middle", encodePassword("a\0b")],
  ["a line break", encodePassword("a\nb")],
  ["a space that no keyboard types", encodePassword("a\u00a0b")],
  ["a private character", encodePassword("\ue000")],
])("%s is no password", (_, stored) => {
  expect(decryptPassword(stored)).toBeNull();
});

test.each(["x".repeat(33), "ü".repeat(17)])("%p is too long to be stored", (plain) => {
  expect(() => encodePassword(plain)).toThrow(RangeError);
});
