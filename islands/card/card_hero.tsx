/** @jsxImportSource preact */

import type { CardView } from "../../server/domain/card/card_view.ts";
import { Icon } from "../parts/icon.tsx";
import { ChangeButton } from "../parts/may_change.tsx";
import { Reading } from "../parts/reading.tsx";

interface CardHeroProps {
  readonly view: Pick<CardView, "level" | "sentence" | "says" | "readings" | "action">;
  readonly isBusy: boolean;
  readonly sync?: () => void;
}

/** The sentence that says whether the card may be formatted, and its figures. */
export function CardHero({ view: { level, sentence, says, readings, action }, isBusy, sync }: CardHeroProps) {
  return (
    <section class={`hero is-${level}`} aria-label="The card">
      <div class="hero-head">
        <Icon name={`s-${level}`} />
        <p class="sentence">{sentence}</p>
        {says !== "" && <p>{says}</p>}
        {action && (
          <div class="hero-do">
            {action.kind === "go" ? (
              <a class="b" href={action.href}>
                {action.label}
              </a>
            ) : (
              <ChangeButton
                class={action.kind === "bring" ? "b b-primary needs-script" : "b needs-script"}
                type="button"
                data-action="sync"
                aria-busy={isBusy || undefined}
                onClick={sync}
              >
                <Icon name="i-sync" />
                {action.label}
              </ChangeButton>
            )}
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
