/** @jsxImportSource preact */
import type { CoverageView } from "../../server/domain/coverage/coverage_view.ts";
import { Icon } from "../parts/icon.tsx";
import { Reading } from "../parts/reading.tsx";
import type { CoverageProps } from "./coverage_props.ts";

interface CoverageHeroProps {
  readonly view: CoverageView;
  readonly action?: CoverageProps["action"];
}

/** The sentence that says whether something was lost, and its figures. */
export function CoverageHero({ view: { level, sentence, says, readings }, action = null }: CoverageHeroProps) {
  return (
    <section class={`hero is-${level}`} aria-label="Coverage">
      <div class="hero-head">
        <Icon name={`s-${level}`} />
        <p class="sentence">{sentence}</p>
        {says !== "" && <p>{says}</p>}
        {action && (
          <div class="hero-do">
            <a class="b b-primary" href={action.href}>
              {action.label}
            </a>
          </div>
        )}
      </div>
      {readings.length > 0 && (
        <dl class="readings">
          {readings.map(({ name, figure, unit }) => (
            <Reading key={name} name={name}>
              {figure} <small>{unit}</small>
            </Reading>
          ))}
        </dl>
      )}
    </section>
  );
}
