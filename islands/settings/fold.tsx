/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { type Entry, isFound } from "./entry.ts";

interface FoldProps {
  /** The settings in it. */
  readonly entries: readonly Entry[];
  readonly query: string;
  /** Heading that is shown while it is closed. */
  readonly summary: ComponentChildren;
  readonly children: ComponentChildren;
}

/** Settings that few people need. They open when a search finds one of them, or when one needs attention. */
export function Fold({ entries, query, summary, children }: FoldProps) {
  const place = useRef<HTMLDetailsElement>(null);
  const needsAttention = () =>
    entries.some(
      ({ isChanged, problem, unusable }) => isChanged.value || problem.value !== null || unusable.value !== null,
    );
  const isNeeded = needsAttention();
  const isSearched = query.trim() !== "" && entries.some((entry) => isFound(entry, query));
  const { current: isOpenAtFirst } = useRef(isNeeded);
  useEffect(() => {
    if (place.current && isNeeded) place.current.open = true;
  }, [isNeeded]);
  useEffect(() => {
    const { current: fold } = place;
    if (!fold || !isSearched || fold.open) return;
    fold.open = true;
    return () => {
      fold.open = needsAttention();
    };
  }, [isSearched]);
  return (
    <details class="fold" open={isOpenAtFirst} ref={place}>
      <summary>{summary}</summary>
      {children}
    </details>
  );
}
