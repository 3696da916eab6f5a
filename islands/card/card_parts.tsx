/** @jsxImportSource preact */

import type { CardView, PartView } from "../../server/domain/card/card_view.ts";
import { ChangeButton } from "../parts/may_change.tsx";
import { State } from "../parts/state.tsx";

const GAP_PERCENT = 0.3;
/** Something to see also of one in a thousand. */
const LEAST_PERCENT = 0.6;

interface CardPartsProps {
  readonly view: Pick<CardView, "parts" | "bar" | "state" | "foot">;
  /** Waits again for what was given up. */
  readonly waitAgain: () => void;
  readonly isBusy: boolean;
}

/** The recordings on the card as a bar, and below it what each part of it means. */
export function CardPartsCell({ view: { parts, bar, state, foot }, waitAgain, isBusy }: CardPartsProps) {
  return (
    <section class="cell" aria-labelledby="on-card">
      <div class="cell-head">
        <h2 id="on-card">What is still on the card</h2>
        <State level={state.level} word={state.word} />
      </div>
      {parts.length === 0 ? (
        <p class="soft">Nothing is known of it yet.</p>
      ) : (
        <>
          <Bar parts={parts} label={bar} />
          <ul class="rows">
            {parts.map((part) => (
              <li key={part.name}>
                <svg class="key-sb" viewBox="0 0 20 12" aria-hidden="true">
                  <rect class={`sb-${part.look}`} x="1" y="1" width="18" height="10" rx="2" />
                </svg>
                <b>{part.name}</b>
                <span class="fig">
                  {part.count} {part.size !== "" && <small>{part.size}</small>}
                </span>
                {(part.says !== "" || part.link) && (
                  <span class="small">
                    {part.says} {part.link && <a href={part.link.href}>{part.link.label}</a>}
                  </span>
                )}
                {part.isGivenUp && (
                  <span class="small needs-script">
                    <ChangeButton class="text-b" type="button" aria-busy={isBusy || undefined} onClick={waitAgain}>
                      Wait for them again
                    </ChangeButton>
                  </span>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      {foot !== "" && <p class="cell-foot">{foot}</p>}
    </section>
  );
}

function Bar({ parts, label }: { readonly parts: readonly PartView[]; readonly label: string }) {
  const all = parts.reduce((sum, { count }) => sum + count, 0);
  const widths = parts.map(({ count }) => Math.max(LEAST_PERCENT, (100 * count) / all));
  const scale = 100 / widths.reduce((sum, width) => sum + width, 0);
  let from = 0;
  return (
    <svg class="stackbar" role="img" aria-label={label}>
      <defs>
        <pattern id="card-hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect class="hatch-ground" width="5" height="5" />
          <rect class="hatch-line" width="1.5" height="5" />
        </pattern>
      </defs>
      {parts.map(({ look, name }, at) => {
        const x = from;
        const width = (widths[at] ?? 0) * scale;
        from += width;
        return (
          <rect
            key={name}
            class={`sb-${look}`}
            x={`${(x + GAP_PERCENT / 2).toFixed(2)}%`}
            y="4"
            width={`${Math.max(0.1, width - GAP_PERCENT).toFixed(2)}%`}
            height="20"
            rx="3"
          />
        );
      })}
    </svg>
  );
}
