import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { reached } from "../browser/address.ts";
import { asked } from "../browser/page_camera.ts";
import { focusable, unfold } from "./typing.ts";

/** A section, or what it is folded away in; null while a search hides it. */
function placeOf(name: string): Element | null {
  return shownPlace(document.getElementById(name));
}

function shownPlace(element: HTMLElement | null): Element | null {
  const place = element?.closest<HTMLElement>("details:not([open])") ?? element;
  return place?.offsetParent ? place : null;
}

/** The section that an element stands in, or beside in one group, as the way to add a camera does; null for none. */
function sectionOf(element: Element | null, names: readonly string[]): string | null {
  if (element === null) return null;
  const within = names.find((name) => document.getElementById(name)?.contains(element));
  return within ?? names.find((name) => document.getElementById(name)?.closest(".group")?.contains(element)) ?? null;
}

/** True when a section begins in the upper third of the window, where people read, or above it. */
function isAbove(name: string): boolean {
  const place = placeOf(name) ?? document.body;
  return place.getBoundingClientRect().top <= innerHeight / 3;
}

/** Sections that another page has. */
interface Elsewhere {
  readonly sections: readonly string[];
  readonly address: string;
}

/**
 * The section that is being read: the one a link has led to, else the one at the top of the window. The hash of the
 * address follows it, without adding to the history.
 * @param elsewhere where a link to a section leads that is not on this page
 */
export function useSectionInView(names: readonly string[], elsewhere?: Elsewhere): Signal<string> {
  const current = useSignal(names[0] ?? "");
  useEffect(() => {
    /** Element that a link has led to, while it is where the link has put it; the window may be unable to scroll that far. */
    let linked: HTMLElement | null = null;

    const follow = () => {
      const name = location.hash.slice(1);
      const target = document.getElementById(name);
      // The camera's own settings stood on this page once.
      if (target === null && name.startsWith("camera-"))
        location.replace(`${asked("/settings/camera", document)}${location.hash}`);
      const [section = ""] = name.split("-");
      if (target === null && elsewhere?.sections.includes(section))
        location.replace(`${reached(elsewhere.address)}${location.hash}`);
      if (unfold(target)) target?.scrollIntoView();
      // One setting can be led to, too.
      if (target?.matches("input, select, textarea")) focusable(target)?.focus();
      const shown = sectionOf(target, names);
      if (shown === null) return;
      current.value = shown;
      linked = target;
    };
    const onScroll = () => {
      const isAtEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
      const top = linked === null ? undefined : shownPlace(linked)?.getBoundingClientRect().top;
      // Also when what stands above has grown meanwhile.
      if (top !== undefined && (isAtEnd || (top >= 0 && top <= innerHeight / 3))) return;
      linked = null;
      const shown = names.filter(placeOf);
      const above = shown.filter(isAbove);
      const name = (isAtEnd ? shown.at(-1) : above.at(-1)) ?? shown[0];
      if (name === undefined || name === current.value) return;
      current.value = name;
      // An address opens what it leads to, which is not meant by scrolling past it.
      if (placeOf(name)?.id === name) history.replaceState(history.state, "", `#${name}`);
    };
    const press = (event: Event) => {
      const link = event.target instanceof Element ? event.target.closest("a") : null;
      if (link?.pathname !== location.pathname || !names.includes(link.hash.slice(1))) return;
      current.value = link.hash.slice(1);
      unfold(document.getElementById(current.value));
      linked = document.getElementById(current.value);
    };
    follow();
    document.addEventListener("click", press);
    addEventListener("hashchange", follow);
    addEventListener("scroll", onScroll, { passive: true });
    return () => {
      document.removeEventListener("click", press);
      removeEventListener("hashchange", follow);
      removeEventListener("scroll", onScroll);
    };
  }, []);
  return current;
}
