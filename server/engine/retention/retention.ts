import { momentKey } from "../../domain/recordings/moment_number.ts";
import type { DeletionCause, HeldReason } from "../../domain/retention/deletion_cause.ts";
import { type UnreachableLimit, unreachableInWords } from "../../domain/retention/limit_reach.ts";
import { counted, formatBytes } from "../../domain/text/format.ts";
import { messageOf } from "../../log.ts";
import { KeptUnknown } from "../../store/destination/kept_recordings.ts";
import { TrashUnusable } from "../../store/destination/own_folder_guard.ts";
import type { Moved } from "../../store/destination/trash.ts";
import { amountIn } from "../../store/destination/trash_index.ts";
import type { LibraryMoment } from "../../store/destination/trash_moves.ts";
import { addMissingReceipts, receiptOf } from "./deletion_receipts.ts";
import { type Due, daysOf, findDue, isFinal, videosOf } from "./due.ts";
import type { RetentionParts } from "./retention_parts.ts";
import type { RetentionRules } from "./retention_rules.ts";
import { NOT_ENOUGH, TrashPurge, WITHOUT_VIDEO } from "./trash_purge.ts";

/** Result of a pass. */
export interface PassResult {
  /** Moments moved to the trash. */
  readonly moments: number;
  readonly recordings: number;
  readonly bytes: number;
  readonly held: HeldReason | null;
  /** Sentence without a full stop that tells why nothing could be deleted. */
  readonly problem: string | null;
  /** The bytes that were needed are free. */
  readonly hasMadeRoom: boolean;
}

const NOTHING: PassResult = { moments: 0, recordings: 0, bytes: 0, held: null, problem: null, hasMadeRoom: false };

const WHY_HELD: Readonly<Record<HeldReason, string>> = {
  marks: "the marks of kept recordings are missing, which the dashboard offers to put back",
  adopted: "they were here before this service, and how long to keep recordings was never set",
  clock: "the clock of this machine is not to be trusted",
  many: "they are unusually many",
};

/**
 * Deletes by the rules, by way of the trash, and removes from the trash what has been there long enough. A file that
 * cannot be moved stays and is named in the log; it never ends the run. An aborted signal ends it early.
 * @param need bytes that have to become free on the disk. The trash is purged for them, and so is what this pass moves
 * there; neither is when all of it is too little.
 */
export async function applyRetention(
  parts: RetentionParts,
  rules: RetentionRules,
  { dryRun, signal, need = 0 }: { dryRun: boolean; signal: AbortSignal; need?: number },
): Promise<PassResult> {
  try {
    if (dryRun) return await listDue(parts, rules);
    const result = await parts.guard.run(() => new Pass(parts, rules, signal).run(need));
    parts.standing.problem = result.problem;
    return result;
  } catch (error) {
    if (!(error instanceof TrashUnusable || error instanceof KeptUnknown)) throw error;
    parts.standing.problem = error.message;
    parts.log.warning("retention", `Nothing is deleted: ${error.message}`, { event: "retention_impossible" });
    return { ...NOTHING, problem: error.message };
  }
}

/**
 * Completes the changes in the trash that a killed process had begun: a sync would fetch again what is half there.
 * After a failure, the next call that needs the trash completes them, or throws why not.
 */
export async function finishInterrupted({ guard, trash, library, log }: RetentionParts): Promise<void> {
  try {
    // The usual case takes no lock.
    if (!(await trash.isInterrupted())) return;
    await guard.run(() => trash.prepare(false));
    log.info("retention", "Finished what was interrupted while recordings were moved to the trash or out of it");
    await library.refresh();
  } catch (error) {
    log.debug("retention", `The trash was not looked at: ${messageOf(error)}`);
  }
}

/** Recovers and purges the trash at the start of the service. Never rejects: a pass tries again. */
export async function recoverTrash(parts: RetentionParts, trashMs: number): Promise<void> {
  await finishInterrupted(parts);
  await addMissingReceipts(parts, trashMs).catch((error: unknown) => {
    parts.log.debug("retention", `The trash was not looked at: ${messageOf(error)}`);
  });
}

async function listDue(parts: RetentionParts, rules: RetentionRules): Promise<PassResult> {
  const due = await findDue(parts, rules);
  noteUnreachable(parts, due);
  const going = [...due.age, ...due.room];
  for (const { moment } of going) {
    const key = momentKey(moment);
    const event = "outdated_recording_remove_dry_run";
    parts.log.info("sync", `Would remove outdated ${key}`, { event, moment: key });
  }
  return { ...NOTHING, moments: going.length };
}

/** Logs limits that cannot be reached, once and not for every run, and remembers them for the dashboard. */
function noteUnreachable({ log, standing }: Pick<RetentionParts, "log" | "standing">, { unreachable }: Due): void {
  const isKnown = (one: UnreachableLimit) => standing.unreachable.some(({ limit }) => limit === one.limit);
  for (const one of unreachable)
    if (!isKnown(one)) log.warning("retention", unreachableInWords(one), { event: "retention_out_of_reach" });
  standing.unreachable = unreachable;
}

class Pass {
  readonly #parts: RetentionParts;
  readonly #rules: RetentionRules;
  readonly #signal: AbortSignal;
  readonly #trash: TrashPurge;

  constructor(parts: RetentionParts, rules: RetentionRules, signal: AbortSignal) {
    this.#trash = new TrashPurge(parts);
    this.#parts = parts;
    this.#rules = rules;
    this.#signal = signal;
  }

  async run(need: number): Promise<PassResult> {
    const { trash, consent, log, library, standing } = this.#parts;
    // Before anything is purged: with a list that cannot be read nothing is deleted.
    await this.#parts.kept.forRules();
    const isLost = consent?.areMarksLost ?? false;
    await trash.prepare(false);
    await addMissingReceipts(this.#parts, this.#rules.trashMs);
    // Recordings may have come since the downloads began, and other programs may have moved some.
    await library.refresh();
    await consent?.noteLibrary();
    const doubt = (await consent?.clockDoubt()) ?? null;
    // A trash that may hold what had a mark stays as it is, too.
    const mayPurge = doubt === null && !isLost;
    if (consent?.isOvertaken) {
      const words =
        "Nothing is deleted in this run: what it began with was changed meanwhile; the next run goes by that";
      log.info("retention", words, { event: "retention_overtaken" });
      return { ...NOTHING, hasMadeRoom: mayPurge && (await this.#trash.makeRoomIfEnough(need, 0)).isEnough };
    }
    const due = await findDue(this.#parts, this.#rules);
    noteUnreachable(this.#parts, due);
    const going = videosOf(due.age) + videosOf(due.room);
    const hold = (await consent?.hold(going, library.recordingCount, isFinal(due))) ?? null;
    // With so many at once the clock may be wrong, by which the trash would be emptied as well.
    const purged = mayPurge && hold?.reason !== "many" ? await this.#trash.purgeOld(this.#rules.trashMs) : 0;
    if (hold !== null) {
      const words = `Nothing is deleted: ${counted(going, "recording")} would go, but ${this.#why(hold.reason, doubt)}`;
      const facts = { event: "retention_held", reason: hold.reason };
      // The dashboard shows it all the time; the log has it once, not for every run.
      if (standing.held !== hold.reason) log.warning("retention", words, facts);
      else log.debug("retention", words, facts);
      standing.held = hold.reason;
      const { isEnough } = mayPurge ? await this.#trash.makeRoomIfEnough(need - purged, 0) : NOT_ENOUGH;
      return { ...NOTHING, held: hold.reason, hasMadeRoom: isEnough };
    }
    standing.held = null;
    // Purging needs no consent, since no video is among it, but it needs a clock.
    if (!mayPurge) return NOTHING;
    // First: on a full disk what is deleted cannot be written down.
    const { isEnough, freed } = await this.#trash.makeRoomIfEnough(need - purged, await this.#bytesOf(due));
    const early = freed + (await this.#trash.makeRoom(due.bytesToFree - purged - freed));
    if (going > 0 || due.age.length + due.room.length > 0) await trash.prepare();
    const result = await (consent ? consent.changing(() => this.#delete(due)) : this.#delete(due));
    const needed = Math.max(isEnough ? need : 0, due.bytesToFree);
    await this.#trash.makeRoom(needed - purged - early);
    if (this.#rules.trashMs === 0) await this.#trash.purge(await trash.entries(), "is not kept");
    if (!this.#signal.aborted) consent?.passEnded();
    return { ...result, hasMadeRoom: isEnough };
  }

  async #bytesOf({ age, room }: Due): Promise<number> {
    const { sizes } = this.#parts;
    const going = [...age, ...room];
    await sizes.learn(going);
    return sizes.sum(going) ?? 0;
  }

  #why(reason: HeldReason, doubt: string | null): string {
    return reason === "clock" && doubt !== null ? doubt : WHY_HELD[reason];
  }

  async #delete(due: Due): Promise<PassResult> {
    const { age, room } = due;
    const { deleted } = this.#parts;
    let moments = 0;
    let recordings = 0;
    let bytes = 0;
    for (const [cause, going] of [
      ["age", age],
      ["room", room],
    ] as const) {
      if (going.length === 0 || this.#signal.aborted) continue;
      // Before it is moved: in between, a sync of another process would fetch it again.
      // Never of what has no video yet: that would keep it from coming.
      const noted = cause === "room" ? going.filter(({ set }) => set.videos > 0) : [];
      if (noted.length > 0) await deleted.change({ add: noted.map(({ moment }) => moment) });
      // Recordings that make room on the disk do not stay in the trash.
      const rules = cause === "room" && isFinal(due) ? { ...this.#rules, trashMs: 0 } : this.#rules;
      const done = await moveToTrash(this.#parts, rules, going, { cause, by: null }, this.#signal);
      const moved = new Set(done.moved.map(({ moment }) => moment));
      const stays = noted.filter(({ moment }) => !moved.has(moment)).map(({ moment }) => moment);
      if (stays.length > 0) await deleted.change({ forget: stays });
      moments += done.moved.length;
      const amount = amountIn(done.moved.map(({ sizes }) => sizes));
      recordings += amount.recordings;
      bytes += amount.bytes;
    }
    return { ...NOTHING, moments, recordings, bytes };
  }
}

/**
 * Moves recordings to the trash as one deletion, logs it and keeps its receipt; in the guard, after `prepare`.
 * Thumbnails and GPS without a video here go to the trash, too, since the clock or a rule may be wrong. No recording
 * has gone with them, so they have no receipt: it would tell of none, and offer to undo that.
 */
export async function moveToTrash(
  {
    trash,
    log,
    receipts,
    consent,
    onDeleted,
  }: Pick<RetentionParts, "trash" | "log" | "receipts" | "consent" | "onDeleted">,
  rules: Pick<RetentionRules, "keep" | "trashMs">,
  going: readonly LibraryMoment[],
  what: { cause: DeletionCause; by: string | null },
  signal?: AbortSignal,
): Promise<Moved> {
  const onMoved = (moment: number) =>
    log.debug("retention", `Moved ${momentKey(moment)} to the trash`, { event: "outdated_recording_removed" });
  const at = (await consent?.datedAt()) ?? null;
  const done = await trash.take(going, { ...what, keep: rules.keep, at }, { signal, onMoved });
  const { batch, moved, failed } = done;
  for (const { key, code } of failed) log.warning("retention", `Cannot move ${key} to the trash (${code}); it stays`);
  const filmed = moved.filter(({ set }) => set.videos > 0);
  onDeleted?.(
    batch,
    filmed.map(({ moment }) => moment),
  );
  const days = daysOf(filmed);
  if (days === null) {
    const { bytes } = amountIn(moved.map(({ sizes }) => sizes));
    if (moved.length > 0) log.info("retention", `Moved ${WITHOUT_VIDEO} to the trash, ${formatBytes(bytes)}`);
    return done;
  }
  const amount = amountIn(filmed.map(({ sizes }) => sizes));
  const receipt = receiptOf(batch, { ...amount, ...days }, rules.trashMs);
  const { until } = receipt;
  const from = days.oldest === days.newest ? `of ${days.oldest}` : `of ${days.oldest} to ${days.newest}`;
  // Without a moment: all times in the log are of one zone, which is not known here.
  const left = counted(Math.round(rules.trashMs / 86_400_000), "day");
  const back = until === null ? "they are deleted for good" : `they can be restored for ${left}`;
  log.info(
    "retention",
    `Moved ${counted(amount.recordings, "recording")} to the trash, ${formatBytes(amount.bytes)}, ${from} (${WHY[what.cause]}); ${back}`,
    { event: "recordings_deleted", cause: what.cause, ...amount, ...(what.by !== null && { by: what.by }) },
  );
  receipts?.add(receipt);
  return done;
}

const WHY: Readonly<Record<DeletionCause, string>> = {
  age: "past their keep time",
  room: "to make room",
  hand: "by hand",
};
