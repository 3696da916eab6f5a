/** @jsxImportSource preact */
import type { HealthView, RateCurve, SignView } from "../../server/domain/card/health_view.ts";
import { Icon } from "../parts/icon.tsx";
import { State } from "../parts/state.tsx";

/** Signs that the card is dying, each with its figure and its limit. */
export function CardHealthCell({ health }: { readonly health: HealthView }) {
  const { level, word, sentence, from, signs, curve, foot } = health;
  return (
    <section class="cell span" aria-labelledby="card-health">
      <div class="cell-head">
        <h2 id="card-health">How the card is doing</h2>
        <State level={level} word={word} />
      </div>
      <p class="big">
        {sentence} <small>{from}</small>
      </p>
      {signs.length > 0 && (
        <ul class="signs">
          {signs.map((sign) => (
            <SignRow
              key={sign.sign}
              {...sign}
              curve={sign.sign === "falling_rate" && sign.level !== "fine" ? curve : null}
            />
          ))}
        </ul>
      )}
      {foot !== "" && <p class="cell-foot">{foot}</p>}
    </section>
  );
}

function SignRow({ sign, level, name, says, figure, unit, curve }: SignView & { readonly curve: RateCurve | null }) {
  return (
    <li class={`is-${level}`} data-sign={sign}>
      <Icon name={`s-${level}`} />
      <b>{name}</b>
      <span class="find">{says}</span>
      <span class="fig">
        <b>{figure}</b> {unit}
      </span>
      {curve && <Curve curve={curve} />}
    </li>
  );
}

function Curve({ curve: { points, limit, limitName, label, from, to } }: { readonly curve: RateCurve }) {
  return (
    <div class="signs-more">
      <svg class="spark" viewBox="0 0 1000 100" preserveAspectRatio="none" role="img" aria-label={label}>
        {limit !== null && <path class="lim2" d={`M0 ${limit}H1000`} />}
        <path class="l1" d={points} />
      </svg>
      <div class="scale">
        <span>{from}</span>
        <span>{to}</span>
      </div>
      <ul class="keys">
        <li>
          <svg viewBox="0 0 20 10" aria-hidden="true">
            <path class="l1" d="M0 5H20" />
          </svg>
          Rate
        </li>
        {limit !== null && (
          <li>
            <svg viewBox="0 0 20 10" aria-hidden="true">
              <path class="lim2" d="M0 5H20" />
            </svg>
            {limitName}
          </li>
        )}
      </ul>
    </div>
  );
}
