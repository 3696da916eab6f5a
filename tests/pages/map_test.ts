import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { MapProps } from "../../islands/map/map_props.ts";
import type { MapNames } from "../../server/domain/places/places_schema.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { FakeClock } from "../support/app/clock.ts";
import { parkedCameras } from "../support/app/several_cameras.ts";

setDefaultTimeout(60_000);

const NOW = Date.parse("2026-11-21T07:51:00+11:00");
const SETTINGS = {
  schedule: { timezone: "Australia/Sydney" },
  retention: { keep: "" },
  viewer: { speed_unit: "mph" as const },
};

/** The page, and the properties of its map. */
async function read(
  { client }: RunningApp,
  path = "/map",
): Promise<{ readonly html: string; readonly props: MapProps }> {
  const answer = await client.fetch(path);
  expect(answer.status).toBe(200);
  const html = await answer.text();
  const [, props = "{}"] = /data-island="map" data-props="([^"]*)"/.exec(html) ?? [];
  return { html, props: JSON.parse(props.replaceAll("&quot;", '"')) };
}

describe("the page of all drives", () => {
  let app: RunningApp;
  beforeAll(async () => {
    app = await startApp({ clock: new FakeClock(NOW), settings: SETTINGS });
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test("has what its map needs, and asks nothing of a tile server that was not allowed", async () => {
    const { html, props } = await read(app);
    expect(props).toEqual({
      cameras: [],
      speedUnit: "mph",
      format: { hours: 24, order: "dmy" },
      thisYear: 2026,
      today: "2026-11-21",
      query: "",
      home: null,
      ownMap: null,
      streets: null,
    });
    expect(html).not.toContain("mapv-streets");
    expect(html).toContain("The map needs JavaScript.");
    expect(html).toContain('data-action="draw-box"');
    expect(html).toMatch(/<a href="\/viewer" aria-current="page"/);
    expect(html).toMatch(/<a href="\/map" aria-current="page">Map<\/a>/);
  });

  test("begins with what its address has: nothing moves when the list of a box comes", async () => {
    const { html } = await read(app, "/map?box=7,50,7.1,50.1&by=speed&from=2026-08-24&to=2026-11-22");
    expect(html).toContain("Take the box away");
    expect(html).not.toContain("Drive began between");
    const { html: filtered } = await read(app, "/map?kind=event,lorry");
    expect(filtered.match(/aria-pressed="true"[^>]*>(?:(?!<\/button>).)*Event/g)).toHaveLength(1);
    expect(filtered).toMatch(/aria-pressed="false"[^>]*>(?:(?!<\/button>).)*Parked/);
    expect(html).toContain('<button type="button" aria-pressed="true">Speed</button>');
    expect(html.replaceAll("\u00a0", " ")).toContain("<b>24 Aug to 22 Nov 2026</b>");
  });

  test("names the server of the streets once they are allowed", async () => {
    const { viewer } = app.app.settings.current;
    await app.app.settings.update((latest) => ({ ...latest, viewer: { ...viewer, map_tiles: true } }));
    const { html, props } = await read(app);
    expect(props.streets).toBe(new URL(viewer.tile_url).host);
    expect(html).toContain("mapv-streets");
    await app.app.settings.update((latest) => ({ ...latest, viewer }));
  });
});

test("the page of all drives is one page for all cameras", async () => {
  await using app = await parkedCameras([{ id: "van", name: "Van" }]);
  for (const path of ["/map", "/map?camera=van"]) {
    const { html, props } = await read(app, path);
    expect(html).toContain('data-camera="all"');
    expect(props.cameras.map(({ id, name, letter, place }) => [id, name, letter, place])).toEqual([
      ["main", expect.any(String), expect.any(String), 0],
      ["van", "Van", "V", 1],
    ]);
    expect(html).toContain('id="map-whose"');
  }
});

test("the names on the map are own places and towns of the table that comes with the program", async () => {
  const home = { name: "Home", lat: -37.8, lon: 145, radius: 150 };
  await using app = await startApp({ settings: { ...SETTINGS, places: { list: [home] } } });
  const { html, props } = await read(app);
  expect([props.home, html.includes('aria-label="Show Home"')]).toEqual([{ name: "Home", lat: -37.8, lon: 145 }, true]);
  const named = async (bbox: string) => {
    const answer = await app.client.fetch(`/api/map/names?bbox=${bbox}`);
    return [answer.status, (await answer.json()) as Partial<MapNames> & { code?: string }] as const;
  };
  const [status, { names = [] }] = await named("144,-38.5,146,-37");
  expect([status, names[0]]).toEqual([200, { name: "Home", lat: -37.8, lon: 145, own: true }]);
  expect(names.slice(1, 30).some(({ name, own }) => name === "Melbourne" && !own)).toBe(true);
  expect(names.length).toBeLessThanOrEqual(60);
  const [refused, { code }] = await named("144,-37,146,-38.5");
  expect([refused, code]).toEqual([422, "INVALID_BBOX"]);
});
