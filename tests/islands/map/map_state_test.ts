import { expect, test } from "bun:test";
import type { MapProps } from "../../../islands/map/map_props.ts";
import { MapState } from "../../../islands/map/map_state.ts";
import { flatBoxOf, flatBoxOfEarth } from "../../../islands/map/map_view.ts";

const PROPS: MapProps = {
  cameras: [],
  speedUnit: "kmh",
  format: { hours: 24, order: "dmy" },
  thisYear: 2026,
  today: "2026-11-21",
  query: "",
  home: { name: "Home", lat: -37.8, lon: 179.99 },
  streets: null,
  ownMap: null,
};
const SIZE = { width: 800, height: 400 };

test("the map leads home, and knows that it is there until it is moved", () => {
  const map = new MapState(PROPS);
  map.size.value = SIZE;
  map.view.value = { x: 0.1, y: 0.3, zoom: 5 };
  expect(map.isAtHome()).toBe(false);
  map.showHome();
  expect(map.isAtHome()).toBe(true);
  const seen = flatBoxOf(map.view.value, SIZE);
  const { left, top } = flatBoxOfEarth({ west: 179.99, south: -37.8, east: 179.99, north: -37.8 });
  expect([(seen.left + seen.right) / 2, (seen.top + seen.bottom) / 2]).toEqual([left, top]);
  map.push(40, 0);
  expect(map.isAtHome()).toBe(false);
  map.push(-40, 0);
  expect(map.isAtHome()).toBe(true);
  map.zoom(1);
  expect(map.isAtHome()).toBe(false);
  expect(new MapState({ ...PROPS, home: null }).isAtHome()).toBe(false);
});
