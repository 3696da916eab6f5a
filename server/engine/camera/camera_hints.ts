import { join } from "node:path";
import type { Clock } from "../../clock.ts";
import type { Dashcam } from "../../dashcam/camera.ts";
import { type ClockSighting, latestProof } from "../../domain/camera/camera_time.ts";
import { parseConfig } from "../../domain/camera/config_file.ts";
import type { HintId } from "../../domain/camera/hint_ids.ts";
import { type CameraHint, cameraHints, type HintFacts } from "../../domain/camera/hints.ts";
import { withList } from "../../domain/camera/seen_lists.ts";
import { harmfulSettings } from "../../domain/camera/settings_against_schedule.ts";
import type { Listing } from "../../domain/recordings/camera_listing.ts";
import { readGps } from "../../domain/recordings/gps_file.ts";
import { parseRecording } from "../../domain/recordings/recording_name.ts";
import { hasMissed, isAnotherAt } from "../../domain/runs/run_ending.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import type { CameraList } from "../../domain/sync/camera_list.ts";
import type { ZoneTime } from "../../domain/text/zone_time.ts";
import type { CameraHintsFile, HintMemory } from "../../store/config/camera_hints_file.ts";
import type { RunHistory } from "../../store/config/run_history.ts";
import { firstBytes } from "../../store/library/opened_file.ts";
import type { Library } from "../../store/library/library.ts";
import type { CameraProbe } from "../listed/camera_probe.ts";
import type { KnownList } from "../listed/known_list.ts";
import type { Scheduler } from "../run/scheduler.ts";
import type { CameraSettings } from "./camera_settings.ts";

/**
 * Number of newest recordings that are searched for a track with the satellites' time: recordings of a parked car have
 * none.
 */
const MOST_TRACKS = 20;
/** A minute of driving. */
const TRACK_BYTES = 65_536;

export interface CameraHintsParts {
  readonly clock: Clock;
  readonly zone: () => ZoneTime;
  readonly settings: { readonly current: Settings };
  readonly dashcam: () => Dashcam;
  readonly cameraSettings: Pick<CameraSettings, "known">;
  readonly listed: Pick<KnownList, "noteAsked" | "takeList" | "note" | "list" | "listOf" | "known" | "oldestWaiting">;
  readonly history: Pick<RunHistory, "latest">;
  readonly probe: Pick<CameraProbe, "known" | "askedAt">;
  readonly scheduler: Pick<Scheduler, "next">;
  readonly library: Pick<Library, "root" | "folderOf">;
  readonly file: CameraHintsFile;
  /** Called when a user has dismissed one. */
  readonly changed: () => void;
}

/**
 * Hints about the camera beside its syncs. They are made of what runs have seen, and shown until they are dismissed.
 */
export class CameraHints {
  readonly #parts: CameraHintsParts;
  /** The newest track when tracks were last looked through. */
  #newestTrack: string | null = null;

  constructor(parts: CameraHintsParts) {
    this.#parts = parts;
  }

  /** Passes on a run's list and the outcome of its files, and learns from both. */
  get watching(): Pick<KnownList, "noteAsked" | "takeList" | "note" | "listOf"> {
    const { listed, clock } = this.#parts;
    return {
      noteAsked: () => listed.noteAsked(),
      listOf: (address) => listed.listOf(address),
      takeList: async (address, listing, of) => {
        const before = listed.list;
        const isBelieved = await listed.takeList(address, listing, of);
        await this.#noteList(address, listing, before);
        return isBelieved;
      },
      note: (address, file, outcome) => {
        listed.note(address, file, outcome);
        // Parked, one recording may take hours.
        if (outcome === "growing" && file.kind === "mp4" && file.recording.type === "N")
          this.#noteClock(address, { at: clock.now(), name: file.recording.name, how: "recording" });
      },
    };
  }

  /** After a run: takes what it brought home into account, and forgets causes that went with it where no page looks. */
  async learn(): Promise<void> {
    await this.#noteTracks();
    await this.shown();
  }

  /** Learns from the newest track that is at home. */
  async #noteTracks(): Promise<void> {
    const { listed, library, file, dashcam } = this.#parts;
    const { list } = listed;
    if (list === null || list.owner.address !== dashcam().address) return;
    await file.open();
    let newest: string | null = null;
    for (let at = list.size - 1; at >= Math.max(0, list.size - MOST_TRACKS); at--) {
      const name = list.nameAt(at);
      const gps = parseRecording(name)?.namesOf("gps")[0] ?? name;
      const folder = library.folderOf(gps);
      if (folder === null) continue;
      newest ??= gps;
      if (newest === this.#newestTrack) return;
      const track = await firstBytes(library.root, join(folder, gps), TRACK_BYTES).catch(() => null);
      const startUtc = track && readGps(track).startUtc;
      if (startUtc === null) continue;
      this.#noteClock(list.owner.address, { at: startUtc, name, how: "satellites" });
      break;
    }
    this.#newestTrack = newest;
  }

  /**
   * Returns the hints to show now. A dismissed hint whose cause has gone is shown again when the cause comes back.
   * @param zone in which its times are written
   */
  async shown(zone: ZoneTime = this.#parts.zone()): Promise<CameraHint[]> {
    const { file, dashcam } = this.#parts;
    const { address } = dashcam();
    if (address === "") return [];
    await file.open();
    const facts = await this.#facts(address, zone);
    const hints = cameraHints(facts);
    const memory = file.of(address);
    const isThere = (id: HintId) => hints.some((hint) => hint.id === id) || this.#isUnknown(id);
    const dismissed = memory.dismissed.filter(isThere);
    if (dismissed.length < memory.dismissed.length) void file.keep({ ...memory, dismissed });
    return hints.filter(({ id }) => !dismissed.includes(id));
  }

  /** Hides a hint until its cause has gone and comes back; one that is not there stays as it is. @returns the others */
  async dismiss(id: HintId, zone?: ZoneTime): Promise<CameraHint[]> {
    const { file, dashcam, changed } = this.#parts;
    const shown = await this.shown(zone);
    if (!shown.some((hint) => hint.id === id)) return shown;
    const memory = file.of(dashcam().address);
    await file.keep({ ...memory, dismissed: [...memory.dismissed, id] });
    changed();
    return await this.shown(zone);
  }

  /** Resolves when everything is written. */
  close(): Promise<void> {
    return this.#parts.file.close();
  }

  /** The number of waiting recordings is not known before the first count after a start. */
  #isUnknown(id: HintId): boolean {
    return id === "overwrites" && this.#parts.listed.known === null;
  }

  async #facts(address: string, zone: ZoneTime): Promise<HintFacts> {
    const { clock, settings, cameraSettings, history, listed, file } = this.#parts;
    const known = await cameraSettings.known();
    const now = clock.now();
    const last = history.latest();
    const { lists, clock: sighting } = file.of(address);
    return {
      address,
      now,
      zone,
      lists,
      clock: sighting,
      another_at: isAnotherAt(address, last) && last ? last.ts * 1000 : null,
      waiting: listed.oldestWaiting,
      next_at: this.#nextVisit(),
      harmful: known ? harmfulSettings(parseConfig(known.config), settings.current.schedule, now, zone.format) : [],
    };
  }

  /** When a run comes while the camera is home; null while it is away, or no run is planned. */
  #nextVisit(): number | null {
    const { probe, dashcam, history, scheduler } = this.#parts;
    const camera = dashcam();
    const isMissed = hasMissed(history.latest(), camera.address, probe.askedAt(camera.address) ?? 0);
    const { at, paused } = scheduler.next();
    return probe.known(camera)?.reachable === true && !isMissed && !paused ? at : null;
  }

  async #noteList(address: string, listing: Listing, before: CameraList | null): Promise<void> {
    const { listed, file, clock, dashcam } = this.#parts;
    // The settings may name another camera by now, of which this would be forgotten.
    if (address !== dashcam().address) return;
    await file.open();
    const at = clock.now();
    const memory = file.of(address);
    if (listing.files.length === 0)
      return void this.#keep({ ...memory, lists: withList(memory.lists, { at, recordings: 0, gone: 0 }) });
    const { list } = listed;
    // One that is cut off proves nothing.
    if (list === null || list.owner.address !== address || listing.strangeCount > 0) return;
    const isSame = before?.owner.address === address && before.owner.destination === list.owner.destination;
    const gone = isSame && before !== list ? goneFrom(before, list) : 0;
    this.#keep({ ...memory, lists: withList(memory.lists, { at, recordings: list.size, gone }) });
    if (list.size > 0) this.#noteClock(address, { at, name: list.nameAt(list.size - 1), how: "listed" });
  }

  #noteClock(address: string, sighting: ClockSighting): void {
    const { file, zone, dashcam } = this.#parts;
    if (address !== dashcam().address) return;
    const memory = file.of(address);
    const clock = latestProof(memory.clock, sighting, zone());
    if (clock !== memory.clock) this.#keep({ ...memory, clock });
  }

  #keep(memory: HintMemory): void {
    // The run does not wait for the disk; the close does.
    void this.#parts.file.keep({ ...memory, lists: [...memory.lists] });
  }
}

/** Counts the recordings of one list that are not on a later one. Both lists are in order. */
function goneFrom(before: CameraList, now: CameraList): number {
  let gone = 0;
  let place = 0;
  const isBefore = (at: number) =>
    now.momentAt(place) < before.momentAt(at) ||
    (now.momentAt(place) === before.momentAt(at) && now.endingAt(place) < before.endingAt(at));
  for (let at = 0; at < before.size; at++) {
    while (place < now.size && isBefore(at)) place++;
    const isThere =
      place < now.size && now.momentAt(place) === before.momentAt(at) && now.endingAt(place) === before.endingAt(at);
    if (!isThere) gone++;
  }
  return gone;
}
