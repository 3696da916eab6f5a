/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import type { LogFilter } from "../../server/domain/logs/log_filter.ts";
import type { Level } from "../../server/domain/logs/log_line.ts";
import { counted } from "../../server/domain/text/format.ts";
import type { Shown } from "./filter_lines.ts";

interface EmptyLogProps {
  readonly filter: LogFilter;
  readonly shown: Shown;
  readonly isCleared: boolean;
  readonly showAll: () => void;
  readonly clearSearch: () => void;
  readonly restore: () => void;
}

const NONE_OF: Readonly<Record<Level, string>> = {
  DEBUG: "No lines",
  INFO: "Nothing above debug",
  WARNING: "No warnings or errors",
  ERROR: "No errors",
};

/** Reason why there are no lines, and a button that brings some. */
export function EmptyLog({ filter, shown, isCleared, showAll, clearSearch, restore }: EmptyLogProps) {
  const { all, searched } = shown;
  if (all === 0 && isCleared)
    return (
      <Nothing title="The view is cleared" action="Show the lines again" act={restore}>
        New lines appear here as they are written.
      </Nothing>
    );
  if (all === 0)
    return (
      <Nothing title="Nothing is written yet">Lines appear here as soon as the service has something to say.</Nothing>
    );
  if (searched === 0)
    return (
      <Nothing
        title={`${NONE_OF[filter.from]}${filter.logger === "" ? "" : ` from ${filter.logger}`}`}
        action="Show all lines"
        act={showAll}
      >
        {counted(all, "other line")} in memory. New ones that pass appear here.
      </Nothing>
    );
  return (
    <Nothing title={`Nothing matches “${filter.find.trim()}”`} action="Clear search" act={clearSearch}>
      {counted(searched, "line")} searched by time, level, logger and message.
    </Nothing>
  );
}

interface NothingProps {
  readonly title: string;
  readonly children: ComponentChildren;
  readonly action?: string;
  readonly act?: () => void;
}

function Nothing({ title, children, action, act }: NothingProps) {
  return (
    <div class="empty log-empty">
      <h2>{title}</h2>
      <p>{children}</p>
      {action !== undefined && (
        <button class="b needs-script" type="button" onClick={act}>
          {action}
        </button>
      )}
    </div>
  );
}
