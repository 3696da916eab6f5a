// The parts of Leaflet that the map is made of, each by itself: taken as a whole it is more than twice as large.
declare module "leaflet/src/map/Map.js" {
  import { Map as LeafletMap } from "leaflet";

  export { LeafletMap as Map };
}
declare module "leaflet/src/layer/tile/GridLayer.js" {
  import { GridLayer } from "leaflet";

  export { GridLayer };
}
/** Without exports: each makes maps understand one more gesture. */
declare module "leaflet/src/map/handler/Map.*" {}
