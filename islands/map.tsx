/** @jsxImportSource preact */
import { useEffect, useMemo } from "preact/hooks";
import { Filters } from "./map/filters.tsx";
import { Ground } from "./map/ground.tsx";
import type { MapProps } from "./map/map_props.ts";
import { MapState } from "./map/map_state.ts";
import { Passes } from "./map/passes.tsx";
import { WeeksChart } from "./map/weeks_chart.tsx";
import { ViewerWays } from "./parts/viewer_ways.tsx";

/** All drives on one map; a box on it lists every pass through it. */
export default function DrivesMap(props: MapProps) {
  const map = useMemo(() => new MapState(props), []);
  useEffect(() => map.start(document), []);
  const hasBox = map.box.value !== null;
  return (
    <>
      <Ground map={map} />
      <WeeksChart map={map} />
      <section class="mapf" aria-label={hasBox ? "Passes" : "Filters"}>
        <div class="mapf-ways">
          <ViewerWays current="map" />
        </div>
        {hasBox ? <Passes map={map} /> : <Filters map={map} />}
      </section>
      <p class="sr" role="status">
        {map.says.value}
      </p>
    </>
  );
}
