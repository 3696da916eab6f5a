import type { OverviewPlan } from "../plan/plan_schema.ts";
import { counted, formatRoughly, formatSeconds } from "../text/format.ts";
import type { CardTime } from "../text/zone_time.ts";
import type { Summary } from "./overview.ts";

/**
 * Says to a user who stands beside the car how long it has to stay; null when nothing waits, or that is not known.
 * @param plan of a camera that brings recordings home now
 */
export function whileHere(plan: OverviewPlan, { now, zone }: CardTime): Summary | null {
  const { camera, at_risk: risk, waiting, overwritten_from: from, sentence } = plan;
  if (camera !== "here" || risk === null || !waiting.recordings) return null;
  if (risk.recordings > 0) {
    if (risk.seconds === null) return null;
    const are = risk.recordings === 1 ? "is" : "are";
    const detail = `Leave the camera on until then. ${counted(risk.recordings, "recording")} ${are} the next to be overwritten.`;
    return { mood: "busy", sentence, detail };
  }
  const [come, they, are] = waiting.recordings === 1 ? ["comes", "It", "is"] : ["come", "They", "are"];
  const until = from === null ? "" : ` before ${zone.day(Date.parse(from), now)}`;
  const detail = `${counted(waiting.recordings, "recording")} still ${come}. ${they} ${are} not overwritten${until}, and ${come} at the next visit if you leave now.`;
  return { mood: "fine", sentence, detail };
}

/**
 * Says whether what waits on a camera that is away comes home in time; null while that is not known.
 * @param what waits, such as `94 recordings`
 */
export function whileAway(plan: OverviewPlan, what: string, { now, zone }: CardTime): Summary | null {
  const { verdict, camera, needs_seconds: needs, usual_stay_seconds: stay, overwritten_from: from } = plan;
  if (camera === "here" || needs === null) return null;
  const first = from === null || Date.parse(from) <= now ? "" : ` about ${zone.moment(Date.parse(from), now)}`;
  const [wait, they] = plan.waiting.recordings === 1 ? ["waits", "It needs"] : ["wait", "They need"];
  const time = `${they} ${formatSeconds(needs)} of Wi-Fi`;
  switch (verdict) {
    case "in_time": {
      const usually = stay === null ? "" : `, and the car usually stays ${formatRoughly(stay)}`;
      const until = from === null ? "" : `; nothing is overwritten before ${zone.day(Date.parse(from), now)}`;
      const all = plan.waiting.recordings === 1 ? "" : "all ";
      const sentence = `The camera is away. ${what} ${wait} on it, ${all}in time.`;
      return { mood: "waiting", sentence, detail: `${time}${usually}${until}.` };
    }
    case "tight": {
      const sentence = `The camera is away. ${what} ${wait} on it, and time is short.`;
      return {
        mood: "attention",
        sentence,
        detail: `${time}, most of what is usual before the first is overwritten${first}.`,
      };
    }
    case "too_late": {
      const lost = plan.too_late?.recordings ?? 0;
      const words =
        lost > 0 ? `About ${counted(lost, "recording")} may be lost` : `${what} ${wait}, too many for the time`;
      const when = first === "" ? "" : ` The first is overwritten${first}.`;
      return {
        mood: "attention",
        sentence: `The camera is away. ${words}.`,
        detail: `${what} ${wait} on it. ${time}.${when}`,
      };
    }
    case "safe":
    case "unknown":
      return null;
  }
}
