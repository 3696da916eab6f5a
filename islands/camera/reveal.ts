import { send, sentenceOfError } from "../browser/client.ts";
import { copyText } from "../browser/copy_text.ts";
import { showToast } from "../browser/toast.ts";

/** Time that a password is shown. */
const SHOWN_MS = 30_000;

/** Shows one password of the camera at a time, for half a minute. */
export interface Reveal {
  /** Asks the service for a password and shows it, or masks the one that is shown. */
  readonly toggle: (key: string) => Promise<void>;
  readonly copy: () => Promise<void>;
  /** At once, also what is still on its way. */
  readonly mask: () => void;
  /** Makes the passwords below an element look as they shall now. */
  readonly paint: (root: Element) => void;
}

/** @param root the panes as they are on the page */
export function startReveal(page: Document, root: () => Element | null): Reveal {
  let shown: { readonly key: string; readonly value: string; readonly until: number } | null = null;
  let asking: AbortController | null = null;
  let timer: ReturnType<typeof setInterval> | undefined;

  const paint = (place: Element) => {
    for (const secret of place.querySelectorAll<HTMLElement>("[data-secret]")) {
      const [text, eye, copy, left] = secret.children as unknown as HTMLElement[];
      if (!text || !eye || !copy || !left) continue;
      const now = shown !== null && shown.key === secret.dataset["secret"] ? shown : null;
      // The mask is as it came.
      secret.dataset["mask"] ??= text.textContent;
      text.textContent = now === null ? secret.dataset["mask"] : now.value || "empty";
      eye.setAttribute("aria-pressed", String(now !== null));
      eye.ariaLabel = `${now ? "Hide" : "Show"} ${eye.ariaLabel?.replace(/^\w+ /, "")}`;
      eye.title = now ? "Hide" : "Show for 30 s";
      copy.hidden = !now?.value;
      left.textContent = now ? `hides in ${Math.max(0, Math.ceil((now.until - Date.now()) / 1000))}\u00a0s` : "";
    }
  };
  const paintPage = () => {
    const place = root();
    if (place) paint(place);
  };
  const mask = () => {
    asking?.abort();
    asking = null;
    clearInterval(timer);
    if (shown === null) return;
    shown = null;
    paintPage();
  };
  const tick = () => {
    if (shown === null || Date.now() >= shown.until) mask();
    else paintPage();
  };
  page.addEventListener("visibilitychange", () => page.hidden && mask());
  page.defaultView?.addEventListener("pagehide", mask);
  return {
    async toggle(key) {
      const isShown = shown?.key === key;
      mask();
      if (isShown) return;
      const mine = new AbortController();
      asking = mine;
      try {
        const { value } = await send<{ value: string }>(
          `GET /api/camera/secret?key=${encodeURIComponent(key)}`,
          undefined,
          mine.signal,
        );
        if (mine.signal.aborted) return;
        shown = { key, value, until: Date.now() + SHOWN_MS };
        timer = setInterval(tick, 1000);
        paintPage();
      } catch (error) {
        if (!mine.signal.aborted) showToast(page, "failed", sentenceOfError(error));
      }
    },
    async copy() {
      if (shown === null) return;
      const isCopied = await copyText(page, shown.value);
      showToast(page, isCopied ? "fine" : "failed", isCopied ? "Copied." : "This browser did not allow copying.");
    },
    mask,
    paint,
  };
}
