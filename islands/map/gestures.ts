import { boxAfterDrag, boxAfterKey, boxAround, boxBetween, CORNERS, type Corner, wayOfKey } from "./drawn_box.ts";
import type { MapState } from "./map_state.ts";
import type { FlatBox, Pixel } from "./map_view.ts";

/** Pixels that a finger may slip while it taps. */
const SLIP = 6;
/** Steps closer for a turn of the wheel by so many pixels. */
const WHEEL_PIXELS = 300;
/** Pixels that an arrow key moves the map, for each that it moves a box. */
const KEY_STEPS = 5;
/** A wheel that counts lines turns so many pixels with each. */
const LINE_PIXELS = 30;

type Drag =
  | { readonly kind: "push" }
  | { readonly kind: "draw"; readonly from: Pixel }
  | { readonly kind: "corner"; readonly corner: Corner; readonly box: FlatBox };

/** Fingers and pointers on the map: they push it, zoom it, draw a box and change that. @returns what ends it */
export function followPointers(ground: HTMLElement, map: MapState): () => void {
  const fingers = new Map<number, Pixel>();
  let drag: Drag | null = null;
  let began: Pixel = { x: 0, y: 0 };
  let hasMoved = false;

  const pixelOf = ({ clientX, clientY }: MouseEvent): Pixel => {
    const { left, top } = ground.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  };
  const drawn = (to: Pixel): FlatBox | null => {
    const { value: view } = map.view;
    if (view === null || drag === null) return null;
    if (drag.kind === "draw") return boxBetween(view, map.size.value, drag.from, to);
    return drag.kind === "corner" ? boxAfterDrag(drag.box, drag.corner, to, view, map.size.value) : null;
  };
  const down = (event: PointerEvent) => {
    if (event.button !== 0 || map.view.value === null) return;
    const at = pixelOf(event);
    fingers.set(event.pointerId, at);
    ground.setPointerCapture(event.pointerId);
    if (fingers.size > 1) {
      // A second finger zooms: what the first one began does not count.
      hasMoved = true;
      drag = { kind: "push" };
      return;
    }
    began = at;
    hasMoved = false;
    const { grip } = (event.target as Partial<SVGElement>).dataset ?? {};
    const corner = CORNERS.find((one) => one === grip);
    const box = map.box.value;
    if (corner && box) drag = { kind: "corner", corner, box };
    else drag = map.isDrawing.value ? { kind: "draw", from: at } : { kind: "push" };
  };
  const move = (event: PointerEvent) => {
    const before = fingers.get(event.pointerId);
    if (before === undefined || drag === null) return;
    const at = pixelOf(event);
    if (fingers.size > 1) pinch(event.pointerId, before, at);
    else if (hasMoved || Math.hypot(at.x - began.x, at.y - began.y) > SLIP) {
      const from = hasMoved ? before : began;
      hasMoved = true;
      const box = drawn(at);
      if (box) map.place(box);
      else map.push(at.x - from.x, at.y - from.y);
    } else return;
    fingers.set(event.pointerId, at);
  };
  const pinch = (moved: number, before: Pixel, at: Pixel) => {
    const [other] = [...fingers].filter(([id]) => id !== moved).map(([, pixel]) => pixel);
    if (other === undefined) return;
    const wide = Math.hypot(before.x - other.x, before.y - other.y);
    const wider = Math.hypot(at.x - other.x, at.y - other.y);
    map.push((at.x - before.x) / 2, (at.y - before.y) / 2);
    if (wide > 0 && wider > 0) map.zoom(Math.log2(wider / wide), { x: (at.x + other.x) / 2, y: (at.y + other.y) / 2 });
  };
  const up = (event: PointerEvent) => {
    if (!fingers.delete(event.pointerId) || fingers.size > 0) return;
    const at = pixelOf(event);
    const { value: view } = map.view;
    if (hasMoved) {
      const box = drawn(at);
      if (box) map.listBox(box);
    } else if (view && drag?.kind !== "corner") map.listBox(boxAround(view, map.size.value, at));
    drag = null;
  };
  const cancel = (event: PointerEvent) => {
    fingers.delete(event.pointerId);
    if (fingers.size === 0) drag = null;
  };
  const wheel = (event: WheelEvent) => {
    event.preventDefault();
    const turned = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * LINE_PIXELS : event.deltaY;
    map.zoom(-Math.max(-1, Math.min(1, turned / WHEEL_PIXELS)), pixelOf(event));
  };
  ground.addEventListener("pointerdown", down);
  ground.addEventListener("pointermove", move);
  ground.addEventListener("pointerup", up);
  ground.addEventListener("pointercancel", cancel);
  ground.addEventListener("wheel", wheel, { passive: false });
  return () => {
    ground.removeEventListener("pointerdown", down);
    ground.removeEventListener("pointermove", move);
    ground.removeEventListener("pointerup", up);
    ground.removeEventListener("pointercancel", cancel);
    ground.removeEventListener("wheel", wheel);
  };
}

/** A key that was pressed while the map has the focus. */
export function pressOnMap(event: KeyboardEvent, map: MapState): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || map.view.value === null) return;
  if (wasUsed(event, map)) event.preventDefault();
}

function wasUsed(event: KeyboardEvent, map: MapState): boolean {
  const { value: view } = map.view;
  const { value: box } = map.box;
  if (view === null) return false;
  if (event.key === "Escape") return map.takeAway();
  if (event.key === "Enter") {
    if (map.isPlacing.value) map.listBox();
    else map.beginBox();
    return true;
  }
  if (event.key === "+" || event.key === "=" || event.key === "-") {
    map.zoom(event.key === "-" ? -1 : 1);
    return true;
  }
  const way = wayOfKey(event.key);
  if (way === null) return false;
  const placed = map.isPlacing.value && box ? boxAfterKey(box, event, view, map.size.value) : null;
  if (placed) map.place(placed);
  else map.push(-way[0] * KEY_STEPS, -way[1] * KEY_STEPS);
  return true;
}
