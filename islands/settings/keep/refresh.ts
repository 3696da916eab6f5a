import { type Asker, send } from "../../browser/client.ts";
import { ownPath } from "../../browser/own_path.ts";
import { asked } from "../../browser/page_camera.ts";
import { LONG_WAIT_MS, refreshWhileVisible } from "../../browser/refresh_while_visible.ts";
import type { ConsentState, KeepState } from "./shared.ts";

type Standing = Pick<KeepState, "standing" | "round">;

/** Reads again how keeping and deleting stands, after an action here. */
export async function refreshConsent(keep: Standing): Promise<void> {
  try {
    take(keep, await consentNow({ page: document, ask: fetch }));
  } catch {
    // The last state stays on the page until the next refresh.
  }
}

function take({ standing, round }: Standing, now: ConsentState): void {
  standing.value = now;
  round.value++;
}

/** From the props of this page as the server draws it now: no API path has all of it. */
async function consentNow(asker: Asker, signal?: AbortSignal): Promise<ConsentState> {
  const { page, ask } = asker;
  // An ended session is found by this request, and leads to sign-in.
  await send("GET /api/retention", undefined, signal, asker);
  const answer = await ask(asked(ownPath(page.location, page), page), {
    headers: { accept: "text/html" },
    ...(signal && { signal }),
  });
  const template = page.createElement("template");
  template.innerHTML = await answer.text();
  const island = template.content.querySelector<HTMLElement>("[data-island=settings_form]");
  return JSON.parse(island?.dataset["props"] ?? "").drawn.standing;
}

/** Reads it again whenever the page becomes visible. */
export function refreshOnReturn(asker: Asker, keep: Standing): () => void {
  const ask = (signal: AbortSignal) => consentNow(asker, signal);
  const show = (now: ConsentState) => take(keep, now);
  const timing = { everyMs: Number.POSITIVE_INFINITY, onReturn: true, waitMs: LONG_WAIT_MS };
  return refreshWhileVisible({ page: asker.page, ...timing, ask, show }).stop;
}
