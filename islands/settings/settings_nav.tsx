/** @jsxImportSource preact */
import type { Signal } from "@preact/signals";
import { Fragment } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { FormGroup } from "../../server/domain/settings/form_fields.ts";
import { counted } from "../../server/domain/text/format.ts";
import { Icon } from "../parts/icon.tsx";
import { type Entry, isFound } from "./entry.ts";

interface NavProps {
  readonly groups: readonly FormGroup[];
  readonly entries: readonly Entry[];
  readonly query: Signal<string>;
  /** The section that is being read. */
  readonly current: string;
  /** The page begins with the list of cameras. */
  readonly hasList: boolean;
  /** The page ends with what there is to know about Dashdock. */
  readonly hasAbout: boolean;
}

/** Search, and a link to each group; a dot marks those with unsaved changes. */
export function SettingsNav({ groups, entries, query, current, hasList, hasAbout }: NavProps) {
  const list = useRef<HTMLUListElement>(null);
  const group = groups.find(({ sections }) => sections.some(({ name }) => name === current))?.name;
  useLayoutEffect(() => {
    const link = list.current?.querySelector<HTMLElement>("[aria-current]");
    // Only the list moves, where it is wider than the window.
    if (list.current && link) list.current.scrollLeft = link.offsetLeft - list.current.offsetLeft - 16;
  }, [group]);
  const found = entries.filter((entry) => isFound(entry, query.value));
  return (
    <div class="settings-nav">
      <label class="sr" for="find">
        Search settings
      </label>
      <div class="in-wrap">
        <Icon name="i-search" />
        <input
          class="in"
          id="find"
          type="search"
          placeholder="Search settings"
          autocomplete="off"
          value={query.value}
          onInput={(event) => {
            query.value = event.currentTarget.value;
          }}
          onKeyDown={(event) => {
            if (event.key !== "Escape") return;
            event.preventDefault();
            query.value = "";
          }}
        />
      </div>
      <p class="found" role="status">
        {query.value.trim() !== "" &&
          (found.length === 0 ? "No setting found" : `${counted(found.length, "setting")} found`)}
      </p>
      <nav aria-label="Settings">
        <ul ref={list}>
          {hasList && (
            <li hidden={query.value.trim() !== ""}>
              <a href="#cameras" aria-current={current === "cameras" ? "true" : undefined}>
                Cameras
              </a>
            </li>
          )}
          {groups.map(({ name, sections, isApart }, at) => (
            <Fragment key={name}>
              <li
                class={isApart || (hasList && at === 0) ? "nav-gap" : undefined}
                hidden={!found.some((entry) => entry.group === name)}
              >
                <a href={`#${sections[0]?.name}`} aria-current={name === group ? "true" : undefined}>
                  {name}
                  {entries.some((entry) => entry.group === name && entry.isChanged.value) && (
                    <span class="dot" role="img" aria-label="unsaved" title="Unsaved changes" />
                  )}
                </a>
              </li>
              {sections.some((section) => section.name === "connection") && (
                <li hidden={query.value.trim() !== ""}>
                  <a href="/settings/camera">
                    On the camera
                    <Icon name="i-right" />
                  </a>
                </li>
              )}
            </Fragment>
          ))}
          <li class="nav-gap" hidden={!hasAbout || query.value.trim() !== ""}>
            <a href="#about" aria-current={current === "about" ? "true" : undefined}>
              About
            </a>
          </li>
        </ul>
      </nav>
    </div>
  );
}
