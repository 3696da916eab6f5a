import { useEffect, useRef, useState } from "preact/hooks";
import type { Statistics } from "../../server/domain/api/stats_schema.ts";
import { isRange, type Range } from "../../server/domain/runs/run.ts";
import { type StatsView, statsView } from "../../server/domain/runs/statistics_text.ts";
import type { ZoneTime } from "../../server/domain/text/zone_time.ts";
import { send, sentenceOfError } from "../browser/client.ts";

const REFRESH_MS = 60_000;
const USUAL: Range = "7d";

/** What the page shows of the statistics, and how it gets at others. */
export interface Shown {
  readonly view: StatsView;
  /** Null until the figures behind the charts have come. */
  readonly stats: Statistics | null;
  /** The range somebody waits for. */
  readonly pending: Range | null;
  readonly problem: { readonly range: Range; readonly words: string } | null;
  /** Becomes true with the first range that somebody chose here. */
  readonly isChosen: boolean;
}

/**
 * Keeps the statistics of one range up to date while somebody looks, and changes to other ranges: by choice, with the
 * address, and back through the browser's history.
 * @param drawn as the server had drawn it
 */
export function useStatistics(drawn: StatsView, zone: ZoneTime, kept: string) {
  const [shown, setShown] = useState<Shown>({
    view: drawn,
    stats: null,
    pending: null,
    problem: null,
    isChosen: false,
  });
  /** What the closures below need to know as it is and not as it was. */
  const now = useRef(shown);
  const asking = useRef<AbortController | null>(null);
  const askedAt = useRef(Number.NEGATIVE_INFINITY);
  /** What the address said when it was last looked at. */
  const address = useRef("");
  const change = (changes: Partial<Shown>) => {
    now.current = { ...now.current, ...changes };
    setShown(now.current);
  };

  /** @returns null when something else was asked for meanwhile */
  const read = async (range: Range): Promise<Pick<Shown, "stats" | "view"> | null> => {
    asking.current?.abort();
    const asked = new AbortController();
    asking.current = asked;
    askedAt.current = performance.now();
    try {
      const stats = await send<Statistics>(`GET /api/stats/series?range=${range}`, undefined, asked.signal);
      return asked.signal.aborted ? null : { stats, view: statsView(stats, zone, kept) };
    } catch (error) {
      if (asked.signal.aborted) return null;
      throw error;
    }
  };
  /** Somebody asked for it: say that it is coming, and if not, why. */
  const show = async (range: Range) => {
    change({ pending: range, problem: null });
    try {
      const found = await read(range);
      if (found === null) return;
      if (range !== rangeInAddress()) history.pushState(null, "", `/stats?range=${range}`);
      address.current = askedInAddress();
      refreshRuns();
      change({ ...found, pending: null, isChosen: true });
    } catch (error) {
      change({ pending: null, problem: { range, words: sentenceOfError(error) } });
    }
  };
  /** Nobody asked: what is there stays until something newer is. */
  const refresh = async () => {
    const { pending, stats, view } = now.current;
    if (pending !== null) return;
    try {
      const found = await read(view.range);
      if (found !== null) change({ ...found, problem: null });
    } catch (error) {
      if (stats === null) change({ problem: { range: view.range, words: sentenceOfError(error) } });
    }
  };
  useEffect(() => {
    address.current = askedInAddress();
    const back = () => {
      const asked = askedInAddress();
      // Going to a place on this page counts as going back too, and asks for nothing else.
      if (asked === address.current) return;
      address.current = asked;
      void show(rangeInAddress());
    };
    const look = () => {
      // A timer is never early by more than a moment.
      if (!document.hidden && performance.now() - askedAt.current > REFRESH_MS - 1000) void refresh();
    };
    void refresh();
    const timer = setInterval(look, REFRESH_MS);
    addEventListener("popstate", back);
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      removeEventListener("popstate", back);
      document.removeEventListener("visibilitychange", look);
      asking.current?.abort();
    };
  }, []);
  return { ...shown, show };
}

function rangeInAddress(): Range {
  const range = new URLSearchParams(location.search).get("range") ?? "";
  return isRange(range) ? range : USUAL;
}

/** Everything of the address that the figures and the table depend on. */
function askedInAddress(): string {
  return `${rangeInAddress()} ${new URLSearchParams(location.search).get("runs") ?? ""}`;
}

/** The table below is the server's: it is asked for again, for the range in the address. */
function refreshRuns(): void {
  const table = document.getElementById("runs");
  if (!table) return;
  table.dataset["poll"] = `/hx/stats/runs${location.search}`;
  table.dispatchEvent(new Event("refresh"));
}
