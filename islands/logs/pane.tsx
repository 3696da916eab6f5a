/** @jsxImportSource preact */
import type { ComponentChildren, RefObject } from "preact";
import { counted } from "../../server/domain/text/format.ts";
import { Icon } from "../parts/icon.tsx";
import type { Part } from "./filter_lines.ts";
import type { Following } from "./following.ts";
import { daysBefore, type Look, Rows } from "./rows.tsx";
import { useNearParts } from "./visible_rows.ts";

interface PaneProps {
  readonly paneRef: RefObject<HTMLDivElement | null>;
  readonly following: Following;
  readonly isWrapped: boolean;
  readonly parts: readonly Part[];
  readonly look: Look;
  /** Lines that came since the reader scrolled up. */
  readonly unseen: number;
  /** What is said instead of lines. */
  readonly children: ComponentChildren;
}

/** The window on the lines, and the way back to its end. */
export function Pane({ paneRef, following, isWrapped, parts, look, unseen, children }: PaneProps) {
  const days = daysBefore(parts, look.time);
  const { isNear, heightOf, look: lookAgain } = useNearParts(paneRef, parts, `${isWrapped} ${look.needle}`);
  const toEnd = () => {
    following.goToEnd();
    // The button goes away; the focus goes on from the lines.
    paneRef.current?.focus({ preventScroll: true });
  };
  return (
    <div class="log-window">
      {/* Not live: fifty lines a second are no news. Errors are said by the page's status. */}
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
          lookAgain();
        }}
        onKeyDown={following.onKeyDown}
      >
        <div class="log-rows">
          {parts.map((part, index) => (
            <Rows
              key={part.key}
              part={part}
              placeholder={isNear(part, index) || holds(part, look.momentKey) ? "" : heightOf(part)}
              dayBefore={days[index] ?? ""}
              {...look}
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
