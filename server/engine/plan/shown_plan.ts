import type { OverviewPlan, ShownPlan, ShownVisit } from "../../domain/plan/plan_schema.ts";
import { backlogSentence, planSentence, slowWifiSentence } from "../../domain/plan/plan_text.ts";
import type { Visit } from "../../domain/plan/visit.ts";
import type { ZoneTime } from "../../domain/text/zone_time.ts";
import type { KnownPlan } from "./planner.ts";

/** The plan as answers and pages have it. */
export function shownPlan(known: KnownPlan, { now, zone }: { now: number; zone: ZoneTime }): ShownPlan {
  const { slowWifi, backlog } = known;
  return {
    verdict: known.verdict,
    camera: known.camera,
    waiting: { ...known.waiting, oldest: isoOrNull(known.waiting.oldest) },
    needs_seconds: known.needsSeconds,
    rate: known.rate,
    usual_stay_seconds: known.usualStaySeconds,
    overwritten_from: isoOrNull(known.overwrittenFrom),
    visits_before: known.visitsBefore,
    next_visits: known.nextVisits.map(({ from, to }) => ({ from: isoOf(from), to: isoOf(to) })),
    all_at_risk_safe: known.isAllAtRiskSafe,
    safe_since: isoOrNull(known.safeSince),
    sentence: planSentence({ ...known, now }, zone),
    at_risk: known.atRisk,
    too_late: known.tooLate && {
      ...known.tooLate,
      bytes: known.tooLate.bytes === null ? null : Math.round(known.tooLate.bytes),
    },
    smart_gain: known.smartGain,
    visits_known: known.visitsKnown,
    visit: known.visit && shownVisit(known.visit),
    slow_wifi: slowWifi && {
      rate: slowWifi.rate,
      best_rate: slowWifi.bestRate,
      best_at: isoOf(slowWifi.bestAt),
      sentence: slowWifiSentence(slowWifi, now, zone),
    },
    backlog: backlog && {
      recorded_per_day: backlog.recordedPerDay,
      home_per_day: backlog.homePerDay,
      parking_per_day: backlog.parkingPerDay,
      sentence: backlogSentence(backlog),
    },
  };
}

/** The parts of it that the overview has. */
export function overviewPlan(known: KnownPlan, at: { now: number; zone: ZoneTime }): OverviewPlan {
  const { verdict, camera, waiting, needs_seconds, usual_stay_seconds, overwritten_from, ...plan } = shownPlan(
    known,
    at,
  );
  const { all_at_risk_safe, safe_since, sentence, at_risk, too_late, visit } = plan;
  const about = { verdict, camera, waiting, needs_seconds, usual_stay_seconds, overwritten_from };
  const next_visit = plan.next_visits[0] ?? null;
  return { ...about, all_at_risk_safe, safe_since, sentence, at_risk, too_late, visit, next_visit };
}

export function shownVisit({ from, to, ...rest }: Visit): ShownVisit {
  return { from: isoOf(from), to: isoOrNull(to), ...rest };
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}

function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : isoOf(ms);
}
