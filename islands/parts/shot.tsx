/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { Icon } from "./icon.tsx";
import { lookOfType } from "./recording_type.tsx";

interface ShotProps {
  /** Address of the picture; null without one. */
  readonly thumb: string | null;
  /** Type letter. */
  readonly type: string;
  /** It is still on the camera. */
  readonly isAway?: boolean;
  /** Content over the picture. */
  readonly children?: ComponentChildren;
}

/** The small picture of a clip; where there is none, or it does not come, the sign of its kind. */
export function Shot({ thumb, type, isAway = false, children }: ShotProps) {
  const [look, icon] = lookOfType(type);
  return (
    <span class={`shot ${look}${isAway ? " is-away" : ""}`}>
      {/* Below the picture, which covers it. */}
      <Icon name={icon} class="i shot-kind" />
      {thumb !== null && <img src={thumb} alt="" width={88} height={50} loading="lazy" decoding="async" />}
      {children}
    </span>
  );
}
