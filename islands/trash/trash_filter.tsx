/** @jsxImportSource preact */

import { useSignal } from "@preact/signals";
import { cameraDay } from "../../server/domain/recordings/camera_clock.ts";
import { TRASH_CAUSES, type TrashCause } from "../../server/domain/retention/deletion_cause.ts";
import { KEEP_CLASSES } from "../../server/domain/retention/keep_times.ts";
import { countsOf } from "../../server/domain/retention/trash_days.ts";
import type { ReadAt } from "../../server/domain/retention/trash_text.ts";
import { counted, formatCount } from "../../server/domain/text/format.ts";
import { sentenceOfError } from "../browser/client.ts";
import { showToast } from "../browser/toast.ts";
import { Icon, type IconName } from "../parts/icon.tsx";
import { ChangeButton } from "../parts/may_change.tsx";
import { KIND_LOOKS } from "../parts/recording_type.tsx";
import { kindName } from "./recorded_days.tsx";
import type { RecordedView } from "./recorded_view.ts";
import type { Trash } from "./trash.ts";

const CAUSES: Readonly<Record<TrashCause, readonly [name: string, icon: IconName]>> = {
  age: ["Keep time", "i-clock"],
  room: ["Disk limit", "i-disk"],
  hand: ["By a user", "i-user"],
  damaged: ["Damaged", "i-shield"],
};

interface TrashFilterProps {
  readonly trash: Trash;
  readonly view: RecordedView;
  readonly readAt: ReadAt;
}

/** Filters for a trash of thousands: its days as bars, kinds, causes, and a range of times to select. */
export function TrashFilterPanel({ trash, view, readAt }: TrashFilterProps) {
  const { kinds, causes } = countsOf(view.all.value);
  const filter = view.filter.value;
  return (
    <>
      <div class="cluster cluster-21">
        <Bars trash={trash} view={view} readAt={readAt} />
        <section class="cell tfilters needs-script" aria-label="Filter">
          <div>
            <p class="label" id="trash-kind">
              Kind
            </p>
            <div class="chips" role="group" aria-labelledby="trash-kind">
              {KEEP_CLASSES.filter((kind) => kinds[kind] > 0).map((kind) => {
                const [look, icon] = KIND_LOOKS[kind];
                return (
                  <button
                    key={kind}
                    class={`chip ${look}`}
                    type="button"
                    aria-pressed={filter.kinds.includes(kind)}
                    onClick={() => view.toggleKind(kind)}
                  >
                    <Icon name={icon} />
                    {kindName(kind)} <b>{formatCount(kinds[kind])}</b>
                  </button>
                );
              })}
            </div>
          </div>
          <div>
            <p class="label" id="trash-cause">
              Cause
            </p>
            <div class="chips" role="group" aria-labelledby="trash-cause">
              {TRASH_CAUSES.filter((cause) => causes[cause] > 0).map((cause) => {
                const [name, icon] = CAUSES[cause];
                return (
                  <button
                    key={cause}
                    class="chip"
                    type="button"
                    aria-pressed={filter.causes.includes(cause)}
                    onClick={() => view.toggleCause(cause)}
                  >
                    <Icon name={icon} />
                    {name} <b>{formatCount(causes[cause])}</b>
                  </button>
                );
              })}
            </div>
          </div>
        </section>
      </div>
      <Range view={view} trash={trash} />
    </>
  );
}

/** Amount recorded on each day; days of which something is selected stand out. */
function Bars({ view, readAt }: TrashFilterProps) {
  const days = view.days.value;
  const most = Math.max(1, ...days.map(({ entries }) => entries));
  const width = 100 / Math.max(1, days.length);
  const gap = days.length > 60 ? 0 : Math.min(1.2, width * 0.15);
  const year = readAt.zone.wall(readAt.now).year;
  const dayOf = ({ date }: { readonly date: string }) => cameraDay(date, year, readAt.zone.format);
  const name = (at: number) => (days[at] ? dayOf(days[at]) : "");
  const selected = days.filter((day) => view.partOf(day) !== "none");
  const first = selected[0];
  const last = selected.at(-1);
  const chosen = first && last ? `; selected ${dayOf(first)} to ${dayOf(last)}` : "";
  return (
    <section class="cell" aria-labelledby="trash-recorded">
      <div class="cell-head">
        <h2 id="trash-recorded">Recorded on</h2>
        <ChangeButton
          class="b b-quiet b-low needs-script"
          type="button"
          aria-pressed={view.isAllChosen}
          onClick={() =>
            void view
              .chooseAllDays(!view.isAllChosen)
              .catch((error) => showToast(document, "failed", sentenceOfError(error)))
          }
        >
          <Icon name="i-calendar" />
          All days
        </ChangeButton>
      </div>
      <svg
        class="tbars"
        role="img"
        aria-label={`Clips in the trash by day of recording, ${name(0)} to ${name(days.length - 1)}${chosen}`}
      >
        {days.map((day, at) => {
          const height = 4 + (88 * day.entries) / most;
          return (
            <rect
              key={day.date}
              class={view.partOf(day) === "none" ? "tb" : "tb-on"}
              x={`${(at * width + gap / 2).toFixed(2)}%`}
              width={`${(width - gap).toFixed(2)}%`}
              y={`${(100 - height).toFixed(1)}%`}
              height={`${height.toFixed(1)}%`}
              rx={days.length > 60 ? 0 : 2}
            />
          );
        })}
      </svg>
      <div class="scale">
        <span>{name(0)}</span>
        {days.length > 4 && <span>{name(Math.floor((days.length - 1) / 2))}</span>}
        {days.length > 1 && <span>{name(days.length - 1)}</span>}
      </div>
    </section>
  );
}

/** Selects what was recorded between two times. */
function Range({ view, trash }: Pick<TrashFilterProps, "view" | "trash">) {
  const days = view.all.value;
  const from = useSignal(`${days[0]?.date ?? ""}T00:00`);
  const to = useSignal(`${days.at(-1)?.date ?? ""}T23:59`);
  const isWhole = from.value.length === 16 && to.value.length === 16 && from.value <= to.value;
  const count = isWhole ? view.between(from.value, to.value).reduce((sum, { keys }) => sum + keys.length, 0) : 0;
  return (
    <form
      class="trange needs-script"
      aria-label="Select a range"
      onSubmit={async (event) => {
        event.preventDefault();
        await trash.load().catch(() => {});
        if (isWhole) view.chooseBetween(from.value, to.value);
      }}
    >
      <span class="label">Select a range, by the camera’s clock</span>
      <div class="trange-in">
        {(
          [
            ["From", from],
            ["To", to],
          ] as const
        ).map(([label, field]) => (
          <label key={label}>
            <span class="small soft">{label}</span>
            <input
              class="in"
              type="datetime-local"
              value={field.value}
              onInput={({ currentTarget }) => {
                field.value = currentTarget.value;
              }}
            />
          </label>
        ))}
        <ChangeButton class="b" type="submit" disabled={!isWhole}>
          {count === 0 ? "Select clips" : `Select ${counted(count, "clip")}`}
        </ChangeButton>
      </div>
    </form>
  );
}
