/** @jsxImportSource preact */
import { hasWords, isFound } from "../entry.ts";
import { Setting } from "../setting.tsx";
import type { KeepState } from "./keep_state.ts";
import { KeepTimes } from "./keep_times.tsx";
import { KeptRows } from "./kept_list.tsx";
import { Limits } from "./limits.tsx";
import { Picture } from "./picture.tsx";
import { TrashNow } from "./trash_now.tsx";

/** Everything about keeping and deleting: the settings, what they would delete, what is kept, and the trash. */
export function RetentionSection({ keep }: { readonly keep: KeepState }) {
  const query = keep.query.value;
  const setting = (name: string) => (
    <Setting entry={keep.at(`retention.${name}`)} query={query} change={keep.change} key={name} />
  );
  const isTrashFound = isFound(keep.at("retention.trash_days"), query);
  return (
    <>
      <KeepTimes keep={keep} />
      {setting("event_context")}
      <Limits keep={keep} />
      {setting("max_used_disk_percent")}
      <div class="preview" hidden={!hasWords("what the next run will delete preview", query)}>
        <Picture keep={keep} />
      </div>
      <section class="group" id="kept" aria-labelledby="kept-title" hidden={!hasWords("never deleted kept", query)}>
        <h3 id="kept-title" tabindex={-1}>
          Never deleted
        </h3>
        <KeptRows keep={keep} />
      </section>
      <section class="group" id="trash" aria-labelledby="trash-title" hidden={!isTrashFound}>
        <h3 id="trash-title">Trash</h3>
        <p>What was deleted waits here, on the same disk, and can be had back.</p>
        {setting("trash_days")}
        <TrashNow keep={keep} />
      </section>
    </>
  );
}
