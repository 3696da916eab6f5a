import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { isRange, type Range } from "../../server/domain/runs/run.ts";
import { type StatsView, statsView } from "../../server/domain/runs/statistics_text.ts";
import type { Statistics } from "../../server/domain/runs/stats_schema.ts";
import type { ZoneTime } from "../../server/domain/text/zone_time.ts";
import { reached } from "../browser/address.ts";
import { Refusal, send, sentenceOfError } from "../browser/client.ts";
import { LONG_WAIT_MS, type Refresher, refreshWhileVisible } from "../browser/refresh_while_visible.ts";

const REFRESH_MS = 60_000;

/** Statistics on the page, and the range that the page waits for. */
export interface Shown {
  readonly view: StatsView;
  /** Null until the figures behind the charts have come. */
  readonly stats: Statistics | null;
  /** The range that is waited for. */
  readonly pending: Range | null;
  readonly problem: { readonly range: Range; readonly words: string } | null;
  /** Becomes true with the first range that was chosen here. */
  readonly isChosen: boolean;
}

/**
 * Keeps the statistics of one range up to date while the page is visible, and changes to other ranges: by choice, with the
 * address, and back through the browser's history.
 * @param drawn as the server had drawn it
 */
export function useStatistics(drawn: StatsView, zone: ZoneTime, kept: string) {
  const shown = useSignal<Shown>({
    view: drawn,
    stats: null,
    pending: null,
    problem: null,
    isChosen: false,
  });
  const refresher = useRef<Refresher | null>(null);
  /** The range and the rows in the address that were asked for last. */
  const address = useRef("");
  const change = (changes: Partial<Shown>) => {
    shown.value = { ...shown.peek(), ...changes };
  };

  /** Asks for the chosen range, else for the one on show. */
  const ask = async (signal: AbortSignal) => {
    const { pending, stats, view } = shown.peek();
    const range = pending ?? view.range;
    try {
      return await send<Statistics>(`GET /api/stats/series?range=${range}`, undefined, signal);
    } catch (error) {
      // Unless it was asked for, what is there stays until something newer is.
      const isSaid = error instanceof Refusal && (pending !== null || stats === null);
      if (isSaid) change({ pending: null, problem: { range, words: sentenceOfError(error) } });
      throw error;
    }
  };
  const take = (stats: Statistics) => {
    const { pending, isChosen } = shown.peek();
    if (pending !== null) {
      if (pending !== rangeInAddress(drawn.range)) history.pushState(null, "", reached(`/stats?range=${pending}`));
      address.current = askedInAddress(drawn.range);
      refreshRuns();
    }
    const view = statsView(stats, zone, kept);
    change({ stats, view, pending: null, problem: null, isChosen: isChosen || pending !== null });
  };
  /** For a user's choice: shows that it is on its way, and why it did not come. */
  const show = (range: Range) => {
    change({ pending: range, problem: null });
    void refresher.current?.refresh();
  };
  useEffect(() => {
    address.current = askedInAddress(drawn.range);
    const back = () => {
      const asked = askedInAddress(drawn.range);
      // Going to a place on this page counts as going back too, and asks for nothing else.
      if (asked === address.current) return;
      address.current = asked;
      show(rangeInAddress(drawn.range));
    };
    const timing = { everyMs: REFRESH_MS, firstMs: 0, waitMs: LONG_WAIT_MS };
    refresher.current = refreshWhileVisible({ page: document, ...timing, ask, show: take });
    addEventListener("popstate", back);
    return () => {
      removeEventListener("popstate", back);
      refresher.current?.stop();
    };
  }, []);
  return { ...shown.value, show };
}

/** @param otherwise the range that the server has chosen where the address has none */
function rangeInAddress(otherwise: Range): Range {
  const range = new URLSearchParams(location.search).get("range") ?? "";
  return isRange(range) ? range : otherwise;
}

/** Everything of the address that the figures and the table depend on. */
function askedInAddress(otherwise: Range): string {
  return `${rangeInAddress(otherwise)} ${new URLSearchParams(location.search).get("runs") ?? ""}`;
}

/** The table below is the server's: it is asked for again, for the range in the address. */
function refreshRuns(): void {
  const table = document.getElementById("runs");
  if (!table) return;
  table.dataset["poll"] = `/hx/stats/runs${location.search}`;
  table.dispatchEvent(new Event("refresh"));
}
