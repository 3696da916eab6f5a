import { computed, effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Pass } from "../../server/domain/places/places_schema.ts";
import type { KeepClass } from "../../server/domain/retention/keep_times.ts";
import { counted } from "../../server/domain/text/format.ts";
import { flatPlace } from "../../server/domain/viewer/map_drawing.ts";
import { reached } from "../browser/address.ts";
import { send, sentenceOfError } from "../browser/client.ts";
import { areKeysOn, isTyping } from "../browser/keys.ts";
import { type BoxArrow, boxArrows } from "./box_arrows.ts";
import { boxInMiddle, sizeInWords } from "./drawn_box.ts";
import { type DrivesAsked, DrivesStore, queryOf } from "./drives_store.ts";
import { type FlatDrive, isIn } from "./flat_drives.ts";
import { addressOf, type DrawnBy, pathOf } from "./map_address.ts";
import { drivesOf, isPassOf, type MapFilter, NO_MAP_FILTER } from "./map_filter.ts";
import type { MapProps } from "./map_props.ts";
import {
  earthBoxOf,
  type FlatBox,
  flatBoxOf,
  flatBoxOfEarth,
  type MapSize,
  type MapView,
  type Pixel,
  pushed,
  scaleOf,
  viewOfBox,
  within,
  zoomed,
} from "./map_view.ts";
import { NamesStore } from "./names_store.ts";
import { PassesStore } from "./passes_store.ts";
import { type DaySpan, type DrivenDay, type Week, weeksOf } from "./weeks.ts";

/** Pixels around all drives. */
const ROOM = 48;
/** The home with what can be reached from it in some minutes. */
const HOME_ZOOM = 13.5;
/** Where there is no drive at all. */
const WORLD: MapView = { x: 0.5, y: 0.4, zoom: 2 };
/** The address follows the map after so long. */
const ADDRESS_MS = 400;

/** Numbers of trips by camera and by kind. */
export interface TripCounts {
  readonly whose: Readonly<Record<string, number>>;
  readonly kinds: Readonly<Record<KeepClass, number>>;
}

/** Contents of the page, and what people choose on it. */
export class MapState {
  readonly props: MapProps;
  readonly size: Signal<MapSize> = signal({ width: 0, height: 0 });
  /** Null until it is known where drives are. */
  readonly view: Signal<MapView | null> = signal(null);
  readonly by: Signal<DrawnBy> = signal("often");
  readonly filter: Signal<MapFilter> = signal(NO_MAP_FILTER);
  readonly span: Signal<DaySpan | null> = signal(null);
  /** The drawn box. */
  readonly box: Signal<FlatBox | null> = signal(null);
  /** A finger or the pointer draws the next box. */
  readonly isDrawing: Signal<boolean> = signal(false);
  /** The box is still being moved: its passes are listed when it is where it should be. */
  readonly isPlacing: Signal<boolean> = signal(false);
  /** Words for those who do not see the map. */
  readonly says: Signal<string> = signal("");
  readonly weeks: Signal<readonly Week[]> = signal([]);
  /** True when the whole world was looked at and has no drive. */
  readonly isEmpty: Signal<boolean> = signal(false);
  /** Why squares of streets that are in sight are not here; null while all are, or are coming. */
  readonly streetsProblem: Signal<string | null> = signal(null);
  readonly drives: DrivesStore;
  readonly passes: PassesStore;
  readonly names: NamesStore = new NamesStore();
  /** Drives that meet the filter. */
  readonly chosen: ReadonlySignal<readonly FlatDrive[]>;
  /** Passes that meet the filter; null while there is no list. */
  readonly chosenPasses: ReadonlySignal<readonly Pass[] | null>;
  /** Arrows of the ways that lead through the box, while its passes are listed. */
  readonly arrows: ReadonlySignal<readonly BoxArrow[]>;
  /** Number of trips on the part that is shown, when the map is calm; null until drives have come. */
  readonly count: Signal<number | null> = signal(null);
  /** Trips on that part by camera and by kind, as far as they meet all other conditions; null while they are not known. */
  readonly counts: Signal<TripCounts | null> = signal(null);
  /** A hand or the address has chosen what is shown: it stays, also when further drives are found. */
  #isChosen = false;
  readonly #days: Signal<readonly DrivenDay[]> = signal([]);
  readonly #asked: ReadonlySignal<DrivesAsked>;
  #addressTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(props: MapProps) {
    this.props = props;
    const { box, span, by, filter } = addressOf(new URLSearchParams(props.query));
    this.by.value = by;
    this.span.value = span;
    const known = props.cameras.map(({ id }) => id);
    this.filter.value = { ...filter, whose: filter.whose.filter((id) => known.includes(id)) };
    this.box.value = box && flatBoxOfEarth(box);
    this.#asked = computed(() => {
      const { whose, kinds } = this.filter.value;
      const [only = null] = whose;
      return {
        span: this.span.value,
        camera: whose.length === 1 ? only : null,
        kinds,
        isOfSeveral: props.cameras.length > 1,
      };
    });
    this.drives = new DrivesStore(this.#asked);
    this.passes = new PassesStore(this.#asked);
    this.chosen = computed(() => drivesOf(this.drives.drives.value ?? [], this.filter.value, props.speedUnit));
    this.chosenPasses = computed(() => {
      const { value: filter } = this.filter;
      return this.passes.passes.value?.filter((pass) => isPassOf(pass, filter, props.speedUnit)) ?? null;
    });
    this.arrows = computed(() =>
      this.box.value === null ? [] : boxArrows(this.box.value, this.chosenPasses.value ?? [], this.chosen.value),
    );
  }

  /** Follows the page from now on. @returns what ends it */
  start(page: Document): () => void {
    const { shown } = addressOf(new URLSearchParams(this.props.query));
    if (this.box.value) void this.passes.list(this.box.value);
    let isOpened = false;
    let askedBefore = queryOf(this.#asked.value);
    const ends = [
      // The first view needs the size of the map.
      effect(() => {
        const { width } = this.size.value;
        if (width === 0 || isOpened) return;
        isOpened = true;
        this.#isChosen = shown !== null || this.box.peek() !== null;
        if (shown) this.view.value = viewOfBox(flatBoxOfEarth(shown), this.size.value);
        else if (this.box.peek()) this.showBox(this.box.peek());
        else void this.showAll();
      }),
      effect(() => {
        const { value: view } = this.view;
        const { value: size } = this.size;
        const asked = queryOf(this.#asked.value);
        if (view === null || size.width === 0) return;
        if (asked !== askedBefore && this.box.peek() && !this.isPlacing.peek()) void this.passes.list(this.box.peek());
        askedBefore = asked;
        this.drives.follow(view, size);
        this.names.follow(view, size);
      }),
      effect(() => {
        const path = this.#path();
        clearTimeout(this.#addressTimer);
        if (path !== null)
          this.#addressTimer = setTimeout(() => history.replaceState(history.state, "", reached(path)), ADDRESS_MS);
      }),
      effect(() => {
        this.weeks.value = weeksOf(this.#days.value, this.props.today, this.filter.value.whose);
      }),
      effect(() => this.#tellPasses()),
      // Drives that were read meanwhile may have led through the box.
      effect(() => {
        if (this.drives.indexing.value === null && this.passes.isIndexing.peek() && this.box.peek())
          void this.passes.list(this.box.peek());
      }),
      this.#followIndexing(),
    ];
    const pressed = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (isTyping(event.target) || page.querySelector("dialog[open], :popover-open")) return;
      if (event.key === "Escape") this.takeAway();
      else if (event.key.toLowerCase() === "b" && areKeysOn(page)) {
        event.preventDefault();
        this.turnDrawing();
        // The keys that follow are for the map.
        page.querySelector<HTMLElement>(".mapv-ground")?.focus({ preventScroll: true });
      }
    };
    page.addEventListener("keydown", pressed);
    void this.#loadDays();
    return () => {
      for (const end of ends) end();
      page.removeEventListener("keydown", pressed);
      clearTimeout(this.#addressTimer);
      this.drives.close();
      this.names.close();
      void this.passes.list(null);
    };
  }

  push(right: number, down: number): void {
    this.#isChosen = true;
    if (this.view.value) this.view.value = pushed(this.view.value, right, down);
  }

  /** Comes closer by so many steps, each twice as close; what is at the pixel stays there, else the middle. */
  zoom(by: number, at?: Pixel): void {
    const { width, height } = this.size.value;
    const middle = { x: width / 2, y: height / 2 };
    this.#isChosen = true;
    if (this.view.value) this.view.value = zoomed(this.view.value, this.size.value, by, at ?? middle);
  }

  /** Shows all drives. */
  async showAll(): Promise<void> {
    try {
      const all = await this.drives.everywhere();
      this.isEmpty.value = all === null;
      this.drives.problem.value = null;
      this.view.value = all === null ? within(WORLD) : viewOfBox(all, this.size.value, ROOM);
    } catch (error) {
      this.drives.problem.value = sentenceOfError(error);
    }
  }

  /** Shows the place called home. */
  showHome(): void {
    this.#isChosen = true;
    const { home } = this.props;
    if (home) this.view.value = within({ ...flatPlace(home.lat, home.lon), zoom: HOME_ZOOM });
  }

  /** True when the home lies in the middle, as `showHome` shows it. */
  isAtHome(): boolean {
    const { home } = this.props;
    const { value: view } = this.view;
    if (home === null || view === null) return false;
    const { x, y } = flatPlace(home.lat, home.lon);
    const aside = Math.hypot(x - view.x - Math.round(x - view.x), y - view.y);
    return view.zoom === HOME_ZOOM && aside * scaleOf(view) < 1;
  }

  /** Shows all drives again as further ones are found, until a hand has moved the map. @returns what ends it */
  #followIndexing(): () => void {
    let before: number | undefined;
    return effect(() => {
      const done = this.drives.indexing.value?.done;
      if (done === before) return;
      before = done;
      if (!this.#isChosen && this.box.peek() === null && this.view.peek() !== null) void this.showAll();
    });
  }

  /** Shows a box with as much again around it. */
  showBox(box: FlatBox | null): void {
    if (box === null) return;
    const wide = (box.right - box.left) * 1.5;
    const high = (box.bottom - box.top) * 1.5;
    const around = { left: box.left - wide, right: box.right + wide, top: box.top - high, bottom: box.bottom + high };
    this.view.value = viewOfBox(around, this.size.value, 1);
  }

  /** Tries again what did not come. */
  retry(): void {
    if (this.view.value === null) void this.showAll();
    else this.drives.again(this.view.value, this.size.value);
  }

  turnDrawing(): void {
    this.isDrawing.value = !this.isDrawing.value;
    this.says.value = this.isDrawing.value
      ? "Draw a box on the map. Enter puts one in the middle."
      : "A box is no longer drawn.";
  }

  /** Puts a box into the middle, to be moved by keys. */
  beginBox(): void {
    const { value: view } = this.view;
    if (view === null) return;
    this.box.value = boxInMiddle(view, this.size.value);
    this.isPlacing.value = true;
    this.isDrawing.value = false;
    void this.passes.list(null);
    this.says.value = "A box in the middle. Arrows move it, Shift and arrows size it. Enter lists its passes.";
  }

  /** Changes the box, whose passes are not listed until that is asked for. */
  place(box: FlatBox): void {
    if (this.passes.passes.value !== null || this.passes.isBusy.value) void this.passes.list(null);
    this.isPlacing.value = true;
    this.box.value = box;
  }

  /** Lists the passes through the box. */
  listBox(box: FlatBox | null = this.box.value): void {
    if (box === null) return;
    this.box.value = box;
    this.isPlacing.value = false;
    this.isDrawing.value = false;
    this.says.value = `Reading the passes through a box of ${sizeInWords(box, this.props.speedUnit)}.`;
    void this.passes.list(box);
  }

  /** Takes the box away, or ends drawing. @returns false when there was neither */
  takeAway(): boolean {
    if (this.box.value === null && !this.isDrawing.value) return false;
    this.says.value = this.box.value === null ? "A box is no longer drawn." : "The box is gone.";
    this.box.value = null;
    this.isPlacing.value = false;
    this.isDrawing.value = false;
    void this.passes.list(null);
    return true;
  }

  /** Counts the trips on the part that is shown. */
  countSeen(): void {
    const { value: view } = this.view;
    if (view === null || this.drives.drives.value === null) return;
    const seen = flatBoxOf(view, this.size.value);
    const count = tripsIn(seen, this.chosen.value).length;
    this.counts.value = this.drives.isPartial.value ? null : this.#countsIn(seen);
    if (this.count.value === count) return;
    this.count.value = count;
    if (this.passes.passes.value === null) this.says.value = `${counted(count, "drive")} on the map.`;
  }

  #countsIn(seen: FlatBox): TripCounts {
    const tripsUnder = (changes: Partial<MapFilter>) => {
      const filter = { ...this.filter.value, ...changes };
      return tripsIn(seen, drivesOf(this.drives.drives.value ?? [], filter, this.props.speedUnit));
    };
    const whose: Record<string, number> = {};
    for (const { camera } of tripsUnder({ whose: [] })) whose[camera] = (whose[camera] ?? 0) + 1;
    const kinds = { normal: 0, event: 0, parking: 0, manual: 0 };
    for (const trip of tripsUnder({ kinds: [] })) for (const kind of trip.kinds) kinds[kind]++;
    return { whose, kinds };
  }

  #tellPasses(): void {
    const passes = this.chosenPasses.value;
    if (passes === null || this.passes.isBusy.value) return;
    this.says.value = `${counted(passes.length, "pass", "passes")}${this.passes.hasMore.value || this.passes.isIndexing.value ? " so far" : ""}.`;
  }

  /** The address of what is shown; null until that is known. */
  #path(): string | null {
    const { value: view } = this.view;
    const { value: box } = this.box;
    const { value: size } = this.size;
    if (view === null || size.width === 0) return null;
    return pathOf({
      shown: earthBoxOf(flatBoxOf(view, size)),
      box: box && !this.isPlacing.value ? earthBoxOf(box) : null,
      span: this.span.value,
      by: this.by.value,
      filter: this.filter.value,
    });
  }

  async #loadDays(): Promise<void> {
    const of = this.props.cameras.length > 1 ? "?camera=all" : "";
    try {
      const { days } = await send<{ readonly days: readonly DrivenDay[] }>(`GET /api/viewer/calendar${of}`);
      this.#days.value = days;
    } catch {
      // The weeks stay empty: the map says what is wrong with the folder.
    }
  }
}

/** Drives that lead through a part of the world, one of each trip. */
function tripsIn(seen: FlatBox, drives: readonly FlatDrive[]): FlatDrive[] {
  const trips = new Map<string, FlatDrive>();
  for (const drive of drives) if (!trips.has(drive.key) && isIn(seen, drive)) trips.set(drive.key, drive);
  return [...trips.values()];
}
