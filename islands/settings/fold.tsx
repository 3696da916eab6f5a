/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { type Entry, isFound } from "./entry.ts";

interface FoldProps {
  /** The settings in it. */
  readonly entries: readonly Entry[];
  readonly query: string;
  /** What it shows while it is closed: a heading, and what is in it. */
  readonly summary: ComponentChildren;
  readonly children: ComponentChildren;
}

/** What few people need, closed until it is opened, a search finds something in it, or a setting in it needs attention. */
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
