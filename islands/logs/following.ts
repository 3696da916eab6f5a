import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";

/** Pixels from the end that count as at the end. */
const NEAR_PX = 40;

export interface Following {
  readonly isOn: boolean;
  readonly onScroll: () => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  /** To a row, in the middle of the pane; without one to the end. */
  readonly goTo: (row: Element | null) => void;
  /** To the end, and along with new lines. */
  readonly goToEnd: () => void;
}

/**
 * Keeps a pane at its end while lines are added, until the reader scrolls up; at the end again it goes on. While it is off
 * the pane is never scrolled by script.
 * @param pane its only child holds the lines
 */
export function useFollowing(pane: RefObject<HTMLElement | null>, isOnAtFirst: boolean): Following {
  const isOn = useSignal(isOnAtFirst);
  const top = useRef(0);

  const stay = () => {
    const shown = pane.current;
    if (!shown) return;
    // A filter or a larger window may have brought the end in sight.
    if (isNearEnd(shown)) isOn.value = true;
    if (!isOn.peek()) return;
    shown.scrollTop = shown.scrollHeight;
    top.current = shown.scrollTop;
  };
  const goToEnd = () => {
    isOn.value = true;
    stay();
  };
  useLayoutEffect(() => {
    // Until now the style sheet has held the end in sight, without any script.
    if (pane.current) pane.current.dataset["live"] = "";
  }, []);
  useLayoutEffect(stay);
  useEffect(() => {
    const shown = pane.current;
    const lines = pane.current?.firstElementChild;
    if (!shown || !lines) return;
    // Rows get their true height only when they come in sight, and windows change their size.
    const watcher = new ResizeObserver(stay);
    watcher.observe(shown);
    watcher.observe(lines);
    return () => watcher.disconnect();
  }, []);

  return {
    isOn: isOn.value,
    goToEnd,
    goTo(row) {
      if (row) row.scrollIntoView({ block: "center", behavior: "instant" });
      else goToEnd();
    },
    onScroll() {
      const shown = pane.current;
      if (!shown) return;
      if (isNearEnd(shown)) isOn.value = true;
      else if (shown.scrollTop < top.current) isOn.value = false;
      top.current = shown.scrollTop;
    },
    onKeyDown(event) {
      if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
      if (event.key === "End") goToEnd();
      else if (event.key === "Home") pane.current?.scrollTo({ top: 0, behavior: "instant" });
      else return;
      event.preventDefault();
    },
  };
}

function isNearEnd({ scrollHeight, scrollTop, clientHeight }: HTMLElement): boolean {
  return scrollHeight - scrollTop - clientHeight <= NEAR_PX;
}
