import { describe, expect, test } from "bun:test";
import { AppError } from "../../../server/domain/answers/errors.ts";
import { initialSettings } from "../../../server/domain/settings/settings.ts";
import { applyPatch } from "../../../server/domain/settings/settings_patch.ts";
import { checkStored } from "../../../server/domain/settings/stored_settings.ts";

const HOME = { name: "Home", lat: 52.5, lon: 13.4, radius: 150 };

const patched = (list: unknown) => applyPatch(initialSettings(), "places", { list }).places.list;

/** Paths of what is wrong with a list. */
function faults(list: unknown): { paths: string[]; text: string } {
  try {
    patched(list);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const errors = error.details["field_errors"] as { path: string; message: string }[];
    return { paths: errors.map(({ path }) => path), text: JSON.stringify(errors) };
  }
  return { paths: [], text: "" };
}

describe("places.list", () => {
  test("takes places, tidies their names, and drops what it does not know", () => {
    expect(patched([{ ...HOME, name: "  Home\u200e ", colour: "red" }])).toEqual([HOME]);
    const edges = [
      { name: "x".repeat(80), lat: -90, lon: 180, radius: 20 },
      { name: "Ü", lat: 90, lon: -180, radius: 5000 },
    ];
    expect(patched(edges)).toEqual(edges);
    expect(patched([])).toEqual([]);
    expect(Object.isFrozen(patched([HOME])[0])).toBeTrue();
  });

  const rows: readonly [what: string, list: unknown, paths: readonly string[]][] = [
    ["a name that is blank", [HOME, { ...HOME, name: " \u200e" }], ["places.list.1.name"]],
    ["a name of 81 characters", [{ ...HOME, name: "x".repeat(81) }], ["places.list.0.name"]],
    ["a name of two lines", [{ ...HOME, name: "a\nb" }], ["places.list.0.name"]],
    ["a place beyond the pole", [{ ...HOME, lat: 90.1 }], ["places.list.0.lat"]],
    ["a place beyond 180 degrees", [{ ...HOME, lon: -180.5 }], ["places.list.0.lon"]],
    ["numbers as text", [{ ...HOME, lat: "52", lon: null }], ["places.list.0.lat", "places.list.0.lon"]],
    ["a radius that is too small", [HOME, HOME, { ...HOME, radius: 19 }], ["places.list.2.radius"]],
    ["a radius that is too large", [{ ...HOME, radius: 5001 }], ["places.list.0.radius"]],
    ["a place without its place", [{ name: "Home", radius: 50 }], ["places.list.0.lat", "places.list.0.lon"]],
    ["what is no place", ["Home"], ["places.list.0"]],
    ["what is no list", { 0: HOME }, ["places.list"]],
    ["201 places", Array.from({ length: 201 }, () => HOME), ["places.list"]],
    ["a million places", Array.from({ length: 1_000_000 }, () => HOME), ["places.list"]],
  ];
  for (const [what, list, paths] of rows)
    test(`refuses ${what}, and names the field`, () => {
      expect(faults(list).paths).toEqual([...paths]);
    });

  test("repeats no place in a message: it says where people live", () => {
    const { text } = faults([{ name: "Secret\nlair", lat: 123.456, lon: 654.321, radius: 7 }]);
    expect(text).not.toMatch(/lair|123\.4|654\.3/);
  });

  test("falls back to none, with a warning, where the file has something else", () => {
    const { settings, problems } = checkStored({ places: { list: [{ ...HOME, lat: 123.456 }] } });
    expect(settings.places.list).toEqual([]);
    expect(problems).toEqual(["places.list.0.lat must be a number from -90 to 90"]);
    expect(checkStored({ places: { list: [HOME] } }).settings.places.list).toEqual([HOME]);
  });
});
