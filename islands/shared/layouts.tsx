/** @jsxImportSource preact */
import type { Signal } from "@preact/signals";
import { Icon, type IconName } from "../parts/icon.tsx";

/** One large above the others, all beside each other, all as a grid, or small ones in the large one. */
export type SharedLayout = "focus" | "side" | "grid" | "pip";

const LOOKS: readonly { readonly kind: SharedLayout; readonly name: string; readonly icon: IconName }[] = [
  { kind: "focus", name: "One large", icon: "i-focus" },
  { kind: "side", name: "Side by side", icon: "i-side" },
  { kind: "grid", name: "Grid", icon: "i-grid" },
  { kind: "pip", name: "Picture in picture", icon: "i-pip" },
];

/** Two beside each other are a grid already. */
const LEAST_OF_GRID = 3;

/** True when one camera is larger than the others. */
export function hasLarge(kind: SharedLayout): boolean {
  return kind === "focus" || kind === "pip";
}

/** Buttons for the layout of several cameras. */
export function Layouts({ kind, cameras }: { readonly kind: Signal<SharedLayout>; readonly cameras: number }) {
  return (
    <div class="seg" role="group" aria-label="Layout">
      {LOOKS.filter((look) => look.kind !== "grid" || cameras >= LEAST_OF_GRID).map((look) => (
        <button
          key={look.kind}
          type="button"
          aria-pressed={kind.value === look.kind}
          aria-label={look.name}
          title={look.name}
          onClick={() => {
            kind.value = look.kind;
          }}
        >
          <Icon name={look.icon} />
        </button>
      ))}
    </div>
  );
}
