/** @jsxImportSource preact */

import type { ComponentChildren } from "preact";
import type { DeletionReceipt } from "../../server/domain/retention/deletion.ts";
import { receiptInWords } from "../../server/domain/retention/receipt_text.ts";
import { formatCount } from "../../server/domain/text/format.ts";
import type { CardTime } from "../../server/domain/text/zone_time.ts";
import type { Polled } from "../parts/cell.tsx";
import { Icon, type IconName } from "../parts/icon.tsx";
import { ChangeButton } from "../parts/may_change.tsx";

export interface ReceiptsProps extends CardTime, Polled {
  /** Latest first. */
  readonly receipts: readonly DeletionReceipt[];
}

/** Deletions that are not acknowledged yet: the newest, with the others behind it. Without any nothing is shown. */
export function ReceiptsCard({ receipts, now, zone, poll }: ReceiptsProps) {
  const [newest, ...others] = receipts;
  const polled = poll && { "data-poll": poll.path, "data-every": poll.every };
  return (
    <section
      class="receipts"
      id="receipts-card"
      aria-label="What was deleted"
      hidden={newest === undefined}
      {...polled}
    >
      {newest !== undefined && (
        <Receipt receipt={newest} now={now} zone={zone}>
          <a class="b b-quiet" href="/trash">
            Look
          </a>
          <ReceiptButton action="seen-deletion" icon="i-check" label="OK" receipt={newest} look="b-quiet" />
        </Receipt>
      )}
      {others.length > 0 && (
        <details>
          <summary>and {formatCount(others.length)} more</summary>
          {others.map((receipt) => (
            <Receipt key={receipt.id} receipt={receipt} now={now} zone={zone} />
          ))}
        </details>
      )}
    </section>
  );
}

interface ReceiptProps extends CardTime {
  readonly receipt: DeletionReceipt;
  readonly children?: ComponentChildren;
}

function Receipt({ receipt, now, zone, children }: ReceiptProps) {
  const words = receiptInWords(receipt, now, zone);
  return (
    <div class="receipt" id={`receipt-${receipt.id}`}>
      <Icon name="i-trash" />
      <p>{words}</p>
      <div class="row">
        {receipt.until !== null && Date.parse(receipt.until) > now && (
          <ReceiptButton
            action="undo-deletion"
            icon="i-restore"
            label="Undo"
            receipt={receipt}
            name={`Undo: ${words}`}
          />
        )}
        {children}
      </div>
    </div>
  );
}

interface ReceiptButtonProps {
  readonly action: "undo-deletion" | "seen-deletion";
  readonly icon: IconName;
  readonly label: string;
  readonly receipt: DeletionReceipt;
  readonly look?: string;
  /** For screen readers, where several have the same words; begins with them. */
  readonly name?: string;
}

/** A button that `receipt_actions.ts` handles: the card is polled, so it is outside of islands. */
function ReceiptButton({ action, icon, label, receipt: { id }, look = "", name }: ReceiptButtonProps) {
  return (
    <ChangeButton
      class={`b ${look}`.trim()}
      id={`${action}-${id}`}
      type="button"
      data-action={action}
      data-receipt={id}
      aria-label={name}
    >
      <Icon name={icon} />
      {label}
    </ChangeButton>
  );
}
