import type { StatusLevel } from "../../server/domain/answers/status_level.ts";
import type { IconName } from "../parts/icon.tsx";

const SHOWN_MS = 6000;
/** Time to read, decide and get there. */
const SHOWN_WITH_ACTION_MS = 15_000;
const SVG = "http://www.w3.org/2000/svg";

/** A button in a toast, which goes when it is pressed. */
export interface ToastAction {
  readonly label: string;
  readonly run: () => void;
}

/**
 * Shows for six seconds how something went, in the page's `#toasts`, which screen readers read out. One with an action
 * stays longer, and for as long as the pointer or the focus is on it.
 * @returns what takes it away earlier
 */
export function showToast(page: Document, level: StatusLevel, words: string, action?: ToastAction): () => void {
  const region = page.getElementById("toasts");
  if (!region) return () => {};
  const toast = page.createElement("p");
  toast.className = `toast is-${level}`;
  const text = page.createElement("span");
  text.textContent = words;
  const dismiss = page.createElement("button");
  dismiss.type = "button";
  dismiss.className = "b b-icon";
  dismiss.setAttribute("aria-label", "Dismiss");
  dismiss.append(icon(page, "i-close"));
  toast.append(icon(page, `s-${level}`), text);
  const button = action && page.createElement("button");
  if (button && action) {
    button.type = "button";
    button.className = "text-b";
    button.textContent = action.label;
    toast.append(button);
  }
  toast.append(dismiss);
  region.append(toast);
  let before: EventTarget | null = null;
  toast.addEventListener("focusin", ({ relatedTarget }) => {
    if (!toast.contains(relatedTarget as Node | null)) before = relatedTarget;
  });
  const remove = () => {
    if (toast.contains(page.activeElement)) giveFocusBack(page, before);
    toast.remove();
  };
  const isHeld = () => button !== undefined && (toast.matches(":hover") || toast.contains(page.activeElement));
  let timer: ReturnType<typeof setTimeout>;
  const wait = (ms: number) => {
    timer = setTimeout(() => (isHeld() ? wait(SHOWN_MS) : remove()), ms);
  };
  wait(button ? SHOWN_WITH_ACTION_MS : SHOWN_MS);
  const end = () => {
    clearTimeout(timer);
    remove();
  };
  dismiss.addEventListener("click", end);
  button?.addEventListener("click", () => {
    end();
    action?.run();
  });
  return end;
}

/** To what had it before, else to the content: a toast that goes must not take the focus along. */
function giveFocusBack(page: Document, before: EventTarget | null): void {
  const options = { preventScroll: true };
  const element = before as HTMLElement | null;
  if (element?.isConnected) element.focus(options);
  // It may be hidden by now.
  if (page.activeElement !== element) page.getElementById("main")?.focus(options);
}

/** Draws the same as `Icon`, which would bring Preact into scripts that need none of it. */
function icon(page: Document, name: IconName): SVGElement {
  const svg = page.createElementNS(SVG, "svg");
  svg.setAttribute("class", "i");
  svg.setAttribute("aria-hidden", "true");
  const use = page.createElementNS(SVG, "use");
  use.setAttribute("href", `#${name}`);
  svg.append(use);
  return svg;
}
