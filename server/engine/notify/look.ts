import type { Clock } from "../../clock.ts";
import type { OffsiteState } from "../../domain/offsite/offsite_schema.ts";
import type { CameraFacts, EndedRun, EventRef } from "../../domain/notify/run_facts.ts";
import { groupOf, typeOf } from "../../domain/recordings/recording_name.ts";
import { isEvent } from "../../domain/retention/keep_times.ts";
import type { Run } from "../../domain/runs/run.ts";
import { runEnding } from "../../domain/runs/run_ending.ts";
import { runFailure } from "../../domain/runs/run_failure.ts";
import { runPath } from "../../domain/runs/run_id.ts";
import { withCamera } from "../../domain/settings/camera_address.ts";
import { MAIN_CAMERA } from "../../domain/settings/camera_key.ts";
import type { NamedCamera } from "../../domain/settings/more_cameras.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { asSentence } from "../../domain/text/format.ts";
import type { ZoneTime } from "../../domain/text/zone_time.ts";
import type { RecordingIndex } from "../../store/clips/recording_index.ts";
import type { RunHistory } from "../../store/config/run_history.ts";
import type { Asked } from "../../when_asked.ts";
import type { CameraSettings } from "../camera/camera_settings.ts";
import type { Checksums } from "../checksums/checksums.ts";
import type { KnownList } from "../listed/known_list.ts";
import { lastSeenAt, type SeenParts } from "../listed/last_seen.ts";
import type { PlaceNames } from "../places/place_names.ts";
import type { Planner } from "../plan/planner.ts";
import { shownPlan } from "../plan/shown_plan.ts";
import type { Visits } from "../plan/visits.ts";
import type { PendingDeletions } from "../retention/pending_deletions.ts";
import type { DiskUsageCache } from "../transfer/disk_space.ts";

/** A camera, as far as there may be something to tell of it. */
export interface LookedAt extends Omit<SeenParts, "history"> {
  readonly clock: Clock;
  readonly zone: ZoneTime;
  readonly camera: NamedCamera;
  readonly settings: { readonly current: Settings };
  readonly history: SeenParts["history"] & Pick<RunHistory, "notes" | "beside">;
  readonly planner: Asked<Pick<Planner, "plan">>;
  readonly listed: Pick<KnownList, "known">;
  readonly visits: Pick<Visits, "current">;
  readonly storage: Pick<DiskUsageCache, "read">;
  readonly deletions: Pick<PendingDeletions, "held">;
  readonly checksums: Pick<Checksums, "damaged">;
  /** Copies off-site, of all cameras together. */
  readonly offsite: { readonly state: Pick<OffsiteState, "state" | "problem"> };
  readonly cameraSettings: Pick<CameraSettings, "visits">;
  readonly segments: Pick<RecordingIndex, "find" | "telemetryFacts">;
  readonly placeNames: () => Promise<Pick<PlaceNames, "at">>;
}

/** The name that the first camera has before anyone names it. */
const UNNAMED = "Camera";

/** Collects what may be told of a camera. What cannot be known just now is left out. */
export async function look(of: LookedAt, run: EndedRun | null): Promise<CameraFacts> {
  const { clock, zone, camera, settings, listed } = of;
  const { events } = settings.current.notify;
  const if_ = async <T>(code: (typeof events)[number], ask: () => T | Promise<T>): Promise<T | null> => {
    if (!events.includes(code)) return null;
    try {
      return await ask();
    } catch {
      // A folder that is away, or a file that cannot be read: there is nothing to say about it now.
      return null;
    }
  };
  const plan = await if_("overwritten", async () =>
    shownPlan(await (await of.planner()).plan(), { now: clock.now(), zone }),
  );
  const disk = await if_("disk_nearly_full", async () => await of.storage.read());
  const held = await if_("held", async () => (await of.deletions.held())?.recordings ?? 0);
  const damaged = await if_("damaged", () => of.checksums.damaged.length);
  // One message is enough for all cameras.
  const offsite =
    camera.id === MAIN_CAMERA ? await if_("offsite_failed", () => offsiteFailure(of.offsite.state)) : null;
  const visits = await if_("settings_changed", () => of.cameraSettings.visits());
  const seen = settings.current.connection.address === "" ? null : lastSeenAt(of);
  const newest = visits?.at(-1);
  const waiting = listed.known?.waiting;
  return {
    now: clock.now(),
    camera: camera.id,
    name: camera.id === MAIN_CAMERA && camera.name === UNNAMED ? null : camera.name,
    zone,
    run,
    ...(plan &&
      plan.too_late !== null && {
        overwritten: { recordings: plan.too_late.recordings, sentence: plan.sentence },
      }),
    ...(seen !== null && { lastContact: seen * 1000 }),
    ...(disk !== null && {
      disk: { usedPercent: disk.usedRatio * 100, stopsAt: settings.current.retention.max_used_disk_percent },
    }),
    ...(held !== null && { held }),
    ...(damaged !== null && { damaged }),
    ...(offsite !== null && { offsite: offsite.failure }),
    ...(waiting !== undefined && { waiting }),
    ...(of.visits.current !== null && { visit: of.visits.current.from }),
    ...(visits !== null && { settings: { visit: newest?.id ?? 0, changes: newest?.changes.length ?? 0 } }),
  };
}

/** Returns why nothing is sent at all; a file that is refused alone is no such failure. */
function offsiteFailure({ state, problem }: Pick<OffsiteState, "state" | "problem">) {
  const isFailing = state === "problem" && problem !== null;
  return { failure: isFailing ? { since: Date.parse(problem.since), sentence: problem.sentence } : null };
}

/** Events whose force and place are looked up: messages name no more. */
const MOST_LOOKED_UP = 5;

/** Facts to tell of a run that has ended. */
export async function endedRun(
  run: Run,
  {
    history,
    camera,
    segments,
    settings,
    placeNames,
  }: Pick<LookedAt, "history" | "camera" | "segments" | "settings" | "placeNames">,
): Promise<EndedRun> {
  const notes = history.notes(run);
  const keys = new Set(notes.brought.map(groupOf).filter((key) => isEvent(typeOf(key))));
  const failure = runFailure(run, { inTrash: 0 });
  return {
    ending: runEnding(run),
    sentence: failure === null ? "" : asSentence(failure.sentence),
    path: withCamera(runPath(run), camera.id === MAIN_CAMERA ? null : camera.id),
    isDiskFull: !run.success && run.failures.disk > 0,
    recordings: run.counts?.videos ?? 0,
    events: await withFacts([...keys].sort(), segments, settings.current.places.in_messages ? placeNames : null),
    isFirst: history.beside(run).before === null,
    isDry: run.dryRun,
  };
}

/**
 * The events with the strongest force in the newest of them.
 * @param placeNames names where each was; null where messages are to tell no place
 */
async function withFacts(
  keys: readonly string[],
  segments: LookedAt["segments"],
  placeNames: LookedAt["placeNames"] | null,
): Promise<EventRef[]> {
  const asked = await Promise.all(keys.slice(-MOST_LOOKED_UP).map((key) => segments.find(key)));
  const here = asked.filter((one) => one !== null);
  const facts = await segments.telemetryFacts(here).catch(() => []);
  const known = new Map<string, Omit<EventRef, "key">>();
  for (const [at, { key }] of here.entries()) {
    const g = facts[at]?.strongest?.g ?? null;
    const fix = facts[at]?.runs?.[0]?.first;
    const place = placeNames !== null && fix ? await (await placeNames()).at(fix).catch(() => null) : null;
    known.set(key, { ...(g !== null && { g }), ...(place !== null && { place }) });
  }
  return keys.map((key) => ({ key, ...known.get(key) }));
}
