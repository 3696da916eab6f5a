import { type ComponentType, h, hydrate } from "preact";
import { useEffect } from "preact/hooks";
import { startClock } from "./browser/clock.ts";
import { startKeys } from "./browser/keys.ts";
import { isPlainClick } from "./browser/plain_click.ts";
import { startPolling } from "./browser/poll.ts";
import { startTheme } from "./browser/theme.ts";
import { ISLANDS, type IslandName } from "./registry.ts";

await painted(document);
startTheme(document);
startKeys(document);
startClock(document);
startPolling(document);
startDialogs(document);
for (const place of document.querySelectorAll<HTMLElement>("[data-island]")) void wake(place);

/** Resolves when the page has been drawn once: what the server sent is complete, and no reader should wait for a script. */
function painted(page: Document): Promise<void> {
  return new Promise((resolve) => {
    if (page.hidden) resolve();
    else requestAnimationFrame(() => setTimeout(resolve));
  });
}

/** Gives the server's markup of an island its life. Without it the page still reads well. */
async function wake(place: HTMLElement): Promise<void> {
  const name = place.dataset["island"] as IslandName;
  const { default: Island } = await ISLANDS[name]();
  const props: object = JSON.parse(place.dataset["props"] ?? "{}");
  hydrate(h(Awake, { place, of: Island as ComponentType<object>, props }), place);
}

interface AwakeProps {
  readonly place: HTMLElement;
  readonly of: ComponentType<object>;
  readonly props: object;
}

/** Says that the island is there once it has been drawn, for style sheets and tests. */
function Awake({ place, of, props }: AwakeProps) {
  useEffect(() => {
    place.dataset["ready"] = "";
  }, [place]);
  return h(of, props);
}

/** Links that open in place: what they need comes with the first one that is pressed. */
function startDialogs(page: Document): void {
  page.addEventListener("click", (event) => {
    const link = event.target instanceof Element && event.target.closest<HTMLAnchorElement>("a[data-dialog]");
    if (!link || !isPlainClick(event)) return;
    event.preventDefault();
    import("./dialogs/open.ts").then(({ open }) => open(link)).catch(() => location.assign(link.href));
  });
}
