/** @jsxImportSource preact */
import type { ComponentChildren, RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** Element that takes the focus over; it must stay longer. */
type FocusTarget = () => HTMLElement | null;

/** Hands the focus to a part that stays, instead of losing it, when the element with the focus goes. */
export function useFocusHandover<T extends HTMLElement>(to: FocusTarget): RefObject<T | null> {
  const place = useRef<T>(null);
  useLayoutEffect(
    () => () => {
      if (place.current?.contains(document.activeElement)) to()?.focus({ preventScroll: true });
    },
    [],
  );
  return place;
}

interface FocusHandoverProps {
  readonly class?: string;
  readonly to: FocusTarget;
  readonly children: ComponentChildren;
}

/** A part that goes when its own button has been pressed. */
export function FocusHandover({ class: name, to, children }: FocusHandoverProps) {
  const place = useFocusHandover<HTMLDivElement>(to);
  return (
    <div class={name} ref={place}>
      {children}
    </div>
  );
}

/** The play button, or the player itself when there is nothing to play. */
export const toPlayer: FocusTarget = () =>
  document.querySelector<HTMLElement>(".transport .play") ?? document.querySelector<HTMLElement>(".vw-mid");

/** The player itself: its buttons may be going at the same time. */
export const toMiddle: FocusTarget = () => document.querySelector<HTMLElement>(".vw-mid");

export const toList: FocusTarget = () => document.getElementById("recordings");

/** The row of what is on show. */
export const toChosen: FocusTarget = () =>
  document.querySelector<HTMLElement>("#recordings .trip[aria-current]") ?? toList();

/** The button that begins and ends choosing. */
export const toChoose: FocusTarget = () => document.querySelector<HTMLElement>("#recordings .choose") ?? toList();

/** The head of a day in the list. */
export function toDay(date: string): FocusTarget {
  return () => document.querySelector<HTMLElement>(`button.day[data-date="${date}"]`) ?? toList();
}
