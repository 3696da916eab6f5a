/** @jsxImportSource preact */

import { useLayoutEffect, useRef } from "preact/hooks";
import { cameraDay } from "../../../server/domain/recordings/camera_clock.ts";
import { isEverything } from "../../../server/domain/viewer/list_filter.ts";
import { MOST_SEARCH_CHARACTERS } from "../../../server/domain/viewer/search_length.ts";
import { examplesOf } from "../../../server/domain/viewer/time_search.ts";
import { dayOfKey } from "../../../server/domain/viewer/viewer_address.ts";
import { Icon } from "../../parts/icon.tsx";
import { ChangeButton } from "../../parts/may_change.tsx";
import { ViewerWays } from "../../parts/viewer_ways.tsx";
import type { Parts } from "../viewer_parts.ts";
import { CalendarDialog } from "./calendar_dialog.tsx";
import { FilterChips } from "./filter_chips.tsx";
import { closeTrips } from "./trips_sheet.ts";
import { WhoseChips } from "./whose_chips.tsx";

/** The field as screen readers know it; the list below it says when it is there. */
const COMBOBOX: Readonly<Record<string, string>> = {
  role: "combobox",
  "aria-autocomplete": "list",
  "aria-controls": "list-found",
  "aria-expanded": "false",
};

/** Above the list: the day, a time to look for, and what the list holds. */
export function ListHead(parts: Parts<"list" | "browsing" | "actions" | "thisYear" | "format" | "today">) {
  const { browsing, thisYear, format } = parts;
  const { recordings, choosing, finding } = parts.list;
  const field = useRef<HTMLInputElement>(null);
  const searchButton = useRef<HTMLButtonElement>(null);
  const isChoosing = choosing.isOn.value;
  const way = browsing.way.value;
  const date = dayOfKey(browsing.key ?? "");
  const day = isEverything(recordings.filter.value) && date !== null ? cameraDay(date, thisYear, format) : "Any day";
  const problem = finding.problem.value;
  const isSearching = finding.isOpen.value;
  const List = finding.suggestions.value;
  // An effect after painting would come behind the first letter, which would be a key of the viewer.
  useLayoutEffect(() => {
    if (isSearching) field.current?.focus();
  }, [isSearching]);
  const close = () => {
    finding.turn(false);
    searchButton.current?.focus();
  };
  return (
    <div class="trips-head">
      <h2 class="sr" id="recordings-title">
        Trips and clips
      </h2>
      <ViewerWays
        current={way}
        take={(chosen) => {
          if (chosen === "map") return false;
          browsing.turnTo(chosen);
          return true;
        }}
      />
      <div class="row list-tools needs-script">
        <button
          class="b list-day"
          type="button"
          aria-haspopup="dialog"
          title="Calendar (C)"
          onClick={() => finding.openCalendar(true)}
        >
          <Icon name="i-calendar" />
          {day}
        </button>
        {way === "trips" && (
          <ChangeButton class="text-b choose" type="button" onClick={() => choosing.turn(!isChoosing)}>
            {isChoosing ? "Done" : "Select"}
          </ChangeButton>
        )}
        <button
          class="b b-icon"
          type="button"
          aria-label="Find a time, a place, a kind or a note"
          title="Find a time, a place, a kind or a note (/)"
          aria-expanded={isSearching}
          data-tool="i-search"
          ref={searchButton}
          onClick={() => finding.turn(!isSearching)}
        >
          <Icon name="i-search" />
        </button>
        <button class="b b-icon sheet-close" type="button" aria-label="Close" onClick={() => closeTrips(document)}>
          <Icon name="i-close" />
        </button>
      </div>
      {isSearching && (
        <form
          class="list-search"
          onSubmit={async (event) => {
            event.preventDefault();
            if (await finding.jump(field.current?.value ?? "")) close();
          }}
          onKeyDown={(event) => {
            if (event.key !== "Escape") return;
            // The field alone: not what it lies in, nor anything else.
            event.preventDefault();
            event.stopPropagation();
            close();
          }}
        >
          <label class="sr" for="list-search">
            Time, place, kind or note
          </label>
          <input
            class="in"
            id="list-search"
            type="search"
            {...COMBOBOX}
            enterkeyhint="go"
            autocomplete="off"
            maxLength={MOST_SEARCH_CHARACTERS}
            placeholder={`${examplesOf(format).clock}, Friday or a note`}
            onInput={(event) => finding.typed(event.currentTarget.value)}
            aria-invalid={problem === "" ? undefined : "true"}
            aria-describedby={problem === "" ? undefined : "list-search-error"}
            ref={field}
          />
          <button class="b" type="submit">
            Go
          </button>
          {problem !== "" && (
            <p class="error" id="list-search-error" role="alert">
              {problem}
            </p>
          )}
          {List && (
            <List
              field={field}
              text={finding.text}
              whose={parts.list.whose}
              open={(href) => {
                close();
                void finding.open(href);
              }}
            />
          )}
        </form>
      )}
      <WhoseChips {...parts} />
      {way === "trips" && <FilterChips {...parts} />}
      {finding.isCalendarOpen.value && <CalendarDialog {...parts} closed={() => finding.openCalendar(false)} />}
    </div>
  );
}
