import type { Clock } from "../clock.ts";
import type { Snapshot } from "../domain/sync/job_progress.ts";
import { ImportTally } from "../engine/import/import_tally.ts";
import { type ImportOrder, type ImportResult, importEnding, runImport } from "../engine/import/run_import.ts";
import { openRetention } from "../engine/retention/retention_parts.ts";
import { DiskReservations } from "../engine/transfer/disk_reservations.ts";
import { ProgressReport } from "../engine/transfer/progress_report.ts";
import type { Log } from "../log.ts";
import { Destination } from "../store/destination/destination.ts";
import { DestinationIdentity } from "../store/destination/destination_identity.ts";
import { lockHolder } from "../store/destination/destination_lock.ts";
import { FailureMarkers } from "../store/destination/failure_markers.ts";
import { PartialRecords } from "../store/destination/partial_records.ts";
import { Library } from "../store/library/library.ts";
import type { Topic } from "../topic.ts";
import { Turns } from "../turns.ts";
import { checksumsOfCommand, finishChecksums } from "./command_checksums.ts";

interface OnceTools {
  readonly destination: string;
  /** The first camera when left out. */
  readonly cameraId?: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly topic: Topic<Snapshot>;
  readonly signal: AbortSignal;
}

/** One import without the service: opens what it needs, runs, publishes the end. Never throws. */
export async function importOnce(order: ImportOrder, tools: OnceTools): Promise<ImportResult> {
  const { destination: root, clock, log, topic, signal } = tools;
  const library = new Library({ root, clock, log, homes: () => order.homes });
  const identity = DestinationIdentity.withoutMemory({ root, library, log });
  const checksums = checksumsOfCommand({ root, clock, log, library, identity, camera: tools.cameraId });
  const place = { root, library, identity, clock, log, command: "import" };
  const began = clock.elapsed();
  const report = new ProgressReport({
    jobId: crypto.getRandomValues(new Uint8Array(16)).toHex(),
    bootId: topic.value.boot_id,
    topic,
    clock,
  });
  const parts = {
    clock,
    log,
    library,
    recordings: new Destination({ ...place, came: (...file) => checksums.noteCame(...file) }),
    markers: new FailureMarkers({ library, clock, log, place: identity }),
    records: new PartialRecords(root, identity),
    retention: openRetention(place, { consent: null, receipts: null, isOnCamera: () => null }),
    requested: null,
    report,
    holder: lockHolder("import", clock),
    tally: new ImportTally(),
    turns: new Turns(1),
    reservations: new DiskReservations(),
  };
  const result = await runImport(parts, order, signal);
  report.finish(result.failure, importEnding(result));
  if (!order.rules.dryRun) await finishChecksums(checksums, (clock.elapsed() - began) / 1000, signal);
  return result;
}
