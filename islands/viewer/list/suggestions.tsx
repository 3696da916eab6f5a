/** @jsxImportSource preact */
import { type ReadonlySignal, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { counted } from "../../../server/domain/text/format.ts";
import type { Search, SearchGroup, SearchResult } from "../../../server/domain/viewer/search_schema.ts";
import { send } from "../../browser/client.ts";
import { isPlainClick } from "../../browser/plain_click.ts";
import { Icon, type IconName } from "../../parts/icon.tsx";
import { Whose } from "../../parts/plate.tsx";
import type { WhoseProps } from "../viewer_props.ts";
import { whoseInList } from "../whose.ts";

/** Pause in the typing before the service is asked. */
const PAUSE_MS = 100;
const MOST = 12;

const GROUPS: readonly (readonly [group: SearchGroup, name: string, icon: IconName])[] = [
  ["time", "Time", "i-clock"],
  ["place", "Place", "i-place"],
  ["kind", "Kind", "i-eye"],
  ["note", "Note", "i-note"],
];

export interface SuggestionsProps {
  /** The field that is typed into; it is there when this is. */
  readonly field: RefObject<HTMLInputElement | null>;
  /** Text in it. */
  readonly text: ReadonlySignal<string>;
  readonly whose: WhoseProps | null;
  /** Goes to what was chosen, and takes the field away. */
  readonly open: (href: string) => void;
}

/** Below the field: everything that may be meant by what was typed so far. */
export function Suggestions({ field: place, text, whose, open }: SuggestionsProps) {
  const typed = text.value.trim();
  const found = useSignal<{ readonly typed: string; readonly results: readonly SearchResult[] } | null>(null);
  const active = useSignal(0);
  // The first is chosen from the start: the field's own Enter opens it, too.
  const isMoved = useRef(false);
  useEffect(() => {
    active.value = 0;
    isMoved.current = false;
    if (typed === "") {
      found.value = null;
      return;
    }
    const ended = new AbortController();
    const timer = setTimeout(async () => {
      const query = new URLSearchParams({ q: typed, limit: String(MOST) });
      // Without an answer the next letter asks again, and Enter tells what is wrong.
      const answer = await send<Search>(`GET /api/search?${query}`, undefined, ended.signal).catch(() => null);
      if (answer !== null && !ended.signal.aborted) found.value = { typed, results: answer.results };
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      ended.abort();
    };
  }, [typed]);
  const results = found.value?.results ?? [];
  const options = GROUPS.flatMap(([group]) => results.filter((one) => one.group === group));
  useEffect(() => {
    const { current: field } = place;
    if (field === null) return;
    const isOpen = options.length > 0;
    field.setAttribute("aria-expanded", String(isOpen));
    if (isOpen) field.setAttribute("aria-activedescendant", `found-${active.value}`);
    else field.removeAttribute("aria-activedescendant");
    document.getElementById(`found-${active.value}`)?.scrollIntoView({ block: "nearest" });
    const pressed = (event: KeyboardEvent) => {
      const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
      const chosen = options[active.value];
      if (options.length === 0 || event.isComposing) return;
      if (by !== 0) {
        active.value = (active.value + by + options.length) % options.length;
        isMoved.current = true;
        event.preventDefault();
      } else if (event.key === "Enter" && isMoved.current && chosen) {
        event.preventDefault();
        open(chosen.href);
      }
    };
    field.addEventListener("keydown", pressed);
    return () => field.removeEventListener("keydown", pressed);
  }, [found.value, active.value]);
  const isStale = found.value !== null && found.value.typed !== typed;
  return (
    <div class="list-found" aria-busy={isStale ? "true" : undefined} hidden={typed === "" || found.value === null}>
      <div role="listbox" id="list-found" aria-label="Suggestions">
        {GROUPS.map(([group, name, icon]) => {
          const mine = options.filter((one) => one.group === group);
          if (mine.length === 0) return null;
          return (
            <div key={group} role="group" aria-labelledby={`found-in-${group}`}>
              <p class="small quiet" id={`found-in-${group}`} role="presentation">
                {name}
              </p>
              {mine.map((result) => (
                <Option
                  key={`${result.href} ${result.title}`}
                  result={result}
                  id={`found-${options.indexOf(result)}`}
                  icon={icon}
                  typed={typed}
                  isActive={options[active.value] === result}
                  of={whoseInList(whose, new URLSearchParams(result.href.replace(/^[^?]*/, "")).get("key") ?? "")}
                  open={() => open(result.href)}
                />
              ))}
            </div>
          );
        })}
      </div>
      {options.length === 0 && <p class="small quiet">Nothing found</p>}
      <p class="small quiet">
        {options.length > 0 && (
          <span class="only-wide">
            <kbd>↑</kbd> <kbd>↓</kbd> choose, <kbd>Enter</kbd> open
            <br />
          </span>
        )}
        Nothing typed leaves this machine
      </p>
      <p class="sr" role="status">
        {found.value !== null && !isStale && counted(options.length, "suggestion")}
      </p>
    </div>
  );
}

interface OptionProps {
  readonly result: SearchResult;
  readonly id: string;
  readonly icon: IconName;
  readonly typed: string;
  readonly isActive: boolean;
  readonly of: Parameters<typeof Whose>[0]["camera"] | null;
  readonly open: () => void;
}

function Option({ result: { title, detail, href }, id, icon, typed, isActive, of, open }: OptionProps) {
  return (
    <a
      class="found"
      role="option"
      id={id}
      href={href}
      tabIndex={-1}
      aria-selected={isActive}
      onClick={(click) => {
        if (!isPlainClick(click)) return;
        click.preventDefault();
        open();
      }}
    >
      <Icon name={icon} />
      <span>
        {of && <Whose camera={of} />}
        <Marked text={title} typed={typed} />
        {detail !== "" && (
          <>
            <br />
            <span class="small soft">{detail}</span>
          </>
        )}
      </span>
    </a>
  );
}

/** A text in which the word that was typed stands out. */
function Marked({ text, typed }: { readonly text: string; readonly typed: string }) {
  const at = text.toLowerCase().indexOf(typed.toLowerCase());
  if (at < 0) return <>{text}</>;
  const end = at + typed.length;
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, end)}</mark>
      {text.slice(end)}
    </>
  );
}
