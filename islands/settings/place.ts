import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

/** How far below the top of the window a section counts as the one that is read, in pixels. */
const LINE = 230;

/**
 * The section that is being read: the one a link has led to, else the one at the top of the window. The hash of the
 * address follows it, without adding to the history.
 */
export function useSectionInView(names: readonly string[]): Signal<string> {
  const current = useSignal(names[0] ?? "");
  useEffect(() => {
    /** A link has led somewhere; the window may be unable to scroll that far. */
    let isLed = false;
    let ledTo = Number.NaN;

    const follow = () => {
      const name = location.hash.slice(1);
      if (!names.includes(name)) return;
      current.value = name;
      ledTo = scrollY;
    };
    const look = () => {
      if (isLed) ledTo = scrollY;
      isLed = false;
      if (scrollY === ledTo) return;
      ledTo = Number.NaN;
      const shown = names.filter((name) => document.getElementById(name)?.offsetParent);
      const above = shown.filter((name) => (document.getElementById(name)?.getBoundingClientRect().top ?? 0) <= LINE);
      const isAtEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
      const name = (isAtEnd ? shown.at(-1) : above.at(-1)) ?? shown[0];
      if (name === undefined || name === current.value) return;
      current.value = name;
      history.replaceState(history.state, "", `#${name}`);
    };
    const press = (event: Event) => {
      const link = event.target instanceof Element ? event.target.closest("a") : null;
      if (link?.pathname !== location.pathname || !names.includes(link.hash.slice(1))) return;
      current.value = link.hash.slice(1);
      isLed = true;
    };
    follow();
    isLed = !Number.isNaN(ledTo);
    document.addEventListener("click", press);
    addEventListener("hashchange", follow);
    addEventListener("scroll", look, { passive: true });
    return () => {
      document.removeEventListener("click", press);
      removeEventListener("hashchange", follow);
      removeEventListener("scroll", look);
    };
  }, []);
  return current;
}
