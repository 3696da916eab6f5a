/** @jsxImportSource preact */
import { linkInWords } from "../../../server/domain/mqtt/link_text.ts";
import { Note } from "../../parts/note.tsx";
import { isFound } from "../entry.ts";
import type { PartProps } from "../later_place.tsx";
import { timeInWords } from "../time_in_words.ts";
import { useSectionState } from "../use_section_state.ts";

/** While it connects, and after that. */
const EVERY_MS = { connecting: 1000, off: 10_000, connected: 10_000, failed: 5000 } as const;

/** State of the connection to the broker; nothing while it is switched off. */
export function Connection({ shared, drawn }: PartProps) {
  const { at, entries, query } = shared;
  const state = useSectionState(shared, {
    section: "mqtt",
    isOn: at("mqtt", "url").saved.value !== "",
    request: "GET /api/mqtt",
    drawn: drawn.mqtt,
    everyMs: EVERY_MS,
  });
  const mine = entries.filter(({ section }) => section.name === "mqtt");
  const { value: now } = state;
  const words = linkInWords(now, now.since === null ? "" : timeInWords(now.since, { shared, drawn }));
  const isShown = words !== null && mine.some((entry) => isFound(entry, query.value));
  return (
    <div role="status" hidden={!isShown}>
      {words !== null && (
        <Note level={words.level} title={words.title} class="group-lead">
          <p>{words.text}</p>
        </Note>
      )}
    </div>
  );
}
