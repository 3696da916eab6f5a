import { type ComponentType, h, hydrate } from "preact";
import { useEffect } from "preact/hooks";
import { startClock } from "./browser/clock.ts";
import { islandIsReady } from "./browser/island_ready.ts";
import { startKeys } from "./browser/keys.ts";
import { isPlainClick } from "./browser/plain_click.ts";
import { startPolling } from "./browser/poll.ts";
import { startTheme } from "./browser/theme.ts";
import { ISLANDS, type IslandName } from "./registry.ts";

await firstPaint(document);
startTheme(document);
startKeys(document);
startClock(document);
startPolling(document);
startDialogs(document);
for (const place of document.querySelectorAll<HTMLElement>("[data-island]")) void hydrateIsland(place);

/** Resolves after the browser's first paint: the server's HTML is complete, and no script may delay it. */
function firstPaint(page: Document): Promise<void> {
  return new Promise((resolve) => {
    if (page.hidden) resolve();
    else requestAnimationFrame(() => setTimeout(resolve));
  });
}

/** Hydrates the server's markup of one island. */
async function hydrateIsland(place: HTMLElement): Promise<void> {
  const name = place.dataset["island"] as IslandName;
  const { default: Island } = await ISLANDS[name]();
  const props: object = JSON.parse(place.dataset["props"] ?? "{}");
  hydrate(h(Hydrated, { place, of: Island as ComponentType<object>, props }), place);
}

interface HydratedProps {
  readonly place: HTMLElement;
  readonly of: ComponentType<object>;
  readonly props: object;
}

/** Says that an island is alive once it is hydrated, for style sheets and tests; one that draws later says so itself. */
function Hydrated({ place, of, props }: HydratedProps) {
  useEffect(() => {
    if (!place.querySelector("[data-draws-later]")) islandIsReady(place);
  }, [place]);
  return h(of, props);
}

/** Opens `a[data-dialog]` in a dialog; its script is loaded with the first click. */
function startDialogs(page: Document): void {
  page.addEventListener("click", (event) => {
    const link = event.target instanceof Element && event.target.closest<HTMLAnchorElement>("a[data-dialog]");
    if (!link || !isPlainClick(event)) return;
    event.preventDefault();
    import("./dialogs/open.ts").then(({ open }) => open(link)).catch(() => location.assign(link.href));
  });
}
