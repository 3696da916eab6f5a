/** @jsxImportSource preact */
import { useEffect, useMemo } from "preact/hooks";
import { Frame, usePressToSelect, useTrash } from "./trash/frame.tsx";
import { RecordedDays } from "./trash/recorded_days.tsx";
import { RecordedView } from "./trash/recorded_view.ts";
import { TrashFilterPanel } from "./trash/trash_filter.tsx";
import type { TrashProps } from "./trash/trash_props.ts";

/** A trash of thousands, by the day its clips were recorded on, to be filtered, restored or deleted. */
export default function TrashOfThousands(props: TrashProps) {
  const { trash, readAt } = useTrash(props);
  const view = useMemo(() => new RecordedView(trash), []);
  usePressToSelect(trash, view);
  const isEmpty = trash.contents.value.totals.entries === 0;
  useEffect(() => {
    // Filters and ranges need all entries; an earlier click on them waits.
    trash.load().catch(() => {});
  }, []);
  return (
    <Frame trash={trash} readAt={readAt}>
      {!isEmpty && <TrashFilterPanel trash={trash} view={view} readAt={readAt} />}
      {!isEmpty && <RecordedDays trash={trash} view={view} readAt={readAt} />}
    </Frame>
  );
}
