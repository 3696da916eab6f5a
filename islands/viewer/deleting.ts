import { type Signal, signal } from "@preact/signals";
import { clipName } from "../../server/domain/recordings/camera_clock.ts";
import { sparedInWords } from "../../server/domain/retention/deletion.ts";
import type { Deleted, DeletedOne, Restored } from "../../server/domain/retention/deletion_schema.ts";
import {
  type Calendar,
  clips,
  deletedInWords,
  failedInWords,
  leftInWords,
} from "../../server/domain/retention/kept_text.ts";
import type { TimeFormat } from "../../server/domain/text/time_format.ts";
import { ZoneTime } from "../../server/domain/text/zone_time.ts";
import { isHere } from "../../server/domain/viewer/coming_text.ts";
import { dayOfKey, keyOf } from "../../server/domain/viewer/viewer_address.ts";
import type { ViewerRecording } from "../../server/domain/viewer/viewer_schema.ts";
import { send, sentenceOfError } from "../browser/client.ts";
import { showToast } from "../browser/toast.ts";
import type { Browsing } from "./browsing.ts";
import type { SyncedPlayers } from "./player/synced_players.ts";

interface Parts {
  readonly browsing: Browsing;
  readonly players: SyncedPlayers;
  readonly thisYear: number;
  /** Format of times and dates. */
  readonly format: TimeFormat;
  readonly timeZone: string;
  /** Keys of the clips of the trip on show, by time. */
  readonly tripKeys: () => readonly string[];
  /** False for a clip that is gone at once when it is deleted. */
  readonly hasTrash: (key: string) => boolean;
  /** Reads what has changed, on these days in any case. */
  readonly refresh: (dates: readonly (string | null)[]) => Promise<void>;
}

/** Deletes recordings by hand, and restores them. */
export class Deleting {
  /** Recordings that are deleted for good once the user confirms; null while nothing is asked. */
  readonly asking: Signal<readonly ViewerRecording[] | null> = signal(null);
  readonly isBusy: Signal<boolean> = signal(false);
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** False for a clip that is gone at once when it is deleted. */
  hasTrash(key: string): boolean {
    return this.#parts.hasTrash(key);
  }

  /** Moves them to the trash; asks first when there is none for one of them. Kept ones are left, and named. */
  async remove(wanted: readonly ViewerRecording[]): Promise<void> {
    if (this.isBusy.value || wanted.length === 0) return;
    const recordings = wanted.filter(isHere);
    if (recordings.length === 0)
      showToast(
        document,
        "attention",
        "It is still on the camera, from which nothing is deleted. Say “Not needed” instead.",
      );
    const isFree = recordings.filter(({ kept }) => kept === null);
    const [first] = recordings;
    if (isFree.length === 0 && first) {
      const what =
        recordings.length === 1 ? clipName(keyOf(first), this.#parts.thisYear, this.#parts.format) : "All of them";
      const it = recordings.length === 1 ? "is kept. Take its mark off first" : "are kept. Take their marks off first";
      showToast(document, "attention", `${what} ${it}.`);
    } else if (isFree.some((one) => !this.#parts.hasTrash(keyOf(one)))) this.asking.value = recordings;
    else await this.carryOut(recordings);
  }

  /** Deletes as `remove` does, without asking. */
  async carryOut(recordings: readonly ViewerRecording[]): Promise<void> {
    if (this.isBusy.value) return;
    this.isBusy.value = true;
    try {
      await this.#remove(recordings);
    } catch (error) {
      showToast(document, "failed", sentenceOfError(error));
      // The list may be out of date: gone or kept meanwhile.
      await this.#parts.refresh(recordings.map((one) => dayOfKey(keyOf(one)))).catch(() => {});
    } finally {
      this.isBusy.value = false;
    }
  }

  async #remove(recordings: readonly ViewerRecording[]): Promise<void> {
    const { browsing, players, thisYear, format, hasTrash } = this.#parts;
    const kept = recordings.filter((one) => one.kept !== null).map(keyOf);
    const keys = recordings.map(keyOf).filter((key) => !kept.includes(key));
    // One answer tells one day on which all of its clips are gone.
    const parts = [keys.filter(hasTrash), keys.filter((key) => !hasTrash(key))].filter(({ length }) => length > 0);
    const answers: Deleted[] = [];
    for (const part of parts) answers.push(await ask(part));
    const deleted = answers.flatMap((one) => one.deleted);
    const failed = answers.flatMap((one) => one.failed);
    const inTrash = answers.flatMap((one) => (one.purge_at === null ? [] : one.deleted));
    if (browsing.key !== null && deleted.includes(browsing.key)) {
      players.pause();
      const next = this.#inTrip(browsing.key, deleted) ?? (await this.#neighbour(deleted));
      if (next) await browsing.show(keyOf(next), { step: "replace" });
      else browsing.showNothing();
    }
    browsing.list.drop(deleted);
    const said = [
      ...answers.map((one) =>
        one.deleted.length > 0 ? deletedInWords(one.deleted, one.purge_at, this.#calendar()) : "",
      ),
      leftInWords(kept, thisYear, format),
      failedInWords(failed, thisYear, format),
    ].filter((words) => words !== "");
    const mood = failed.length > 0 ? "attention" : "fine";
    const undo = { label: "Undo", run: () => void this.#restore(inTrash) };
    showToast(document, mood, said.join(" "), inTrash.length > 0 ? undo : undefined);
    void this.#parts.refresh(deleted.map(dayOfKey)).catch(() => {});
  }

  /** Nearest clip of the same trip that stays: one before it first, else one after it. */
  #inTrip(key: string, deleted: readonly string[]): ViewerRecording | null {
    const { browsing, tripKeys } = this.#parts;
    const keys = browsing.list.tripOf(key)?.clips ?? tripKeys();
    const stays = (one: string) => !deleted.includes(one) && browsing.list.find(one) !== null;
    const at = keys.indexOf(key);
    const next = keys.slice(0, Math.max(0, at)).findLast(stays) ?? keys.slice(at + 1).find(stays);
    return at < 0 || next === undefined ? null : browsing.list.find(next);
  }

  /** The older one of the same car first: newer ones have mostly been seen. Without one the newest of all. */
  async #neighbour(deleted: readonly string[]): Promise<ViewerRecording | null> {
    const { browsing } = this.#parts;
    for (const by of [-1, 1] as const) {
      const found = await browsing.find(by, deleted).catch(() => null);
      if (found) return found;
    }
    const [newest] = browsing.list.days.value;
    const left = newest ? await browsing.list.load(newest.date).catch(() => []) : [];
    return left.find((one) => !deleted.includes(keyOf(one))) ?? null;
  }

  async #restore(keys: readonly string[]): Promise<void> {
    const { browsing, thisYear, format, refresh } = this.#parts;
    try {
      const { failed } = await send<Restored>("POST /api/trash/restore", { keys });
      const back = keys.filter((key) => !failed.some((one) => one.key === key));
      await refresh(keys.map(dayOfKey));
      const [first] = back;
      if (first !== undefined) await browsing.show(first, { step: "replace" });
      const what = first !== undefined && back.length === 1 ? clipName(first, thisYear, format) : clips(back.length);
      const verb = back.length === 1 ? "is" : "are";
      const words = back.length === 0 ? "" : `${what} ${verb} restored. ${sparedInWords(back.length)}`;
      const said = [words, failedInWords(failed, thisYear, format)].filter((one) => one !== "").join(" ");
      showToast(document, failed.length > 0 ? "attention" : "fine", said);
    } catch (error) {
      showToast(document, "failed", sentenceOfError(error));
    }
  }

  #calendar(): Calendar {
    const { thisYear, format, timeZone } = this.#parts;
    return { thisYear, zone: new ZoneTime(timeZone, format), now: Date.now() };
  }
}

/** @throws Refusal */
async function ask(keys: readonly string[]): Promise<Deleted> {
  const [only] = keys;
  if (keys.length !== 1 || only === undefined) return await send<Deleted>("DELETE /api/recordings", { keys });
  const answer = await send<DeletedOne>(`DELETE /api/recordings/${only}`);
  return { deleted: [only], failed: [], purge_at: answer.purge_at };
}
