import { describe, expect, test } from "bun:test";
import { MOST_GSENSOR_BYTES, readGsensor } from "../../../server/domain/recordings/gsensor_file.ts";

const bytesOf = (hex: string) => Uint8Array.from(hex.split(" ").map((byte) => Number.parseInt(byte, 16)));

describe("readGsensor()", () => {
  const cases: [hex: string, t: number, x: number, y: number, z: number, magnitude: number][] = [
    ["00 00 00 00 00 80 00 00 00 00", 0, 1, 0, 0, 1],
    ["00 00 02 df 00 82 00 05 ff ec", 0.735, 1.015625, 0.0390625, -0.15625, 1.0283161391],
    ["00 00 00 69 ff 80 00 40 ff ff", 0.105, -1, 0.5, -0.0078125, 1.1180612842],
    ["00 00 ea 60 00 00 ff 00 00 7f", 60, 0, -2, 0.9921875, 2.2325850567],
    ["00 00 00 00 00 78 ff fe ff ec", 0, 0.9375, -0.015625, -0.15625, 0.9505600734],
    ["00 00 00 6e 00 92 00 0c ff de", 0.11, 1.140625, 0.09375, -0.265625, 1.1748919498],
    ["00 00 00 dc 00 82 00 0a ff f8", 0.22, 1.015625, 0.078125, -0.0625, 1.020540987],
    ["00 00 41 e6 00 d6 ff fc 00 38", 16.87, 1.671875, -0.03125, 0.4375, 1.7284527266],
  ];
  test.each(cases)("reads the record %s", (hex, t, x, y, z, magnitude) => {
    expect(readGsensor(bytesOf(hex))).toEqual([{ t, x, y, z }]);
    expect(Math.hypot(x, y, z)).toBeCloseTo(magnitude, 9);
  });

  test("reads records back to back and ignores one that is cut off", () => {
    const file = bytesOf("00 00 02 df 00 82 00 05 ff ec 00 00 03 48 00 81 00 05 ff ec 00 00 00");
    expect(readGsensor(file)).toEqual([
      { t: 0.735, x: 1.015625, y: 0.0390625, z: -0.15625 },
      { t: 0.84, x: 129 / 128, y: 0.0390625, z: -0.15625 },
    ]);
  });

  test("stops at the record that ends the data, whatever follows", () => {
    const record = "00 00 00 00 00 80 00 00 00 00";
    const end = "ff ff ff ff ff ff ff ff ff ff";
    expect(readGsensor(bytesOf(`${record} ${end} ${record}`))).toHaveLength(1);
    expect(readGsensor(bytesOf(end))).toEqual([]);
    expect(readGsensor(bytesOf("ff ff ff fe 00 80 00 00 00 00"))).toHaveLength(1);
  });

  test("finds nothing in an empty file", () => {
    expect(readGsensor(new Uint8Array())).toEqual([]);
  });

  test("reads a file that stands inside other bytes", () => {
    const all = Uint8Array.from([9, 9, ...bytesOf("00 00 00 00 00 80 00 00 00 00"), 9]);
    expect(readGsensor(all.subarray(2, 12))).toEqual([{ t: 0, x: 1, y: 0, z: 0 }]);
  });

  test("reads no more than its share of a huge file", () => {
    expect(readGsensor(new Uint8Array(MOST_GSENSOR_BYTES + 1000))).toHaveLength(Math.floor(MOST_GSENSOR_BYTES / 10));
  });
});
