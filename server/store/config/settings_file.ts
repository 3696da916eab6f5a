import { rm } from "node:fs/promises";
import { type Clock, systemClock } from "../../clock.ts";
import { AppError } from "../../domain/answers/errors.ts";
import { type CameraParts, type CameraReading, readCameras } from "../../domain/settings/more_cameras.ts";
import { type SectionName, type Settings, settingOf } from "../../domain/settings/settings.ts";
import { applyPatch } from "../../domain/settings/settings_patch.ts";
import { checkStored, type UnknownParts, type Unusable } from "../../domain/settings/stored_settings.ts";
import { type Log, messageOf } from "../../log.ts";
import { Topic } from "../../topic.ts";
import { Turns } from "../../turns.ts";
import { replaceFile, stampOf, sweepTemporaries } from "../atomic_file.ts";
import { errorCode } from "../error_code.ts";
import {
  type ChangeOptions,
  canonical,
  createSettingsFile,
  type FileVersion,
  isFull,
  isSameField,
  keepCopy,
  losesPassword,
  notSaved,
  parseSettings,
  passwordGone,
  readSettings,
  type SaveOptions,
  type SettingsFileOptions,
  setsField,
  unusable,
  warningsOf,
  withSessionSecret,
} from "./settings_text.ts";

const LOGGER = "settings";
const POLL_MS = 1000;
/** Time between two tries on a disk that was full. */
const RETRY_MS = 10_000;
/** Another process may be writing at this moment, but no write takes this long. */
const LEFTOVER_MS = 3_600_000;
/** Most tries of a save when the file is edited while the save is prepared. */
const SAVE_ATTEMPTS = 5;

/**
 * The settings file: the only truth about the settings. Changes from the service are written whole or not at all, and
 * changes made by hand are taken over while the service runs.
 */
export class SettingsFile {
  readonly path: string;
  readonly #options: SettingsFileOptions;
  readonly #log: Log;
  readonly #clock: Clock;
  /** The settings in force and the ones before. */
  readonly #changes: Topic<readonly [Settings, Settings]>;
  /** The cameras with their settings; it is set before `#changes` tells of anything. */
  readonly #cameras: Topic<CameraReading>;
  readonly #closing = new AbortController();
  #unknown: UnknownParts;
  #unusable: readonly Unusable[] = [];
  #seen: FileVersion;
  /** True while the file holds the settings in force; `triedAt` is the last try to make it so. */
  #isSaved = true;
  #triedAt = 0;
  /** The stamp of an edit that cannot be used, and whether that was logged already. */
  #refused: { readonly stamp: string; readonly logged: boolean } | null = null;
  /** One access to the file after the other. */
  readonly #turns = new Turns(1);
  #watching: Promise<void> = Promise.resolve();

  private constructor(options: SettingsFileOptions, settings: Settings, unknown: UnknownParts, seen: FileVersion) {
    this.#options = options;
    this.path = options.path;
    this.#log = options.log;
    this.#clock = options.clock ?? systemClock;
    this.#changes = new Topic<readonly [Settings, Settings]>([settings, settings]);
    this.#unknown = unknown;
    this.#seen = seen;
    this.#cameras = new Topic(readCameras(unknown.root, settings, []));
  }

  /**
   * Reads the file, or creates it from `seed` when there is none, and watches it until it is closed. A field that
   * cannot be used falls back to its default with a warning, or to a value that deletes nothing. The file as it was is
   * then kept beside as `.bak`.
   * @throws Error with one line that names the file and the remedy when it cannot be used at all; it is left untouched
   */
  static async open(options: SettingsFileOptions): Promise<SettingsFile> {
    const { path, log } = options;
    await sweepTemporaries(path, (options.clock ?? systemClock).now() - LEFTOVER_MS).catch(() => {});
    const found = await readSettings(path);
    if (!found) {
      const settings = withSessionSecret(await options.seed());
      const unknown: UnknownParts = { root: {}, sections: {} };
      const seen = await createSettingsFile(path, canonical(settings, unknown));
      log.info(LOGGER, `${path} was created`);
      return new SettingsFile(options, settings, unknown, seen).#watch();
    }
    const stored = await parseSettings(options, found.text);
    for (const warning of warningsOf(stored)) log.warning(LOGGER, `${path}: ${warning}`);
    if (stored.problems.length + stored.unusable.length > 0) await keepCopy(path, `${path}.bak`, log);
    const file = new SettingsFile(options, stored.settings, stored.unknown, found);
    file.#unusable = stored.unusable;
    file.#readCameras(stored.settings);
    for (const warning of file.cameras.warnings) log.warning(LOGGER, `${path}: ${warning}`);
    if (stored.settings.auth.session_secret === "") {
      log.warning(LOGGER, `${path}: there was no session secret, a new one was made: everyone has to sign in again`);
      await file.#save(withSessionSecret(stored.settings)).catch(() => {
        throw unusable(path, "it has no session secret and a new one cannot be saved", "Make its folder writable");
      });
    }
    return file.#watch();
  }

  /** The settings in force, frozen. Read them at the moment of use; a run keeps the ones it was started with. */
  get current(): Settings {
    return this.#changes.value[0];
  }

  /** Values in the file that cannot be used, with something safer in force until they are set; empty for none. */
  get unusable(): readonly Unusable[] {
    return this.#unusable;
  }

  /** False while the settings in force hold a change that the disk had no room for. */
  get isSaved(): boolean {
    return this.#isSaved;
  }

  /**
   * Changes fields of one section, as `PATCH /api/settings/<section>` does, and saves.
   * @param judge refuses, by its error, what the schema lets through
   * @throws AppError as `applyPatch` and `judge` do, STORAGE_FULL or SETTINGS_NOT_SAVED; the settings in force then stay,
   * but for `retention`: on a full disk that is the change which helps, so it holds all the same and is saved later
   */
  patch(
    section: SectionName,
    body: Readonly<Record<string, unknown>>,
    judge?: ChangeOptions["judge"],
  ): Promise<Settings> {
    const isSet = (field: Unusable) => field.section === section && setsField(body, field.key);
    const unsaved = section === "retention";
    return this.#change((settings) => applyPatch(settings, section, body), { isSet, unsaved, judge });
  }

  /**
   * Changes any settings from inside the service, secrets included, and saves. `change` gets the latest settings and may
   * be called more than once; an empty session secret in its result is replaced by a new one.
   * @throws AppError SETTINGS_INVALID when the result breaks a rule, STORAGE_FULL or SETTINGS_NOT_SAVED
   */
  update(change: (settings: Settings) => Settings): Promise<Settings> {
    return this.#change((settings) => {
      // Older problems are no reason to refuse a change of another field.
      const before = checkStored({ ...settings }).contradictions;
      const checked = checkStored({ ...change(settings) });
      const fresh = checked.contradictions.filter((problem) => !before.includes(problem));
      const unusable = checked.unusable.map(({ problem }) => problem);
      const problems = [...checked.refusals, ...checked.problems, ...unusable, ...fresh];
      if (problems.length > 0) throw new AppError("SETTINGS_INVALID", `Nothing was changed: ${problems.join("; ")}`);
      return checked.settings;
    });
  }

  /** Calls `listener` after every change that is saved or read; returns the way to stop it. */
  onChange(listener: (now: Settings, before: Settings) => void): () => void {
    return this.#changes.subscribe(([now, before]) => listener(now, before));
  }

  /** The cameras of the file, each with its settings. */
  get cameras(): CameraReading {
    return this.#cameras.value;
  }

  /** Calls `listener` after every change of a camera's name, letter or settings; returns the way to stop it. */
  onCamerasChange(listener: (now: CameraReading) => void): () => void {
    return this.#cameras.subscribe(listener);
  }

  /**
   * Changes the parts of the file about cameras, and saves. `change` gets them as the file has them, and may be called
   * more than once. Entries that cannot be used are among them, and stay.
   * @throws AppError as `change` does, STORAGE_FULL or SETTINGS_NOT_SAVED
   */
  async changeCameras(
    change: (parts: CameraParts, now: CameraReading) => CameraParts | Promise<CameraParts>,
    options: Pick<SaveOptions, "unsaved"> = {},
  ): Promise<void> {
    await this.#change((settings) => settings, {
      ...options,
      root: async (root) => ({ ...root, ...(await change(root, this.cameras)) }),
    });
  }

  /** Reads the file now; resolves when an edit has been taken over or refused. */
  refresh(): Promise<void> {
    return this.#turns.run(() => this.#takeEdit());
  }

  /** Stops watching, after the save that is under way. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#watching;
    await this.#turns.run(async () => {});
  }

  [Symbol.asyncDispose] = (): Promise<void> => this.close();

  #change(change: (settings: Settings) => Settings, options: ChangeOptions = {}): Promise<Settings> {
    const { isSet = () => false, unsaved = false, judge, root } = options;
    return this.#turns.run(async () => {
      for (let attempt = 1; ; attempt++) {
        await this.#takeEdit();
        const before = this.current;
        const changed = withSessionSecret(change(before));
        await judge?.(changed, before);
        const isUntouched = ({ section, key }: Unusable) =>
          settingOf(changed, section, key) === settingOf(before, section, key);
        const unusable = this.#unusable.filter((field) => !isSet(field) && isUntouched(field));
        const unknown = root && { ...this.#unknown, root: await root(this.#unknown.root) };
        const yielding = attempt < SAVE_ATTEMPTS;
        if (await this.#save(changed, { yielding, unsaved, unusable, unknown })) return this.current;
      }
    });
  }

  /** Writes the settings and puts them in force; false when nothing was done, see `SaveOptions`. */
  async #save(settings: Settings, options: SaveOptions = {}): Promise<boolean> {
    const { yielding = false, unsaved = false, unusable = this.#unusable, unknown = this.#unknown } = options;
    const text = canonical(settings, unknown, unusable);
    try {
      const stamp = await replaceFile(this.path, text, { mayReplace: () => this.#mayReplace(yielding) });
      if (stamp === null) return false;
      this.#seen = { stamp, text };
    } catch (error) {
      const code = errorCode(error) || String(error);
      if (isFull(code) && unsaved) this.#putUnsaved(settings, unknown, unusable, code);
      this.#log.error(LOGGER, `${this.path} could not be written (${code}); the settings stay as they were`);
      throw notSaved(code);
    }
    this.#refused = null;
    this.#unusable = unusable;
    this.#isSaved = true;
    this.#putInForce(settings, unknown);
    return true;
  }

  #putInForce(settings: Settings, unknown: UnknownParts): void {
    this.#unknown = unknown;
    this.#readCameras(settings);
    this.#changes.set([settings, this.current]);
  }

  #readCameras(settings: Settings): void {
    const before = JSON.stringify(this.cameras);
    const cameras = readCameras(this.#unknown.root, settings, this.#unusable);
    if (JSON.stringify(cameras) !== before) this.#cameras.set(cameras);
  }

  /** Puts settings in force that the disk has no room for. @throws AppError STORAGE_FULL, always */
  #putUnsaved(settings: Settings, unknown: UnknownParts, unusable: readonly Unusable[], code: string): never {
    this.#log.error(LOGGER, `${this.path} could not be written (${code}); the change is in force until the restart`);
    this.#isSaved = false;
    this.#unusable = unusable;
    this.#triedAt = this.#clock.elapsed();
    this.#putInForce(settings, unknown);
    const reason = "the disk that holds the settings is full";
    throw new AppError("STORAGE_FULL", `The change is in force until the restart, but not saved: ${reason}`);
  }

  /** Writes what is in force but was not saved, when there is room again. */
  async #saveLate(): Promise<void> {
    if (this.#isSaved || this.#clock.elapsed() - this.#triedAt < RETRY_MS) return;
    this.#triedAt = this.#clock.elapsed();
    const text = canonical(this.current, this.#unknown, this.#unusable);
    const stamp = await replaceFile(this.path, text, { mayReplace: () => this.#mayReplace(true) }).catch(() => null);
    if (stamp === null) return;
    this.#seen = { stamp, text };
    this.#isSaved = true;
    this.#log.info(LOGGER, `${this.path} could be written again: the settings in force are saved`);
  }

  /** False when the file was edited by hand and `yielding`; else an edit that could not be used is kept beside it. */
  async #mayReplace(yielding: boolean): Promise<boolean> {
    const found = await stampOf(this.path);
    if (found === null || found === this.#seen.stamp) return true;
    if (yielding && found !== this.#refused?.stamp) return false;
    await rm(`${this.path}.rejected`, { force: true });
    this.#log.warning(LOGGER, `${this.path} held an edit that could not be used; the settings in force replace it`);
    await keepCopy(this.path, `${this.path}.rejected`, this.#log);
    return true;
  }

  #watch(): this {
    const { signal } = this.#closing;
    this.#watching = (async () => {
      while (!signal.aborted) {
        await this.#clock.sleep(POLL_MS, signal);
        await this.refresh();
        if (!this.#isSaved) await this.#turns.run(() => this.#saveLate());
      }
    })().catch((error) => {
      if (!signal.aborted)
        this.#log.error(LOGGER, `${this.path} is no longer watched: ${errorCode(error) || String(error)}`);
    });
    return this;
  }

  /** Takes over what another program or a person wrote into the file since it was read last, if it can be used. */
  async #takeEdit(): Promise<void> {
    const stamp = await stampOf(this.path).catch(errorCode);
    if (stamp === this.#seen.stamp) return;
    let secretMissing = false;
    try {
      const found = await readSettings(this.path);
      if (!found) throw new Error(`${this.path} is gone; the next change made in the service writes it again.`);
      if (found.text !== this.#seen.text) {
        const stored = await parseSettings(this.#options, found.text);
        // Fields that were unusable before are no reason to refuse an edit of another field.
        const fresh = stored.unusable.filter((field) => !this.#unusable.some((known) => isSameField(known, field)));
        if (losesPassword(found.text, this.current, stored.settings)) throw passwordGone(this.path);
        const problems = [...stored.problems, ...fresh.map(({ problem }) => problem), ...stored.contradictions];
        if (problems.length > 0) throw unusable(this.path, problems.join("; "), "Correct it");
        secretMissing = stored.settings.auth.session_secret === "";
        const before = this.cameras.warnings;
        this.#unusable = stored.unusable;
        this.#log.info(LOGGER, `${this.path} was edited: the new settings are in force`);
        this.#isSaved = true;
        this.#putInForce(withSessionSecret(stored.settings), stored.unknown);
        for (const warning of this.cameras.warnings.filter((one) => !before.includes(one)))
          this.#log.warning(LOGGER, `${this.path}: ${warning}`);
      }
      this.#seen = found;
      this.#refused = null;
    } catch (error) {
      this.#refuse(stamp ?? "gone", messageOf(error));
    }
    if (secretMissing) await this.#save(this.current).catch(() => false);
  }

  /** An editor may be in the middle of writing, so a refusal is logged only when the edit is seen a second time. */
  #refuse(stamp: string, reason: string): void {
    const again = this.#refused?.stamp === stamp;
    if (again && !this.#refused?.logged) this.#log.warning(LOGGER, `${reason} The running settings stay.`);
    this.#refused = { stamp, logged: again };
  }
}
