/** @jsxImportSource preact */
import { useEffect } from "preact/hooks";
import { draftInWords } from "../../../server/domain/settings/form_problems.ts";
import { Icon } from "../../parts/icon.tsx";
import { hasWords, isFound } from "../entry.ts";
import { describe } from "../input.ts";
import type { PartProps } from "../later_place.tsx";
import { LengthControl, type LengthUnit } from "../length_control.tsx";
import { Setting } from "../setting.tsx";
import { keepOf, stopWarning } from "./keep_state.ts";
import { KeepTimes } from "./keep_times.tsx";
import { KeptRows } from "./kept_list.tsx";
import { Limits } from "./limits.tsx";
import { Picture } from "./picture.tsx";
import { refreshOnReturn } from "./refresh.ts";
import type { KeepState } from "./shared.ts";
import { TrashNow } from "./trash_now.tsx";
import { WholeCheck } from "./whole_check.tsx";

const TRASH_UNITS: readonly LengthUnit[] = [
  { text: "", words: "days", hasNumber: true },
  { text: "0", words: "Delete at once", hasNumber: false },
];

/** Everything about keeping and deleting: the settings, what they would delete, what is kept, and the trash. */
export function RetentionSection(props: PartProps) {
  const keep = keepOf(props);
  useEffect(() => refreshOnReturn({ page: document, ask: fetch }, keep), []);
  const query = keep.query.value;
  const stop = keep.at("retention", "max_used_disk_percent");
  const trashDays = keep.at("retention", "trash_days");
  return (
    <>
      <KeepTimes keep={keep} />
      <Setting entry={keep.at("retention", "event_context")} query={query} change={keep.change} />
      <Limits keep={keep} />
      <Setting entry={stop} query={query} change={keep.change} says={<StopWarning keep={keep} id={stop.id} />} />
      <div class="preview" hidden={!hasWords("what the next run will delete preview", query)}>
        <Picture keep={keep} />
      </div>
      <section class="group" id="kept" aria-labelledby="kept-title" hidden={!hasWords("never deleted kept", query)}>
        <h3 id="kept-title" tabindex={-1}>
          Never deleted
        </h3>
        <KeptRows keep={keep} />
      </section>
      <section class="group" id="trash" aria-labelledby="trash-title" hidden={!isFound(trashDays, query)}>
        <h3 id="trash-title">Trash</h3>
        <p>Deleted recordings wait here, on the same disk, and can be restored.</p>
        <Setting
          entry={trashDays}
          query={query}
          change={keep.change}
          control={
            <LengthControl
              entry={trashDays}
              units={TRASH_UNITS}
              name="Trash"
              describedBy={describe(trashDays, true)}
              change={keep.change}
            />
          }
          says={
            <p class="says" id={`${trashDays.id}-says`}>
              {draftInWords(trashDays.field, trashDays.draft.value)}
            </p>
          }
        />
        <TrashNow keep={keep} />
      </section>
      <WholeCheck keep={keep} drawn={props.drawn.verify} />
    </>
  );
}

/** Warning about a disk stop that would end all downloads. */
function StopWarning({ keep, id }: { readonly keep: KeepState; readonly id: string }) {
  const warning = stopWarning(keep);
  return (
    <p class="says warns" id={`${id}-says`} role="status">
      {warning !== null && <Icon name="s-attention" />}
      {warning}
    </p>
  );
}
