import { areKeysOn, isTyping } from "../browser/keys.ts";
import type { Actions } from "./actions.ts";
import { toggleSavePanel } from "./export/save_panel.tsx";
import type { Finding } from "./list/finding.ts";
import type { Repeat } from "./player/repeat.ts";
import type { StageLayout } from "./player/stage_layout.ts";
import type { SyncedPlayers } from "./player/synced_players.ts";

interface Parts {
  readonly players: SyncedPlayers;
  readonly layout: StageLayout;
  readonly repeat: Repeat;
  readonly actions: Actions;
  readonly finding: Finding;
}

/** What goes on while its key is held down; everything else happens once. */
const HELD: readonly string[] = ["ArrowLeft", "ArrowRight", ",", "."];

/** The keys of the viewer, as its page lists them. @returns what ends it */
export function listenToKeys(page: Document, { players, layout, repeat, actions, finding }: Parts): () => void {
  const does: Readonly<Record<string, () => void>> = {
    " ": () => players.toggle(),
    k: () => players.setRate(1),
    ArrowLeft: () => actions.seekBy(-5),
    ArrowRight: () => actions.seekBy(5),
    "Shift+ArrowLeft": () => actions.seekBy(-30),
    "Shift+ArrowRight": () => actions.seekBy(30),
    j: () => players.changeRate(-1),
    l: () => players.changeRate(1),
    ",": () => players.stepFrames(-1),
    ".": () => players.stepFrames(1),
    n: () => void actions.move(1),
    p: () => void actions.move(-1),
    e: () => void finding.event(1),
    E: () => void finding.event(-1),
    "[": () => void finding.trip(-1),
    "]": () => void finding.trip(1),
    v: () => layout.next(),
    "/": () => finding.turn(true),
    f: () => actions.toggleFullScreen(),
    w: () => actions.followCar(),
    x: () => void actions.savePictures(),
    r: () => repeat.toggle(),
    m: () => players.sound.toggle(),
    b: () => actions.toggleKept(),
    t: () => actions.writeNote(),
    s: () => toggleSavePanel(page),
    Delete: () => actions.remove(),
    "1": () => actions.focus(0),
    "2": () => actions.focus(1),
    "3": () => actions.focus(2),
    "4": () => actions.focus(3),
  };
  const pressed = (event: KeyboardEvent) => {
    const { target, key } = event;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !areKeysOn()) return;
    // A box that chooses recordings takes no text.
    const isBox = target instanceof HTMLInputElement && target.type === "checkbox";
    if ((isTyping(target) && !(isBox && key === "Delete")) || page.querySelector("dialog[open]")) return;
    // A button is pressed with the space bar.
    if (key === " " && target instanceof HTMLElement && target.matches("button, summary")) return;
    // With Shift a key may do something else; capitals alone do not.
    const shifted = event.shiftKey ? (does[key.length === 1 ? key : `Shift+${key}`] ?? does[key]) : undefined;
    const action = shifted ?? does[key.length === 1 ? key.toLowerCase() : key];
    if (!action) return;
    event.preventDefault();
    if (!event.repeat || HELD.includes(key)) action();
  };
  page.addEventListener("keydown", pressed);
  return () => page.removeEventListener("keydown", pressed);
}
