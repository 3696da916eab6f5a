import type { App } from "../app.ts";
import { keyIn } from "../domain/settings/camera_key.ts";
import { journeyOffsets } from "../domain/viewer/journey.ts";
import { JourneyClock } from "../domain/viewer/journey_clock.ts";
import { telemetrySteps } from "../domain/viewer/telemetry.ts";
import { TELEMETRY } from "../domain/viewer/viewer_schema.ts";
import type { Segment } from "../store/library/recording_files.ts";
import { inTurns } from "../turns.ts";
import { VERSION } from "../version.ts";
import { responseEndpoint } from "./endpoint.ts";
import { OF_RECORDING } from "./recording_keys.ts";
import { recordingNotFound } from "./viewer.ts";

type Parts = Pick<App, "camera" | "segments" | "viewed" | "settings" | "telemetry" | "prepared" | "zone">;

/** A clip with its length as far as it is known. */
type Timed = Segment & { readonly durationSeconds: number | null };

export const tripTelemetry = telemetryEndpoint({
  summary: "Where the car was and how it was accelerated, during the trip that a recording belongs to",
  chain: async (key, { viewed, settings }) =>
    (await viewed.trip(key, settings.current.viewer.trip_gap_minutes))?.trip.clips ?? [],
  offsets: (clips, { zone }) => {
    const clock = new JourneyClock(
      clips.map((clip) => ({ key: clip.key, duration_seconds: clip.durationSeconds })),
      zone,
    );
    return clips.map(({ key }) => clock.offsetOf(key) ?? 0);
  },
});

export const journeyTelemetry = telemetryEndpoint({
  summary: "Where the car was and how it was accelerated, in a recording and those that follow it without a gap",
  chain: (key, { viewed, settings }) => viewed.journey(key, settings.current.viewer.continuous_play),
  offsets: journeyOffsets,
});

interface Chain {
  readonly summary: string;
  /** The clips by time; empty when there is no clip with this key. */
  readonly chain: (key: string, app: Parts) => Promise<readonly Segment[]>;
  /** Start of each clip on the chain's clock. */
  readonly offsets: (clips: readonly Timed[], app: Parts) => readonly number[];
}

function telemetryEndpoint({ summary, chain, offsets }: Chain) {
  return responseEndpoint({
    summary,
    description: "Fewer samples than the files hold where these are many; extremes and gaps are kept.",
    params: OF_RECORDING,
    answers: {
      200: { description: "By time, with an ETag; compressed for clients that take gzip", schema: TELEMETRY },
      304: { description: "What you have is still right" },
    },
    async respond({ context, params: { key } }, app: Parts) {
      const found = await chain(key, app);
      if (found.length === 0) throw recordingNotFound(key);
      const [facts, stamps] = await Promise.all([app.segments.facts(found), app.telemetry.stamps(found)]);
      const clips = found.map((clip, at) => ({ ...clip, durationSeconds: facts[at]?.durationSeconds ?? null }));
      const begins = offsets(clips, app);
      const made = clips.map(({ key: clip, folder, durationSeconds }, at) => {
        const { gps, gsensor } = stamps[at] ?? {};
        const key = keyIn(app.camera.id, clip);
        return [key, folder, begins[at], durationSeconds, gps?.version, gsensor?.version].join(" ");
      });
      const version = new Bun.CryptoHasher("sha256")
        .update([VERSION, ...made].join("\n"))
        .digest("base64url")
        .slice(0, 22);
      return await app.prepared.json(context.request, version, async () => {
        const read = await app.telemetry.read(stamps);
        return await inTurns(
          telemetrySteps(
            clips.map((clip, at) => ({
              key: keyIn(app.camera.id, clip.key),
              durationSeconds: clip.durationSeconds,
              offsetSeconds: begins[at] ?? 0,
              track: read[at]?.track ?? null,
              force: read[at]?.force ?? null,
            })),
          ),
        );
      });
    },
  });
}
