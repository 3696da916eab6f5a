/** @jsxImportSource preact */

import { type ReadonlySignal, useComputed, useSignal, useSignalEffect } from "@preact/signals";
import type { ComponentChild } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Films } from "../../../server/domain/film/film_schema.ts";
import type { PackFacts } from "../../../server/domain/pack/pack_schema.ts";
import { formatLength } from "../../../server/domain/text/format.ts";
import { isHere } from "../../../server/domain/viewer/coming_text.ts";
import { exportQuery } from "../../../server/domain/viewer/export_choice.ts";
import { keyOf } from "../../../server/domain/viewer/viewer_address.ts";
import type { Trip, ViewerRecording } from "../../../server/domain/viewer/viewer_schema.ts";
import { Icon } from "../../parts/icon.tsx";
import { ForChange } from "../../parts/may_change.tsx";
import { useFocusHandover } from "../focus_handover.tsx";
import { SharePart } from "../share/share_part.tsx";
import { SideBySidePart } from "../side_by_side/side_by_side_part.tsx";
import { clockAt } from "../timeline/time_window.ts";
import type { TripRange } from "../trip_state.ts";
import { Asked, type Question } from "./asked.ts";
import { FilmsPart } from "./films_part.tsx";
import { DeadlinePart, PackPart } from "./pack_part.tsx";
import { type PanelProps, type PartProps, packQuery } from "./part_props.ts";
import { SAVE_BUTTON } from "./save_button.tsx";
import type { Receiver } from "./saving.ts";
import { isSameRange, spanOptions, wantedSpan } from "./span_options.ts";
import { OriginalsPart, TablesPart } from "./whole_files_part.tsx";

/** Parts of the panel below the span, by who gets what is saved. A part that has nothing to offer draws nothing. */
const PARTS: Readonly<Record<Receiver, readonly ((props: PartProps) => ComponentChild)[]>> = {
  myself: [FilmsPart, SideBySidePart, OriginalsPart, TablesPart],
  police: [DeadlinePart, PackPart],
  insurer: [PackPart],
  others: [SharePart],
};

const RECEIVERS: readonly (readonly [Receiver, string])[] = [
  ["myself", "Myself"],
  ["police", "Police"],
  ["insurer", "Insurer"],
  ["others", "Others"],
];

/** Saves a part of the trip: films, files as they are, or a pack. */
export function SavePanel(props: PanelProps) {
  const { browsing, trip, saving, format } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  const place = useFocusHandover<HTMLElement>(() => document.getElementById(SAVE_BUTTON));
  useUsualRange(props);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    // On a phone the time line stays in sight above it, and the choices below.
    heading.current?.scrollIntoView({ block: "center" });
  }, []);
  const { value: shown } = browsing.shown;
  const recording = shown.kind === "recording" ? shown.recording : null;
  const { value: clock } = trip.clock;
  const { value: range } = trip.range;
  return (
    <section class="cell save" aria-labelledby="save-h" ref={place}>
      <div class="cell-head">
        <h2 id="save-h" ref={heading} tabIndex={-1}>
          Save this
        </h2>
        <button class="b b-icon" type="button" title="Close (Esc)" aria-label="Close" onClick={() => saving.close()}>
          <Icon name="i-close" />
        </button>
      </div>
      {recording === null || clock === null || range === null ? (
        <p class="soft">The trip is being read…</p>
      ) : (
        <>
          <p class="big" role="status">
            {clockAt(clock, range.from, format)} to {clockAt(clock, range.to, format)}{" "}
            <small>{formatLength(range.to - range.from)}</small>
          </p>
          <SpanChips {...props} recording={recording} />
          <p class="small soft save-hint">
            Or drag the ends
            <span class="only-wide">
              , or press <kbd>I</kbd> and <kbd>O</kbd>
            </span>
            .
          </p>
          <Offers {...props} recording={recording} />
        </>
      )}
    </section>
  );
}

/** Marks the usual part while none is marked; what was marked so goes with the panel. */
function useUsualRange({ browsing, trip }: PanelProps): void {
  const usual = useRef<TripRange | null>(null);
  useSignalEffect(() => {
    const { value: shown } = browsing.shown;
    const { value: clock } = trip.clock;
    if (trip.range.value !== null || clock === null || shown.kind !== "recording") return;
    const [option] = spanOptions(clock, shown.recording, trip.time.peek() ?? 0);
    if (option === undefined) return;
    usual.current = option.range;
    trip.range.value = option.range;
  });
  useEffect(
    () => () => {
      if (trip.range.peek() === usual.current) trip.range.value = null;
    },
    [],
  );
}

function SpanChips({ trip, recording }: PanelProps & { readonly recording: ViewerRecording }) {
  const { value: clock } = trip.clock;
  const { value: range } = trip.range;
  // The place of the play head counts when it is pressed: while it runs nothing is drawn anew.
  const options = clock === null ? [] : spanOptions(clock, recording, trip.time.peek() ?? 0);
  return (
    <div class="save-spans" role="group" aria-label="Part to save">
      {options.map(({ name, range: of }) => (
        <button
          key={name}
          class="chip"
          type="button"
          aria-pressed={range !== null && isSameRange(range, of)}
          onClick={() => {
            const now = clock && spanOptions(clock, recording, trip.time.peek() ?? 0).find((one) => one.name === name);
            trip.range.value = now?.range ?? of;
          }}
        >
          {name}
        </button>
      ))}
    </div>
  );
}

function Offers(props: PanelProps & { readonly recording: ViewerRecording }) {
  const { trip, saving } = props;
  const { value: receiver } = saving.receiver;
  const span = useComputed(() => {
    const { value: clock } = trip.clock;
    const { value: range } = trip.range;
    const wanted = clock && range && wantedSpan(clock, range);
    if (!wanted || !range) return null;
    const clips = within(trip.trip.value, range).filter(isHere);
    const directions = [...new Set(clips.flatMap((clip) => Object.keys(clip.videos)))].sort();
    return { wanted, query: exportQuery(wanted), clips, directions };
  });
  // Clips that come home meanwhile change the answers, not the questions.
  const atHome = useComputed(() => span.value?.clips.map((clip) => `${keyOf(clip)} ${clip.size_bytes}`).join());
  const isPlain = useSignal(true);
  const without = useSignal<readonly string[]>([]);
  const films = useAnswer<Films>(
    useComputed((): Question | null =>
      span.value === null || span.value.clips.length === 0 || saving.receiver.value !== "myself"
        ? null
        : `GET /api/viewer/film?${span.value.query}${isPlain.value ? "&plain=true" : ""}`,
    ),
    atHome,
  );
  const pack = useAnswer<PackFacts>(
    useComputed((): Question | null =>
      span.value === null || span.value.clips.length === 0 || saving.receiver.value === "others"
        ? null
        : `GET /api/viewer/pack?${span.value.query}&${packQuery(saving.receiver.value, span.value.directions, without.value)}`,
    ),
    atHome,
  );
  const { value: chosen } = span;
  if (chosen === null) return <p class="soft">Nothing was recorded in this part.</p>;
  if (chosen.clips.length === 0)
    return <p class="soft">This part is still on the camera. It can be saved when it is here.</p>;
  return (
    <>
      <p class="label">For</p>
      <div class="seg save-for" role="group" aria-label="For whom">
        {RECEIVERS.map(([id, name]) => {
          const choice = (
            <button
              key={id}
              type="button"
              aria-pressed={id === receiver}
              onClick={() => {
                saving.receiver.value = id;
              }}
            >
              {name}
            </button>
          );
          return id === "others" ? <ForChange key={id}>{choice}</ForChange> : choice;
        })}
      </div>
      {PARTS[receiver].map((Part) => (
        <Part key={Part.name} {...props} {...chosen} films={films} pack={pack} choice={{ isPlain, without }} />
      ))}
    </>
  );
}

function useAnswer<T>(question: ReadonlySignal<Question | null>, state: ReadonlySignal<unknown>): Asked<T> {
  const asked = useMemo(() => new Asked<T>(), []);
  useEffect(() => asked.follow(question, state), []);
  return asked;
}

function within(trip: Trip | null, { from, to }: TripRange): ViewerRecording[] {
  const known = new Set<string>();
  return (
    trip?.segments.filter((clip) => {
      const key = keyOf(clip);
      const isNew = !known.has(key);
      known.add(key);
      const { offset_seconds: begin, duration_seconds: length } = clip;
      return isNew && begin < to && begin + (length ?? 1) > from;
    }) ?? []
  );
}
