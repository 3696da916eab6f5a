/** @jsxImportSource preact */
import { effect, useComputed } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { MapName } from "../../server/domain/places/places_schema.ts";
import { counted } from "../../server/domain/text/format.ts";
import { speedUnitName } from "../../server/domain/viewer/distance_text.ts";
import { scaleBar } from "../../server/domain/viewer/map_drawing.ts";
import { Icon, type IconName } from "../parts/icon.tsx";
import { StreetsCredit } from "../parts/streets_credit.tsx";
import { ARROW_PATH, type BoxArrow } from "./box_arrows.ts";
import { CORNERS, pixelsOf } from "./drawn_box.ts";
import { DrivesLayer } from "./drives_layer.ts";
import { followPointers, pressOnMap } from "./gestures.ts";
import type { DrawnBy } from "./map_address.ts";
import type { MapState } from "./map_state.ts";
import { metersPerPixel, type Pixel } from "./map_view.ts";
import type { Pixels } from "./name_labels.ts";
import { MapNotes } from "./notes.tsx";
import { OFTEN_STEPS } from "./often.ts";
import { SPEED_STEPS } from "./speed_lines.ts";
import { OwnSquares } from "./own_squares.ts";
import { ServerSquares, StreetSquares } from "./street_squares.ts";

/** The map is painted again when it was not moved for so long. */
const CALM_MS = 120;
const MOST_SCALE_PIXELS = 96;
/** Pixels between two arrows in the box, at least. */
const ARROWS_APART = 26;
/** Classes of the legend's lines. */
const OFTEN_LOOKS = ["ht1", "ht2", "ht3", "ht4", "ht5"] as const;
const SPEED_LOOKS = ["g-sp q1", "g-sp q2", "g-sp q3", "g-sp q4", "g-sp q5"] as const;

/** All drives on a map, with its tools, its legend and the drawn box. */
export function Ground({ map }: { readonly map: MapState }) {
  const ground = useRef<HTMLDivElement>(null);
  const drawing = useRef<HTMLDivElement>(null);
  const streets = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!ground.current || !drawing.current) return;
    const ends = [
      followSize(ground.current, map),
      followPointers(ground.current, map),
      paintOn(drawing.current, streets.current, map),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, []);
  const look = map.isDrawing.value ? "mapv-ground is-drawing" : "mapv-ground";
  const isShown = useComputed(() => map.view.value !== null).value;
  const count = map.count.value;
  const words = count === null ? "Map of all drives" : `Map, ${counted(count, "drive")}`;
  return (
    <section class="mapv-map" aria-label="Map" data-map={isShown ? "shown" : ""}>
      <div
        class={look}
        ref={ground}
        role="application"
        aria-roledescription="map"
        aria-label={`${words}. Arrows move it, Enter begins a box.`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keys move it and draw on it
        tabIndex={0}
        onKeyDown={(event) => pressOnMap(event, map)}
      >
        {hasStreets(map) && (
          <div class={map.props.ownMap === null ? "mapv-streets is-pictures" : "mapv-streets"} ref={streets} />
        )}
        <div class="mapv-drawing" ref={drawing} />
        <DrawnBox map={map} />
      </div>
      <Tools map={map} />
      <div class="mapv-mode needs-script">
        <div class="seg" role="group" aria-label="Draw the drives by">
          <ByButton map={map} by="often" name="How often" />
          <ByButton map={map} by="speed" name="Speed" />
        </div>
      </div>
      <div class="mapv-foot">
        <MapNotes map={map} />
        <Legend map={map} />
      </div>
      <Scale map={map} />
    </section>
  );
}

function ByButton({ map, by, name }: { readonly map: MapState; readonly by: DrawnBy; readonly name: string }) {
  const choose = () => {
    map.by.value = by;
  };
  return (
    <button type="button" aria-pressed={map.by.value === by} onClick={choose}>
      {name}
    </button>
  );
}

/** Tells the map how large it is. */
function followSize(ground: HTMLElement, map: MapState): () => void {
  const measure = () => {
    const { clientWidth: width, clientHeight: height } = ground;
    const before = map.size.peek();
    if (before.width !== width || before.height !== height) map.size.value = { width, height };
  };
  measure();
  const resized = new ResizeObserver(measure);
  resized.observe(ground);
  return () => resized.disconnect();
}

/** Paints the drives on an element, and moves them with the map. @returns what ends it */
function paintOn(host: HTMLElement, streetsHost: HTMLElement | null, map: MapState): () => void {
  const { ownMap, speedUnit: unit } = map.props;
  const streetsFailed = (sentence: string | null) => {
    map.streetsProblem.value = sentence;
  };
  const source = ownMap === null ? new ServerSquares(streetsFailed) : new OwnSquares(ownMap, host, streetsFailed);
  const squares = new StreetSquares(streetsHost, source);
  const layer = new DrivesLayer(host, squares);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const paint = () => {
    clearTimeout(timer);
    layer.paint(
      { drives: map.chosen.peek(), by: map.by.peek(), names: namesOf(map), covered: coveredOn(host), unit },
      () => map.countSeen(),
    );
  };
  const moved = effect(() => {
    const { value: view } = map.view;
    const { value: size } = map.size;
    if (view === null || size.width === 0) return;
    layer.move(view, size);
    clearTimeout(timer);
    if (layer.isWorn) paint();
    else timer = setTimeout(paint, CALM_MS);
  });
  const changed = effect(() => {
    // Read here so that they are followed.
    void map.chosen.value;
    void map.by.value;
    void map.names.names.value;
    if (map.view.peek() !== null) paint();
  });
  const ends = [
    moved,
    changed,
    onTheme(paint),
    onTheme(() => source.themeChanged()),
    () => clearTimeout(timer),
    () => layer.close(),
  ];
  return () => {
    for (const end of ends) end();
  };
}

function hasStreets({ props: { streets, ownMap } }: MapState): boolean {
  return streets !== null || ownMap !== null;
}

/** Streets have names of towns in them already. */
function namesOf(map: MapState): readonly MapName[] {
  const names = map.names.names.peek();
  return hasStreets(map) ? names.filter(({ own }) => own) : names;
}

/** Parts of the map that its buttons, its legend and its scale lie on. */
function coveredOn(host: HTMLElement): Pixels[] {
  const { left: x, top: y } = host.getBoundingClientRect();
  const over = host.closest(".mapv-map")?.querySelectorAll(".mapv-tools, .mapv-mode, .mapv-key, .mapv-scale") ?? [];
  return [...over].map((one) => {
    const { left, top, right, bottom } = one.getBoundingClientRect();
    return [left - x, top - y, right - x, bottom - y];
  });
}

/** Calls when another theme is chosen, or the system changes its own. @returns what ends it */
function onTheme(changed: () => void): () => void {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const chosen = new MutationObserver(changed);
  chosen.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  system.addEventListener("change", changed);
  return () => {
    chosen.disconnect();
    system.removeEventListener("change", changed);
  };
}

/** The box over the drives: the ground around it is dimmed, its corners can be dragged. */
function DrawnBox({ map }: { readonly map: MapState }) {
  const { value: box } = map.box;
  if (box === null) return null;
  const { value: view } = map.view;
  const { value: size } = map.size;
  if (view === null) return null;
  const { from, to } = pixelsOf(box, view, size);
  const [wide, high] = [to.x - from.x, to.y - from.y];
  const around = `M0 0H${size.width}V${size.height}H0ZM${from.x} ${from.y}V${to.y}H${to.x}V${from.y}Z`;
  return (
    <svg class="mapv-box" aria-hidden="true">
      <path class="g-around" d={around} />
      <rect class="g-box" x={from.x} y={from.y} width={wide} height={high} rx="2" />
      {arrowsOn(map, from, to).map(({ x, y, degrees }) => (
        <path
          key={degrees}
          class="g-arr"
          transform={`translate(${x} ${y}) rotate(${Math.round(degrees)})`}
          d={ARROW_PATH}
        />
      ))}
      {CORNERS.map((corner) => {
        const x = corner.endsWith("w") ? from.x : to.x;
        const y = corner.startsWith("n") ? from.y : to.y;
        return (
          <g key={corner} class={`g-corner g-${corner}`}>
            <rect class="g-grip" x={x - 6} y={y - 6} width="12" height="12" rx="3" />
            <circle class="g-touch" cx={x} cy={y} r="18" data-grip={corner} />
          </g>
        );
      })}
    </svg>
  );
}

/** Arrows of the box in pixels: those that have room beside others. */
function arrowsOn(map: MapState, from: Pixel, to: Pixel): readonly BoxArrow[] {
  const { value: box } = map.box;
  if (box === null) return [];
  const by = (to.x - from.x) / Math.max(Number.MIN_VALUE, box.right - box.left);
  const shown: BoxArrow[] = [];
  for (const arrow of map.arrows.value) {
    const [x, y] = [from.x + (arrow.x - box.left) * by, from.y + (arrow.y - box.top) * by];
    if (shown.every((one) => Math.hypot(one.x - x, one.y - y) >= ARROWS_APART)) shown.push({ ...arrow, x, y });
  }
  return shown;
}

function Tools({ map }: { readonly map: MapState }) {
  return (
    <div class="mapv-tools needs-script">
      <Tool name="Closer" keys="+" icon="i-plus" press={() => map.zoom(1)} />
      <Tool name="Farther" keys="−" icon="i-minus" press={() => map.zoom(-1)} />
      <HomeTool map={map} />
      <Tool
        name="Draw a box"
        keys="B"
        icon="i-area"
        action="draw-box"
        isOn={map.isDrawing.value}
        press={() => map.turnDrawing()}
      />
    </div>
  );
}

/** Leads to the place called home, and from there, or without one, to all drives. */
function HomeTool({ map }: { readonly map: MapState }) {
  const { home } = map.props;
  // As one word: it is the same while the map is only pushed.
  const leadsHome = useComputed(() => home !== null && !map.isAtHome()).value;
  return (
    <Tool
      name={leadsHome ? `Show ${home?.name}` : "Show all drives"}
      icon="i-home"
      press={() => (leadsHome ? map.showHome() : void map.showAll())}
    />
  );
}

interface ToolProps {
  readonly name: string;
  readonly icon: IconName;
  readonly keys?: string;
  readonly action?: string;
  readonly isOn?: boolean;
  readonly press: () => void;
}

function Tool({ name, icon, keys, action, isOn, press }: ToolProps) {
  return (
    <button
      class="b b-icon"
      type="button"
      title={keys ? `${name} (${keys})` : name}
      aria-label={name}
      aria-pressed={isOn}
      data-action={action}
      onClick={press}
    >
      <Icon name={icon} />
    </button>
  );
}

/** Widths or colours of the lines, with their numbers. */
function Legend({ map }: { readonly map: MapState }) {
  const { speedUnit: unit } = map.props;
  const line = (look: string, text: string) => (
    <li key={text}>
      <svg viewBox="0 0 20 10" aria-hidden="true">
        <path class={`g-line ${look}`} d="M2 5H18" />
      </svg>
      {text}
    </li>
  );
  return (
    <div class="mapv-key">
      {map.by.value === "often" ? (
        <ul class="keys" aria-label="Drives on the same road">
          <li>Drives</li>
          {OFTEN_STEPS.map((from, at) => {
            const next = OFTEN_STEPS[at + 1];
            return line(OFTEN_LOOKS[at] ?? "", next === undefined ? `${from}+` : `${from}–${next - 1}`);
          })}
        </ul>
      ) : (
        <ul class="keys" aria-label={`Speed, ${speedUnitName(unit)}`}>
          <li>{speedUnitName(unit)}</li>
          {SPEED_STEPS[unit].map((from, at, { length }) =>
            line(SPEED_LOOKS[at] ?? "", at + 1 === length ? `${from}+` : String(from)),
          )}
        </ul>
      )}
    </div>
  );
}

function Scale({ map }: { readonly map: MapState }) {
  // As text, which is the same while the map is only pushed: then nothing is drawn anew.
  const [text = "", pixels = ""] = useComputed(() => {
    const { value: view } = map.view;
    const scale = view && scaleBar(metersPerPixel(view), MOST_SCALE_PIXELS, map.props.speedUnit);
    return scale ? `${scale.text}|${scale.pixels}` : "";
  }).value.split("|");
  return (
    <div class="mapv-scale">
      {hasStreets(map) && (
        <p>
          <StreetsCredit host={map.props.streets} />
        </p>
      )}
      {text !== "" && (
        <p class="mapv-bar" aria-hidden="true">
          {text}
          <svg width={pixels} height="8">
            <path d={`M1 1V6H${Number(pixels) - 1}V1`} />
          </svg>
        </p>
      )}
    </div>
  );
}
