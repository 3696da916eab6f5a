/** @jsxImportSource preact */

import { useEffect, useMemo } from "preact/hooks";
import { counted } from "../server/domain/text/format.ts";
import { ZoneTime } from "../server/domain/text/zone_time.ts";
import { LONG_PATIENCE_MS, refreshWhileVisible } from "./browser/refresh_while_visible.ts";
import type { TrashProps } from "./trash/contents.ts";
import { Day } from "./trash/day.tsx";
import { Head } from "./trash/head.tsx";
import { PickBar } from "./trash/pick_bar.tsx";
import { Questions } from "./trash/questions.tsx";
import { RecordedDays } from "./trash/recorded_days.tsx";
import { RecordedView } from "./trash/recorded_view.ts";
import { Trash } from "./trash/trash.ts";
import { TrashFilterPanel } from "./trash/trash_filter.tsx";

const REFRESH_MS = 30_000;

/** What is in the trash, by when it leaves, to be restored or deleted. */
export default function TrashList(props: TrashProps) {
  const trash = useMemo(() => new Trash(props, { page: globalThis.document, ask: globalThis.fetch }), []);
  useEffect(() => {
    const ask = () => trash.refresh();
    const timing = { everyMs: REFRESH_MS, onReturn: true, patienceMs: LONG_PATIENCE_MS };
    return refreshWhileVisible({ page: document, ...timing, ask }).stop;
  }, []);
  const view = useMemo(() => new RecordedView(trash), []);
  const { days, moreDays, now, zone, isRecorded } = trash.contents.value;
  useEffect(() => {
    // What a filter or a range needs; a click that needs it earlier waits for it.
    if (isRecorded) trash.load().catch(() => {});
  }, [isRecorded]);
  const readAt = useMemo(() => ({ now, zone: ZoneTime.from(zone) }), [now, zone]);
  return (
    <>
      <Head trash={trash} readAt={readAt} />
      {isRecorded ? (
        <>
          <TrashFilterPanel trash={trash} view={view} readAt={readAt} />
          <RecordedDays trash={trash} view={view} readAt={readAt} />
        </>
      ) : (
        days.map((day) => <Day key={day.date} trash={trash} day={day} readAt={readAt} />)
      )}
      {moreDays > 0 && (
        <p class="list-more needs-script">
          <button class="text-b" type="button" onClick={() => void trash.moreDays()}>
            Show {counted(moreDays, "more day")}
          </button>
        </p>
      )}
      <PickBar trash={trash} />
      <Questions trash={trash} />
    </>
  );
}
