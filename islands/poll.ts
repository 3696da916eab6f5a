import { leaveForSignIn } from "./client.ts";
import { noteConnection } from "./connection.ts";
import { morph } from "./morph.ts";

/** A service that hangs, or a network that has gone without a word, is not waited for. */
const PATIENCE_MS = 10_000;
/** How much longer is waited when the service does not answer, at most. */
const LONGEST_FACTOR = 6;

/**
 * Keeps every `[data-poll]` outside of islands up to date: asks for its fragment every `data-every` seconds and changes
 * in place what is different. A hidden tab asks nothing, and asks at once when it is looked at again.
 */
export function startPolling(page: Document, get: Get = fetch): void {
  for (const card of page.querySelectorAll<HTMLElement>("[data-poll]"))
    if (!card.closest("[data-island]")) keepFresh(page, card.id, get);
}

/** How a fragment is asked for; tests bring their own. */
type Get = (path: string, init: { headers: Record<string, string>; signal: AbortSignal }) => Promise<Response>;

function keepFresh(page: Document, id: string, get: Get): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isAsking = false;
  let hasAsked = false;
  let isSignedOut = false;
  let failures = 0;
  let askedAt = performance.now();
  const card = () => page.getElementById(id);
  const everyMs = () => Number(card()?.dataset["every"] ?? 5) * 1000;

  const plan = () => {
    clearTimeout(timer);
    const shown = card();
    if (page.hidden || isSignedOut || !shown) return;
    // What the page could not wait for is asked for as soon as it stands; but only once.
    const isSoon = "soon" in shown.dataset && !hasAsked;
    const due = isSoon ? 0 : askedAt + everyMs() * Math.min(LONGEST_FACTOR, 1 + failures);
    timer = setTimeout(ask, Math.max(0, due - performance.now()));
  };
  const ask = async () => {
    const shown = card();
    const path = shown?.dataset["poll"];
    if (!shown || path === undefined || isAsking) return;
    isAsking = true;
    hasAsked = true;
    askedAt = performance.now();
    try {
      const outcome = await refresh(page, id, path, get);
      failures = outcome === "failed" ? failures + 1 : 0;
      isSignedOut = outcome === "signed out";
      // Once may be a hiccup; a service that goes on refusing is as good as none.
      if (failures > 1) noteConnection(page, false);
    } catch {
      failures++;
      noteConnection(page, false);
    } finally {
      isAsking = false;
    }
    // Meanwhile the page may have turned to something else.
    if (card()?.dataset["poll"] === path) plan();
    else void ask();
  };
  page.addEventListener("visibilitychange", plan);
  page.addEventListener("signedin", () => void ask());
  // An island may know that the time has come.
  card()?.addEventListener("refresh", () => void ask());
  plan();
}

/** `signed out`: the session has ended, but the page stays; asking again makes no sense. */
type Outcome = "came" | "failed" | "signed out";

/** One fragment. @throws when there is no connection */
async function refresh(page: Document, id: string, path: string, get: Get): Promise<Outcome> {
  const headers = { "hx-request": "true", "hx-current-url": page.location.href };
  const answer = await get(path, { headers, signal: AbortSignal.timeout(PATIENCE_MS) });
  // Without a door it is a sign-in of somebody else, such as a proxy's, that has ended.
  const door = answer.headers.get("hx-redirect");
  if (door !== null || answer.status === 401) return leaveForSignIn(page, door ?? undefined) ? "came" : "signed out";
  if (!answer.ok) return "failed";
  noteConnection(page, true);
  const template = page.createElement("template");
  template.innerHTML = await answer.text();
  const fresh = template.content.firstElementChild;
  const shown = page.getElementById(id);
  if (fresh && shown && fresh.id === id && shown.dataset["poll"] === path) morph(shown, fresh);
  return "came";
}
