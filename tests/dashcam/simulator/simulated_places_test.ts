import { expect, test } from "bun:test";
import { simulatedPlaces } from "../../../server/dashcam/simulator/simulated_places.ts";
import { groundAt } from "../../../server/dashcam/simulator/simulated_telemetry.ts";
import { road } from "../../../server/dashcam/simulator/simulated_road.ts";
import { ownPlaceAt } from "../../../server/domain/places/place_name.ts";
import { initialSettings } from "../../../server/domain/settings/settings.ts";
import { applyPatch } from "../../../server/domain/settings/settings_patch.ts";

test("nearly all of the road has a name, and every name lies on it", () => {
  const places = simulatedPlaces();
  expect(applyPatch(initialSettings(), "places", { list: places }).places.list).toEqual(places);
  const whole = road();
  const names = Array.from({ length: 240 }, (_, at) => {
    const { x, y } = whole.at(at * 50);
    return ownPlaceAt(groundAt(x, y), places)?.name ?? null;
  });
  expect(new Set(names.filter((name) => name !== null)).size).toBe(places.length);
  expect(names.filter((name) => name === null).length).toBeLessThan(20);
});
