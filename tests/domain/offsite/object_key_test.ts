import { describe, expect, test } from "bun:test";
import { keyBeginning, objectKey, pathOfObject } from "../../../server/domain/offsite/object_key.ts";

describe("the name of an object", () => {
  const rows: readonly (readonly [camera: string, path: string, prefix: string, isEncrypted: boolean, key: string])[] =
    [
      ["main", "a.mp4", "", false, "a.mp4"],
      ["main", "2026/11/a.mp4", "car", true, "car/2026/11/a.mp4.age"],
      ["van", "a.mp4", "home/car/", false, "home/car/~van/a.mp4"],
      ["van", "a.gps", "", true, "~van/a.gps.age"],
    ];
  for (const [camera, path, prefix, isEncrypted, key] of rows)
    test(`is ${key}, and leads back`, () => {
      expect(objectKey({ camera, path }, { prefix, isEncrypted })).toBe(key);
      const back = camera === "main" ? path : `~${camera}/${path}`;
      expect(pathOfObject(key, prefix)).toEqual({ path: back, isEncrypted });
    });

  test("leads nowhere when it is not below the prefix, or would lead out of a folder", () => {
    const wrong = [
      "bus/a.mp4",
      "car",
      "cars/a.mp4",
      "car/../a.mp4",
      "car//a.mp4",
      "car/./a.mp4",
      "car/a/../../b",
      "car/",
    ];
    for (const key of [
      ...wrong,
      "car/.age",
      "car/.dashdock/kept.json",
      "car/.a.mp4",
      "car/a\\b",
      "car/a\0b",
      "car/a\nb",
    ])
      expect([key, pathOfObject(key, "car")]).toEqual([key, null]);
  });

  test("begins with the prefix and one slash", () => {
    expect(["", "car", "car/", "a/b"].map(keyBeginning)).toEqual(["", "car/", "car/", "a/b/"]);
  });
});
