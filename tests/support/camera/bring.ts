import { systemClock } from "../../../server/clock.ts";
import { openCamera } from "../../../server/dashcam/camera.ts";
import { parseRecording } from "../../../server/domain/recordings/recording_name.ts";
import type { PlannedFile } from "../../../server/domain/sync/download_plan.ts";
import { DiskReservations } from "../../../server/engine/transfer/disk_reservations.ts";
import { download } from "../../../server/engine/transfer/download.ts";
import type { Outcome } from "../../../server/engine/transfer/transfer_outcome.ts";
import { Log } from "../../../server/log.ts";
import { Destination } from "../../../server/store/destination/destination.ts";
import { PartialRecords } from "../../../server/store/destination/partial_records.ts";
import { Library } from "../../../server/store/library/library.ts";
import type { SyncBench } from "../app/sync.ts";

export interface Attempt {
  kind?: PlannedFile["kind"];
  newest?: boolean;
  /** Epoch milliseconds; now when left out. */
  now?: number;
  room?: number;
  maxVideoBytes?: number;
  signal?: AbortSignal;
  address?: string;
}

/** Brings one file of a recording home with `download()` itself, and tells what it was heard to do. */
export async function bring(bench: SyncBench, video: string, attempt: Attempt = {}) {
  const { kind = "mp4", newest = false, room = Number.MAX_SAFE_INTEGER } = attempt;
  const recording = parseRecording(video);
  if (!recording) throw new Error(`${video} is no recording`);
  bench.put(".keep", "");
  const root = bench.destination;
  const library = new Library({ root, clock: systemClock, log: new Log(systemClock) });
  const recordings = new Destination({ root, library, clock: systemClock });
  const reservations = new DiskReservations().begin();
  const heard: { opened: [number, number | null][]; bytes: number } = { opened: [], bytes: 0 };
  const names = recording.namesOf(kind);
  const [first = video, ...rest] = names;
  const work = download(
    {
      dashcam: openCamera(
        { address: attempt.address ?? bench.simulator.address, timeoutMs: 8000, silenceMs: 8000 },
        bench.simulator.generation,
      ),
      recordings,
      records: new PartialRecords(root),
      clock: { ...systemClock, now: () => attempt.now ?? Date.now() },
      link: { bytesPerSecond: Number.POSITIVE_INFINITY },
      async reserve(least, most = least) {
        const left = room - heard.bytes;
        const bytes = Math.max(0, Math.min(most, Math.max(least, left)));
        return { room: left, reservation: least > left ? null : reservations.reserve(bytes) };
      },
      roomFreed: () => {
        heard.bytes = 0;
      },
      maxVideoBytes: attempt.maxVideoBytes ?? Number.MAX_SAFE_INTEGER,
      listener: {
        opened: (offset, total) => heard.opened.push([offset, total]),
        chunk: (bytes) => {
          heard.bytes += bytes;
        },
      },
    },
    { recording, kind, names: [first, ...rest], folder: "", newest },
    attempt.signal ?? new AbortController().signal,
  );
  const outcome = await work.catch((error: unknown): Outcome | { thrown: unknown } => ({ thrown: error }));
  return { heard, outcome: "kind" in outcome ? await finished(outcome, recordings) : outcome };
}

/** Gives a file that was received its final name, as a sync does. */
async function finished(outcome: Outcome, recordings: Destination) {
  if (outcome.kind !== "received") return outcome;
  await recordings.finish(await outcome.partial(), "");
  return { kind: "completed", name: outcome.name, size: outcome.size };
}
