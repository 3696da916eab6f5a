import type { Api } from "../../server/domain/api.ts";
import { formatCount } from "../../server/domain/format.ts";
import { restoredInWords } from "../../server/domain/receipt_words.ts";
import { send, sentenceOfError } from "../client.ts";
import { showToast } from "../toast.ts";

/** Carries out what a button of a receipt says, and says how it went. One that is on its way does nothing again. */
export async function carryOutReceipt(button: HTMLElement): Promise<void> {
  const { action, receipt, recordings } = button.dataset;
  if (button.getAttribute("aria-busy") !== null) return;
  button.setAttribute("aria-busy", "true");
  try {
    if (action === "undo-deletion") await undo(receipt, Number(recordings));
    else await send("POST /api/retention/seen", { id: receipt });
  } catch (error) {
    showToast(document, "failed", sentenceOfError(error));
  }
  button.removeAttribute("aria-busy");
  const card = button.closest("[data-poll]");
  // What had the focus goes with its line.
  if (card?.contains(document.activeElement)) document.getElementById("main")?.focus({ preventScroll: true });
  card?.dispatchEvent(new Event("refresh"));
}

async function undo(deletion: string | undefined, recordings: number): Promise<void> {
  const { restored, failed } = await send<Api["POST /api/trash/restore"]>("POST /api/trash/restore", { deletion });
  const [first] = failed;
  if (first === undefined) showToast(document, "fine", restoredInWords(recordings));
  else {
    const words = `${formatCount(restored)} are back, and kept; ${formatCount(failed.length)} are not: ${first.reason}`;
    showToast(document, "attention", words);
  }
}
