import type * as v from "valibot";
import { type TimeFormat, USUAL_FORMAT } from "../text/time_format.ts";
import type { CAMERA_FIELD, CAMERA_TAB } from "./camera_schema.ts";
import { CAMERA_TABS, type CameraTabName, knownSetting } from "./config_catalogue.ts";
import { type ConfigEntry, configKey } from "./config_file.ts";
import { shownValue } from "./config_value.ts";
import { isSecret } from "./secret_settings.ts";

/** A setting of the camera as answers carry it. */
export type CameraField = v.InferOutput<typeof CAMERA_FIELD>;
export type CameraTab = v.InferOutput<typeof CAMERA_TAB>;

/** Unknown sections are shown here. */
const REST: CameraTabName = "system";

/** All settings in their groups, each in the order of the file; every group is there, if empty. */
export function cameraTabs(entries: readonly ConfigEntry[], format: TimeFormat = USUAL_FORMAT): CameraTab[] {
  return CAMERA_TABS.map(({ name, label, section }) => {
    const tab: CameraTab = { name, label, section, fields: [], other: [], not_fitted: [] };
    for (const entry of entries) {
      const isOurs = entry.section === section;
      if (!isOurs && (name !== REST || CAMERA_TABS.some((other) => other.section === entry.section))) continue;
      const known = knownSetting(entry.section, entry.key);
      const list = known === null ? tab.other : known.isNotFitted ? tab.not_fitted : tab.fields;
      list.push(fieldOf(entry, isOurs ? entry.key : configKey(entry), format));
    }
    return tab;
  });
}

function fieldOf(entry: ConfigEntry, bareName: string, format: TimeFormat): CameraField {
  const known = knownSetting(entry.section, entry.key);
  const secret = isSecret(entry);
  return {
    key: configKey(entry),
    label: known?.label ?? bareName,
    value: shownValue(entry, format),
    raw: secret ? null : entry.value,
    secret,
    has_value: entry.value !== "",
    formats_card: known?.formatsCard === true,
    help: known?.help ?? "",
  };
}
