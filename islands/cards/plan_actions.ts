import type { ProposalId } from "../../server/domain/plan/proposals.ts";
import type { Settings } from "../../server/domain/settings/settings.ts";
import { send, sentenceOfError } from "../browser/client.ts";
import { showToast } from "../browser/toast.ts";

type SyncChange = Partial<Pick<Settings["sync"], "priority" | "exclude">>;

const SAID: Readonly<Record<ProposalId, string>> = {
  smart: "What is at risk comes first from the next sync on.",
  parking_last: "Parking comes last from the next sync on.",
  without_parking: "Parking recordings stay on the camera from the next sync on.",
};

/** Sets what a button of the plan proposes, and says so, with the way back. A busy button does nothing. */
export async function carryOutProposal(button: HTMLElement): Promise<void> {
  if (button.getAttribute("aria-busy") !== null) return;
  button.setAttribute("aria-busy", "true");
  const proposal = button.dataset["proposal"] as ProposalId;
  const hadFocus = document.activeElement === button;
  try {
    const { sync } = await send<Pick<Settings, "sync">>("GET /api/settings");
    const change = changeOf(proposal, sync);
    const before = Object.fromEntries(
      Object.keys(change).map((key) => [key, sync[key as keyof SyncChange]]),
    ) as SyncChange;
    await set(change);
    // The button that has the focus goes with its card's next state.
    if (hadFocus) document.getElementById("main")?.focus({ preventScroll: true });
    showToast(document, "fine", SAID[proposal], {
      label: "Undo",
      run: () => void set(before).catch((error) => showToast(document, "failed", sentenceOfError(error))),
    });
  } catch (error) {
    showToast(document, "failed", sentenceOfError(error));
  }
  button.removeAttribute("aria-busy");
}

function changeOf(proposal: ProposalId, { exclude }: Settings["sync"]): SyncChange {
  switch (proposal) {
    case "smart":
      return { priority: "smart" };
    case "parking_last":
      return { priority: "type" };
    case "without_parking":
      return { exclude: [...exclude, "P"] };
  }
}

/** The stream then names the cards that follow. */
async function set(change: SyncChange): Promise<void> {
  await send("PATCH /api/settings/sync", change);
}
