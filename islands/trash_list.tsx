/** @jsxImportSource preact */
import { counted } from "../server/domain/text/format.ts";
import { Day } from "./trash/day.tsx";
import { Frame, usePressToSelect, useTrash } from "./trash/frame.tsx";
import type { TrashProps } from "./trash/trash_props.ts";

/** Contents of the trash, by the day they leave, to be restored or deleted. */
export default function TrashList(props: TrashProps) {
  const { trash, readAt } = useTrash(props);
  usePressToSelect(trash, null);
  const { days, moreDays } = trash.contents.value;
  return (
    <Frame trash={trash} readAt={readAt}>
      {days.map((day) => (
        <Day key={day.date} trash={trash} day={day} readAt={readAt} />
      ))}
      {moreDays > 0 && (
        <p class="list-more needs-script">
          <button class="text-b" type="button" onClick={() => void trash.moreDays()}>
            Show {counted(moreDays, "more day")}
          </button>
        </p>
      )}
    </Frame>
  );
}
