/** @jsxImportSource preact */
import { batch, type Signal, signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import {
  isSameMoment,
  MOMENT_DRAWINGS,
  momentInWords,
  momentPlace,
  momentSpeeds,
  momentsInWords,
} from "../../../server/domain/places/moment_text.ts";
import type { MomentKind } from "../../../server/domain/places/moments.ts";
import type { Moments, ToldMoment } from "../../../server/domain/places/places_schema.ts";
import { stoppedText } from "../../../server/domain/places/stopped_text.ts";
import { cameraClock, cameraDay } from "../../../server/domain/recordings/camera_clock.ts";
import { typeOf } from "../../../server/domain/recordings/recording_name.ts";
import { counted, formatCount } from "../../../server/domain/text/format.ts";
import { forceText } from "../../../server/domain/viewer/distance_text.ts";
import { dayOfKey } from "../../../server/domain/viewer/viewer_address.ts";
import { send, sentenceOfError } from "../../browser/client.ts";
import { LONG_WAIT_MS, refreshWhileVisible } from "../../browser/refresh_while_visible.ts";
import { isPlainClick } from "../../browser/plain_click.ts";
import { Icon } from "../../parts/icon.tsx";
import { Shot } from "../../parts/shot.tsx";
import { WhoseLine } from "../list/whose_line.tsx";
import { followLibrary } from "../library_changes.ts";
import type { Parts } from "../viewer_parts.ts";
import { whoseInList } from "../whose.ts";

const KINDS: readonly MomentKind[] = ["brake", "turn", "accelerate", "bump", "impact", "parked_bump"];
/** The slider, in g: from its least strength on everything is listed. */
const [LEAST, MOST] = [0.2, 1.5];
const PAGE = 100;
const MOST_AT_ONCE = 1000;
/** Pause in the choosing before the service is asked. */
const PAUSE_MS = 150;
/** While recordings are still being read the list is read again after this time. */
const AGAIN_MS = 4000;
/** Strength from which on the bar is full, in g; its width and height. */
const FULL_G = 1;
const [WIDE, HIGH] = [52, 6];

interface Choice {
  readonly kinds: readonly MomentKind[];
  readonly min: number;
  /** `YYYY-MM-DD`; empty for no end. */
  readonly from: string;
  readonly to: string;
  readonly order: "time" | "strength";
}

/** Answers so far, with the choice that they are of. */
type Read = Moments & { readonly kinds: readonly MomentKind[] };

const ALL: Choice = { kinds: KINDS, min: LEAST, from: "", to: "", order: "time" };

/** The moments of all recordings as they were asked for, page by page. */
class MomentList {
  readonly choice: Signal<Choice> = signal(ALL);
  readonly told: Signal<Read | null> = signal(null);
  readonly problem: Signal<string | null> = signal(null);
  readonly isBusy: Signal<boolean> = signal(false);
  readonly closed: Signal<readonly string[]> = signal([]);
  /** Reads the list anew. */
  again: () => void = () => {};
  /** Moments that are read anew: those that are listed. */
  #wanted = PAGE;
  #generation = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Reads the list, again while recordings are still being read, and when others come home. @returns what ends it */
  follow(page: Document): () => void {
    const asking = refreshWhileVisible({
      page,
      firstMs: 0,
      everyMs: () => (this.told.peek() === null || this.told.peek()?.indexing ? AGAIN_MS : null),
      waitMs: LONG_WAIT_MS,
      ask: () => this.read(),
    });
    this.again = () => void asking.refresh();
    const ends = [asking.stop, followLibrary(page, this.again)];
    return () => {
      for (const end of ends) end();
      clearTimeout(this.#timer);
      this.#generation++;
    };
  }

  choose(changes: Partial<Choice>): void {
    this.choice.value = { ...this.choice.peek(), ...changes };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#wanted = PAGE;
      this.again();
    }, PAUSE_MS);
  }

  toggleDay(date: string): void {
    const closed = this.closed.peek();
    this.closed.value = closed.includes(date) ? closed.filter((one) => one !== date) : [...closed, date];
  }

  /** Reads as many as are wanted from the first on, or those that follow. */
  async read(next: string | null = null): Promise<void> {
    const mine = ++this.#generation;
    const { kinds, min, from, to, order } = this.choice.peek();
    const query = new URLSearchParams({ order, limit: String(next === null ? this.#wanted : PAGE) });
    if (kinds.length < KINDS.length) query.set("kind", kinds.join(","));
    if (min > LEAST) query.set("min", String(min));
    if (from !== "") query.set("from", from);
    if (to !== "") query.set("to", to);
    if (next !== null) query.set("next", next);
    this.isBusy.value = true;
    try {
      const came = await send<Moments>(`GET /api/viewer/moments?${query}`);
      if (mine !== this.#generation) return;
      const before = next === null ? [] : (this.told.peek()?.moments ?? []);
      batch(() => {
        this.told.value = { ...came, moments: [...before, ...came.moments], kinds };
        this.problem.value = null;
      });
      this.#wanted = Math.min(MOST_AT_ONCE, Math.max(PAGE, before.length + came.moments.length));
    } catch (error) {
      if (mine === this.#generation) this.problem.value = sentenceOfError(error);
    } finally {
      if (mine === this.#generation) this.isBusy.value = false;
    }
  }
}

export type MomentsListProps = Parts<
  "list" | "browsing" | "playback" | "moments" | "actions" | "thisYear" | "format" | "speedUnit"
>;

/** The list of what happened in all recordings: by day, or the strongest first. */
export function MomentsList(parts: MomentsListProps) {
  const list = useMemo(() => new MomentList(), []);
  useEffect(() => list.follow(document), [list]);
  const { value: told } = list.told;
  const { value: problem } = list.problem;
  return (
    <div class="moments needs-script">
      <Filters list={list} />
      <Head list={list} />
      {problem !== null && (
        <div class="mo-say" role="alert">
          <p>
            <b class="strong">The moments could not be read.</b> {problem}
          </p>
          <button class="b" type="button" onClick={list.again}>
            Try again
          </button>
        </div>
      )}
      {told !== null &&
        (told.moments.length === 0 ? <Empty list={list} told={told} /> : <Rows {...parts} all={list} />)}
      {told !== null && told.next !== null && (
        <button
          class="list-more text-b"
          type="button"
          aria-busy={list.isBusy.value ? "true" : undefined}
          onClick={() => void list.read(told.next)}
        >
          Show {formatCount(Math.min(PAGE, Math.max(1, totalOf(told) - told.moments.length)))} more
        </button>
      )}
    </div>
  );
}

function totalOf({ kinds, counts }: Read): number {
  return kinds.reduce((sum, kind) => sum + counts[kind], 0);
}

function Filters({ list }: { readonly list: MomentList }) {
  const { kinds, min, from, to } = list.choice.value;
  const toggle = (kind: MomentKind) => {
    const chosen = KINDS.filter((one) => kinds.includes(one) !== (one === kind));
    // Without any there would be nothing to see: then all are meant.
    list.choose({ kinds: chosen.length === 0 ? KINDS : chosen });
  };
  return (
    <div class="mo-filters">
      <div class="chips" role="group" aria-label="Show kinds">
        {KINDS.map((kind) => (
          <button
            key={kind}
            class="chip"
            type="button"
            aria-pressed={kinds.includes(kind)}
            data-kind={kind}
            onClick={() => toggle(kind)}
          >
            <Drawing kind={kind} />
            {momentsInWords(kind)} <b>{list.told.value ? formatCount(list.told.value.counts[kind]) : "–"}</b>
          </button>
        ))}
      </div>
      <div class="mo-range">
        <label class="label" for="mo-min">
          At least this strong
        </label>
        <input
          type="range"
          id="mo-min"
          min={LEAST}
          max={MOST}
          step="0.05"
          value={min}
          aria-valuetext={min > LEAST ? `${forceText(min)} g` : "Any strength"}
          onInput={(event) => list.choose({ min: Number(event.currentTarget.value) })}
        />
        <output for="mo-min">{min > LEAST ? `${forceText(min)}\u00a0g` : "Any"}</output>
      </div>
      <div class="mo-days">
        <label class="sr" for="mo-from">
          From day
        </label>
        <input
          class="in"
          type="date"
          id="mo-from"
          value={from}
          max={to === "" ? undefined : to}
          onChange={(event) => list.choose({ from: event.currentTarget.value })}
        />
        <span>to</span>
        <label class="sr" for="mo-to">
          To day
        </label>
        <input
          class="in"
          type="date"
          id="mo-to"
          value={to}
          min={from === "" ? undefined : from}
          onChange={(event) => list.choose({ to: event.currentTarget.value })}
        />
      </div>
    </div>
  );
}

/** Number of moments, the order, and what is still being read. */
function Head({ list }: { readonly list: MomentList }) {
  const { value: told } = list.told;
  const { order } = list.choice.value;
  const indexing = told?.indexing ?? null;
  return (
    <>
      <div class="mo-head">
        <b class="strong" role="status">
          {told === null ? "Moments are being read" : counted(totalOf(told), "moment")}
        </b>
        <button
          class="text-b"
          type="button"
          onClick={() => list.choose({ order: order === "time" ? "strength" : "time" })}
        >
          {order === "time" ? "Strongest first" : "Newest first"}
        </button>
      </div>
      {indexing?.stopped && <p class="mo-say">{stoppedText(indexing)}</p>}
      {indexing !== null && !indexing.stopped && (
        <div class="mo-say">
          <p id="mo-indexing">
            Dashdock is still reading recordings: {formatCount(indexing.done)} of {counted(indexing.total, "clip")} so
            far.
          </p>
          <progress value={indexing.done} max={indexing.total} aria-labelledby="mo-indexing" />
        </div>
      )}
    </>
  );
}

/** The reason why there is nothing, and what to do. */
function Empty({ list, told }: { readonly list: MomentList; readonly told: Moments }) {
  const { kinds, min, from, to } = list.choice.value;
  const isNarrowed = kinds.length < KINDS.length || min > LEAST || from !== "" || to !== "";
  if (isNarrowed)
    return (
      <div class="mo-say">
        <p>No moment matches what you chose.</p>
        <button class="b" type="button" onClick={() => list.choose({ ...ALL, order: list.choice.peek().order })}>
          Show all moments
        </button>
      </div>
    );
  if (told.indexing !== null) return null;
  return (
    <div class="mo-say">
      <p>
        <b class="strong">No moments yet.</b> Hard braking, fast turns, bumps and knocks are listed here. They need
        recordings with a g-sensor file.
      </p>
      <p>
        If you expect some, <a href="/settings#moments">list weaker pushes, too</a>.
      </p>
    </div>
  );
}

function Rows({ all, ...parts }: MomentsListProps & { readonly all: MomentList }) {
  const { value: told } = all.told;
  const { order } = all.choice.value;
  const { thisYear, format } = parts;
  const seen = parts.moments.seen.value;
  const moments = told?.moments ?? [];
  const total = told === null ? 0 : totalOf(told);
  const row = (moment: ToldMoment, place: number) => (
    <Row
      key={`${moment.key} ${moment.seconds} ${moment.kind}`}
      moment={moment}
      isSeen={isSameMoment(seen, moment)}
      tellsDay={order === "strength"}
      open={() => {
        parts.moments.listed.value = { moment, place: place + 1, total };
        void parts.actions.show(moment.key, parts.playback.players.isPlaying.peek(), moment.seconds);
      }}
      {...parts}
    />
  );
  if (order === "strength") return <ol class="recs">{moments.map(row)}</ol>;
  const days = [...new Set(moments.map(({ key }) => dayOfKey(key) ?? ""))];
  return (
    <>
      {days.map((date, at) => {
        const isOpen = !all.closed.value.includes(date);
        const ofDay = moments.flatMap((moment, place) => (dayOfKey(moment.key) === date ? [{ moment, place }] : []));
        // More of the last day may follow.
        const isWhole = at < days.length - 1 || told?.next === null;
        return (
          <div key={date}>
            <h3>
              <button class="day" type="button" aria-expanded={isOpen} onClick={() => all.toggleDay(date)}>
                <Icon name={isOpen ? "i-down" : "i-right"} class="i i-s" />
                {cameraDay(date, thisYear, format)}
                {isWhole && <span>{counted(ofDay.length, "moment")}</span>}
              </button>
            </h3>
            {isOpen && <ol class="recs">{ofDay.map(({ moment, place }) => row(moment, place))}</ol>}
          </div>
        );
      })}
    </>
  );
}

interface RowProps extends MomentsListProps {
  readonly moment: ToldMoment;
  readonly isSeen: boolean;
  readonly tellsDay: boolean;
  readonly open: () => void;
}

function Row({ moment, isSeen, tellsDay, open, ...parts }: RowProps) {
  const { key, seconds, kind, strength, thumb } = moment;
  const { thisYear, format, speedUnit, browsing } = parts;
  const day = tellsDay ? `${cameraDay(dayOfKey(key) ?? "", thisYear, format)}, ` : "";
  const where = [momentSpeeds(moment, speedUnit), momentPlace(moment)].filter((part) => part !== "").join(" · ");
  return (
    <li>
      <a
        class="trip"
        href={browsing.pathOf(key, seconds)}
        aria-current={isSeen ? "true" : undefined}
        data-moment={kind}
        onClick={(click) => {
          if (!isPlainClick(click)) return;
          click.preventDefault();
          open();
        }}
      >
        <Shot thumb={thumb} type={typeOf(key)} />
        <span>
          <WhoseLine camera={whoseInList(parts.list.whose, key)}>
            <b>
              {day}
              {cameraClock(key, seconds, format)}
            </b>
          </WhoseLine>
          <span class="mo-k">
            <Drawing kind={kind} />
            {momentInWords(kind)}
          </span>
          <span class="mo-s">
            <svg viewBox={`0 0 ${WIDE} ${HIGH}`} aria-hidden="true">
              <rect class="mo-t" width={WIDE} height={HIGH} rx="3" />
              <rect class="mo-f" width={Math.max(HIGH, Math.min(1, strength / FULL_G) * WIDE)} height={HIGH} rx="3" />
            </svg>
            <span>
              <b>{forceText(strength)}</b> g
            </span>
          </span>
          {where !== "" && <span class="small soft mo-w">{where}</span>}
        </span>
      </a>
    </li>
  );
}

function Drawing({ kind }: { readonly kind: MomentKind }) {
  return (
    <svg class="i i-m" viewBox="0 0 24 24" aria-hidden="true">
      <path d={MOMENT_DRAWINGS[kind]} />
    </svg>
  );
}
