/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";

interface GaugeProps {
  /** 0..100; null while it is unknown how much there is to do. */
  readonly value: number | null;
  readonly name: string;
  readonly from: ComponentChildren;
  readonly to: ComponentChildren;
}

/** A long bar with words below both of its ends. */
export function Gauge({ value, name, from, to }: GaugeProps) {
  return (
    <div>
      <progress class="gauge" {...(value !== null && { max: 100, value })} aria-label={name} />
      <div class="scale">
        <span>{from}</span>
        <span>{to}</span>
      </div>
    </div>
  );
}
