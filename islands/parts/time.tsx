/** @jsxImportSource preact */

import type { ComponentChildren } from "preact";
import type { ZoneTime } from "../../server/domain/text/zone_time.ts";

interface TimeProps {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly zone: ZoneTime;
  readonly children: ComponentChildren;
}

/** A time in whatever words, with the whole of it for machines and on hover. */
export function Time({ at, zone, children }: TimeProps) {
  return (
    <time datetime={new Date(at).toISOString()} title={zone.whole(at)}>
      {children}
    </time>
  );
}
