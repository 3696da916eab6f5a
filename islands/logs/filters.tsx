/** @jsxImportSource preact */
import type { LogFilter } from "../../server/domain/logs/log_filter.ts";
import type { Level } from "../../server/domain/logs/log_line.ts";
import { Icon } from "../parts/icon.tsx";

interface FiltersProps {
  readonly filter: LogFilter;
  /** Text of the search field; the filter follows when the typing pauses. */
  readonly typed: string;
  readonly loggers: readonly string[];
  /** Name of the service's zone; empty for UTC, which leaves nothing to choose. */
  readonly zoneName: string;
  /** True when a phone shows all filters. */
  readonly isOpen: boolean;
  readonly open: () => void;
  readonly change: (changes: Partial<LogFilter>) => void;
  readonly type: (text: string) => void;
}

const LEVEL_NAMES: readonly (readonly [Level, string])[] = [
  ["DEBUG", "Debug"],
  ["INFO", "Info"],
  ["WARNING", "Warning"],
  ["ERROR", "Error"],
];

const ZONES = [
  { value: "zone", isUtc: false },
  { value: "utc", isUtc: true },
] as const;

/** Filters of the lines. Without script they are an ordinary form with the same answers. */
export function Filters({ filter, typed, loggers, zoneName, isOpen, open, change, type }: FiltersProps) {
  const here = (event: Event, changes: Partial<LogFilter>) => {
    event.preventDefault();
    change(changes);
  };
  return (
    <form class="log-filters" role="search" action="/logs" onSubmit={(event) => event.preventDefault()}>
      {/* Enter in the field presses the first button of the form; without this one that would be a level. */}
      <button class="sr" type="submit" tabIndex={-1} aria-hidden="true">
        Find
      </button>
      <div class="log-levels">
        <span class="label" id="log-from">
          Level
        </span>
        <div class="seg" role="group" aria-labelledby="log-from">
          {LEVEL_NAMES.map(([level, name]) => (
            <button
              key={level}
              type="submit"
              name="level"
              value={level.toLowerCase()}
              aria-pressed={filter.from === level}
              onClick={(event) => here(event, { from: level })}
            >
              {name}
            </button>
          ))}
        </div>
      </div>
      <div class="grow log-find">
        <label class="label" for="log-find">
          Find
        </label>
        <div class="in-wrap">
          <Icon name="i-search" />
          <input
            class="in"
            id="log-find"
            type="search"
            name="q"
            placeholder="Find in these lines"
            maxLength={200}
            autocomplete="off"
            spellcheck={false}
            value={typed}
            onInput={({ currentTarget }) => type(currentTarget.value)}
          />
        </div>
      </div>
      <button
        class="b log-more-filters needs-script"
        type="button"
        aria-expanded={isOpen}
        aria-controls="log-logger-field log-times-field log-capture-field"
        onClick={open}
      >
        <Icon name="i-settings" />
        More
      </button>
      <div class="log-logger log-extra" id="log-logger-field">
        <label class="label" for="log-logger">
          Part
        </label>
        <select
          class="in"
          id="log-logger"
          name="logger"
          value={filter.logger}
          onChange={({ currentTarget }) => change({ logger: currentTarget.value })}
        >
          <option value="" selected={filter.logger === ""}>
            All
          </option>
          {loggers.map((logger) => (
            <option key={logger} value={logger} selected={filter.logger === logger}>
              {logger}
            </option>
          ))}
        </select>
      </div>
      {zoneName !== "" && (
        <div class="log-extra" id="log-times-field">
          <span class="label" id="log-times">
            Times
          </span>
          <div class="seg" role="group" aria-labelledby="log-times">
            {ZONES.map(({ value, isUtc }) => (
              <button
                key={value}
                type="submit"
                name="times"
                value={value}
                aria-pressed={filter.isUtc === isUtc}
                onClick={(event) => here(event, { isUtc })}
              >
                {isUtc ? "UTC" : zoneName}
              </button>
            ))}
          </div>
        </div>
      )}
      <button class="b log-submit" type="submit">
        Find
      </button>
      {/* After the buttons of the same names: of two values the first counts. */}
      <input type="hidden" name="level" value={filter.from.toLowerCase()} />
      <input type="hidden" name="times" value={filter.isUtc ? "utc" : "zone"} />
      {!filter.isWrapped && <input type="hidden" name="wrap" value="off" />}
    </form>
  );
}
