import { expect, test } from "bun:test";
import { versionBin } from "../../../server/dashcam/simulator/simulated_config.ts";
import { parseVersion, versionText } from "../../../server/domain/camera/camera_version.ts";

test.each<[string, string, string | null, string | null, string | null]>([
  [
    "the usual file",
    "[firmware]\r\nversion = 1.015\r\nmodel = DR900X Plus\r\nlanguage = English\r\n\r\n[config]\r\nversion = 1.071\r\n",
    "DR900X Plus",
    "1.015",
    "DR900X Plus · fw 1.015",
  ],
  ["colons and other cases of letters", "[firmware]\nModel: X\nVERSION: 2", "X", "2", "X · fw 2"],
  ["a section of another case", "[Firmware]\nmodel=X", "[Firmware]\nmodel=X", null, "[Firmware]\nmodel=X"],
  ["only a model", "[firmware]\nmodel=X\n[config]\nversion=3", "X", null, "X"],
  ["only a version", "[firmware]\nversion=1", null, "1", null],
  ["a bare name", "DR900X-2.013\0\u0001", "DR900X-2.013", null, "DR900X-2.013"],
  ["a bare name with a number", "DR900X-2CH 1.012", "DR900X-2CH 1.012", null, "DR900X-2CH 1.012"],
  [
    "sections without the one of the firmware",
    "[config]\nversion=2",
    "[config]\nversion=2",
    null,
    "[config]\nversion=2",
  ],
  ["what is no UTF-8", "[firmware]\nmodel=Caf\ufffd", "Caf\ufffd", null, "Caf\ufffd"],
  ["a tab", "DR900X\t2CH", "DR900X2CH", null, "DR900X2CH"],
  ["nothing", "\0\0", null, null, null],
  ["a page", "<html><body>Login</body></html>", null, null, null],
])("%s of a version.bin", (_, text, model, firmware, shown) => {
  const version = parseVersion(new TextEncoder().encode(text));
  expect(version).toEqual({ model, firmware });
  expect(versionText(version)).toBe(shown);
});

test("the whole of a camera's file tells its model and its firmware, and no other version of it", () => {
  expect(parseVersion(new TextEncoder().encode(versionBin()))).toEqual({ model: "DR900X Plus", firmware: "1.015" });
});

test("a long text is no name of a model", () => {
  expect(parseVersion(new TextEncoder().encode("x".repeat(5000))).model).toHaveLength(100);
});
