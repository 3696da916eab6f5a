import { describe, expect, test } from "bun:test";
import { ownPlaceAt, tripName } from "../../../server/domain/places/place_name.ts";

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
