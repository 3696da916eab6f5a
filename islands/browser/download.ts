import { Refusal, send, sentenceOfError } from "./client.ts";
import { isPlainClick } from "./plain_click.ts";
import { showToast } from "./toast.ts";

/**
 * Asks who is signed in before a link downloads something: a download cannot lead to sign-in when the session has ended,
 * and this question can. @returns what ends it
 */
export function askBeforeDownloads(page: Document, ask: Ask = fetch): () => void {
  let allowed: HTMLElement | null = null;
  const goOn = async (link: HTMLElement) => {
    try {
      await send("GET /api/auth/me", undefined, undefined, { page, ask });
      allowed = link;
      link.click();
    } catch (error) {
      const isLeaving = error instanceof Refusal && error.code === "AUTH_REQUIRED";
      if (!isLeaving) showToast(page, "failed", sentenceOfError(error));
    } finally {
      allowed = null;
    }
  };
  const clicked = (event: MouseEvent) => {
    const link = (event.target as Element).closest<HTMLElement>("a[download]");
    if (!link || link === allowed || event.defaultPrevented || !isPlainClick(event)) return;
    event.preventDefault();
    void goOn(link);
  };
  page.addEventListener("click", clicked);
  return () => page.removeEventListener("click", clicked);
}

/** The part of `fetch` that is used; tests pass their own. */
type Ask = (path: string, init?: RequestInit) => Promise<Response>;
