import { describe, expect, test } from "bun:test";
import { readMapBox } from "../../../server/domain/places/map_box.ts";
import { boxAround, isNamed, ownPlaceAt, tripName } from "../../../server/domain/places/place_name.ts";

const HOME = { name: "Home", lat: 52, lon: 13, radius: 150 };
const STREET = { name: "Our street", lat: 52, lon: 13.002, radius: 500 };

describe("an own place", () => {
  const rows: readonly [where: string, lat: number, lon: number, name: string | undefined][] = [
    ["its middle", 52, 13, "Home"],
    ["its edge", 52.0013, 13, "Home"],
    ["beyond its edge, within a wider one", 52.0016, 13, "Our street"],
    ["where two meet: the nearer middle counts", 52, 13.0015, "Our street"],
    ["far away", 52.1, 13, undefined],
  ];
  for (const [where, lat, lon, name] of rows)
    test(`is found at ${where}`, () => {
      expect(ownPlaceAt({ lat, lon }, [STREET, HOME])?.name).toBe(name);
    });

  test("reaches over 180 degrees", () => {
    const fiji = { name: "Beach", lat: -16.8, lon: 179.9999, radius: 100 };
    expect(ownPlaceAt({ lat: -16.8, lon: -179.9999 }, [fiji])).toBe(fiji);
  });
});

test("a trip is called by both ends, by one name where both have it, and by what is known of one end", () => {
  expect(tripName("Home", "Work")).toBe("Home to Work");
  expect(tripName("Home", "Home")).toBe("Home");
  expect(tripName("Home", null)).toBe("From Home");
  expect(tripName(null, "Work")).toBe("To Work");
  expect(tripName(null, null)).toBeNull();
});

describe("a name", () => {
  const rows: readonly [name: string, typed: string, isFound: boolean][] = [
    ["Moss Creek", "mo", true],
    ["Moss Creek", "CREEK mo", true],
    ["Moss Creek", "reek", false],
    ["São Paulo", "sao", true],
    ["Stratford-upon-Avon", "avon", true],
    ["Home", "home sweet", false],
    ["Home", " ", false],
  ];
  for (const [name, typed, isFound] of rows)
    test(`${name} is ${isFound ? "" : "not "}found by “${typed}”`, () => {
      expect(isNamed(name, typed)).toBe(isFound);
    });
});

describe("a box around a place", () => {
  const rows: readonly [lat: number, lon: number, box: string][] = [
    [0, 0, "-0.00899,-0.00899,0.00899,0.00899"],
    [60, 10, "9.98201,59.99101,10.01799,60.00899"],
    [0, 180, "179.99101,-0.00899,-179.99101,0.00899"],
    [90, 0, "-0.89932,89.99101,0.89932,90"],
  ];
  for (const [lat, lon, box] of rows)
    test(`at ${lat}, ${lon} is ${box}`, () => {
      expect(boxAround({ lat, lon }, 1000)).toBe(box);
      expect(readMapBox(box)).not.toBeNull();
    });
});
