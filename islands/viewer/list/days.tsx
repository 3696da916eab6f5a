/** @jsxImportSource preact */
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";
import { cameraDay } from "../../../server/domain/recordings/camera_clock.ts";
import { clips } from "../../../server/domain/retention/kept_text.ts";
import { formatCount } from "../../../server/domain/text/format.ts";
import type { ListedDay } from "../../../server/domain/viewer/days_of_cameras.ts";
import { dayOfKey, dayPath } from "../../../server/domain/viewer/viewer_address.ts";
import { sentenceOfError } from "../../browser/client.ts";
import { showToast } from "../../browser/toast.ts";
import { Icon } from "../../parts/icon.tsx";
import { useHydrated } from "../player/use_hydrated.ts";
import type { List } from "../stores.ts";
import type { Parts } from "../viewer_parts.ts";
import { Batch } from "./batch.tsx";
import { DayBody } from "./day_body.tsx";
import { ListHead } from "./list_head.tsx";
import { ListNotice } from "./list_notice.tsx";
import { revealChosen } from "./list_scroll.ts";
import { MomentsSlot } from "../moments/moments_slot.tsx";
import { PickBar } from "./pick_bar.tsx";

interface DaysProps
  extends Parts<
    | "list"
    | "browsing"
    | "playback"
    | "moments"
    | "marks"
    | "actions"
    | "thisYear"
    | "format"
    | "today"
    | "speedUnit"
    | "momentsSheet"
  > {
  readonly listRef: RefObject<HTMLElement | null>;
}

/** Number of days' heads drawn at once: a library may have years of them. */
const DAYS_AT_ONCE = 31;

/** The list: days, in the open ones their trips or clips. */
export function Days({ listRef, ...parts }: DaysProps) {
  const { recordings, choosing } = parts.list;
  const { coming } = parts.marks;
  const { days, only } = recordings;
  const { key } = parts.browsing;
  const date = dayOfKey(key ?? "");
  const isMoments = parts.browsing.way.value === "moments";
  useEffect(() => revealChosen(listRef.current), [key, only.value]);
  return (
    <section class="trips" id="recordings" aria-labelledby="recordings-title" tabindex={-1} ref={listRef}>
      <ListHead {...parts} />
      {isMoments ? (
        <MomentsSlot {...parts} />
      ) : (
        <>
          <ListNotice {...parts} />
          <Batch
            all={days.value}
            at={days.value.findIndex((day) => day.date === date)}
            size={DAYS_AT_ONCE}
            names={["later days", "earlier days"]}
            draw={(day) => <Day key={day.date} day={day} {...parts} />}
          />
          {choosing.isOn.value && <PickBar {...parts} />}
        </>
      )}
      <p class="sr" role="status">
        {coming.toldLast()}
      </p>
    </section>
  );
}

function Day({
  day: { date, count },
  ...parts
}: Parts<"list" | "browsing" | "marks" | "actions" | "thisYear" | "format" | "speedUnit"> & {
  readonly day: ListedDay;
}) {
  const { thisYear, format } = parts;
  const { recordings: list, choosing } = parts.list;
  const isOpen = list.open.value.includes(date);
  const isHydrated = useHydrated();
  const name = cameraDay(date, thisYear, format);
  const kept = list.stateOf(date).recordings?.filter((one) => one.kept !== null).length ?? 0;
  // While choosing there is a box in the line, too.
  const tellsKept = kept > 0 && list.only.value !== "kept" && !choosing.isOn.value;
  const label = (
    <>
      <Icon name={isOpen ? "i-down" : "i-right"} class="i i-s" />
      {name}
      <span>
        {clips(count)}
        {tellsKept && `, ${formatCount(kept)}\u00a0kept`}
      </span>
    </>
  );
  return (
    <>
      <div class="day-head">
        {choosing.isOn.value && <DayBox date={date} name={name} choosing={choosing} />}
        <h3>
          {isHydrated ? (
            <button
              class="day"
              type="button"
              aria-expanded={isOpen}
              data-date={date}
              onClick={() => list.toggleDay(date)}
            >
              {label}
            </button>
          ) : (
            <a class="day" href={dayPath(date, list.filter.value)} data-date={date}>
              {label}
            </a>
          )}
        </h3>
      </div>
      {isOpen && <DayBody date={date} {...parts} />}
    </>
  );
}

interface DayBoxProps extends Pick<List, "choosing"> {
  readonly date: string;
  readonly name: string;
}

function DayBox({ date, name, choosing }: DayBoxProps) {
  const part = choosing.partOf(date);
  return (
    <label class="pick">
      <input
        type="checkbox"
        checked={part === "all"}
        indeterminate={part === "some"}
        onClick={({ shiftKey }) =>
          void choosing
            .toggleDay(date, shiftKey)
            .catch((error) => showToast(document, "failed", sentenceOfError(error)))
        }
      />
      <span class="sr">Select all of {name}</span>
    </label>
  );
}
