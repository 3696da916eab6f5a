import type { StatusLevel } from "../../server/domain/answers/status_level.ts";
import { type Asker, send, sentenceOfError } from "../browser/client.ts";
import { fetchFragment } from "../browser/fragment.ts";
import { morph } from "../browser/morph.ts";
import { LONG_WAIT_MS } from "../browser/refresh_while_visible.ts";
import { showToast } from "../browser/toast.ts";
import { startReveal } from "./reveal.ts";

const PATH = "/hx/camera/panes";
const HASH = /^#camera-(\w+)$/;
const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

/** Makes the server's panes of the camera's settings live: tabs, passwords, and what the camera says now. */
export function startPanes({ page, ask }: Asker): void {
  const root = () => page.getElementById("panes");
  const place = root()?.parentElement;
  if (!place) return;
  const reveal = startReveal(page, root);
  const tabsOf = (panes: Element) => [...panes.querySelectorAll<HTMLElement>("[role=tab]")];
  let chosen = "basic";

  const paint = (panes: Element) => {
    panes.toggleAttribute("data-awake", true);
    for (const tab of tabsOf(panes)) {
      const isChosen = tab.id === `tab-${chosen}`;
      tab.ariaSelected = String(isChosen);
      if (isChosen) tab.removeAttribute("tabindex");
      else tab.tabIndex = -1;
      const pane = panes.querySelector<HTMLElement>(`#${tab.getAttribute("aria-controls")}`);
      if (pane) pane.hidden = !isChosen;
    }
    reveal.paint(panes);
  };
  const choose = (tab: HTMLElement) => {
    reveal.mask();
    chosen = tab.id.replace("tab-", "");
    const panes = root();
    if (panes) paint(panes);
  };
  /** @returns whether the address leads to one of the panes */
  const follow = () => {
    const [, name] = HASH.exec(page.location.hash) ?? [];
    const tab = name === undefined ? null : page.getElementById(`tab-${name}`);
    if (!tab) return false;
    choose(tab);
    tab.parentElement?.scrollIntoView();
    return true;
  };

  let isAsking = false;
  /** A press came while the camera was being asked: what it says may be from before the press. */
  let isAskedAgain = false;
  const read = async (isByHand: boolean): Promise<void> => {
    if (isAsking) {
      isAskedAgain ||= isByHand;
      return;
    }
    isAsking = true;
    busy(true);
    try {
      const fresh = await fetchFragment({ page, ask }, PATH, AbortSignal.timeout(LONG_WAIT_MS));
      const panes = root();
      if (fresh && panes) {
        paint(fresh);
        morph(panes, fresh);
        const { level, says = "" } = (fresh as HTMLElement).dataset;
        if (isByHand) showToast(page, level as StatusLevel, says);
      }
    } catch (error) {
      if (isByHand) showToast(page, "failed", sentenceOfError(error));
    }
    isAsking = false;
    busy(false);
    if (!isAskedAgain) return;
    isAskedAgain = false;
    await read(true);
  };
  const busy = (is: boolean) => {
    for (const button of place.querySelectorAll("[data-action=refresh-camera]")) button.ariaBusy = is ? "true" : null;
  };
  const see = async (button: HTMLElement) => {
    const ids = (button.dataset["seen"] ?? "").split(" ").map(Number);
    try {
      await send("POST /api/camera/changes/dismiss", { ids });
      button.closest(".note")?.remove();
      tabsOf(place)
        .find(({ ariaSelected }) => ariaSelected === "true")
        ?.focus();
    } catch (error) {
      showToast(page, "failed", sentenceOfError(error));
    }
  };

  place.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>("button") : null;
    if (!button) return;
    const secret = button.closest<HTMLElement>("[data-secret]")?.dataset["secret"];
    if (button.role === "tab") choose(button);
    else if (button.dataset["action"] === "refresh-camera") void read(true);
    else if (button.dataset["seen"] !== undefined) void see(button);
    else if (button.dataset["copy"] !== undefined) void reveal.copy();
    else if (secret !== undefined) void reveal.toggle(secret);
  });
  place.addEventListener("keydown", (event) => {
    const tabs = tabsOf(place);
    const at = tabs.indexOf(event.target as HTMLElement);
    const step = STEPS[event.key];
    const ends = { Home: 0, End: tabs.length - 1 }[event.key];
    const next = tabs[step === undefined ? (ends ?? -1) : (at + step + tabs.length) % tabs.length];
    if (at < 0 || !next) return;
    event.preventDefault();
    choose(next);
    next.focus();
  });
  page.defaultView?.addEventListener("hashchange", follow);
  const panes = root();
  if (panes) paint(panes);
  // A camera that was never read has nothing to wait for, and nothing below may jump.
  if (follow() || panes?.dataset["read"] !== undefined) void read(false);
}
