/** @jsxImportSource preact */
import type { PlanPicture as Picture } from "../../server/domain/plan/plan_picture.ts";

/** Nearer to an end of the picture than this, in percent, a name of a day would reach its neighbour. */
const NEAR_NOW = 11;

/** The coming days: at home, needed, and from where on something is overwritten. */
export function PlanPicture({ picture, name }: { readonly picture: Picture; readonly name: string }) {
  const { days, home, need, overwritten } = picture;
  return (
    <svg class="pl" role="img" aria-label={name}>
      <line class="pl-day" x1="0" x2="100%" y1="100%" y2="100%" />
      {days.map(({ x }) => (
        <line key={x} class="pl-day" x1={percent(x)} x2={percent(x)} y1="0" y2="100%" />
      ))}
      {home.map(({ x, width }) => (
        <rect key={x} class="pl-home" x={percent(x)} y="35%" width={percent(width)} height="45%" rx="2" />
      ))}
      {need.map(({ x, width }) => (
        <rect key={x} class="pl-need" x={percent(x)} y="35%" width={percent(width)} height="45%" rx="2" />
      ))}
      {overwritten !== null && (
        <>
          <line class="pl-ow" x1={percent(overwritten)} x2={percent(overwritten)} y1="8%" y2="100%" />
          <svg x={percent(overwritten)} overflow="visible">
            <path class="pl-flag" d="M-4 0H4L7 3V9L4 12H-4L-7 9V3Z" />
            <path class="pl-x" d="M-2.5 3.5l5 5M2.5 3.5l-5 5" />
          </svg>
        </>
      )}
    </svg>
  );
}

/** The days below a picture. */
export function PlanAxis({ picture: { days } }: { readonly picture: Picture }) {
  return (
    <svg class="pl-axis" aria-hidden="true">
      <text y="12">Now</text>
      {days
        .filter(({ x }) => x > NEAR_NOW)
        .map(({ x, name }) => (
          <text key={x} {...(x > 96 ? { x: "100%", "text-anchor": "end" } : { x: percent(x) })} y="12">
            {name}
          </text>
        ))}
    </svg>
  );
}

/** Keys of the picture, beside its title. */
export function PlanKeys() {
  return (
    <ul class="keys">
      <li>
        <svg viewBox="0 0 20 10" aria-hidden="true">
          <rect class="pl-home" x="1" y="2" width="18" height="7" rx="2" />
        </svg>
        Usually at home
      </li>
      <li>
        <svg viewBox="0 0 20 10" aria-hidden="true">
          <rect class="pl-need" x="1" y="2" width="18" height="7" rx="2" />
        </svg>
        Time needed
      </li>
      <li>
        <svg viewBox="0 0 14 12" class="key-o" aria-hidden="true">
          <path class="pl-flag" d="M3 0H11L14 3V9L11 12H3L0 9V3Z" />
          <path class="pl-x" d="M4.5 3.5l5 5M9.5 3.5l-5 5" />
        </svg>
        Overwritten from here
      </li>
    </ul>
  );
}

function percent(value: number): string {
  return `${value.toFixed(2)}%`;
}
