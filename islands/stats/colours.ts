/** Colours of the charts, by the names of the tokens. */
export const TOKENS = {
  line: "var(--line)",
  text3: "var(--text-3)",
  c1: "var(--c1)",
  c2: "var(--c2)",
  c3: "var(--c3)",
  area: "color-mix(in oklab, var(--c1) 13%, transparent)",
  trashArea: "color-mix(in oklab, var(--text-3) 14%, transparent)",
  attention: "var(--attention)",
  failed: "var(--failed)",
  waiting: "var(--waiting)",
  surface: "var(--surface)",
} as const;

export type Colours = Readonly<Record<keyof typeof TOKENS, string>>;

/**
 * The tokens as they are in this place and theme. A canvas knows neither custom properties nor `light-dark()`: an element
 * is asked what they come to.
 */
export function readColours(place: HTMLElement): Colours {
  const probe = document.createElement("span");
  place.append(probe);
  const { style } = probe;
  const read = (value: string) => {
    style.color = value;
    return getComputedStyle(probe).color;
  };
  const found = Object.entries(TOKENS).map(([name, value]) => [name, read(value)]);
  probe.remove();
  return Object.fromEntries(found) as Colours;
}

/** Calls when another theme is chosen, or the system changes its own. @returns what ends it */
export function onTheme(changed: () => void): () => void {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const chosen = new MutationObserver(changed);
  chosen.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  system.addEventListener("change", changed);
  return () => {
    chosen.disconnect();
    system.removeEventListener("change", changed);
  };
}
