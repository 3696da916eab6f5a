import type { Mood } from "../server/domain/mood.ts";

const SHOWN_MS = 6000;
const SVG = "http://www.w3.org/2000/svg";

/** Says for a few seconds how something went, in the page's `#toasts`, which screen readers read out. */
export function showToast(page: Document, mood: Mood, words: string): void {
  const region = page.getElementById("toasts");
  if (!region) return;
  const toast = page.createElement("p");
  toast.className = `toast is-${mood}`;
  const text = page.createElement("span");
  text.textContent = words;
  const dismiss = page.createElement("button");
  dismiss.type = "button";
  dismiss.className = "b b-icon";
  dismiss.setAttribute("aria-label", "Dismiss");
  dismiss.append(icon(page, "i-close"));
  toast.append(icon(page, `s-${mood}`), text, dismiss);
  region.append(toast);
  const timer = setTimeout(() => toast.remove(), SHOWN_MS);
  dismiss.addEventListener("click", () => {
    clearTimeout(timer);
    toast.remove();
  });
}

function icon(page: Document, name: string): SVGElement {
  const svg = page.createElementNS(SVG, "svg");
  svg.setAttribute("class", "i");
  svg.setAttribute("aria-hidden", "true");
  const use = page.createElementNS(SVG, "use");
  use.setAttribute("href", `#${name}`);
  svg.append(use);
  return svg;
}
