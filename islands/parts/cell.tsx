/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";

/** Address of a card's next state, and the seconds between two requests. */
export interface Poll {
  readonly path: string;
  /** Seconds. */
  readonly every: number;
}

/** Polling of a card; absent when its island keeps it up to date. */
export interface Polled {
  readonly poll?: Poll | undefined;
}

interface CellProps extends Polled {
  /** The last part of the fragment's path. */
  readonly id: string;
  readonly title: ComponentChildren;
  /** Content beside the title, such as the state. */
  readonly aside?: ComponentChildren;
  /** The shown state is not known yet: ask at once and not only after the usual time. */
  readonly soon?: boolean;
  readonly class?: string;
  readonly hidden?: boolean;
  readonly children: ComponentChildren;
}

/** The outside of every card: one element, the same in the page and as a fragment. */
export function Cell({ id, title, aside, poll, soon = false, class: more = "", hidden, children }: CellProps) {
  const polled = poll && { "data-poll": poll.path, "data-every": poll.every, ...(soon && { "data-soon": "" }) };
  return (
    <section class={`cell ${more}`.trim()} id={id} hidden={hidden} aria-labelledby={`${id}-title`} {...polled}>
      <div class="cell-head">
        <h2 id={`${id}-title`}>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}
