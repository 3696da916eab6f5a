import type { SectionName, Settings } from "../../domain/settings/settings.ts";
import type { Unusable } from "../../domain/settings/stored_settings.ts";
import type { ChangeOptions } from "./settings_text.ts";

/** The settings of one camera, with those that all share, wherever the file has them. */
export interface SettingsSource {
  /** Path of the settings file. */
  readonly path: string;
  /** The settings in force, frozen. Read them at the moment of use; a run keeps the ones it was started with. */
  readonly current: Settings;
  /** Values in the file that cannot be used, with something safer in force until they are set; empty for none. */
  readonly unusable: readonly Unusable[];
  /** False while the settings in force hold a change that the disk had no room for. */
  readonly isSaved: boolean;
  /** Changes fields of one section, and saves. @throws AppError, see `SettingsFile` */
  patch(
    section: SectionName,
    body: Readonly<Record<string, unknown>>,
    judge?: ChangeOptions["judge"],
  ): Promise<Settings>;
  /** Changes any settings from inside the service, and saves. @throws AppError, see `SettingsFile` */
  update(change: (settings: Settings) => Settings): Promise<Settings>;
  /** Calls `listener` after every change that is saved or read; returns the way to stop it. */
  onChange(listener: (now: Settings, before: Settings) => void): () => void;
  /** Reads the file now; resolves when an edit has been taken over or refused. */
  refresh(): Promise<void>;
}
