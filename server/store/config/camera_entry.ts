import { AppError } from "../../domain/answers/errors.ts";
import { type CameraParts, type ConfiguredCamera, isCameraSection } from "../../domain/settings/more_cameras.ts";
import { SECTION_NAMES, type SectionName, type Settings, settingOf } from "../../domain/settings/settings.ts";
import { isObject } from "../../domain/settings/settings_migrations.ts";
import { applyPatch } from "../../domain/settings/settings_patch.ts";
import { checkStored, type Unusable } from "../../domain/settings/stored_settings.ts";
import { Topic } from "../../topic.ts";
import type { SettingsFile } from "./settings_file.ts";
import type { SettingsSource } from "./settings_source.ts";
import { type ChangeOptions, setsField } from "./settings_text.ts";

type Values = Readonly<Record<string, unknown>>;

/**
 * The settings of a further camera: its own sections stand in its entry of `more_cameras`, all others at the top of the
 * file. An entry that is gone leaves the last settings in force until the camera is closed.
 */
export class CameraEntry implements SettingsSource {
  readonly #file: SettingsFile;
  readonly #id: string;
  readonly #changes: Topic<readonly [Settings, Settings]>;
  readonly #stop: () => void;
  #known: ConfiguredCamera;

  constructor(file: SettingsFile, camera: ConfiguredCamera) {
    this.#file = file;
    this.#id = camera.id;
    this.#known = camera;
    this.#changes = new Topic<readonly [Settings, Settings]>([camera.settings, camera.settings]);
    this.#stop = file.onCamerasChange(({ cameras }) => {
      const now = cameras.find(({ id }) => id === this.#id);
      if (now === undefined) return;
      const isSame = JSON.stringify(now.settings) === JSON.stringify(this.#known.settings);
      this.#known = now;
      if (!isSame) this.#changes.set([now.settings, this.current]);
    });
  }

  get path(): string {
    return this.#file.path;
  }

  get current(): Settings {
    return this.#changes.value[0];
  }

  get unusable(): readonly Unusable[] {
    return this.#known.unusable;
  }

  get isSaved(): boolean {
    return this.#file.isSaved;
  }

  async patch(section: SectionName, body: Values, judge?: ChangeOptions["judge"]): Promise<Settings> {
    if (!isCameraSection(section)) {
      await this.#file.patch(section, body, judge);
      return this.current;
    }
    const write = async (entry: Values, before: Settings) => {
      const changed = applyPatch(before, section, body);
      await judge?.(changed, before);
      const sent = Object.keys(body).filter((key) => key !== "_tier" && setsField(body, key));
      return withFields(
        entry,
        section,
        sent.map((key) => [key, settingOf(changed, section, key)]),
      );
    };
    await this.#write(write, section === "retention");
    return this.current;
  }

  async update(change: (settings: Settings) => Settings): Promise<Settings> {
    const write = async (entry: Values, before: Settings) => {
      const changed = change(before);
      let written = entry;
      for (const section of SECTION_NAMES.filter(isCameraSection)) {
        const names = Object.keys(changed[section]);
        const differs = (key: string) => !isSame(settingOf(changed, section, key), settingOf(before, section, key));
        const fields = names.filter(differs).map((key) => [key, settingOf(changed, section, key)] as const);
        written = withFields(written, section, fields);
        const { problems, unusable } = checkStored({ [section]: Object.fromEntries(fields) });
        const faults = [...problems, ...unusable.map(({ problem }) => problem)];
        if (faults.length > 0) throw new AppError("SETTINGS_INVALID", `Nothing was changed: ${faults.join("; ")}`);
      }
      return written;
    };
    const before = this.current;
    const changed = change(before);
    const isShared = (section: SectionName) =>
      !isCameraSection(section) && section !== "system" && !isSame(changed[section], before[section]);
    if (SECTION_NAMES.some(isShared))
      await this.#file.update((latest) => {
        const own = change(this.current);
        return Object.freeze({
          ...latest,
          ...Object.fromEntries(SECTION_NAMES.filter(isShared).map((section) => [section, own[section]])),
        });
      });
    if (SECTION_NAMES.some((section) => isCameraSection(section) && !isSame(changed[section], before[section])))
      await this.#write(write, false);
    return this.current;
  }

  onChange(listener: (now: Settings, before: Settings) => void): () => void {
    return this.#changes.subscribe(([now, before]) => listener(now, before));
  }

  refresh(): Promise<void> {
    return this.#file.refresh();
  }

  /** Takes over no more changes. */
  close(): void {
    this.#stop();
  }

  /** Writes this camera's entry anew. @throws AppError CAMERA_NOT_FOUND when it is gone */
  async #write(change: (entry: Values, before: Settings) => Promise<Values>, unsaved: boolean): Promise<void> {
    const work = async (parts: CameraParts): Promise<CameraParts> => {
      const list = Array.isArray(parts.more_cameras) ? parts.more_cameras : [];
      const at = list.findIndex((entry) => isObject(entry) && entry["id"] === this.#id);
      const entry: unknown = list[at];
      if (!isObject(entry)) throw new AppError("CAMERA_NOT_FOUND", "There is no such camera any more.");
      const changed = await change(entry, this.current);
      return { ...parts, more_cameras: list.with(at, changed) };
    };
    await this.#file.changeCameras(work, { unsaved });
  }
}

function withFields(
  entry: Values,
  section: SectionName,
  fields: readonly (readonly [key: string, value: unknown])[],
): Values {
  if (fields.length === 0) return entry;
  const before = isObject(entry[section]) ? entry[section] : {};
  return { ...entry, [section]: { ...before, ...Object.fromEntries(fields) } };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
