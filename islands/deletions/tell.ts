import type { Overview } from "../../server/domain/status/overview.ts";
import { showToast } from "../browser/toast.ts";

/** Says what an answer to the question about held deletions means. @param after the overview since then */
export function tellAnswer(action: "confirm-deletion" | "keep-everything", after: Overview): void {
  if (action === "keep-everything") {
    showToast(document, "fine", "Everything is kept: no recording is deleted by itself any more.");
    return;
  }
  const note = after.deletion_notes.find(({ about }) => about === "confirmed");
  showToast(document, "waiting", note?.sentence ?? "They are deleted with the next scheduled run.");
}
