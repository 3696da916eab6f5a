import { benchArchive, benchPack } from "./archive.ts";
import { benchArrival } from "./arrival.ts";
import { benchEndurance } from "./endurance.ts";
import { load } from "./load.ts";
import { benchLongBodies } from "./long_bodies.ts";
import { benchMedia } from "./media_ranges.ts";
import { benchDashboard } from "./pages.ts";
import type { Part } from "./part.ts";
import { benchExecutable, benchStart, benchStreams, fillLibrary, openService } from "./service.ts";
import { openStage } from "./stage.ts";
import { benchStatsSeries } from "./stats_series.ts";
import { benchTripTelemetry } from "./trip_telemetry.ts";
import { benchViewerIndex } from "./viewer_index.ts";

const whole = (value: number) => Math.round(value).toLocaleString("en").replaceAll(",", "\u202f");
const one = (value: number) => value.toFixed(1);

/** Answers of the service, and their costs. */
export const SERVICE_PARTS: readonly Part[] = [
  {
    name: "start",
    async measure(add, rounds) {
      const { bare, fresh, again, ready, source, built } = await benchStart(Math.max(rounds, 9), 60);
      for (const [folder, { startMs, ratio }] of [["a new", fresh] as const, ["its own", again] as const])
        add(
          `start to the first /healthz, from source in ${folder} config folder: against a bare listener`,
          `${one(ratio)} × (${whole(startMs)} ms, bare ${whole(bare.startMs)} ms)`,
          "≤ 120 ms",
        );
      add(
        "start until everything is open, from source: against a bare listener",
        `${one(ready.ratio)} × (${whole(ready.startMs)} ms)`,
        "–",
      );
      for (const [what, megabytes] of [["from source", source] as const, ["the executable", built] as const])
        add(
          `memory after a minute of nothing, ${what}: against a bare listener`,
          `${one(megabytes / bare.megabytes)} × (${one(megabytes)} MB, bare ${one(bare.megabytes)} MB)`,
          "≤ 60 MB",
        );
    },
  },
  {
    name: "executable",
    async measure(add) {
      const { bare, own } = await benchExecutable(60);
      add(
        "size of the executable: against an empty one",
        `${(own.megabytes / bare.megabytes).toFixed(2)} × (${one(own.megabytes)} MB, empty ${one(bare.megabytes)} MB)`,
        "≤ 1.2 ×",
      );
      add(
        "its memory after a minute of nothing: against an empty one that answers",
        `${one(own.memory / bare.memory)} × (${one(own.memory)} MB, empty ${one(bare.memory)} MB)`,
        "≤ 60 MB",
      );
    },
  },
  {
    name: "arrival",
    async measure(add, rounds) {
      for (const generation of ["legacy", "v1009"] as const)
        add(
          `the camera arrives with 60 moments of two cameras, at 5 MB/s (${generation}): its drives are on the map after`,
          `${one(await benchArrival(generation, rounds))} s`,
          "≤ 5 s",
        );
    },
  },
  {
    name: "load",
    async measure(add) {
      await using stage = await openStage({ moments: 1, directions: ["F"], videoBytes: 1000, companionBytes: 10 });
      await using service = await openService(stage, "load");
      const progress = await load(`${service.url}/api/sync/progress`, { connections: 4, requests: 100_000 });
      add(
        "/api/sync/progress, 4 connections",
        `${whole(progress.perSecond)} /s, p99 ${one(progress.p99)} ms`,
        "≥ 15 000 /s, p99 ≤ 3 ms",
      );
      fillLibrary(stage, "load", 100_000);
      for (const path of ["/api/recordings/recent", "/api/health/storage"]) {
        await (await fetch(service.url + path)).text();
        // The folders were just written: they are looked at once more when their times can be trusted.
        await Bun.sleep(3000);
        await (await fetch(service.url + path)).text();
        const { perSecond } = await load(service.url + path, { connections: 4, requests: 20_000 });
        add(`${path}, 100,000 recordings, nothing changed`, `${whole(perSecond)} /s`, "≥ 2 000 /s");
      }
    },
  },
  {
    name: "dashboard",
    async measure(add) {
      const dashboard = await benchDashboard(20_000);
      add(
        "the dashboard with 20,000 recordings, 2 connections",
        `${whole(dashboard.perSecond)} /s, p50 ${one(dashboard.p50)} ms, p99 ${one(dashboard.p99)} ms, ${one(dashboard.kilobytes)} kB`,
        "≥ 500 /s, ≤ 10 ms, < 60 kB",
      );
    },
  },
  {
    name: "stats",
    async measure(add) {
      for (const runs of [35_000, 350_000]) {
        const { medianMs, kilobytes, worstDelayMs } = await benchStatsSeries(runs);
        add(
          `/api/stats/series?range=all, ${whole(runs)} runs: answer / body / event loop away`,
          `${whole(medianMs)} ms / ${whole(kilobytes)} kB / ${whole(worstDelayMs)} ms`,
          `≤ ${runs === 35_000 ? 100 : 300} ms / ≤ 500 kB / ≤ 50 ms`,
        );
      }
    },
  },
  {
    name: "streams",
    async measure(add) {
      const quiet = await benchStreams(0);
      const busy = await benchStreams(16);
      add(
        "16 progress streams in ten seconds of a sync at 20 MB/s: processor time on top",
        `${(busy.cpuSeconds - quiet.cpuSeconds).toFixed(2)} s (of ${busy.cpuSeconds.toFixed(2)} s); the 17th: ${busy.seventeenth}`,
        "≤ 0.1 s; 503",
      );
    },
  },
  {
    name: "viewer",
    async measure(add) {
      const viewer = await benchViewerIndex(20_000, true);
      add(
        "viewer, 20,000 moments: cold index / warm days / warm day",
        `${whole(viewer.coldMs)} / ${one(viewer.daysMs)} / ${one(viewer.dayMs)} ms`,
        "< 1 000 / < 5 / < 5 ms",
      );
      add(
        "the same with 5,000 more on the camera: days right after the camera's list changed / warm day",
        `${one(viewer.comingMs)} / ${one(viewer.comingDayMs)} ms`,
        "< 20 / < 5 ms",
      );
      const large = await benchViewerIndex(100_000, true);
      add(
        "viewer, 100,000 clips in 500,000 files: cold index / warm days / warm day",
        `${whole(large.coldMs)} / ${one(large.daysMs)} / ${one(large.dayMs)} ms`,
        "< 4 000 / < 5 / < 5 ms",
      );
      add(
        "the same: trips of a day of 400 clips / calendar and counts of all days / days under a filter",
        `${one(large.tripsMs)} / ${one(large.calendarMs)} / ${one(large.filteredMs)} ms`,
        "< 20 ms",
      );
    },
  },
  {
    name: "telemetry",
    async measure(add) {
      const { coldMs, firstMs, warmMs, unchangedMs, kilobytes, awayMs } = await benchTripTelemetry();
      add(
        "telemetry of a trip of an hour (3,600 fixes, 36,000 samples): cold / warm / compressed",
        `${whole(coldMs)} / ${one(warmMs)} ms / ${whole(kilobytes)} kB`,
        "< 60 / < 5 ms / < 150 kB",
      );
      add(
        "the same: the very first after a start / unchanged / event loop away",
        `${whole(firstMs)} / ${one(unchangedMs)} / ${one(awayMs)} ms`,
        "≤ 20 ms away",
      );
    },
  },
  {
    name: "media",
    async measure(add, rounds) {
      const media = await benchMedia(rounds);
      if (media) {
        add("/media against nginx with sendfile: whole 1 GB file", `${media.whole.toFixed(2)} ×`, "≥ 1.0 ×");
        add("the same: 64 KiB ranges, 4 connections", `${media.small.toFixed(2)} ×`, "≥ 1.0 ×");
        add("the same: 1 MiB ranges", `${media.large.toFixed(2)} ×`, "≥ 0.7 ×");
      } else add("/media against nginx", "not measured: nginx is not installed here", "");
    },
  },
  {
    name: "archive",
    async measure(add, rounds) {
      const archive = await benchArchive(rounds);
      if (archive)
        add(
          "a trip of 4 GB as one archive against `cat` of its files to a socket; memory on top",
          `${archive.speed.toFixed(2)} × (${whole(archive.megabytesPerSecond)} MB/s); ${whole(archive.megabytesOnTop)} MB`,
          "≥ 0.8 ×; < 30 MB",
        );
      else add("a trip as one archive against `cat`", "not measured: python3 is not installed here", "");
    },
  },
  {
    name: "pack",
    async measure(add, rounds) {
      const work = "a pack of 2 GB, checksums known, against `cat` of its files to a socket";
      const pack = await benchPack(rounds);
      if (pack)
        add(
          `${work}; first byte; memory on top`,
          `${pack.speed.toFixed(2)} × (${whole(pack.megabytesPerSecond)} MB/s); ${whole(pack.firstByteMs)} ms; ${whole(pack.megabytesOnTop)} MB`,
          "≥ 0.5 ×; ≤ 300 ms; < 30 MB",
        );
      else add(work, "not measured: python3 is not installed here", "");
    },
  },
  {
    name: "bodies",
    async measure(add) {
      const { ms, by } = await benchLongBodies();
      add(`bodies of up to 1 MiB to every route: everybody else waits, worst by ${by}`, `${whole(ms)} ms`, "< 50 ms");
    },
  },
  {
    name: "endurance",
    async measure(add) {
      const { warm, end } = await benchEndurance(30_000);
      add(
        "30,000 syncs of nothing: memory and descriptors after a tenth → at the end",
        `${whole(warm.megabytes)} → ${whole(end.megabytes)} MB, ${warm.descriptors} → ${end.descriptors}`,
        "flat",
      );
    },
  },
  {
    name: "playing",
    async measure(add) {
      // Last, and loaded only now: what drives a browser has so large a heap that collecting it would stand in the rows
      // of what is measured within this process.
      const { benchPlaying } = await import("./viewer_playing.ts");
      const { clickMs, seekMs, ...played } = await benchPlaying(300);
      const { handOverMs, withinMs, clips, seconds, worstOffsetMs, longTasks } = played;
      add(
        "viewer in Chromium: click on a clip / seek into another clip of the trip, to the picture",
        `${whole(clickMs)} / ${whole(seekMs)} ms`,
        "< 300 / < 200 ms",
      );
      add(
        `two cameras for ${seconds} s over ${clips} ends of clips: worst offset / longest at one picture there / tasks over 50 ms`,
        `${whole(worstOffsetMs)} ms / ${whole(handOverMs)} ms (within clips ${whole(withinMs)}) / ${longTasks}`,
        "≤ 40 / ≤ 80 ms / none",
      );
    },
  },
];
