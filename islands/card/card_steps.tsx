/** @jsxImportSource preact */

import type { CardView, KeysView } from "../../server/domain/card/card_view.ts";
import { counted } from "../../server/domain/text/format.ts";
import { ChangeButton } from "../parts/may_change.tsx";

interface CardStepsProps {
  readonly steps: NonNullable<CardView["steps"]>;
  readonly unreadable: KeysView;
  readonly giveUp: (clips: KeysView) => void;
  readonly isBusy: boolean;
}

/** Steps in order: to format the card, or until that may be. */
export function CardSteps({ steps: { title, items, foot }, unreadable, giveUp, isBusy }: CardStepsProps) {
  return (
    <section class="cell" aria-labelledby="card-steps">
      <div class="cell-head">
        <h2 id="card-steps">{title}</h2>
      </div>
      <ol class="steps-n">
        {items.map((item) => (
          <li key={item.title}>
            <div>
              <b>{item.title}</b>
              <p>
                {item.text} {item.link && <a href={item.link.href}>{item.link.label}</a>}
              </p>
              {item.givesUp && unreadable.keys.length > 0 && (
                <div class="row in-gap needs-script">
                  <ChangeButton
                    class="b"
                    type="button"
                    data-action="give-up"
                    aria-busy={isBusy || undefined}
                    onClick={() => giveUp(unreadable)}
                  >
                    Give {counted(unreadable.recordings, "recording")} up
                  </ChangeButton>
                </div>
              )}
            </div>
          </li>
        ))}
      </ol>
      {foot !== "" && <p class="cell-foot">{foot}</p>}
    </section>
  );
}
