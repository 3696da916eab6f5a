import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Refusal, sentenceOfError } from "../browser/client.ts";
import { fetchFragment } from "../browser/fragment.ts";
import { asked } from "../browser/page_camera.ts";
import { type Refresher, refreshWhileVisible } from "../browser/refresh_while_visible.ts";
import type { CoverageProps } from "./coverage_props.ts";

const REFRESH_MS = 60_000;

/** The page as it is shown, and what it waits for. */
interface Shown {
  readonly props: CoverageProps;
  /** The day that is waited for. */
  readonly pending: string | null;
  /** Why the day could not be shown, as a sentence. */
  readonly problem: { readonly date: string; readonly words: string } | null;
  /** Becomes true with the first day that was chosen here. */
  readonly isChosen: boolean;
}

/**
 * Keeps the page up to date while it is visible, and opens other days: by choice, with the address, and back through the
 * browser's history.
 * @param drawn as the server had drawn it
 */
export function useCoverage(drawn: CoverageProps) {
  const shown = useSignal<Shown>({ props: drawn, pending: null, problem: null, isChosen: false });
  const refresher = useRef<Refresher | null>(null);
  /** The day in the address that was asked for last. */
  const address = useRef<string | null>(null);
  /** The day that stays open while the page is read again; null where the server chooses. */
  const day = useRef(drawn.day?.date ?? null);
  const change = (changes: Partial<Shown>) => {
    shown.value = { ...shown.peek(), ...changes };
  };
  /** The day in the address; without one the server chooses. */
  const dayAsked = () => new URLSearchParams(location.search).get("date");

  const ask = async (signal: AbortSignal) => {
    const { pending, props } = shown.peek();
    const date = pending ?? day.current;
    const query = date === null ? props.path : `${props.path}date=${encodeURIComponent(date)}`;
    try {
      const fragment = await fetchFragment({ page: document, ask: fetch }, `/hx${query.replace(/[?&]$/, "")}`, signal);
      const text = (fragment as HTMLElement | null)?.dataset["props"];
      if (text === undefined) throw new Refusal("UNKNOWN", "The day could not be read. The log may say why.");
      return JSON.parse(text) as CoverageProps;
    } catch (error) {
      // Another day was asked for meanwhile.
      if (signal.aborted && !(signal.reason instanceof Refusal)) throw error;
      // Unless it was asked for, what is there stays until something newer is.
      if (error instanceof Refusal && pending !== null)
        change({ pending: null, problem: { date: pending, words: sentenceOfError(error) } });
      throw error;
    }
  };
  const take = (props: CoverageProps) => {
    const { pending, isChosen } = shown.peek();
    if (pending !== null && pending !== dayAsked()) {
      history.pushState(null, "", asked(`${props.path}date=${pending}`, document));
      address.current = pending;
    }
    day.current = props.day?.date ?? null;
    change({ props, pending: null, problem: null, isChosen: isChosen || pending !== null });
  };
  /** For a user's choice: shows that the day is on its way, and why it did not come. */
  const open = (date: string) => {
    change({ pending: date, problem: null });
    void refresher.current?.refresh();
  };
  useEffect(() => {
    address.current = dayAsked();
    const back = () => {
      // Going to a place on this page counts as going back too, and asks for nothing else.
      if (dayAsked() === address.current) return;
      address.current = dayAsked();
      day.current = address.current;
      change({ pending: null, problem: null });
      void refresher.current?.refresh();
    };
    refresher.current = refreshWhileVisible({ page: document, everyMs: REFRESH_MS, ask, show: take });
    addEventListener("popstate", back);
    return () => {
      removeEventListener("popstate", back);
      refresher.current?.stop();
    };
  }, []);
  return { ...shown.value, open, refresh: () => void refresher.current?.refresh() };
}
