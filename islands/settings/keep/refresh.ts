import { send } from "../../browser/client.ts";
import { refreshWhileVisible } from "../../browser/refresh_while_visible.ts";
import type { KeepState } from "./keep_state.ts";
import type { KeepStanding } from "./shared.ts";

/** Takes anew how keeping and deleting stands: after a deed here, and when the page is looked at again. */
export async function refreshStanding({ standing, round }: KeepState): Promise<void> {
  try {
    standing.value = await standingNow();
    round.value++;
  } catch {
    // What stands there stays until the next look.
  }
}

/** As this page would come now: its properties carry what no address of its own tells. */
async function standingNow(): Promise<KeepStanding> {
  // An ended session is told as every other question tells it.
  await send("GET /api/retention");
  const answer = await fetch(location.pathname, { headers: { accept: "text/html" } });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const island = page.querySelector<HTMLElement>("[data-island=settings_form]");
  return JSON.parse(island?.dataset["props"] ?? "").deleting.standing;
}

/** Takes it anew whenever the page is looked at again. */
export function refreshOnReturn(keep: KeepState): void {
  const ask = () => refreshStanding(keep);
  refreshWhileVisible({ page: document, everyMs: Number.POSITIVE_INFINITY, onReturn: true, ask });
}
