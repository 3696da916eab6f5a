import { showCheck } from "./check.ts";
import { showRun } from "./run.ts";

/** Opens what a link with `data-dialog` leads to in place of the page. */
export async function open(link: HTMLAnchorElement): Promise<void> {
  await (link.dataset["dialog"] === "check-camera" ? showCheck : showRun)(document, link);
}
