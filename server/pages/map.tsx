/** @jsxImportSource preact */
import type { MapProps } from "../../islands/map/map_props.ts";
import DrivesMap from "../../islands/map.tsx";
import type { App } from "../app.ts";
import type { OwnPlace } from "../domain/settings/own_places.ts";
import { tileHost } from "../domain/viewer/map_tile.ts";
import { assetPath } from "../http/assets/assets.ts";
import type { RequestContext } from "../http/request/request_context.ts";
import { html } from "../http/request/respond.ts";
import { Document, PageFoot, page } from "./document.tsx";
import { Island } from "./island.tsx";
import type { PageKeys } from "./key_list.tsx";

const KEYS: PageKeys = [
  {
    title: "Map",
    keys: [
      ["← ↑ → ↓", "Move the map"],
      ["+ −", "Closer, farther"],
    ],
  },
  {
    title: "Box",
    keys: [
      ["B", "Draw a box"],
      ["Enter", "Begin a box, list its passes"],
      ["← ↑ → ↓", "Move the box"],
      ["Shift ← →", "Narrower, wider"],
      ["Shift ↑ ↓", "Lower, higher"],
      ["Esc", "Take the box away"],
    ],
  },
];

/** `GET /map?bbox=&box=`: all drives on one map, and the passes through a drawn box. Of several cameras those of all. */
export function map(context: RequestContext, app: App): Response {
  const { clock, zone, settings, cameras } = app;
  const { viewer, places } = settings.current;
  const now = clock.now();
  const { all } = cameras;
  const props: MapProps = {
    cameras: all.length < 2 ? [] : all.map(({ camera }, place) => ({ ...camera, place })),
    speedUnit: viewer.speed_unit,
    format: zone.format,
    thisYear: zone.wall(now).year,
    today: zone.isoDay(now),
    query: context.url.search,
    home: homeOf(places.list),
    ownMap: viewer.map_file === null ? null : assetPath("map_worker.js"),
    streets: viewer.map_tiles && viewer.map_file === null ? tileHost(viewer.tile_url) : null,
  };
  return html(
    page(
      <Document
        context={context}
        app={app}
        title="Viewer"
        tab="Map"
        path="/viewer"
        isAboutAll
        class="map-page"
        islands={["map"]}
        sheet="map.css"
        keys={KEYS}
      >
        <Island name="map" of={DrivesMap} props={props} class="mapv" />
        <noscript>
          <p class="mapv-scriptless">The map needs JavaScript.</p>
        </noscript>
        <div class="mapv-pagefoot">
          <PageFoot app={app}>
            <span>Times of clips are those of the camera’s own clock</span>
          </PageFoot>
        </div>
      </Document>,
    ),
  );
}

/** The place that is called home, else the first of the list; null without one. */
function homeOf(places: readonly OwnPlace[]): MapProps["home"] {
  const home = places.find(({ name }) => name.trim().toLowerCase() === "home") ?? places[0];
  return home ? { name: home.name, lat: home.lat, lon: home.lon } : null;
}
