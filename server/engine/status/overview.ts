import { dirname } from "node:path";
import type { Dashcam } from "../../dashcam/camera.ts";
import type { Run } from "../../domain/runs/run.ts";
import { hasMissed } from "../../domain/runs/run_ending.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { type NotifyTrouble, troubleInWords } from "../../domain/notify/told_text.ts";
import { accessNotes } from "../../domain/status/access_notes.ts";
import { deletionNotes } from "../../domain/status/deletion_notes.ts";
import type { Overview, OverviewFacts, UnusableSetting } from "../../domain/status/overview.ts";
import { summaryNow } from "../../domain/status/status_summary.ts";
import type { RecordingIndex } from "../../store/clips/recording_index.ts";
import { openFolderProblem } from "../../store/config/folder_access.ts";
import type { RunHistory } from "../../store/config/run_history.ts";
import type { DestinationIdentity } from "../../store/destination/destination_identity.ts";
import type { Library } from "../../store/library/library.ts";
import type { Asked } from "../../when_asked.ts";
import type { CameraSettings } from "../camera/camera_settings.ts";
import type { Checksums } from "../checksums/checksums.ts";
import type { Ledger } from "../coverage/ledger.ts";
import type { CameraProbe } from "../listed/camera_probe.ts";
import type { KnownList } from "../listed/known_list.ts";
import { isAnother, lastSeenAt, listedOn } from "../listed/last_seen.ts";
import { type WaitingParts, waitingBytes } from "../listed/waiting_bytes.ts";
import type { Planner } from "../plan/planner.ts";
import { overviewPlan } from "../plan/shown_plan.ts";
import type { PendingDeletions } from "../retention/pending_deletions.ts";
import type { Arrival } from "../run/arrival.ts";
import type { Job } from "../run/job.ts";
import type { Scheduler } from "../run/scheduler.ts";
import { type DiskUsageCache, spaceOf } from "../transfer/disk_space.ts";
import { type CardTimeParts, cardTimeOf } from "../viewer/card_time.ts";
import { isFolderUnknown, type LastFolder } from "../viewer/last_known.ts";

export interface OverviewParts extends CardTimeParts {
  readonly settings: {
    readonly path: string;
    readonly current: Settings;
    readonly unusable: readonly UnusableSetting[];
    readonly isSaved: boolean;
  };
  readonly dashcam: Dashcam;
  readonly probe: CameraProbe;
  readonly cameraSettings: Pick<CameraSettings, "otherAt">;
  readonly history: Pick<RunHistory, "latest" | "latestReached" | "unwritable">;
  readonly listed: Pick<KnownList, "known" | "drive" | "list">;
  readonly ledger: Pick<Ledger, "trouble">;
  readonly checksums: Pick<Checksums, "damaged" | "trouble">;
  readonly lastKnown: Pick<LastFolder, "isKnown" | "known" | "note">;
  readonly planner: Asked<Pick<Planner, "latest" | "refresh">>;
  readonly scheduler: Pick<Scheduler, "next">;
  readonly arrival: Pick<Arrival, "looks">;
  readonly library: Pick<Library, "root" | "rootProblem" | "unreadable" | "recordingCount">;
  readonly destination: Pick<DestinationIdentity, "standing">;
  readonly deletions: Pick<PendingDeletions, "latest">;
  readonly storage: Pick<DiskUsageCache, "latest">;
  readonly trustProxy: boolean;
  /** Left out where there are no targets. */
  readonly notifications?: { readonly troubles: readonly NotifyTrouble[] };
  readonly reach: { readonly listensOn: string | null; readonly cameFrom: string | null };
}

/** Returns the facts about the whole, without asking the camera or the disk anything. */
export function overviewFacts(parts: OverviewParts): OverviewFacts {
  const { dashcam, probe, history, scheduler } = parts;
  const next = scheduler.next();
  const last = history.latest();
  // A run with another camera shows nothing about this one.
  const reached = history.latestReached(dashcam.address);
  const seen = lastSeenAt(parts);
  const time = cardTimeOf(parts);
  const latest = parts.planner.opened?.latest ?? null;
  return {
    ...time,
    plan: latest && overviewPlan(latest, time),
    address: dashcam.address,
    other_camera: parts.cameraSettings.otherAt(dashcam.address),
    paused: next.paused,
    // Without a camera the schedule starts nothing, and while it is paused neither.
    next_at: next.paused || dashcam.address === "" ? null : next.at,
    looks: parts.arrival.looks(),
    last_run: last,
    last_reached: reached,
    counts: parts.listed.known,
    drive: parts.listed.drive,
    last_seen_at: seen && seen * 1000,
    reachable: isAnother(parts) ? null : reachableSince(probe, dashcam, last),
    folder: folderState(parts.library.rootProblem),
    destination: parts.destination.standing,
    root: parts.library.root,
    unreadable: parts.library.unreadable,
    unusable_settings: parts.settings.unusable.map(({ section, sentence }) => ({ section, sentence })),
    unsaved: parts.settings.isSaved ? history.unwritable : "full",
    ledger: parts.ledger.trouble,
    damaged_files: parts.checksums.damaged.length,
    checksums: parts.checksums.trouble,
    recordings: parts.library.recordingCount,
    last_known: isFolderUnknown(parts) ? parts.lastKnown.known : null,
    disk_used: parts.storage.latest,
    retention: parts.deletions.latest ?? NOTHING_KNOWN,
    keep: parts.settings.current.retention,
  };
}

function accessNotesOf({ settings, trustProxy, reach }: OverviewParts): Overview["access_notes"] {
  const { auth } = settings.current;
  // With a sign-in it does not matter, and the addresses of the machine are not asked for.
  const { listensOn, cameFrom } = auth.mode === "none" ? reach : { listensOn: null, cameFrom: null };
  const open = openFolderProblem(dirname(settings.path));
  const notes = accessNotes({ auth, trustProxy, listensOn, cameFrom });
  return open === null ? notes : [...notes, { section: null, sentence: `${open}.` }];
}

/** True when the camera answered when it was last asked; false when a run since did not reach it. */
function reachableSince(probe: CameraProbe, dashcam: Dashcam, last: Run | null): boolean | null {
  const known = probe.known(dashcam)?.reachable ?? null;
  const { address } = dashcam;
  return known === true && hasMissed(last, address, probe.askedAt(address) ?? 0) ? false : known;
}

/** Before the first reading. */
const NOTHING_KNOWN: OverviewFacts["retention"] = {
  held: null,
  confirmed: null,
  last: null,
  unseen: [],
  problem: null,
  trash: { recordings: 0, bytes: 0, days: 0 },
  kept: { recordings: 0, bytes: 0 },
  lost_marks: 0,
};

function folderState(problem: Library["rootProblem"]): OverviewFacts["folder"] {
  if (problem === null) return "there";
  return problem.code === "ENOENT" || problem.code === "ENOTDIR" ? "missing" : "unreadable";
}

/** The state of everything: a sentence, its reason, and the readings beside it. */
export async function overview(
  parts: OverviewParts & {
    readonly job: Pick<Job, "snapshot">;
    readonly storage: DiskUsageCache;
    readonly segments: Pick<RecordingIndex, "newest">;
    readonly destination: Pick<DestinationIdentity, "check">;
    readonly deletions: Pick<PendingDeletions, "state">;
  } & WaitingParts,
): Promise<Overview> {
  const { max_used_disk_percent: most } = parts.settings.current.retention;
  const newest = await parts.segments.newest();
  // Only now: `newest` refreshes the library, which shows whether the folder is there and can be read.
  await parts.destination.check();
  await parts.deletions.state();
  const waiting = await waitingBytes(parts);
  await (await parts.planner()).refresh();
  // Last: what takes long before it must not make it another reading than the card's.
  const disk = await parts.storage.read().catch(() => null);
  const facts = overviewFacts(parts);
  const isUnknown = isFolderUnknown(parts);
  if (!isUnknown && parts.library.rootProblem === null) parts.lastKnown.note({ newest, disk, ...facts });
  const { now, zone, address, paused, next_at, looks, counts, last_seen_at } = facts;
  return {
    now,
    time_zone: zone.id,
    more: "",
    action: null,
    ...summaryNow(parts.job.snapshot, facts),
    plan: facts.plan,
    address,
    paused,
    next_at,
    looks,
    destination: facts.destination,
    on_camera: counts?.on_camera ?? listedOn(parts.listed, parts.dashcam),
    chosen: counts?.chosen ?? null,
    home: counts?.home ?? null,
    waiting: counts?.waiting ?? null,
    waiting_files: counts?.waiting_files ?? null,
    waiting_bytes: waiting,
    last_seen_at,
    newest: isUnknown ? null : newest.base,
    newest_key: isUnknown ? null : newest.key,
    recordings: isUnknown ? null : newest.total,
    last_known: facts.last_known,
    available_bytes: isUnknown ? null : disk && spaceOf(disk).available_bytes,
    max_used_percent: most,
    retention: facts.retention,
    deletion_notes: deletionNotes(facts),
    unusable_settings: [...facts.unusable_settings],
    access_notes: accessNotesOf(parts),
    notify_notes: (parts.notifications?.troubles ?? []).map(troubleInWords),
  };
}
