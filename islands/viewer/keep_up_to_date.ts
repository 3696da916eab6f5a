import { Refusal } from "../browser/client.ts";
import { noteConnection } from "../browser/connection.ts";
import type { Browsing } from "./browsing.ts";

interface Parts {
  readonly browsing: Browsing;
  /** Looks what has changed. @throws Refusal */
  readonly refresh: () => Promise<void>;
}

const EVERY_MS = 30_000;
/** Sizes and lengths the server was still reading are there a moment later. */
const SOON_MS = 3000;

/** Brings new recordings into the list while the tab is looked at. @returns what ends it */
export function keepUpToDate(page: Document, { browsing, refresh }: Parts): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lookedAt = performance.now();
  const look = async () => {
    lookedAt = performance.now();
    try {
      await refresh();
      noteConnection(page, true);
    } catch (error) {
      // Whatever else it is, the next look comes by itself.
      if (error instanceof Refusal && error.code === "NO_CONNECTION") noteConnection(page, false);
    }
    plan(EVERY_MS);
  };
  const plan = (afterMs: number) => {
    clearTimeout(timer);
    if (!page.hidden) timer = setTimeout(look, Math.max(0, lookedAt + afterMs - performance.now()));
  };
  const seen = () => plan(EVERY_MS);
  page.addEventListener("visibilitychange", seen);
  plan(browsing.list.isIncomplete() ? SOON_MS : EVERY_MS);
  return () => {
    clearTimeout(timer);
    page.removeEventListener("visibilitychange", seen);
  };
}
