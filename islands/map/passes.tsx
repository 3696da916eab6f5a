/** @jsxImportSource preact */
import { useComputed, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Pass } from "../../server/domain/places/places_schema.ts";
import { cameraClock, cameraDay } from "../../server/domain/recordings/camera_clock.ts";
import { typeOf } from "../../server/domain/recordings/recording_name.ts";
import { counted, formatCount } from "../../server/domain/text/format.ts";
import { speedInWords } from "../../server/domain/viewer/distance_text.ts";
import { viewerPath } from "../../server/domain/viewer/viewer_address.ts";
import { Icon } from "../parts/icon.tsx";
import { Whose } from "../parts/plate.tsx";
import { Shot } from "../parts/shot.tsx";
import { ARROW_PATH } from "./box_arrows.ts";
import { nameNear, sizeInWords } from "./drawn_box.ts";
import { isOpen } from "./map_filter.ts";
import type { MapState } from "./map_state.ts";
import { passDays, passWays, wayInWords, wayOf, windInWords, windOf } from "./pass_days.ts";

/** Rows that are drawn at first, and added as one scrolls. */
const ROWS = 60;

/** The passes through the drawn box, by day; each opens the viewer at its second. */
export function Passes({ map }: { readonly map: MapState }) {
  const way = useSignal<number | null | "all">("all");
  const passes = map.chosenPasses.value;
  const { value: problem } = map.passes.problem;
  const isBusy = map.passes.isBusy.value;
  const hasMore = map.passes.hasMore.value;
  const isIndexing = map.passes.isIndexing.value;
  const box = map.box.value;
  const ways = useComputed(() => passWays(map.chosenPasses.value ?? [])).value;
  const shown = passes?.filter((pass) => way.value === "all" || wayOf(pass) === way.value) ?? [];
  const head = useRef<HTMLHeadingElement>(null);
  const isListed = passes !== null;
  // On a phone the list stands below the map: its heading says that it is there.
  useEffect(() => {
    if (isListed) head.current?.scrollIntoView({ block: "nearest" });
  }, [isListed]);
  // A list begins with all ways.
  useEffect(() => {
    way.value = "all";
  }, [box]);
  const near = box && nameNear(box, map.names.names.value);
  const heading =
    passes === null
      ? map.isPlacing.value
        ? "Place the box"
        : "Passes"
      : `${counted(passes.length, "pass", "passes")}${hasMore || isIndexing ? " so far" : ""}${near === null ? "" : ` near ${near}`}`;
  return (
    <>
      <div class="mapf-head">
        <div class="pass-head">
          <button
            class="b b-icon"
            type="button"
            title="Take the box away (Esc)"
            aria-label="Take the box away"
            onClick={() => {
              map.takeAway();
              document.querySelector<HTMLElement>(".mapv-ground")?.focus();
            }}
          >
            <Icon name="i-close" />
          </button>
          <h2 ref={head}>{heading}</h2>
          {box !== null && (
            <p>
              {map.isPlacing.value
                ? `A box of ${sizeInWords(box, map.props.speedUnit)}. Arrows move it, Shift and arrows size it, Enter lists its passes.`
                : `Through the drawn box, ${sizeInWords(box, map.props.speedUnit)}. A pass opens the viewer at that second.`}
            </p>
          )}
          {passes !== null && !isOpen(map.filter.value) && <p>Only passes that match what you chose.</p>}
        </div>
        {!hasMore && ways.length > 1 && (
          <div class="chips" role="group" aria-label="Direction">
            {ways.map(({ wind, count }) => (
              <button
                key={wind}
                class="chip"
                type="button"
                aria-pressed={way.value === wind}
                onClick={() => {
                  way.value = way.value === wind ? "all" : wind;
                }}
              >
                {wind !== null && <Arrow degrees={wind * 45} look="dir-i" />}
                {wayInWords(wind)} <b>{formatCount(count)}</b>
              </button>
            ))}
          </div>
        )}
      </div>
      <PassList key={`${way.value}`} map={map} passes={shown} />
      {problem !== null && (
        <div class="mapf-say" role="alert">
          <p>
            <b class="strong">The passes could not be read.</b> {problem}
          </p>
          <button class="b" type="button" onClick={() => void map.passes.more()}>
            Try again
          </button>
        </div>
      )}
      {isBusy && <p class="mapf-say soft">Passes are being read.</p>}
      {isIndexing && passes !== null && (
        <p class="mapf-say soft">Not all recordings were read yet, so passes may be missing.</p>
      )}
      {passes?.length === 0 && !hasMore && !isBusy && !isIndexing && (
        <p class="mapf-say soft">
          {map.passes.passes.value?.length === 0
            ? "No drive leads through this box. Draw it across a line of the map."
            : "No pass matches what you chose."}
        </p>
      )}
    </>
  );
}

/** Some rows, and more of them when the end of the list comes into view. */
function PassList({ map, passes }: { readonly map: MapState; readonly passes: readonly Pass[] }) {
  const rows = useSignal(ROWS);
  const end = useRef<HTMLDivElement>(null);
  const hasMore = map.passes.hasMore.value;
  const { format, thisYear } = map.props;
  const days = passDays(passes.slice(0, rows.value));
  const counts = useComputed(() => {
    const found = new Map<string, number>();
    for (const { date, passes: ofDay } of passDays(map.chosenPasses.value ?? [])) found.set(date, ofDay.length);
    return found;
  }).value;
  const isAll = passes.length === (map.chosenPasses.value?.length ?? 0);
  const rest = passes.length - rows.value;
  useEffect(() => {
    if (!end.current) return;
    const seen = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return;
        rows.value += ROWS;
        if (rows.value > passes.length) void map.passes.more();
      },
      { rootMargin: "400px" },
    );
    seen.observe(end.current);
    return () => seen.disconnect();
  }, [rows.value, passes.length, hasMore]);
  return (
    <>
      {days.map(({ date, passes: ofDay }) => (
        <section key={date} aria-label={cameraDay(date, thisYear, format)}>
          <p class="list-says">
            <b class="strong">{cameraDay(date, thisYear, format)}</b>
            <span class="push">{counted(isAll ? (counts.get(date) ?? 0) : ofDay.length, "pass", "passes")}</span>
          </p>
          {ofDay.map((pass) => (
            <PassRow key={`${pass.key} ${pass.seconds}`} map={map} pass={pass} />
          ))}
        </section>
      ))}
      {(rest > 0 || hasMore) && <div class="mapf-end" ref={end} />}
    </>
  );
}

function PassRow({ map, pass }: { readonly map: MapState; readonly pass: Pass }) {
  const { cameras, format, speedUnit } = map.props;
  const { key, seconds, speed, heading, name } = pass;
  const of = cameras.length > 1 ? cameras.find(({ id }) => id === pass.camera) : undefined;
  return (
    <a class="pass" href={viewerPath(key, seconds)}>
      <Shot thumb={pass.thumb} type={typeOf(key)} />
      <span>
        <b>{cameraClock(key, seconds, format)}</b>
        <span class="pass-l">
          <span>{speed === null ? "Speed not known" : speedInWords(speed, speedUnit)}</span>
          {of && <Whose camera={of} />}
        </span>
        {name !== null && <span class="pass-l">{name}</span>}
      </span>
      {heading === null ? (
        <span class="dir">Standing</span>
      ) : (
        <span class="dir">
          <Arrow degrees={heading} />
          <span aria-hidden="true">{windOf(heading)}</span>
          <span class="sr">to the {windInWords(heading)}</span>
        </span>
      )}
    </a>
  );
}

function Arrow({ degrees, look }: { readonly degrees: number; readonly look?: string }) {
  return (
    <svg class={look} viewBox="-12 -12 24 24" aria-hidden="true">
      <path transform={`rotate(${Math.round(degrees)})`} d={ARROW_PATH} />
    </svg>
  );
}
