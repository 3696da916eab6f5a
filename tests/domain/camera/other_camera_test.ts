import { describe, expect, test } from "bun:test";
import { parseConfig } from "../../../server/domain/camera/config_file.ts";
import { identityOf, isOtherCamera, otherCameraInWords } from "../../../server/domain/camera/other_camera.ts";

const iniOf = (text: string) => parseConfig(new TextEncoder().encode(text));
const CAR = { model: "DR590X", hotspot: "Car-01" };
const TRUCK = { model: "DR770X-2CH", hotspot: "Truck-5F" };

describe("a camera is another one", () => {
  test.each([
    ["of another model with another Wi-Fi name", TRUCK, true],
    ["but for a Wi-Fi that was renamed", { ...CAR, hotspot: "Truck-5F" }, false],
    ["but for other firmware that names its model otherwise", { ...CAR, model: "DR590X-2CH 1.008" }, false],
    ["but for other letters in its model's name", { model: "dr590x", hotspot: "Car-02" }, false],
    ["but for nothing", CAR, false],
    ["but for what it does not tell", null, false],
  ])("%s: %o is %p", (_, found, isOther) => {
    expect([isOtherCamera(CAR, found), isOtherCamera(null, found)]).toEqual([isOther, false]);
  });
});

describe("a camera tells", () => {
  test.each([
    ["its model and the name of its Wi-Fi", "DR590X", "[Wifi]\nap_ssid= Car-01 \n", CAR],
    ["no model", null, "[Wifi]\nap_ssid=Car-01\n", null],
    ["no Wi-Fi name", "DR590X", "[Cloud]\nsta_ssid=Home\n", null],
    ["an empty Wi-Fi name", "DR590X", "[Wifi]\nap_ssid=\n", null],
  ])("%s", (_, model, config, identity) => {
    expect(identityOf(model, iniOf(config))).toEqual(identity);
  });
});

test("another camera is told with its model and the name of its Wi-Fi", () => {
  expect(otherCameraInWords("192.168.1.67", { known: CAR, found: TRUCK })).toEqual({
    sentence: "Another camera answers at 192.168.1.67.",
    detail: "It is a DR770X-2CH with the Wi-Fi name “Truck-5F”. Until now a DR590X was there.",
  });
  expect(otherCameraInWords("cam", { known: CAR, found: { ...TRUCK, model: "Elite 9" } }).detail).toStartWith(
    "It is an Elite 9 with",
  );
});
