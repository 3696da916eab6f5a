import type { ZoneTime } from "../text/zone_time.ts";
import type { ShownPlan } from "./plan_schema.ts";

/** A camera and its plan; null while it is not known what waits. */
export interface PlanOfCamera {
  readonly name: string;
  readonly plan: Pick<ShownPlan, "verdict" | "camera" | "sentence" | "next_visits" | "waiting"> | null;
}

/** Says of several cameras whether what waits comes home in time: first what does not. */
export function plansInWords(cameras: readonly PlanOfCamera[], { now, zone }: { now: number; zone: ZoneTime }): string {
  const isFine = ({ plan }: PlanOfCamera) => plan !== null && (plan.verdict === "safe" || plan.verdict === "in_time");
  const fine = cameras.filter(isFine);
  const others = cameras.filter((camera) => !isFine(camera));
  const told = others.map(
    ({ name, plan }) => `${name}: ${plan?.sentence ?? "not known while its folder is not available."}`,
  );
  if (fine.length === cameras.length && cameras.length > 1)
    told.push(cameras.length === 2 ? "Both are in time." : `All ${cameras.length} are in time.`);
  else if (fine.length > 0)
    told.push(`${fine.map(({ name }) => name).join(" and ")} ${fine.length === 1 ? "is" : "are"} in time.`);
  for (const { name, plan } of cameras) {
    const next = plan?.next_visits[0];
    if (next === undefined || plan === null || plan.camera === "here" || !plan.waiting.recordings) continue;
    told.push(`${name} is expected at home about ${zone.moment(Math.max(now, Date.parse(next.from)), now)}.`);
  }
  return told.join(" ");
}
