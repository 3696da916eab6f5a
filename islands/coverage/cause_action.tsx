/** @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import type { CauseView } from "../../server/domain/coverage/day_view.ts";
import { send, sentenceOfError } from "../browser/client.ts";
import { isPlainClick } from "../browser/plain_click.ts";
import { showToast } from "../browser/toast.ts";
import { ForChange } from "../parts/may_change.tsx";

/** The place where the order of downloads is set. */
const ORDER = "/settings#sync-priority";

interface CauseActionProps {
  readonly action: NonNullable<CauseView["action"]>;
  /** The order in force. */
  readonly order: string;
  /** Something was set: the page has to be read again. */
  readonly onSet: () => void;
}

/** Leads to what helps. The order of downloads is set right here, where there is a script. */
export function CauseAction({ action: { label, href }, order, onSet }: CauseActionProps) {
  const isSetting = useSignal(false);
  const set = async (priority: string, words: string, undo: string | null) => {
    isSetting.value = true;
    try {
      await send("PATCH /api/settings/sync", { priority });
      const back = { label: "Undo", run: () => void set(undo ?? priority, "The order is as it was.", null) };
      showToast(document, "fine", words, undo === null ? undefined : back);
      onSet();
    } catch (error) {
      showToast(document, "failed", sentenceOfError(error));
    } finally {
      isSetting.value = false;
    }
  };
  const link = (
    <a
      class="b"
      href={href}
      aria-busy={isSetting.value ? "true" : undefined}
      onClick={(event) => {
        if (!href.startsWith(ORDER) || !isPlainClick(event)) return;
        event.preventDefault();
        if (!isSetting.value) void set("smart", "Set. Recordings that are overwritten soon come first.", order);
      }}
    >
      {label}
    </a>
  );
  return href.startsWith(ORDER) ? <ForChange>{link}</ForChange> : link;
}
