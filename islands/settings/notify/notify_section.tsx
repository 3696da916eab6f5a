/** @jsxImportSource preact */
import { isFound } from "../entry.ts";
import type { PartProps } from "../later_place.tsx";
import { Setting } from "../setting.tsx";
import { EventSwitches } from "./event_switches.tsx";
import { Ping } from "./ping.tsx";
import { QuietHours } from "./quiet_hours.tsx";
import { Targets } from "./targets.tsx";
import { useNotifyState } from "./use_notify_state.ts";

/** The services that are told, what is told, and the hours in which it waits. */
export function NotifySection({ shared, drawn }: PartProps) {
  const { at, change, query } = shared;
  const targets = at("notify", "targets");
  const ping = at("notify", "ping_url");
  const state = useNotifyState({ drawn: drawn.notify, targets, ping });
  const days = at("notify", "camera_missing_days");
  const { value: words } = query;
  return (
    <>
      <div class="sub" hidden={!isFound(targets, words)}>
        <Targets entry={targets} state={state} shared={shared} drawn={drawn} />
      </div>
      <div class="sub" hidden={!isFound(at("notify", "events"), words)}>
        <EventSwitches entry={at("notify", "events")} days={days} change={change} stopsAt={stopOf(shared)} />
      </div>
      <Setting entry={days} query={words} change={change} />
      <QuietHours shared={shared} />
      <Setting
        entry={ping}
        query={words}
        change={change}
        says={<Ping entry={ping} state={state} shared={shared} drawn={drawn} />}
      />
    </>
  );
}

/** The share of the disk at which downloading stops, as it is typed. */
function stopOf({ at }: PartProps["shared"]): number {
  return Number(at("retention", "max_used_disk_percent").draft.value);
}
