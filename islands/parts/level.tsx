/** @jsxImportSource preact */
import type { StatusLevel } from "../../server/domain/answers/status_level.ts";

interface LevelProps {
  readonly level: StatusLevel;
  /** 0..100 */
  readonly value: number;
  /** Position of the line, 0..100. */
  readonly mark: number;
  /** The whole in words. */
  readonly name: string;
}

/** A bar with a threshold. Positions are attributes: the content policy allows no inline styles. */
export function Level({ level, value, mark, name }: LevelProps) {
  return (
    <div
      role="meter"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={value}
      aria-label={name}
      class={`is-${level}`}
    >
      <svg class="level" aria-hidden="true">
        <rect class="track" x="0" y="6" width="100%" height="12" rx="6" />
        <svg y="6" width="100%" height="12">
          <rect class="fill" x="0" width={`${value}%`} height="12" rx="6" />
        </svg>
        <line class="mark" x1={`${mark}%`} x2={`${mark}%`} y1="1" y2="23" />
      </svg>
    </div>
  );
}
