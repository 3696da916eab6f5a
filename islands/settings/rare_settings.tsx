/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { type Entry, isFound } from "./entry.ts";
import { Fold } from "./fold.tsx";

interface RareSettingsProps {
  readonly entries: readonly Entry[];
  readonly query: string;
  readonly children: ComponentChildren;
}

/** The settings of a section that few need, folded; hidden while a search finds none of them. */
export function RareSettings({ entries, query, children }: RareSettingsProps) {
  return (
    <div class="rare" hidden={!entries.some((entry) => isFound(entry, query))}>
      <Fold
        entries={entries}
        query={query}
        summary={
          <>
            <h3>Rarely needed</h3>
            <span>{entries.map(({ field }) => field.label).join(", ")}</span>
          </>
        }
      >
        {children}
      </Fold>
    </div>
  );
}
