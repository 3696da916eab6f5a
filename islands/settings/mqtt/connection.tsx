/** @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { linkInWords } from "../../../server/domain/mqtt/link_text.ts";
import type { MqttState } from "../../../server/domain/mqtt/mqtt_schema.ts";
import { ZoneTime } from "../../../server/domain/text/zone_time.ts";
import { send } from "../../browser/client.ts";
import { refreshWhileVisible } from "../../browser/refresh_while_visible.ts";
import { Note } from "../../parts/note.tsx";
import { isFound } from "../entry.ts";
import type { PartProps } from "../later_place.tsx";

/** While it connects, and after that. */
const EVERY_MS = { connecting: 1000, off: 10_000, connected: 10_000, failed: 5000 } as const;

/** State of the connection to the broker; nothing while it is switched off. */
export function Connection({ shared, drawn }: PartProps) {
  const { at, entries, query } = shared;
  const state = useSignal(drawn.mqtt);
  const mine = entries.filter(({ section }) => section.name === "mqtt");
  const saved = mine.map((entry) => entry.saved.value).join("\n");
  const isOn = at("mqtt", "url").saved.value !== "";
  useEffect(() => {
    // After a change the state of before may still be told once.
    if (!isOn && state.value.state === "off") return;
    const refresher = refreshWhileVisible({
      page: document,
      everyMs: () => (isOn || state.value.state !== "off" ? EVERY_MS[state.value.state] : null),
      firstMs: 500,
      ask: (signal) => send<MqttState>("GET /api/mqtt", undefined, signal),
      show: (fresh) => {
        state.value = fresh;
      },
    });
    return () => refresher.stop();
  }, [saved]);
  const { value: now } = state;
  const words = linkInWords(now, now.since === null ? "" : sinceInWords(now.since, { shared, drawn }));
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

/** The time, with its day unless that is today. */
function sinceInWords(since: string, { shared: { runs, format }, drawn }: PartProps): string {
  const schedule = runs.value;
  const zone = new ZoneTime(schedule.valid ? schedule.time_zone : "UTC", format);
  const ms = Date.parse(since);
  const now = Math.max(drawn.now, ms);
  return zone.dayNumber(ms) === zone.dayNumber(now) ? zone.clock(ms) : zone.moment(ms, now);
}
