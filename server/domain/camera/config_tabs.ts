import { CAMERA_TABS, type CameraTabName, knownSetting } from "./config_catalogue.ts";
import { type ConfigEntry, configKey } from "./config_file.ts";
import { isSecret, shownValue } from "./config_value.ts";

/** A setting of the camera as answers carry it. */
export interface CameraField {
  readonly key: string;
  readonly label: string;
  readonly value: string;
  /** As the camera stores it; null for passwords. */
  readonly raw: string | null;
  readonly secret: boolean;
  readonly has_value: boolean;
  readonly formats_card: boolean;
  readonly help: string;
}

export interface CameraTab {
  readonly name: CameraTabName;
  readonly label: string;
  readonly section: string;
  readonly fields: readonly CameraField[];
  /** What is in the camera's file and not known. */
  readonly other: readonly CameraField[];
  readonly not_fitted: readonly CameraField[];
}

/** Unknown sections are shown here. */
const REST: CameraTabName = "system";

/** All settings in their groups, each in the order of the file; every group is there, if empty. */
export function cameraTabs(entries: readonly ConfigEntry[]): CameraTab[] {
  return CAMERA_TABS.map(({ name, label, section }) => {
    const tab = { name, label, section, fields: [], other: [], not_fitted: [] } as CameraTab & {
      readonly [list in "fields" | "other" | "not_fitted"]: CameraField[];
    };
    for (const entry of entries) {
      const isOurs = entry.section === section;
      if (!isOurs && (name !== REST || CAMERA_TABS.some((other) => other.section === entry.section))) continue;
      const known = knownSetting(entry.section, entry.key);
      const list = known === null ? tab.other : known.isNotFitted ? tab.not_fitted : tab.fields;
      list.push(fieldOf(entry, isOurs ? entry.key : configKey(entry)));
    }
    return tab;
  });
}

function fieldOf(entry: ConfigEntry, bareName: string): CameraField {
  const known = knownSetting(entry.section, entry.key);
  const secret = isSecret(entry);
  return {
    key: configKey(entry),
    label: known?.label ?? bareName,
    value: shownValue(entry),
    raw: secret ? null : entry.value,
    secret,
    has_value: entry.value !== "",
    formats_card: known?.formatsCard === true,
    help: known?.help ?? "",
  };
}
