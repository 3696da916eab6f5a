/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { formatMoment } from "../../server/domain/text/format.ts";

interface TimeProps {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly zone: string;
  readonly children: ComponentChildren;
}

/** A time in whatever words, with the whole of it for machines and on hover. */
export function Time({ at, zone, children }: TimeProps) {
  return (
    <time datetime={new Date(at).toISOString()} title={formatMoment(at, zone)}>
      {children}
    </time>
  );
}
