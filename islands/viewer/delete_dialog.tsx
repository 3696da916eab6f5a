/** @jsxImportSource preact */
import { useEffect, useRef } from "preact/hooks";
import { clipName } from "../../server/domain/recordings/camera_clock.ts";
import { clips } from "../../server/domain/retention/kept_text.ts";
import { keyOf } from "../../server/domain/viewer/viewer_address.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Icon } from "../parts/icon.tsx";
import type { Parts } from "./viewer_parts.ts";

/** Asked only where there is no trash for one of them: that is deleted for good then. */
export function DeleteDialog({
  marks: { deleting },
  list: { choosing },
  thisYear,
  format,
}: Parts<"list" | "marks" | "thisYear" | "format">) {
  const dialog = useRef<HTMLDialogElement>(null);
  const asking = deleting.asking.value;
  useEffect(() => {
    if (asking !== null && !dialog.current?.open) dialog.current?.showModal();
  }, [asking]);
  useEffect(() => {
    const closed = () => {
      deleting.asking.value = null;
    };
    const place = dialog.current;
    place?.addEventListener("close", closed);
    return () => place?.removeEventListener("close", closed);
  }, []);
  const [first] = asking ?? [];
  const kept = asking?.filter((one) => one.kept !== null).length ?? 0;
  const free = asking?.filter((one) => one.kept === null) ?? [];
  const waiting = free.filter((one) => deleting.hasTrash(keyOf(one))).length;
  const count = free.length - waiting;
  const isOne = asking?.length === 1 && first !== undefined;
  return (
    <Dialog name="delete-confirm" title={isOne ? "Delete this clip?" : "Delete these clips?"} dialogRef={dialog}>
      <p>
        {isOne ? clipName(keyOf(first), thisYear, format) : clips(count)} will be deleted for good: nothing waits in the
        trash, because its time is set to 0 days.
        {waiting > 0 && ` ${clips(waiting)} more ${waiting === 1 ? "goes" : "go"} to the trash.`}
        {kept > 0 && ` ${clips(kept)} of those chosen ${kept === 1 ? "is" : "are"} kept and will stay.`}
      </p>
      <div class="row">
        {/* The safe choice has the focus. */}
        <button class="b" type="submit" value="no" autofocus>
          {isOne ? "Leave it" : "Leave them"}
        </button>
        <button
          class="b b-danger b-fill"
          type="submit"
          value="delete"
          onClick={async () => {
            if (asking === null) return;
            await deleting.carryOut(asking);
            choosing.turn(false);
          }}
        >
          <Icon name="i-trash" />
          Delete for good
        </button>
      </div>
    </Dialog>
  );
}
