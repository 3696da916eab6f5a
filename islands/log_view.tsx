/** @jsxImportSource preact */

import { signal, useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { LogFilter } from "../server/domain/logs/log_filter.ts";
import type { LogFrame, Verbosity } from "../server/domain/logs/log_line.ts";
import { lineTimes } from "../server/domain/logs/log_time.ts";
import { counted, formatCount } from "../server/domain/text/format.ts";
import { ZoneTime } from "../server/domain/text/zone_time.ts";
import { copyText } from "./browser/copy_text.ts";
import { askBeforeDownloads } from "./browser/download.ts";
import { listen } from "./browser/stream.ts";
import { showToast } from "./browser/toast.ts";
import { Capture } from "./logs/capture.tsx";
import { EmptyLog } from "./logs/empty.tsx";
import { matcher, needleOf, partsOf, shownEntries } from "./logs/filter_lines.ts";
import { Filters } from "./logs/filters.tsx";
import { useFollowing } from "./logs/following.ts";
import { countInWords, entriesAsText, latestError } from "./logs/log_text.ts";
import { Pane } from "./logs/pane.tsx";
import { type ReceivedLog, receivedLog, trimmed, withFrame } from "./logs/received_log.ts";
import { rememberFilter } from "./logs/remember_filter.ts";
import { saveText } from "./logs/save_text.ts";
import { Tools } from "./logs/tools.tsx";

interface LogViewProps extends LogFrame {
  readonly filter: LogFilter;
  readonly verbosity: Verbosity;
  /** Number of lines that the service keeps in memory. */
  readonly capacity: number;
  /** Path of the log file; empty when there is none. */
  readonly file: string;
  readonly timeZone: ZoneTime | string;
  /** Name of the zone; empty for UTC. */
  readonly zoneName: string;
}

const STREAM = "/api/logs/stream";
/** A pause in the typing this long begins the search. */
const PAUSE_MS = 120;
/** A reader of an old line keeps it, up to so many times the capacity. */
const READING_FACTOR = 2;
/** Lines beyond the capacity go a little later. */
const TRIM_MS = 500;
/** Before all keys. */
const NEVER = Number.NEGATIVE_INFINITY;

const lastKey = ({ entries }: ReceivedLog) => entries.at(-1)?.key ?? NEVER;

/** The live log, with its filters and tools. */
export default function LogView(props: LogViewProps) {
  const { capacity, file, timeZone, zoneName } = props;
  const received = useMemo(() => signal(receivedLog(props)), []);
  const chosen = useSignal(props.filter);
  const typed = useSignal(props.filter.find);
  const isOpen = useSignal(false);
  const cleared = useSignal(NEVER);
  const spoken = useSignal("");
  const log = received.value;
  const filter = chosen.value;
  const clearedAt = cleared.value;
  const pane = useRef<HTMLDivElement>(null);
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  const following = useFollowing(pane, filter.at === "");
  /** The last line when the reader left the end. */
  const leftAt = useRef(lastKey(log));
  if (following.isOn) leftAt.current = lastKey(log);

  const own = useMemo(() => ZoneTime.from(timeZone), [timeZone]);
  const times = useMemo(() => ({ zone: lineTimes(own), utc: lineTimes(new ZoneTime("UTC")) }), [own]);
  const { at, isUtc, isWrapped } = filter;
  const [time, other] = isUtc ? [times.utc, times.zone] : [times.zone, times.utc];
  const matches = useMemo(() => matcher(filter, time), [filter, time]);
  const shown = useMemo(() => shownEntries(log.entries, filter, matches, clearedAt), [log, filter, matches, clearedAt]);
  const loggers = useMemo(() => {
    const names = log.entries.flatMap((entry) => (entry.kind === "line" ? [entry.line.logger] : []));
    return [...new Set([...names, ...(filter.logger === "" ? [] : [filter.logger])])].sort();
  }, [log, filter.logger]);
  const needle = needleOf(filter);

  useEffect(() => {
    // The server has drawn the newest lines only: the first time all of them are asked for, later those after the last.
    let url = () => STREAM;
    return listen<LogFrame>({ url: () => url(), event: "logs" }, (frame) => {
      received.value = withFrame(received.peek(), frame, new Date().toISOString());
      const { bootId, position } = received.peek();
      url = () => `${STREAM}?boot=${bootId}&after=${position}`;
    });
  }, []);
  useEffect(() => askBeforeDownloads(document), []);
  // Not at the same time as lines are added: what is in sight would move without being scrolled.
  const most = capacity * (following.isOn ? 1 : READING_FACTOR);
  const isTooLong = log.entries.length > most;
  useEffect(() => {
    const trim = () => {
      received.value = trimmed(received.peek(), most);
    };
    const timer = isTooLong ? setTimeout(trim, TRIM_MS) : undefined;
    return () => clearTimeout(timer);
  }, [isTooLong, most]);
  const receivedUpTo = useRef(lastKey(log));
  useEffect(() => {
    // Only errors are worth interrupting for, and of several the last.
    const error = latestError(log.entries, receivedUpTo.current);
    receivedUpTo.current = lastKey(log);
    if (error !== "") spoken.value = error;
  }, [log]);
  useEffect(() => {
    if (filter !== props.filter) spoken.value = count;
  }, [filter]);

  const change = (changes: Partial<LogFilter>) => {
    chosen.value = { ...chosen.peek(), at: "", ...changes };
    rememberFilter(document, chosen.peek());
  };
  const type = (text: string) => {
    typed.value = text;
    clearTimeout(pause.current);
    pause.current = setTimeout(change, PAUSE_MS, { find: text });
  };
  const clearSearch = () => {
    clearTimeout(pause.current);
    typed.value = "";
    change({ find: "" });
  };
  /** The button that shows lines again disappears: the lines take the focus. */
  const andFocusLines = (act: () => void) => () => {
    act();
    pane.current?.focus();
  };
  const copy = async () => {
    const isCopied = await copyText(document, entriesAsText(shown.entries, time));
    if (isCopied) showToast(document, "fine", `${counted(shown.lines, "line")} copied`);
    else showToast(document, "failed", "This browser does not let the page copy. Use Download instead.");
  };
  const save = () => {
    const { day, clock } = time(new Date().toISOString());
    const name = `dashdock-log-${day}-${clock.slice(0, 5).replace(":", "")}.txt`;
    saveText(document, name, entriesAsText(shown.entries, time));
  };

  const { entries, lines } = shown;
  const count = countInWords(shown, needle !== "");
  const parts = useMemo(() => partsOf(entries), [entries]);
  const moment = at === "" ? undefined : entries.find((entry) => entry.kind === "line" && entry.line.ts >= at);
  const momentKey = moment?.key ?? null;
  useLayoutEffect(() => {
    if (at !== "") following.goTo(pane.current?.querySelector(".ln-at") ?? null);
  }, [momentKey]);
  const unseen = entries.filter(({ kind, key }) => kind === "line" && key > leftAt.current).length;

  return (
    <>
      <div class={isOpen.value ? "logbar is-open" : "logbar"}>
        <Filters
          filter={filter}
          typed={typed.value}
          loggers={loggers}
          zoneName={zoneName}
          isOpen={isOpen.value}
          open={() => {
            isOpen.value = !isOpen.peek();
          }}
          change={change}
          type={type}
        />
        <Capture verbosity={props.verbosity} />
      </div>
      <div class="log">
        <Tools
          isWrapped={isWrapped}
          count={count}
          hasLines={lines > 0}
          wrap={() => change({ isWrapped: !isWrapped })}
          clear={() => {
            cleared.value = lastKey(log);
          }}
          copy={() => void copy()}
          save={save}
        />
        <Pane
          paneRef={pane}
          following={following}
          isWrapped={isWrapped}
          parts={parts}
          options={{ time, other, needle, momentKey, format: own.format }}
          unseen={unseen}
        >
          {lines === 0 && (
            <EmptyLog
              filter={filter}
              shown={shown}
              isCleared={clearedAt !== NEVER}
              showAll={andFocusLines(() => change({ from: "DEBUG", logger: "" }))}
              clearSearch={andFocusLines(clearSearch)}
              restore={andFocusLines(() => {
                cleared.value = NEVER;
              })}
            />
          )}
        </Pane>
        <div class="log-foot">
          <span>{count}</span>
          <span class="needs-script">
            {following.isOn ? "Following new lines" : "Following is off while you read"}
            {!following.isOn && <span class="only-wide">; it starts again at the end</span>}
          </span>
          {file !== "" && (
            <a class="mono" href="/api/logs/file" download title="Download the log file">
              {file}
            </a>
          )}
          <span>{formatCount(capacity)} lines kept in memory</span>
        </div>
      </div>
      <p class="sr" role="status">
        {spoken.value}
      </p>
    </>
  );
}
