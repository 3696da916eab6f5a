import { showCheck } from "./check.tsx";
import { showRun } from "./run.ts";

/** Opens what a link with `data-dialog` leads to in place of the page. */
export async function open(link: HTMLAnchorElement): Promise<void> {
  if (link.dataset["dialog"] === "check-camera") showCheck(document, link, null);
  else await showRun(document, link);
}
