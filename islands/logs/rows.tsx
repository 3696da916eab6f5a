/** @jsxImportSource preact */

import { Component, Fragment } from "preact";
import type { Level } from "../../server/domain/logs/log_line.ts";
import type { TimeFormat } from "../../server/domain/text/time_format.ts";
import { dayOf, wallOf } from "../../server/domain/text/zone_time.ts";
import { columnsOf, markedColumns, type Part, type Piece, type ReadTime } from "./filter_lines.ts";
import { cutInWords } from "./log_text.ts";
import type { Entry, LineEntry } from "./received_log.ts";

/** Appearance of lines, the same for all of them. */
export interface RowOptions {
  /** Reads times in the chosen zone. */
  readonly time: ReadTime;
  /** Reads times in the other zone, for the title. */
  readonly other: ReadTime;
  /** Search text in the form that is compared; empty for no search. */
  readonly needle: string;
  /** The key of the line that is marked; null for none. */
  readonly momentKey: number | null;
  /** Format of the days between the lines; the lines themselves are written as in the file. */
  readonly format: TimeFormat;
}

interface RowsProps extends RowOptions {
  readonly part: Part;
  /** Instead of rows that are far out of sight: how high they are, as CSS; empty to draw them. */
  readonly placeholder: string;
  /** The day of the line before these: where it changes, a line names it. */
  readonly dayBefore: string;
}

/** A part of the log. It is drawn again only when it is not the same any more: there may be ten thousand lines. */
export class Rows extends Component<RowsProps> {
  override shouldComponentUpdate({ part: { entries }, ...next }: RowsProps): boolean {
    const { part: shown, ...last } = this.props;
    return (
      entries.length !== shown.entries.length ||
      entries.some((entry, index) => entry !== shown.entries[index]) ||
      Object.entries(next).some(([name, value]) => last[name as keyof typeof last] !== value)
    );
  }

  override render({ part, placeholder, dayBefore, ...options }: RowsProps) {
    // Only ever in the browser: a style in the server's text would be against the content policy.
    if (placeholder !== "") return <div class="log-part" style={{ height: placeholder }} />;
    let day = dayBefore;
    return (
      <div class="log-part">
        {part.entries.map((entry) => {
          if (entry.kind !== "line") return <Cut key={entry.key} words={cutInWords(entry, options.time)} />;
          const last = day;
          day = options.time(entry.line.ts).day;
          return (
            <Fragment key={entry.key}>
              {day !== last && <Cut words={dayWords(entry, options)} />}
              <Row entry={entry} {...options} />
            </Fragment>
          );
        })}
      </div>
    );
  }
}

function Cut({ words }: { readonly words: string }) {
  return <div class="ln-cut">{words}</div>;
}

function dayWords({ line: { ts } }: LineEntry, { time, format }: RowOptions): string {
  const day = wallOf(Date.parse(time(ts).day));
  return dayOf(day, day.year, format);
}

const LEVEL_CLASSES: Readonly<Record<Level, string>> = { DEBUG: "ln-d", INFO: "ln-i", WARNING: "ln-w", ERROR: "ln-e" };

function Row({ entry, time, other, needle, momentKey }: RowOptions & { readonly entry: LineEntry }) {
  const { line } = entry;
  const { day, clock, zone } = other(line.ts);
  const columns = columnsOf(entry, time);
  const [when, level, logger, message] =
    needle === "" ? columns : markedColumns(columns, needle).map((pieces) => <Marked pieces={pieces} />);
  return (
    <div class={`ln ${LEVEL_CLASSES[line.level]}${entry.key === momentKey ? " ln-at" : ""}`}>
      <time title={`${day} ${clock} ${zone}`}>{when}</time>
      <span class="lv">{level}</span>
      <span class="lg">{logger}</span>
      <span class="ms">{message}</span>
    </div>
  );
}

function Marked({ pieces }: { readonly pieces: readonly Piece[] }) {
  return <>{pieces.map(({ text, isFound }) => (isFound ? <mark>{text}</mark> : text))}</>;
}

/** The day of the last line before each part; the first part names its day only when lines are of several days. */
export function daysBefore(parts: readonly Part[], time: ReadTime): string[] {
  const lastDay = ({ entries }: Part) => {
    const line = entries.findLast((entry): entry is Extract<Entry, { kind: "line" }> => entry.kind === "line");
    return line && time(line.line.ts).day;
  };
  const newest = parts.findLast((part) => lastDay(part) !== undefined);
  let day = (newest && lastDay(newest)) ?? "";
  return parts.map((part) => {
    const before = day;
    day = lastDay(part) ?? day;
    return before;
  });
}
