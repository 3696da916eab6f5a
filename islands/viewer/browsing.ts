import { batch, type Signal, signal } from "@preact/signals";
import { isDay } from "../../server/domain/recordings/camera_clock.ts";
import { withCamera } from "../../server/domain/settings/camera_address.ts";
import { isOfOneCamera, MAIN_CAMERA, splitKey } from "../../server/domain/settings/camera_key.ts";
import { openingOfDay } from "../../server/domain/viewer/day_opening.ts";
import { isDayOf, type ListedDay } from "../../server/domain/viewer/days_of_cameras.ts";
import {
  filterOf,
  filterQuery,
  isEverything,
  isSameFilter,
  type ListFilter,
  NO_FILTER,
} from "../../server/domain/viewer/list_filter.ts";
import {
  dayOfKey,
  dayPath,
  keyOf,
  type ListWay,
  listWayOf,
  type Shown,
  viewerPath,
  wantedOf,
} from "../../server/domain/viewer/viewer_address.ts";
import type { ViewerRecording } from "../../server/domain/viewer/viewer_schema.ts";
import { sentenceOfError } from "../browser/client.ts";
import { Address, type Step } from "./address.ts";
import { isSame, type RecordingList, recordingsOf } from "./list/recording_list.ts";
import type { ViewerProps } from "./viewer_props.ts";

/** The end of recordings that follow each other, and the next one after the gap; null at the newest. */
export interface JourneyEnd {
  readonly next: ViewerRecording | null;
}

/** Number of further days to search: a day may have lost its recordings since it was counted. */
const MOST_DAYS_SEARCHED = 7;

/** The clip on show, and the way from one recording of the list to the next. */
export class Browsing {
  readonly address: Address = new Address();
  readonly list: RecordingList;
  readonly shown: Signal<Shown>;
  /** Told what comes to be on show, before anything else sees it: the players' time belongs to it from then on. */
  onChange: (next: Shown) => void = () => {};
  /** Contents of the list. */
  readonly way: Signal<ListWay>;
  readonly journeyEnd: Signal<JourneyEnd | null> = signal(null);
  /** Why the recording that was asked for could not be shown. */
  readonly problem: Signal<{ readonly words: string; readonly again: () => void } | null> = signal(null);
  readonly #drawn: Pick<ViewerProps, "shown" | "neighbours" | "filter">;
  /** Grows with every choice: an answer to an older one is too late. */
  #generation = 0;

  constructor(props: ViewerProps, list: RecordingList) {
    this.#drawn = props;
    this.list = list;
    this.shown = signal(props.shown);
    this.way = signal(props.way);
    if (this.key !== null) this.list.reveal(this.key);
  }

  /** The key of what is shown; null when it is no recording. */
  get key(): string | null {
    const { value } = this.shown;
    return value.kind === "recording" ? keyOf(value.recording) : null;
  }

  /** The address of a recording, beside the list as it is now. */
  pathOf(key: string, seconds = 0): string {
    const path = viewerPath(key, seconds, this.list.filter.value);
    return this.way.value === "moments" ? `${path}&list=moments` : path;
  }

  /** Makes the list one of trips or of moments; the address follows. */
  turnTo(way: ListWay): void {
    this.way.value = way;
    if (this.key !== null) this.address.write(this.pathOf(this.key), "push");
  }

  /**
   * Shows a recording; the address follows, as a step to go back from or in place of the last one.
   * @returns whether it is on show now: it may be gone, or something else may have been chosen meanwhile
   */
  async show(key: string, { start = 0, step = "push" }: { start?: number; step?: Step } = {}): Promise<boolean> {
    const mine = this.#choose();
    let recording: ViewerRecording | null = null;
    try {
      recording = await this.#read(key);
    } catch (error) {
      if (mine !== this.#generation) return false;
      const again = () => void this.show(key, { start, step });
      this.problem.value = { words: sentenceOfError(error), again };
      return false;
    }
    if (mine !== this.#generation) return false;
    if (recording) this.showKnown(recording, { start, step });
    else {
      this.#set({ kind: "gone", key });
      this.list.reveal(key);
      this.address.write(this.pathOf(key, start), step);
    }
    return recording !== null;
  }

  /** Shows a recording whose videos are known, at once. */
  showKnown(recording: ViewerRecording, { start = 0, step = "push" }: { start?: number; step?: Step } = {}): void {
    this.#choose();
    const key = keyOf(recording);
    this.#set({ kind: "recording", recording, start });
    this.#reveal(key);
    this.address.write(this.pathOf(key, start), step);
  }

  /** Shows that there is nothing to show; the address follows. */
  showNothing(): void {
    this.#choose();
    const filter = this.list.filter.value;
    this.#set({ kind: "nothing", only: filter.only });
    this.address.write(`/viewer${filterQuery(filter).replace("&", "?")}`, "replace");
  }

  /** Makes the list hold only these recordings, or all; what is on show stays. @throws Refusal */
  async showOnly(filter: ListFilter, step: Step = "push"): Promise<void> {
    await this.list.change(filter, dayOfKey(this.key ?? ""));
    if (this.key !== null) this.list.reveal(this.key);
    const [day] = this.list.days.value;
    const newest = day && this.list.stateOf(day.date).recordings?.[0];
    if (this.key !== null) this.address.write(this.pathOf(this.key), step);
    else if (newest) await this.show(keyOf(newest), { step });
    else this.showNothing();
  }

  /** Shows what the address asks for, after the browser went back or forward. */
  async follow(address: Location): Promise<void> {
    const query = new URLSearchParams(address.search);
    const wanted = wantedOf(query);
    const filter = filterOf(query);
    this.way.value = listWayOf(query);
    if (!isSameFilter(filter, this.list.filter.value))
      try {
        await this.list.change(filter, wanted.kind === "recording" ? dayOfKey(wanted.key) : null);
      } catch (error) {
        this.problem.value = { words: sentenceOfError(error), again: () => void this.follow(location) };
        return;
      }
    if (wanted.kind === "recording") {
      await this.show(wanted.key, { start: wanted.start ?? 0, step: "none" });
      return;
    }
    const mine = this.#choose();
    const date = wanted.kind === "day" ? wanted.date : this.list.days.value[0]?.date;
    const listed = date !== undefined && isDay(date) ? await this.list.load(date).catch(() => []) : [];
    const first = openingOfDay(listed, wanted.kind === "day" ? this.list.stateOf(wanted.date).trips : null);
    if (mine !== this.#generation) return;
    if (first) await this.show(keyOf(first), { step: "none" });
    else this.#set(date === undefined ? { kind: "nothing", only: filter.only } : { kind: "empty_day", date });
  }

  /** Addresses of what the same car recorded before and after: of the day, while a day beyond has not been read yet. */
  neighbourPaths(): { readonly earlier: string | null; readonly later: string | null } {
    const key = this.#placeInTime();
    if (key === null) return { earlier: null, later: null };
    const { list } = this;
    const days = this.#daysOf(key);
    const at = dayIndex(days, key);
    const known = days.slice(Math.max(0, at - 1), at + 2).flatMap(({ date }) => list.stateOf(date).recordings ?? []);
    const keys = known.map(keyOf).filter((one) => isOfOneCamera(one, key));
    const { shown, neighbours, filter } = this.#drawn;
    const isSameList = isSameFilter(filter, list.filter.value);
    const isAsDrawn = shown.kind === "recording" && keyOf(shown.recording) === key && isSameList;
    const drawn = isAsDrawn ? neighbours : null;
    const pathTo = (near: string | undefined, there: string | null | undefined, beyond: ListedDay | undefined) => {
      const to = near ?? there;
      if (to) return this.pathOf(to);
      if (beyond === undefined) return null;
      // The newest clip of such a day may be another car's.
      const camera = beyond.cameras === undefined ? null : (splitKey(key).camera ?? MAIN_CAMERA);
      return withCamera(dayPath(beyond.date, list.filter.value), camera);
    };
    return {
      earlier: pathTo(
        keys
          .filter((one) => one < key)
          .sort()
          .at(-1),
        drawn?.earlier,
        days[at + 1],
      ),
      later: pathTo(keys.filter((one) => one > key).sort()[0], drawn?.later, days[at - 1]),
    };
  }

  /**
   * The next recording of the same car in time (1) or the one before (-1), over the ends of days, of those in the list.
   * @param without keys that do not count: they are about to go
   */
  async find(by: 1 | -1, without: readonly string[] = []): Promise<ViewerRecording | null> {
    const key = this.#placeInTime();
    if (key === null) return null;
    const days = this.#daysOf(key);
    const at = dayIndex(days, key);
    for (let moved = 0; moved <= MOST_DAYS_SEARCHED; moved++) {
      const day = days[at - by * moved];
      // A recording that is gone may have been older than all that are here.
      if (!day && moved === 0) continue;
      if (!day) return null;
      const found = (await this.list.load(day.date)).filter(
        (one) =>
          isOfOneCamera(keyOf(one), key) &&
          (by > 0 ? keyOf(one) > key : keyOf(one) < key) &&
          !without.includes(keyOf(one)),
      );
      const next = by > 0 ? found.at(-1) : found[0];
      if (next) return next;
    }
    return null;
  }

  /**
   * Looks for new recordings; what is on show stays where it is, unless it is gone.
   * @param changed is called right before the list changes
   * @param isStill whether nothing plays: then a camera that has come home joins the ones on show
   * @param dates further days of which something may have changed
   */
  async refresh(changed: () => void, isStill: () => boolean, dates: readonly (string | null)[] = []): Promise<void> {
    const { list } = this;
    // Another camera and the picture of a moment may come home later than the moment itself, and it counts once.
    await list.refresh([list.days.value[0]?.date, dayOfKey(this.key ?? ""), ...dates], changed);
    this.#completeShown(isStill());
    const { value } = this.shown;
    if (value.kind === "gone" && list.find(value.key)) await this.show(value.key, { step: "none" });
    if (value.kind === "nothing" && list.days.value.length > 0) await this.follow(location);
  }

  /** Takes over what has become of a recording, on show and in the list. */
  replace(recording: ViewerRecording): void {
    this.list.replace(recording);
    const { value } = this.shown;
    if (value.kind === "recording" && keyOf(value.recording) === keyOf(recording)) this.#set({ ...value, recording });
  }

  /** Takes over what has come to be known of the recording on show; videos that play are not disturbed. */
  #completeShown(isStill: boolean): void {
    const { value } = this.shown;
    if (value.kind !== "recording") return;
    const key = keyOf(value.recording);
    const fresh = this.list.find(key);
    // A list of some recordings lacks others that are still there.
    const isRead = isEverything(this.list.filter.value) && this.list.stateOf(dayOfKey(key) ?? "").recordings !== null;
    if (!fresh && isRead && isStill) this.#set({ kind: "gone", key });
    if (!fresh || isSame(fresh, value.recording)) return;
    const { videos, coming } = value.recording;
    // The part that is still coming stays as it is until its video can join those that play.
    const isUndisturbed = isStill || isSame(fresh.videos, videos);
    this.#set({ ...value, recording: isUndisturbed ? fresh : { ...fresh, videos, coming } });
  }

  /** Recording in the list, else among all of its day: the one on show need not be in the list. */
  async #read(key: string): Promise<ViewerRecording | null> {
    const date = dayOfKey(key);
    if (date === null) return null;
    const { list } = this;
    const isAll = isEverything(list.filter.value);
    const isListed = isAll || list.days.value.some((day) => day.date === date);
    const listed = isListed ? await list.load(date) : [];
    const of = (all: readonly ViewerRecording[]) => all.find((one) => keyOf(one) === key) ?? null;
    return of(listed) ?? (isAll ? null : of(await recordingsOf(date, NO_FILTER)));
  }

  /** Marks it in the list; what plays may have gone over the end of a day that is not read yet. */
  #reveal(key: string): void {
    const { list } = this;
    const date = dayOfKey(key) ?? "";
    const isUnread = list.stateOf(date).recordings === null && list.days.value.some((day) => day.date === date);
    if (!isUnread) list.reveal(key);
    else
      list.load(date).then(
        () => this.key === key && list.reveal(key),
        () => {},
      );
  }

  #set(shown: Shown): void {
    batch(() => {
      this.onChange(shown);
      this.shown.value = shown;
    });
  }

  /** @returns the number of a new choice */
  #choose(): number {
    this.problem.value = null;
    this.journeyEnd.value = null;
    return ++this.#generation;
  }

  /** The key of what is on show, also when the recording is gone. */
  #placeInTime(): string | null {
    const { value } = this.shown;
    return value.kind === "gone" ? value.key : this.key;
  }

  /** Days of the list with clips of the same car, newest first. */
  #daysOf(key: string): readonly ListedDay[] {
    return this.list.days.value.filter((day) => isDayOf(day, key));
  }
}

/** Index of a key's day, or of its place there: the first day that is not later. */
function dayIndex(days: readonly ListedDay[], key: string): number {
  const date = dayOfKey(key) ?? "";
  const at = days.findIndex((day) => day.date <= date);
  return at < 0 ? days.length : at;
}
