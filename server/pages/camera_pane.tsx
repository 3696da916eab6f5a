/** @jsxImportSource preact */
import { Icon } from "../../islands/parts/icon.tsx";
import type { CameraTabName } from "../domain/camera/config_catalogue.ts";
import type { CameraField, CameraTab } from "../domain/camera/config_tabs.ts";

/** Sentences above the settings of a group. */
const ABOUT: Readonly<Record<CameraTabName, string>> = {
  basic:
    "Clock, picture and recording. Settings marked “Erases the card” format the memory card when you change them. Sync first.",
  sensitivity: "A shock or a movement of this strength counts as an event.",
  system: "Lights, voice, power and alerts.",
  wifi: "The camera’s own hotspot. A password shows for 30 s. The log notes who showed one.",
  cloud:
    "The home networks that the camera joins, in the order 1, 2, 3. A password shows for 30 s. The log notes who showed one.",
};

/** Sentences in their place while no settings were ever read. */
const UNREAD = {
  later: "The camera’s settings were not read yet. Dashdock reads them when the camera is next at home.",
  never: "The camera’s settings were not read. This camera does not tell them.",
} as const;

interface PaneProps {
  readonly tab: CameraTab;
  /** Name of the camera, and whether it answered; null while it was never read. */
  readonly says: string | null;
  /** Its interface has settings. */
  readonly isTold: boolean;
  /** Sentences about settings that work against the schedule, by their keys. */
  readonly harmful: ReadonlyMap<string, string>;
}

/** The settings of one group; all but the first wait behind their tabs where a script can open them. */
export function CameraPane({ tab, says, isTold, harmful }: PaneProps) {
  const { name, label, fields, other, not_fitted } = tab;
  const id = `camera-${name}`;
  return (
    <section id={id} data-pane={id} role="tabpanel" aria-labelledby={`tab-${name}`} hidden={name !== "basic"}>
      <h3>Camera › {label}</h3>
      <p class="soft tab-says">{says === null ? UNREAD[isTold ? "later" : "never"] : ABOUT[name]}</p>
      {says !== null && <p class="small quiet">{says}</p>}
      {fields.length > 0 && <Rows fields={fields} harmful={harmful} />}
      {says !== null && fields.length === 0 && <p class="quiet">The camera has no settings of this kind.</p>}
      {other.length > 0 && (
        <details class="fold rare" open>
          <summary>
            <h3>Other</h3>
            <span>{other.length} Dashdock does not know, shown as the camera says it</span>
          </summary>
          <Rows fields={other} harmful={harmful} />
        </details>
      )}
      {not_fitted.length > 0 && (
        <details class="fold rare">
          <summary>
            <h3>Not fitted</h3>
            <span>{not_fitted.length} for parts that are sold separately</span>
          </summary>
          <Rows fields={not_fitted} harmful={harmful} />
        </details>
      )}
    </section>
  );
}

function Rows({ fields, harmful }: Pick<PaneProps, "harmful"> & { readonly fields: readonly CameraField[] }) {
  return (
    <dl class="camset">
      {fields.map((field) => (
        <div key={field.key}>
          <dt class="row">
            {field.label}
            {field.formats_card && (
              <span class="badge badge-w">
                <Icon name="s-attention" />
                Erases the card
              </span>
            )}
          </dt>
          <dd>{field.secret && field.has_value ? <Secret field={field} /> : <Value text={field.value} />}</dd>
          {field.help !== "" && <dd class="small soft">{field.help}</dd>}
          {harmful.has(field.key) && (
            <dd class="small warns">
              <Icon name="s-attention" />
              {harmful.get(field.key)}
            </dd>
          )}
          <dd class="small quiet mono cs-k">
            {field.key}
            {!field.secret && (field.has_value ? ` = ${field.raw}` : " empty")}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Value({ text }: { readonly text: string }) {
  if (text === "") return <span class="quiet">Not set</span>;
  return text === "Off" ? <span class="quiet">Off</span> : <b>{text}</b>;
}

/** A password: only its mask is on the page until it is asked for. */
function Secret({ field: { key, label, value } }: { readonly field: CameraField }) {
  return (
    <span class="row" data-secret={key}>
      <span class="mono">{value}</span>
      <button
        class="b b-icon needs-script"
        type="button"
        data-reveal
        aria-pressed="false"
        aria-label={`Show ${label}`}
        title="Show for 30 s"
      >
        <Icon name="i-eye" />
      </button>
      <button class="b b-icon" type="button" data-copy aria-label={`Copy ${label}`} title="Copy" hidden>
        <Icon name="i-copy" />
      </button>
      <span class="small quiet nowrap" />
    </span>
  );
}
