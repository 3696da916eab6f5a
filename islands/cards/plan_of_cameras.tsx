/** @jsxImportSource preact */
import { pictureSpan, planPicture } from "../../server/domain/plan/plan_picture.ts";
import { plansInWords } from "../../server/domain/plan/plans_text.ts";
import type { PlanCardFacts } from "../../server/domain/status/card_data.ts";
import type { CardTime } from "../../server/domain/text/zone_time.ts";
import { Cell, type Polled } from "../parts/cell.tsx";
import { type PlateCamera, Whose } from "../parts/plate.tsx";
import { pictureInWords } from "./plan.tsx";
import { PlanAxis, PlanKeys, PlanPicture } from "./plan_picture.tsx";

interface PlanOfCamerasProps extends CardTime, Polled {
  readonly rows: readonly (Pick<PlanCardFacts, "plan" | "is_unknown"> & {
    readonly camera: PlateCamera & { readonly id: string };
  })[];
}

/** Will it be safe in time? The coming days of several cameras, a line for each. */
export function PlanOfCameras({ rows, now, zone, poll }: PlanOfCamerasProps) {
  const known = rows.filter(({ is_unknown: isUnknown }) => !isUnknown);
  const span = pictureSpan(
    known.map(({ plan }) => plan),
    now,
  );
  const drawn = known
    .map(({ camera, plan }) => ({ camera, plan, picture: planPicture(plan, { now, zone, span }) }))
    .filter(({ picture }) => picture.home.length > 0);
  const cameras = rows.map(({ camera, plan, is_unknown: isUnknown }) => ({
    name: camera.name,
    plan: isUnknown ? null : plan,
  }));
  const [first] = drawn;
  return (
    <Cell
      id="plan-card"
      title="Will it be safe in time?"
      class="fleet-plan"
      poll={poll}
      aside={first === undefined ? undefined : <PlanKeys />}
    >
      {first !== undefined && (
        <>
          <dl class="lanes">
            {drawn.map(({ camera, plan, picture }) => (
              <div key={camera.id}>
                <dt>
                  <Whose camera={camera} />
                </dt>
                <dd>
                  <PlanPicture picture={picture} name={pictureInWords(plan, { now, zone })} />
                </dd>
              </div>
            ))}
          </dl>
          <PlanAxis picture={first.picture} />
        </>
      )}
      <p class="small soft">{plansInWords(cameras, { now, zone })}</p>
      <p class="cell-foot">
        <a class="tx" href="/stats/coverage?camera=all">
          Was anything missed?
        </a>
      </p>
    </Cell>
  );
}
