import { Refusal } from "../browser/client.ts";
import { noteConnection } from "../browser/connection.ts";

const EVERY_MS = 30_000;

/** Looks again and again while the tab is looked at, and at once when it is again. @returns what ends it */
export function keepFresh(page: Document, look: () => Promise<void>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isEnded = false;
  const plan = () => {
    clearTimeout(timer);
    if (!page.hidden && !isEnded) timer = setTimeout(ask, EVERY_MS);
  };
  const ask = async () => {
    try {
      await look();
      noteConnection(page, true);
    } catch (error) {
      // Whatever else it is, the next look comes by itself.
      if (error instanceof Refusal && error.code === "NO_CONNECTION") noteConnection(page, false);
    }
    plan();
  };
  const turned = () => {
    clearTimeout(timer);
    if (!page.hidden) void ask();
  };
  page.addEventListener("visibilitychange", turned);
  plan();
  return () => {
    isEnded = true;
    clearTimeout(timer);
    page.removeEventListener("visibilitychange", turned);
  };
}
