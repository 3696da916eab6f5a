import { type CameraCheck, checkTitle } from "../../server/domain/camera/camera_check.ts";
import type { Overview } from "../../server/domain/status/overview.ts";
import { counted, formatBytes } from "../../server/domain/text/format.ts";
import { send, sentenceOfError } from "../browser/client.ts";
import { openFrame, paragraph } from "./frame.ts";

/** Asks the camera at the saved address, and shows the result with a link to the address. */
export async function showCheck(page: Document, link: HTMLAnchorElement): Promise<void> {
  const { body, closed } = openFrame(page, link, "check-camera", "Check the camera");
  const say = (title: string, words: string) => {
    const heading = page.createElement("h2");
    heading.textContent = title;
    const said = page.createElement("div");
    said.setAttribute("role", "status");
    said.append(heading, paragraph(page, words));
    const way = page.createElement("a");
    way.href = link.href;
    way.textContent = "Open its address in Settings";
    const row = paragraph(page, "", "small");
    row.append(way);
    body.replaceChildren(said, row);
  };
  say("Asking the camera", "It has a few seconds to answer.");
  try {
    const { address, action } = await send<Overview>("GET /api/overview", undefined, closed);
    if (address === "") return say("No camera yet", "Tell Dashdock where it is.");
    const check = await send<CameraCheck>("POST /api/dashcam/check", { address }, closed);
    if (check.reachable) say("The camera answered", `${found(check)} ${ahead(action)}`);
    else say(checkTitle(check.reason), `${check.address}: ${check.message}`);
  } catch (error) {
    if (!closed.aborted) say("The camera could not be asked", sentenceOfError(error));
  }
}

function found({ latency_ms, recordings, bytes }: Extract<CameraCheck, { reachable: true }>): string {
  const size = bytes === null ? "" : `, ${formatBytes(bytes)}`;
  const holds = recordings === 0 ? "no recordings yet" : `${counted(recordings, "recording")}${size}`;
  return `It answered in ${Math.max(1, Math.round(latency_ms))}\u00a0ms and holds ${holds}.`;
}

/** What can be expected of the next run: the camera may answer its list and still not send all files. */
function ahead(action: Overview["action"]): string {
  return action?.kind === "show-files"
    ? "But in the last run it did not send all files that were asked for: see Show the files."
    : "The next run can bring them home.";
}
