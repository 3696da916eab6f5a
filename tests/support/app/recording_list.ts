import { RecordingList } from "../../../islands/viewer/list/recording_list.ts";
import { NO_FILTER } from "../../../server/domain/viewer/list_filter.ts";
import type { ViewerRecording } from "../../../server/domain/viewer/viewer_schema.ts";

export function recording(key: string, changes: Partial<ViewerRecording> = {}): ViewerRecording {
  return {
    base_filename: key.slice(0, 15),
    type: key.slice(16),
    datetime: "",
    directions: ["F"],
    has_gps: false,
    has_3gf: false,
    has_thm: false,
    videos: { F: `/media/${key}F.mp4` },
    thumb: null,
    size_bytes: 100,
    duration_seconds: 60,
    codecs: null,
    kept: null,
    kept_with: null,
    stills: [],
    strongest: null,
    coming: null,
    ...changes,
  };
}

export const KEYS = ["20260607_101800_N", "20260607_101700_E", "20260607_101600_N", "20260607_101500_P"] as const;
export const OLDER = ["20260606_235900_N", "20260606_235800_N"] as const;

/** Two days, both read and open. */
export function filled(): RecordingList {
  const list = new RecordingList({
    days: [
      { date: "2026-06-07", count: 4 },
      { date: "2026-06-06", count: 2 },
    ],
    day: { date: "2026-06-07", recordings: KEYS.map((key) => recording(key)), trips: null },
    filter: NO_FILTER,
  });
  const older = { recordings: OLDER.map((key) => recording(key)), trips: null, isComing: false, problem: null };
  list.states.value = { ...list.states.value, "2026-06-06": older };
  list.openDay("2026-06-06");
  return list;
}
