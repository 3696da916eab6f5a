import { type Signal, signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { cameraDay } from "../../../server/domain/recordings/camera_clock.ts";
import { dateOf, secondsOf } from "../../../server/domain/recordings/recording_name.ts";
import { isEvent } from "../../../server/domain/retention/keep_times.ts";
import { isOfOneCamera, MAIN_CAMERA, splitKey } from "../../../server/domain/settings/camera_key.ts";
import type { TimeFormat } from "../../../server/domain/text/time_format.ts";
import { clockOf, wallOf } from "../../../server/domain/text/zone_time.ts";
import { startOfDay } from "../../../server/domain/viewer/day_opening.ts";
import { eventBeside, landingOf } from "../../../server/domain/viewer/event_moment.ts";
import { filterOf, NO_FILTER } from "../../../server/domain/viewer/list_filter.ts";
import type { Search } from "../../../server/domain/viewer/search_schema.ts";
import { examplesOf, soughtTime } from "../../../server/domain/viewer/time_search.ts";
import { movementBeside } from "../../../server/domain/viewer/trip_play.ts";
import { dayOfKey, keyOf } from "../../../server/domain/viewer/viewer_address.ts";
import type { Trip, ViewerRecording } from "../../../server/domain/viewer/viewer_schema.ts";
import { reached } from "../../browser/address.ts";
import { send, sentenceOfError } from "../../browser/client.ts";
import { showToast } from "../../browser/toast.ts";
import type { Browsing } from "../browsing.ts";
import type { SyncedPlayers } from "../player/synced_players.ts";
import type { TripState } from "../trip_state.ts";
import type { LibraryTotals } from "./library_totals.ts";
import { recordingsOf } from "./recording_list.ts";
import type { SuggestionsProps } from "./suggestions.tsx";

interface Parts {
  readonly browsing: Browsing;
  readonly players: SyncedPlayers;
  readonly trip: TripState;
  readonly totals: LibraryTotals;
  /** `YYYY-MM-DD` */
  readonly today: string;
  readonly thisYear: number;
  /** Format of times and dates. */
  readonly format: TimeFormat;
}

/** A clip of unknown length is taken to reach this far when a time in it is looked for. */
const USUAL_SECONDS = 60;

/** The ways to a moment that the list alone does not lead to: by its time, its day, an event, the trip beside. */
export class Finding {
  /** Why nothing came of what was typed; empty while there is nothing to say. */
  readonly problem: Signal<string> = signal("");
  /** Text in the field. */
  readonly text: Signal<string> = signal("");
  /** List below the field; null until its script has come. */
  readonly suggestions: Signal<ComponentType<SuggestionsProps> | null> = signal(null);
  /** The field to type in is there. */
  readonly isOpen: Signal<boolean> = signal(false);
  /** The calendar is there. */
  readonly isCalendarOpen: Signal<boolean> = signal(false);
  readonly #parts: Parts;
  /** Takes away what was said about the last search. */
  #endAnswer: () => void = () => {};

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Shows the field, or takes it away again with what was said below it. */
  turn(isOpen: boolean): void {
    this.isOpen.value = isOpen;
    this.text.value = "";
    // The answer stays until something else is looked for.
    if (isOpen) this.#forget();
    else this.#clear();
    if (!isOpen || this.suggestions.value !== null) return;
    const loads = import("./suggestions.tsx").then(({ Suggestions }) => {
      this.suggestions.value = Suggestions;
    });
    // Enter finds the same without them, and tells when there is no connection.
    loads.catch(() => {});
  }

  /** Something else is being typed: what was said before is no answer to it. */
  typed(text: string): void {
    this.text.value = text;
    this.#forget();
  }

  openCalendar(isOpen: boolean): void {
    this.isCalendarOpen.value = isOpen;
  }

  /**
   * Goes to the time or day that was typed, else to the first that the service finds.
   * @returns whether there was one to go to; otherwise the problem says why
   */
  async jump(text: string): Promise<boolean> {
    const { today, browsing, format } = this.#parts;
    const sought = soughtTime(text, { today, order: format.order });
    this.#forget();
    try {
      if (sought === null) return await this.#first(text.trim());
      const date = sought.date ?? dayOfKey(browsing.key ?? "") ?? browsing.list.days.value[0]?.date ?? today;
      return await (sought.seconds === null ? this.day(date) : this.#time(date, sought.seconds));
    } catch (error) {
      this.problem.value = sentenceOfError(error);
      return false;
    }
  }

  /** Goes to what was found: a clip, or a list of some kind; pages other than the viewer are loaded. */
  async open(href: string): Promise<void> {
    this.#forget();
    const { pathname, searchParams: query } = new URL(reached(href), location.href);
    const key = query.get("key");
    if (pathname !== location.pathname || query.has("camera")) return location.assign(reached(href));
    await this.#orShowError(() =>
      key === null ? this.#parts.browsing.showOnly(filterOf(query)) : this.#show(key, Number(query.get("t") ?? 0)),
    );
  }

  /** Shows a day: it is opened in the list, and what the car on show filmed first is on show. @throws Refusal */
  async day(date: string): Promise<boolean> {
    this.#forget();
    const first = startOfDay(await this.#clipsOf(date), this.#shownKey());
    if (!first) return false;
    await this.#show(keyOf(first));
    return true;
  }

  /**
   * Goes to the next event of the same car (1) or the one before (-1), of whatever day; beside the parked car to the
   * movement first.
   */
  event(by: 1 | -1): Promise<void> {
    this.#forget();
    return this.#orShowError(async () => {
      const { players, trip, totals } = this.#parts;
      const key = this.#shownKey() ?? "";
      const beside = movementBeside(trip.movements.value, key, by);
      if (beside !== null) return await this.#show(beside);
      const date = dayOfKey(key) ?? "";
      const car = splitKey(key).camera ?? MAIN_CAMERA;
      const days = (await totals.load()).filter(
        ({ date: other, camera = MAIN_CAMERA, events }) =>
          events > 0 && camera === car && (by > 0 ? other >= date : other <= date),
      );
      for (const day of by > 0 ? days.toReversed() : days) {
        const events = (await recordingsOf(day.date, NO_FILTER)).filter(
          (one) => isEvent(one.type) && isOfOneCamera(keyOf(one), key),
        );
        const next = eventBeside(events, { key, seconds: players.time.peek() }, by);
        if (next) return await this.#show(keyOf(next), landingOf(next));
      }
      this.#endAnswer = showToast(document, "waiting", `There is no ${by > 0 ? "later" : "earlier"} event.`);
    });
  }

  /** Goes to the beginning of the trip after (1) or before (-1). */
  trip(by: 1 | -1): Promise<void> {
    this.#forget();
    return this.#orShowError(async () => {
      const { browsing, trip } = this.#parts;
      const { key } = browsing;
      if (key === null) return;
      const known = trip.trip.value;
      // Right after a step the trip of what is on show is still on its way.
      const isThis = known?.segments.some((one) => keyOf(one) === key);
      const here = known && isThis ? known : await send<Trip>(`GET /api/viewer/trips/${encodeURIComponent(key)}`);
      const next = by > 0 ? here.later : here.earlier;
      if (next) await this.#show(next);
      else this.#endAnswer = showToast(document, "waiting", `There is no ${by > 0 ? "later" : "earlier"} trip.`);
    });
  }

  async #first(text: string): Promise<boolean> {
    const query = new URLSearchParams({ q: text, limit: "1" });
    const [first] = text === "" ? [] : (await send<Search>(`GET /api/search?${query}`)).results;
    if (first) {
      await this.open(first.href);
      return true;
    }
    const { clock, day } = examplesOf(this.#parts.format);
    const hint = `Type a time such as ${clock}, a day such as ${day} or Friday, a kind such as event, or words of a note.`;
    this.problem.value = text === "" ? hint : `Nothing is found for “${text}”. ${hint}`;
    return false;
  }

  /** The key of what is on show, also when the recording is gone. */
  #shownKey(): string | null {
    const { browsing } = this.#parts;
    const { value } = browsing.shown;
    return value.kind === "gone" ? value.key : browsing.key;
  }

  #forget(): void {
    this.#endAnswer();
    this.#endAnswer = () => {};
    this.#clear();
  }

  #clear(): void {
    this.problem.value = "";
  }

  async #time(date: string, seconds: number): Promise<boolean> {
    const { key } = this.#parts.browsing;
    const clips = await this.#clipsOf(date);
    const wanted = secondsOf(`${date.replaceAll("-", "")}_000000`) + seconds;
    const startOf = (one: ViewerRecording) => secondsOf(keyOf(one));
    const before = clips.findLast((one) => startOf(one) <= wanted);
    const at = clips.filter((one) => {
      const into = wanted - startOf(one);
      return into >= 0 && into < (one.duration_seconds ?? USUAL_SECONDS);
    });
    // Where several cars were filmed at that time, the one on show is meant.
    const found = at.findLast((one) => key !== null && isOfOneCamera(keyOf(one), key)) ?? at.at(-1);
    if (found) {
      await this.#show(keyOf(found), wanted - startOf(found));
      return true;
    }
    const near = clips.find((one) => startOf(one) > wanted) ?? before;
    if (!near) return false;
    await this.#show(keyOf(near));
    const clock = clockOf(wallOf(seconds * 1000), this.#parts.format);
    const which = near === before ? "last clip before it" : "next clip";
    this.#endAnswer = showToast(document, "waiting", `Nothing was recorded at ${clock}. This is the ${which}.`);
    return true;
  }

  /** Oldest first; empty with a problem that says so. */
  async #clipsOf(date: string): Promise<readonly ViewerRecording[]> {
    const clips = (await recordingsOf(date, NO_FILTER)).toReversed();
    if (clips.length === 0)
      this.problem.value = `There are no clips of ${cameraDay(date, this.#parts.thisYear, this.#parts.format)}.`;
    return clips;
  }

  async #show(key: string, start = 0): Promise<void> {
    const { browsing, players } = this.#parts;
    if (key === browsing.key) {
      players.seek(start);
      return;
    }
    const wasPlaying = players.isPlaying.value;
    // A list under a filter stays; what it does not hold is on show all the same.
    await browsing.list.load(dateOf(key)).catch(() => []);
    if (await browsing.show(key, { start })) players.isPlaying.value = wasPlaying && !players.isStill;
  }

  async #orShowError(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      showToast(document, "failed", sentenceOfError(error));
    }
  }
}
