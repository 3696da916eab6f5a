/** @jsxImportSource preact */
import { Icon } from "../parts/icon.tsx";

interface ToolsProps {
  readonly isWrapped: boolean;
  /** Number of shown lines, in words. */
  readonly count: string;
  /** True when there is a line to copy or to clear. */
  readonly hasLines: boolean;
  readonly wrap: () => void;
  readonly clear: () => void;
  readonly copy: () => void;
  readonly save: () => void;
}

/** The heads of the columns, and what can be done with the lines below them. */
export function Tools({ isWrapped, count, hasLines, wrap, clear, copy, save }: ToolsProps) {
  return (
    <div class="log-head">
      <div class="log-columns" aria-hidden="true">
        <span>Time</span>
        <span>Level</span>
        <span>Part</span>
        <span>Message</span>
      </div>
      {/* Count for narrow columns; on wide pages it stands in the foot. */}
      <span class="log-count">{count}</span>
      <div class="log-tools needs-script" role="group" aria-label="Lines shown">
        <button class="b b-quiet" type="button" aria-pressed={isWrapped} onClick={wrap}>
          Wrap
        </button>
        <button class="b b-quiet" type="button" disabled={!hasLines} onClick={clear}>
          Clear
        </button>
        <button class="b b-quiet" type="button" disabled={!hasLines} onClick={copy}>
          <Icon name="i-copy" />
          Copy
        </button>
        <button class="b b-quiet" type="button" disabled={!hasLines} onClick={save}>
          <Icon name="i-download" />
          Download
        </button>
      </div>
    </div>
  );
}
