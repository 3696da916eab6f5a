/** @jsxImportSource preact */
import { linesOf } from "../../../server/domain/settings/form_values.ts";
import type { NotifyCode } from "../../../server/domain/settings/sections/notify.ts";
import { counted } from "../../../server/domain/text/format.ts";
import type { Entry } from "../entry.ts";
import type { ControlProps } from "../input.ts";
import { Facts, Problems } from "../setting.tsx";

interface SwitchesProps extends Omit<ControlProps, "describedBy"> {
  readonly days: Entry;
  /** Percent of the disk at which downloading stops. */
  readonly stopsAt: number;
}

/** A switch for each thing that can be told, with when that is. */
export function EventSwitches({ entry, days, stopsAt, change }: SwitchesProps) {
  const { id, field, draft } = entry;
  const { widget } = field;
  const options = "options" in widget ? widget.options : [];
  const chosen = linesOf(draft.value);
  const turn = (value: string, isOn: boolean) =>
    change(entry, [...chosen.filter((other) => other !== value), ...(isOn ? [value] : [])].join("\n"));
  const when: Readonly<Record<NotifyCode, string>> = {
    event: "With its picture; several of one sync in one message",
    overwritten: "As soon as the plan says so, also in the quiet hours",
    sync_failed: "Once, until a sync goes through again",
    camera_missing: `After ${counted(Number(days.draft.value) || 0, "day")}, then once a week`,
    disk_nearly_full: `At ${Math.max(0, stopsAt - 5)} %, before downloading stops at ${stopsAt} %`,
    held: "When more is due than usual, or recordings were here before",
    damaged: "Also in the quiet hours",
    offsite_failed: "Once, until something is sent again",
    all_safe: "Once in each visit, when nothing waits any more",
    settings_changed: "Without the values",
    new_version: "After the update; nothing asks the internet",
  };
  return (
    <>
      <h3 id={`${id}-label`}>{field.label}</h3>
      <p class="says" id={`${id}-help`}>
        {field.help}
      </p>
      <ul class="switches" aria-labelledby={`${id}-label`}>
        {options.map(({ value, words }, at) => (
          <li key={value}>
            <label class="check">
              <span>
                {words}
                <span class="small quiet">{when[value as NotifyCode]}</span>
              </span>
              <input
                class="switch"
                type="checkbox"
                role="switch"
                id={at === 0 ? id : undefined}
                name={field.name}
                value={value}
                checked={chosen.includes(value)}
                onInput={(event) => turn(value, event.currentTarget.checked)}
              />
            </label>
          </li>
        ))}
      </ul>
      <Problems entry={entry} />
      <Facts entry={entry} change={change} isBrief={true} />
    </>
  );
}
