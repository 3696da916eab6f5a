import type { Clock } from "../../clock.ts";
import type { Dashcam } from "../../dashcam/camera.ts";
import { DashcamProblem } from "../../dashcam/problem.ts";
import { parseVersion } from "../../domain/camera/camera_version.ts";
import type { ConfigVisit } from "../../domain/camera/config_changes.ts";
import { type ConfigEntry, configKey, parseConfig } from "../../domain/camera/config_file.ts";
import { identityOf, isOtherCamera, type OtherCamera } from "../../domain/camera/other_camera.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { type Log, messageOf } from "../../log.ts";
import type { CameraSnapshot, CameraSnapshotFiles } from "../../store/config/camera_snapshot.ts";
import type { FoundCamera, OtherCameraFile } from "../../store/config/other_camera_file.ts";
import { abortable } from "../transfer/abortable.ts";
import { AnotherCamera } from "../transfer/failure_of_error.ts";

const LOGGER = "camera";
const nothing = () => {};

export interface CameraSettingsParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: { readonly current: Settings };
  readonly dashcam: () => Dashcam;
  readonly isRunning: () => boolean;
  readonly files: CameraSnapshotFiles;
  readonly other: OtherCameraFile;
  /** Called when another camera begins to answer at the address, and when none does any more. */
  readonly otherChanged: () => void;
}

/** The camera's own settings as far as they are known, and whether they were read right now. */
export interface KnownSettings extends CameraSnapshot {
  readonly isOnline: boolean;
}

/** The camera's own settings: read live when the camera is free, remembered, compared from visit to visit; never written. */
export class CameraSettings {
  readonly #parts: CameraSettingsParts;
  #reading: Promise<boolean> | null = null;
  readonly #closing = new AbortController();
  /** The camera, by interface and address, that does not tell its settings; runs leave it in peace until one is another. */
  #refusedBy: string | null = null;

  constructor(parts: CameraSettingsParts) {
    this.#parts = parts;
  }

  /**
   * Reads the camera; all who ask meanwhile get the same answer. While a sync runs the camera is not asked: a file may be
   * coming in, and what was read last stands for it.
   * @returns null when nothing was ever read
   */
  async read(): Promise<KnownSettings | null> {
    const { files, isRunning } = this.#parts;
    await files.open();
    this.#reading ??= this.#ask().finally(() => {
      this.#reading = null;
    });
    const isKnown = this.otherAt(this.#parts.dashcam().address) === null;
    const isOnline = (isRunning() && isKnown) || (await this.#reading);
    return files.snapshot && { ...files.snapshot, isOnline };
  }

  /**
   * Reads the camera for a run that has its list and asks for no file yet. The run waits no longer than the limit for
   * reading its settings. A part that cannot be read goes to the debug log and never fails the run. A camera may lack
   * its settings, or send something else. Runs then ask again only after it was away or has told them.
   */
  async visit(camera: Dashcam, signal: AbortSignal): Promise<void> {
    // A run goes on with the camera that it began with.
    if (camera.address !== this.#parts.dashcam().address || this.#refusedBy === keyOf(camera)) return;
    await this.#parts.files.open();
    // A page's reading has limits of its own, and no run stops it; the run goes on when its own time is over.
    if (this.#reading) return await abortable(this.#reading, this.#limitOf(signal)).then(nothing, nothing);
    this.#reading = this.#readFrom(camera, signal).finally(() => {
      this.#reading = null;
    });
    await this.#reading;
  }

  /**
   * Returns the other camera that answers at this address; null while it is the known one, or one that tells nothing of
   * itself. Asks the camera nothing.
   */
  otherAt(address: string): OtherCamera | null {
    const { found } = this.#parts.other;
    return found?.address === address ? found : null;
  }

  /** @throws AnotherCamera while another one answers at this address */
  requireKnown(address: string): void {
    const other = this.otherAt(address);
    if (other !== null) throw new AnotherCamera(address, other);
  }

  /** Takes the other camera that answers as the one to use. False when there is none. */
  async accept(): Promise<boolean> {
    const { files, other, dashcam } = this.#parts;
    await files.open();
    const { found } = other;
    if (found === null || found.address !== dashcam().address) return false;
    await files.keep(found.snapshot, files.visits);
    await this.#noteOther(null);
    return true;
  }

  /** A run has not found the camera: when it is back, it may be another one, or have learnt to tell its settings. */
  noteAway(): void {
    this.#refusedBy = null;
  }

  /** The camera has refused to tell its settings because its interface has none; it is no older one in trouble. */
  get areNotOffered(): boolean {
    const camera = this.#parts.dashcam();
    return camera.generation === "v1009" && this.#refusedBy === keyOf(camera);
  }

  /** Returns the settings that were read last, without asking the camera. */
  async known(): Promise<CameraSnapshot | null> {
    await this.#parts.files.open();
    return this.#parts.files.snapshot;
  }

  /**
   * Returns the password stored under a key such as `Cloud.sta_pw`; null when the key names none. The log has the
   * request, but never the password.
   */
  async secret(key: string): Promise<ConfigEntry | null> {
    const snapshot = await this.known();
    // All settings that cameras have are known to it, of which an idle service needs none.
    const { isSecret } = await import("../../domain/camera/secret_settings.ts");
    const entry = snapshot && parseConfig(snapshot.config).find((one) => configKey(one) === key && isSecret(one));
    if (!entry) return null;
    this.#parts.log.info(LOGGER, `The camera's password ${key} was shown`);
    return entry;
  }

  /** Changes, visit by visit, the oldest first. */
  async visits(): Promise<readonly ConfigVisit[]> {
    await this.#parts.files.open();
    return this.#parts.files.visits;
  }

  /** Marks visits as seen; all of them without `ids`. */
  async dismiss(ids: readonly number[] | null): Promise<readonly ConfigVisit[]> {
    const { files } = this.#parts;
    const before = await this.visits();
    const visits = before.map((visit) =>
      ids === null || ids.includes(visit.id) ? { ...visit, dismissed: true } : visit,
    );
    await files.keepVisits(visits);
    return files.visits;
  }

  /** Ends what is being read; resolves when everything is written. */
  async close(): Promise<void> {
    this.#closing.abort(new DashcamProblem("closed", "the service is stopping"));
    await this.#reading;
    await this.#parts.files.close();
    await this.#parts.other.close();
  }

  /** @returns whether the camera's settings could be read */
  async #ask(): Promise<boolean> {
    const { settings, dashcam, isRunning } = this.#parts;
    if (isRunning() || settings.current.connection.address === "") return false;
    return await this.#readFrom(dashcam(), null);
  }

  /** @param run of the run that waits for it: the limit is then one for both files, and the run may be stopped */
  async #readFrom(camera: Dashcam, run: AbortSignal | null): Promise<boolean> {
    const { settings, clock, log } = this.#parts;
    const answerMs = settings.current.camera.read_timeout_seconds * 1000;
    const ofRun = run && this.#limitOf(run);
    const late = () => AbortSignal.any([this.#closing.signal, ofRun ?? AbortSignal.timeout(answerMs)]);
    let why = "what came is something else";
    try {
      const config = await camera.configFile("config.ini", answerMs, late());
      if (parseConfig(config).length > 0) {
        const version = await camera.configFile("version.bin", answerMs, late()).catch(() => null);
        const snapshot = { readAt: clock.now(), config, ...parseVersion(version ?? new Uint8Array()) };
        this.#refusedBy = null;
        if (!(await this.#isOther(camera.address, snapshot))) {
          await this.#noteOther(null);
          await this.#keep(snapshot);
          return true;
        }
        why = "another camera answers";
      } else await this.#noteRefusal(camera);
    } catch (error) {
      const isLate = error instanceof DOMException && error.name === "TimeoutError";
      // A run goes on whatever happens here.
      if (!(error instanceof DashcamProblem) && !isLate && run === null) throw error;
      why = isLate ? "no answer in time" : messageOf(error);
      // A camera in trouble may have them the next time.
      const isRefusal = error instanceof DashcamProblem && error.status !== null && error.status < 500;
      if (isRefusal) await this.#noteRefusal(camera);
    }
    log.debug(LOGGER, `The camera's settings were not read: ${why}`);
    return false;
  }

  /** Ends with the run, or after the longest time that a run waits. */
  #limitOf(run: AbortSignal): AbortSignal {
    return AbortSignal.any([run, AbortSignal.timeout(this.#parts.settings.current.camera.read_timeout_seconds * 1000)]);
  }

  /** A camera that tells nothing of itself is believed. */
  async #noteRefusal(camera: Dashcam): Promise<void> {
    this.#refusedBy = keyOf(camera);
    await this.#noteOther(null);
  }

  /** True when this is another camera than the known one, whose settings stay as they are. */
  async #isOther(address: string, snapshot: CameraSnapshot): Promise<boolean> {
    const known = this.#parts.files.identity;
    const found = identityOf(snapshot.model, parseConfig(snapshot.config));
    if (known === null || found === null || !isOtherCamera(known, found)) return false;
    await this.#noteOther({ address, known, found, snapshot });
    return true;
  }

  async #noteOther(camera: FoundCamera | null): Promise<void> {
    const { other, otherChanged } = this.#parts;
    const before = other.found;
    await other.keep(camera);
    if (before?.address !== camera?.address || before?.found.hotspot !== camera?.found.hotspot) otherChanged();
  }

  async #keep(snapshot: CameraSnapshot): Promise<void> {
    const { files } = this.#parts;
    const { snapshot: before, visits } = files;
    // Another model is another camera, of which nothing has changed.
    const isSame = before && (before.model === null || snapshot.model === null || before.model === snapshot.model);
    const { configChanges } = await import("../../domain/camera/config_changes.ts");
    const changes = isSame ? configChanges(parseConfig(before.config), parseConfig(snapshot.config)) : [];
    if (changes.length === 0) return await files.keep(snapshot, visits);
    const id = (visits.at(-1)?.id ?? 0) + 1;
    const visit = { id, at: new Date(snapshot.readAt).toISOString(), changes, dismissed: false };
    await files.keep(snapshot, [...visits, visit]);
  }
}

/** Other firmware at the same address may have learnt to tell them. */
function keyOf({ generation, address }: Dashcam): string {
  return `${generation} ${address}`;
}
