import { directionRank, typeRank } from "../recordings/recording_codes.ts";
import type { RecordingName } from "../recordings/recording_name.ts";
import type { Priority } from "../settings/sections/sync.ts";

/** Orders two recordings: negative when the first of them comes first. */
export function inOrder(priority: Priority, a: RecordingName, b: RecordingName): number {
  const byTime = a.base < b.base ? -1 : a.base > b.base ? 1 : 0;
  const byDirection = directionRank(a.direction) - directionRank(b.direction);
  switch (priority) {
    case "date":
      return byTime || byDirection;
    case "rdate":
      return -byTime || byDirection;
    case "type":
      return typeRank(a.type) - typeRank(b.type) || byTime || byDirection;
  }
}
