/** @jsxImportSource preact */
import type { KeepClass } from "../../server/domain/retention/keep_times.ts";
import { counted, formatCount } from "../../server/domain/text/format.ts";
import type { TimeFormat } from "../../server/domain/text/time_format.ts";
import { clockOf } from "../../server/domain/text/zone_time.ts";
import { speedUnitName } from "../../server/domain/viewer/distance_text.ts";
import { Icon } from "../parts/icon.tsx";
import { Plate } from "../parts/plate.tsx";
import { KIND_LOOKS } from "../parts/recording_type.tsx";
import { isOpen, type MapFilter, NO_MAP_FILTER, withCameraOf, withKindOf } from "./map_filter.ts";
import type { MapState } from "./map_state.ts";

/** Steps of the slider in the unit that people read, and its end. */
const FAST_STEP = 10;
const HOURS = 24;
const MOST_FAST = { kmh: 130, mph: 90 } as const;

/** Choices of drives: days, time of day, whose, kind, how fast. */
export function Filters({ map }: { readonly map: MapState }) {
  const { value: filter } = map.filter;
  const { cameras, speedUnit: unit } = map.props;
  const change = (changes: Partial<MapFilter>) => {
    map.filter.value = { ...map.filter.peek(), ...changes };
  };
  const times = (name: "from" | "to", label: string) => (
    <select
      class="in"
      aria-label={label}
      value={filter[name]}
      onChange={({ currentTarget }) => change({ [name]: Number(currentTarget.value) })}
    >
      {timesWith(filter[name]).map((minutes) => (
        <option key={minutes} value={minutes}>
          {clockInWords(minutes, map.props.format)}
        </option>
      ))}
    </select>
  );
  const days = (name: "workdays" | "weekend", text: string) => (
    <button
      class="chip"
      type="button"
      aria-pressed={filter.days === name}
      onClick={() => change({ days: filter.days === name ? "all" : name })}
    >
      {text}
    </button>
  );
  return (
    <div class="filters needs-script">
      <div role="group" aria-labelledby="map-days">
        <span class="label" id="map-days">
          Days
        </span>
        <div class="chips">
          {days("workdays", "Mon to Fri")}
          {days("weekend", "Weekend")}
        </div>
      </div>
      <div role="group" aria-labelledby="map-times">
        <span class="label" id="map-times">
          Drive began between
        </span>
        <div class="in-two">
          {times("from", "From")}
          <span class="soft">and</span>
          {times("to", "To")}
        </div>
      </div>
      {cameras.length > 1 && <WhoseDrives map={map} change={change} />}
      <KindsOfDrives map={map} change={change} />
      <div class="in-range">
        <label class="label" for="map-fast">
          At least this fast
        </label>
        <input
          type="range"
          id="map-fast"
          min={0}
          max={MOST_FAST[unit]}
          step={FAST_STEP}
          value={filter.fast}
          onInput={({ currentTarget }) => change({ fast: Number(currentTarget.value) })}
        />
        <output for="map-fast">
          {filter.fast} {speedUnitName(unit)}
        </output>
      </div>
      <FiltersSay map={map} />
    </div>
  );
}

/** The whole hours of a day, and the chosen time. */
function timesWith(chosen: number): number[] {
  const hours = Array.from({ length: HOURS + 1 }, (_, hour) => hour * 60);
  return [...new Set([...hours, chosen])].sort((one, other) => one - other);
}

/** `17:40`; with 24 hours the end of a day is not told as its beginning. */
function clockInWords(minutes: number, format: TimeFormat): string {
  if (format.hours === 12 && minutes % (HOURS * 60) === 0) return "midnight";
  if (minutes === HOURS * 60) return "24:00";
  return clockOf({ hour: Math.floor(minutes / 60), minute: minutes % 60 }, format);
}

function WhoseDrives({
  map,
  change,
}: {
  readonly map: MapState;
  readonly change: (changes: Partial<MapFilter>) => void;
}) {
  const { cameras } = map.props;
  const { whose } = map.filter.value;
  const counts = map.counts.value;
  return (
    <div role="group" aria-labelledby="map-whose">
      <span class="label" id="map-whose">
        Whose
      </span>
      <div class="chips">
        {cameras.map((camera) => (
          <button
            key={camera.id}
            class="chip"
            type="button"
            aria-pressed={whose.length === 0 || whose.includes(camera.id)}
            onClick={() =>
              change(
                withCameraOf(
                  map.filter.peek(),
                  camera.id,
                  cameras.map(({ id }) => id),
                ),
              )
            }
          >
            <Plate camera={camera} />
            <span class="whose-n">{camera.name}</span>
            {counts && <b>{formatCount(counts.whose[camera.id] ?? 0)}</b>}
          </button>
        ))}
      </div>
    </div>
  );
}

/** Kinds in the order of how often they are looked for, with their words. */
const KINDS: readonly (readonly [kind: KeepClass, name: string])[] = [
  ["normal", "Driving"],
  ["event", "Event"],
  ["manual", "Manual"],
  ["parking", "Parked"],
];

function KindsOfDrives({
  map,
  change,
}: {
  readonly map: MapState;
  readonly change: (changes: Partial<MapFilter>) => void;
}) {
  const { kinds } = map.filter.value;
  const counts = map.counts.value;
  return (
    <div role="group" aria-labelledby="map-kinds">
      <span class="label" id="map-kinds">
        Kind of recording
      </span>
      <div class="chips">
        {KINDS.map(([kind, name]) => {
          const [look, icon] = KIND_LOOKS[kind];
          return (
            <button
              key={kind}
              class={`chip ${look}`}
              type="button"
              aria-pressed={kinds.includes(kind)}
              onClick={() => change(withKindOf(map.filter.peek(), kind))}
            >
              <Icon name={icon} />
              {name}
              {counts && <b>{formatCount(counts.kinds[kind])}</b>}
            </button>
          );
        })}
      </div>
    </div>
  );
}

function FiltersSay({ map }: { readonly map: MapState }) {
  const count = map.count.value;
  const waits = map.drives.problem.value === null ? "Drives are being read." : "The drives could not be read.";
  const isAll = isOpen(map.filter.value) && map.span.value === null;
  return (
    <p class="filters-says">
      <span>
        {count === null ? waits : <b class="strong">{counted(count, "drive")}</b>}
        {count !== null && " on the map"}
      </span>
      {!isAll && (
        <button
          class="text-b"
          type="button"
          onClick={() => {
            map.filter.value = NO_MAP_FILTER;
            map.span.value = null;
          }}
        >
          Reset
        </button>
      )}
    </p>
  );
}
