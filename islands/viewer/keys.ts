import { areKeysOn, isTyping } from "../browser/keys.ts";
import type { Actions } from "./actions.ts";
import { showList } from "./list/trips_sheet.ts";
import type { Parts } from "./viewer_parts.ts";

/** Keys that repeat while they are held down; all others act once. */
const HELD: readonly string[] = ["ArrowLeft", "ArrowRight", ",", ".", "j", "l"];

type KeyParts = Parts<"list" | "browsing" | "playback" | "trip" | "map" | "marks" | "saving" | "actions">;

/** The keys of the viewer, as its page lists them. @returns what ends it */
export function listenToKeys(page: Document, parts: KeyParts): () => void {
  const { playback, actions } = parts;
  const { finding } = parts.list;
  const { players, layout, repeat, fullScreen } = playback;
  const does: Readonly<Record<string, () => void>> = {
    " ": () => players.toggle(),
    k: () => players.toggle(),
    ArrowLeft: () => actions.seekBy(-5),
    ArrowRight: () => actions.seekBy(5),
    "Shift+ArrowLeft": () => actions.seekBy(-30),
    "Shift+ArrowRight": () => actions.seekBy(30),
    j: () => actions.seekBy(-10),
    l: () => actions.seekBy(10),
    "<": () => players.changeRate(-1),
    ">": () => players.changeRate(1),
    Home: () => seekToTenth(0, parts),
    End: () => seekToTenth(10, parts),
    ",": () => players.stepFrames(-1),
    ".": () => players.stepFrames(1),
    n: () => void actions.move(1),
    p: () => void actions.move(-1),
    e: () => void actions.step(1),
    E: () => void actions.step(-1),
    "[": () => void finding.trip(-1),
    "]": () => void finding.trip(1),
    v: () => layout.next(),
    c: () => finding.openCalendar(true),
    "/": () => {
      showList(page);
      finding.turn(true);
    },
    f: () => fullScreen.toggle(),
    w: () => actions.followCar(),
    x: () => void actions.savePictures(),
    r: () => repeat.toggle(),
    m: () => players.sound.toggle(),
    b: () => actions.toggleKept(),
    t: () => actions.writeNote(),
    s: () => {
      if (parts.browsing.key !== null) parts.saving.toggle();
    },
    Delete: () => actions.remove(),
  };
  const pressed = (event: KeyboardEvent) => {
    const { target, key } = event;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (key !== "Escape" && !areKeysOn()) return;
    // A box that chooses recordings takes no text.
    const isBox = target instanceof HTMLInputElement && target.type === "checkbox";
    if ((isTyping(target) && !(isBox && key === "Delete")) || page.querySelector("dialog[open]")) return;
    // A button is pressed with the space bar.
    if (key === " " && target instanceof HTMLElement && target.matches("button, summary")) return;
    // The browser closes it, and nothing else is to go with it.
    if (key === "Escape" && page.querySelector(":popover-open")) return;
    // With Shift a key may do something else; capitals alone do not.
    const shifted = event.shiftKey ? (does[key.length === 1 ? key : `Shift+${key}`] ?? does[key]) : undefined;
    const action =
      cameraKey(event, actions) ??
      shifted ??
      does[key.length === 1 ? key.toLowerCase() : key] ??
      tenthKey(event, parts) ??
      (key === "Escape" ? closerOf(parts) : undefined);
    if (!action) return;
    event.preventDefault();
    if (!event.repeat || HELD.includes(key.toLowerCase())) action();
  };
  page.addEventListener("keydown", pressed);
  return () => page.removeEventListener("keydown", pressed);
}

/** With Shift a digit chooses a camera: by its place on the keyboard, since Shift makes other signs of digits. */
function cameraKey({ code, shiftKey }: KeyboardEvent, actions: Actions): (() => void) | undefined {
  const digit = shiftKey ? /^Digit([1-4])$/.exec(code)?.[1] : undefined;
  return digit === undefined ? undefined : () => actions.focus(Number(digit) - 1);
}

/** A digit leads to that tenth of the trip, also on keyboards that write digits only with Shift. */
function tenthKey({ key, code, shiftKey }: KeyboardEvent, parts: KeyParts): (() => void) | undefined {
  if (shiftKey) return undefined;
  // Signs that zoom the time line take the place of a digit on some keyboards.
  const digit = /^\d$/.test(key) ? key : "+-=".includes(key) ? undefined : /^Digit(\d)$/.exec(code)?.[1];
  return digit === undefined ? undefined : () => seekToTenth(Number(digit), parts);
}

function seekToTenth(tenths: number, { trip, playback: { players } }: Parts<"playback" | "trip">): void {
  const clock = trip.clock.peek();
  if (clock) void trip.seek((clock.length * tenths) / 10);
  else players.seek((players.length.peek() * tenths) / 10);
}

/** Action of Escape: it closes the topmost open part, and nothing below it. */
function closerOf({
  marks: { keeping },
  map,
  list: { finding },
  playback: { fullScreen },
  trip,
  saving,
}: KeyParts): (() => void) | undefined {
  if (keeping.writing.peek() !== null) return () => keeping.leave();
  if (map.isBig.peek())
    return () => {
      map.isBig.value = false;
    };
  if (fullScreen.isOn.peek()) return () => fullScreen.leave();
  if (finding.isOpen.peek()) return () => finding.turn(false);
  if (saving.isOpen.peek()) return () => saving.close();
  if (trip.range.peek() !== null)
    return () => {
      trip.range.value = null;
    };
  return undefined;
}
