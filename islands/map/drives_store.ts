import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { MapDrives } from "../../server/domain/places/places_schema.ts";
import type { KeepClass } from "../../server/domain/retention/keep_times.ts";
import { send, sentenceOfError } from "../browser/client.ts";
import { boundsOf, type FlatDrive, flatDrivesOf } from "./flat_drives.ts";
import { boxText, earthBoxOf, type FlatBox, flatBoxOf, type MapSize, type MapView } from "./map_view.ts";
import type { DaySpan } from "./weeks.ts";

/** Conditions besides the part of the map. */
export interface DrivesAsked {
  readonly span: DaySpan | null;
  /** Id of the one camera that is asked; null for all. */
  readonly camera: string | null;
  /** Kinds of which a trip has a recording; none means all. */
  readonly kinds: readonly KeepClass[];
  /** There are several cameras. */
  readonly isOfSeveral: boolean;
}

/** Part of the map's size that is asked for beyond each edge. */
const BEYOND = 0.5;
/** Time after the last movement of the map. */
const CALM_MS = 150;
/** Time between two looks while clips are still being read. */
const INDEXING_MS = 4000;
const MOST_ZOOM = 19;
/** The first look is at the whole world: close enough to find where the drives are. */
const WORLD_ZOOM = 9;

/** Asks the API of the map; tests ask themselves. @throws Refusal */
export type AskMap = <T>(path: `/api/map/${string}`, signal: AbortSignal) => Promise<T>;

export const askMap: AskMap = (path, signal) => send(`GET ${path}`, undefined, signal);

/** The query of an address of the map's API. */
export function queryOf({ span, camera, kinds, isOfSeveral }: DrivesAsked): string {
  const of = isOfSeveral ? `&camera=${encodeURIComponent(camera ?? "all")}` : "";
  const kind = kinds.length > 0 ? `&kind=${kinds.join(",")}` : "";
  return (span === null ? "" : `&from=${span.from}&to=${span.to}`) + of + kind;
}

/** The query for drives of all cameras and kinds: as long as they come all, they are counted by these. */
function wideQueryOf(asked: DrivesAsked): string {
  return queryOf({ ...asked, camera: null, kinds: [] });
}

/** Drives of the part of the map that is shown, asked for again when that is left. */
export class DrivesStore {
  /** Null until the first ones have come. */
  readonly drives: Signal<readonly FlatDrive[] | null> = signal(null);
  readonly isCut: Signal<boolean> = signal(false);
  /** The drives here are not all those of all cameras and kinds: these cannot be counted. */
  readonly isPartial: Signal<boolean> = signal(false);
  readonly indexing: Signal<MapDrives["indexing"]> = signal(null);
  /** Why they did not come, as a sentence. */
  readonly problem: Signal<string | null> = signal(null);
  readonly #asked: ReadonlySignal<DrivesAsked>;
  readonly #askMap: AskMap;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #indexingTimer: ReturnType<typeof setTimeout> | undefined;
  /** The last view that was followed. */
  #seen: { readonly view: MapView; readonly size: MapSize } | null = null;
  #waiting: AbortController | null = null;
  /** The question that the drives here answer. */
  #known: { readonly box: FlatBox; readonly zoom: number; readonly asked: DrivesAsked } | null = null;
  #isClosed = false;

  constructor(asked: ReadonlySignal<DrivesAsked>, ask: AskMap = askMap) {
    this.#asked = asked;
    this.#askMap = ask;
  }

  /** Returns the part of the world that has all drives, null without one. @throws Refusal */
  async everywhere(): Promise<FlatBox | null> {
    const world = "-180,-90,180,90";
    const answer = await this.#ask(world, WORLD_ZOOM, queryOf(this.#asked.value), new AbortController().signal);
    return boundsOf(flatDrivesOf(answer.drives));
  }

  /** Asks for the drives of what is shown, as soon as the map is calm, unless they are here. */
  follow(view: MapView, size: MapSize, waitMs = CALM_MS): void {
    const { value: asked } = this.#asked;
    clearTimeout(this.#timer);
    this.#seen = { view, size };
    if (this.#known && isWithin(flatBoxOf(view, size), view.zoom, this.#known) && this.#answers(asked)) return;
    this.#timer = setTimeout(() => void this.#load(view, size, asked), waitMs);
  }

  /** Asks again for what is shown. */
  again(view: MapView, size: MapSize): void {
    this.#known = null;
    this.follow(view, size, 0);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#indexingTimer);
    this.#waiting?.abort();
  }

  /** True when the drives here are enough for a question: where there were too many, it is asked for the chosen ones alone. */
  #answers(asked: DrivesAsked): boolean {
    if (this.#known === null) return false;
    const words = this.isPartial.value ? queryOf : wideQueryOf;
    return words(this.#known.asked) === words(asked);
  }

  async #load(view: MapView, size: MapSize, asked: DrivesAsked): Promise<void> {
    this.#waiting?.abort();
    const waiting = new AbortController();
    this.#waiting = waiting;
    const box = flatBoxOf(view, size, BEYOND);
    const zoom = zoomAsked(view);
    try {
      const bbox = boxText(earthBoxOf(box));
      const all = await this.#ask(bbox, zoom, wideQueryOf(asked), waiting.signal);
      const isNarrowed = all.cut && queryOf(asked) !== wideQueryOf(asked);
      const answer = isNarrowed ? await this.#ask(bbox, zoom, queryOf(asked), waiting.signal) : all;
      if (waiting.signal.aborted) return;
      this.#known = { box, zoom, asked };
      this.isPartial.value = all.cut;
      this.isCut.value = answer.cut;
      this.indexing.value = answer.indexing;
      this.problem.value = null;
      this.drives.value = flatDrivesOf(answer.drives);
      clearTimeout(this.#indexingTimer);
      if (answer.indexing === null || this.#isClosed) return;
      this.#indexingTimer = setTimeout(() => this.#seen && this.again(this.#seen.view, this.#seen.size), INDEXING_MS);
    } catch (error) {
      if (waiting.signal.aborted) return;
      this.#known = null;
      this.problem.value = sentenceOfError(error);
    }
  }

  async #ask(bbox: string, zoom: number, query: string, signal: AbortSignal): Promise<MapDrives> {
    return await this.#askMap<MapDrives>(`/api/map/drives?bbox=${bbox}&zoom=${zoom}${query}`, signal);
  }
}

/** The closeness that lines are asked for: not coarser than what is shown. */
function zoomAsked({ zoom }: MapView): number {
  return Math.max(0, Math.min(MOST_ZOOM, Math.ceil(zoom)));
}

function isWithin(seen: FlatBox, zoom: number, known: { readonly box: FlatBox; readonly zoom: number }): boolean {
  const { left, top, right, bottom } = known.box;
  const isIn = seen.left >= left && seen.right <= right && seen.top >= top && seen.bottom <= bottom;
  return isIn && zoomAsked({ x: 0, y: 0, zoom }) === known.zoom;
}
