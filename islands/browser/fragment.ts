import { leaveForSignIn } from "./client.ts";
import { noteConnection } from "./connection.ts";
import { morph } from "./morph.ts";

/** How a fragment is asked for; tests bring their own. */
export type Get = (path: string, init: { headers: Record<string, string>; signal: AbortSignal }) => Promise<Response>;

/** What came of asking. `signed out`: the session has ended, but the page stays; asking again makes no sense. */
export interface Asked {
  readonly outcome: "came" | "failed" | "signed out";
  /** Shows what came. */
  readonly apply: () => void;
}

/** Asks for the state of one card as it is now. @throws when there is no connection, and the signal's reason */
export async function askFragment(
  page: Document,
  id: string,
  { path, get, signal }: { readonly path: string; readonly get: Get; readonly signal: AbortSignal },
): Promise<Asked> {
  const nothing = () => {};
  const headers = { "hx-request": "true", "hx-current-url": page.location.href };
  const answer = await get(path, { headers, signal });
  // Without a door it is a sign-in of somebody else, such as a proxy's, that has ended.
  const door = answer.headers.get("hx-redirect");
  if (door !== null || answer.status === 401) {
    const isLeft = leaveForSignIn(page, door ?? undefined);
    return { outcome: isLeft ? "came" : "signed out", apply: nothing };
  }
  if (!answer.ok) return { outcome: "failed", apply: nothing };
  noteConnection(page, true);
  const template = page.createElement("template");
  template.innerHTML = await answer.text();
  const fresh = template.content.firstElementChild;
  const apply = () => {
    const shown = page.getElementById(id);
    if (fresh && shown && fresh.id === id && shown.dataset["poll"] === path) morph(shown, fresh);
  };
  return { outcome: "came", apply };
}
