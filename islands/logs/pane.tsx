/** @jsxImportSource preact */
import type { ComponentChildren, RefObject } from "preact";
import { counted } from "../../server/domain/text/format.ts";
import { Icon } from "../parts/icon.tsx";
import type { Part } from "./filter_lines.ts";
import type { Following } from "./following.ts";
import { daysBefore, type RowOptions, Rows } from "./rows.tsx";
import { useVisibleRows } from "./visible_rows.ts";

interface PaneProps {
  readonly paneRef: RefObject<HTMLDivElement | null>;
  readonly following: Following;
  readonly isWrapped: boolean;
  readonly parts: readonly Part[];
  readonly options: RowOptions;
  /** Lines that came since the reader scrolled up. */
  readonly unseen: number;
  /** Shown instead of lines. */
  readonly children: ComponentChildren;
}

/** The scrolling lines, and a button to their end. */
export function Pane({ paneRef, following, isWrapped, parts, options, unseen, children }: PaneProps) {
  const days = daysBefore(parts, options.time);
  const { isDrawn, heightOf, update } = useVisibleRows(paneRef, parts, `${isWrapped} ${options.needle}`);
  const toEnd = () => {
    following.goToEnd();
    // The button disappears: the lines take the focus.
    paneRef.current?.focus({ preventScroll: true });
  };
  return (
    <div class="log-window">
      {/* Not live: there may be fifty lines a second. New errors are in the page's status. */}
      <div
        class={isWrapped ? "log-pane" : "log-pane log-cut-off"}
        role="log"
        aria-live="off"
        aria-label="Log lines"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard
        tabIndex={0}
        ref={paneRef}
        onScroll={() => {
          following.onScroll();
          update();
        }}
        onKeyDown={following.onKeyDown}
      >
        <div class="log-rows">
          {parts.map((part, index) => (
            <Rows
              key={part.key}
              part={part}
              placeholder={isDrawn(part, index) || holds(part, options.momentKey) ? "" : heightOf(part)}
              dayBefore={days[index] ?? ""}
              {...options}
            />
          ))}
          {children}
        </div>
      </div>
      {!following.isOn && (
        <button class="b log-more needs-script" type="button" onClick={toEnd}>
          <Icon name="i-down" />
          {unseen > 0 ? counted(unseen, "new line") : "To the end"}
        </button>
      )}
    </div>
  );
}

function holds({ entries }: Part, key: number | null): boolean {
  return key !== null && entries.some((entry) => entry.key === key);
}
