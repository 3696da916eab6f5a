/** @jsxImportSource preact */
import { hydrate } from "preact";
import type { KeepDrawnProps } from "./keep/shared.ts";
import type { LaterPart } from "./later_part.ts";
import { adoptTyped } from "./typing.ts";

const ASLEEP = "[data-later]:not([data-awake])";
/** Elements that react to a press. Fields and menus keep what is entered until their part is awake. */
const PRESSED = "button, [type=checkbox], [type=radio]";

export interface Waking {
  /** Loads and hydrates all places of a part, or of every part. @throws when a script cannot be loaded */
  readonly wake: (part?: LaterPart) => Promise<void>;
  /** Resolves when what is on its way is awake. */
  readonly settled: () => Promise<unknown>;
  readonly stop: () => void;
}

/**
 * Wakes each part of the page when a hand, the focus or a link comes near it; the search wakes all of them. A press that
 * comes sooner is repeated once its part is awake.
 */
export function startWaking(root: HTMLElement, props: KeepDrawnProps): Waking {
  const onWay = new Map<HTMLElement, Promise<void>>();
  const wakeOne = async (place: HTMLElement) => {
    const { later, path } = place.dataset;
    // A script of its own: the names of all the others are long.
    const { SCRIPTS } = await import("./later_scripts.ts");
    const Part = await SCRIPTS[later as LaterPart]();
    hydrate(<Part {...props} path={path} />, place);
    adoptTyped(place);
    place.dataset["awake"] = "";
  };
  const wakePlace = (place: HTMLElement) => {
    const begun = onWay.get(place) ?? wakeOne(place);
    onWay.set(place, begun);
    // After a failure the next touch tries again.
    begun.catch(() => onWay.delete(place));
    return begun;
  };
  const wake = async (part?: LaterPart) => {
    const places = [...root.querySelectorAll<HTMLElement>(ASLEEP)];
    await Promise.all(places.filter(({ dataset }) => part === undefined || dataset["later"] === part).map(wakePlace));
  };
  const near = ({ target }: Event) => {
    if (!(target instanceof Element)) return;
    if (target.id === "find") return void wake().catch(() => {});
    // Also what belongs to the setting that is touched.
    const field = target.closest<HTMLElement>(".field");
    const places = [target.closest<HTMLElement>(ASLEEP), ...(field?.querySelectorAll<HTMLElement>(ASLEEP) ?? [])];
    for (const place of places) if (place) wakePlace(place).catch(() => {});
  };
  const press = (event: Event) => {
    const pressed = event.target instanceof Element ? event.target.closest<HTMLElement>(PRESSED) : null;
    const place = pressed?.closest<HTMLElement>(ASLEEP);
    if (!pressed || !place) return;
    event.preventDefault();
    event.stopPropagation();
    wakePlace(place).then(
      () => pressed.click(),
      () => {},
    );
  };
  const ended = new AbortController();
  const { signal } = ended;
  for (const kind of ["pointerover", "pointerdown", "focusin", "input"])
    root.addEventListener(kind, near, { signal, passive: true });
  root.addEventListener("click", press, { signal, capture: true });
  return { wake, settled: () => Promise.allSettled(onWay.values()), stop: () => ended.abort() };
}
