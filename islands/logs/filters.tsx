/** @jsxImportSource preact */
import type { LogFilter } from "../../server/domain/log_filter.ts";
import type { Level } from "../../server/domain/log_line.ts";
import { Icon } from "../parts/icon.tsx";

interface FiltersProps {
  readonly filter: LogFilter;
  /** What stands in the search field; the filter follows when the typing pauses. */
  readonly typed: string;
  readonly loggers: readonly string[];
  /** What the zone of the service is called; empty when it is UTC, where there is nothing to choose. */
  readonly zoneName: string;
  /** Whether a phone shows all of them. */
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

/** What to see of the lines there are. Without script the search and the logger still work, as a form. */
export function Filters({ filter, typed, loggers, zoneName, isOpen, open, change, type }: FiltersProps) {
  return (
    <form class="log-filters" role="search" action="/logs" onSubmit={(event) => event.preventDefault()}>
      <div class="log-levels">
        <span class="label" id="log-from">
          Show from
        </span>
        <div class="seg" role="group" aria-labelledby="log-from">
          {LEVEL_NAMES.map(([level, name]) => (
            <button
              key={level}
              type="button"
              aria-pressed={filter.from === level}
              onClick={() => change({ from: level })}
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
        class="b log-more-filters"
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
          Logger
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
            <button type="button" aria-pressed={!filter.isUtc} onClick={() => change({ isUtc: false })}>
              {zoneName}
            </button>
            <button type="button" aria-pressed={filter.isUtc} onClick={() => change({ isUtc: true })}>
              UTC
            </button>
          </div>
        </div>
      )}
    </form>
  );
}
