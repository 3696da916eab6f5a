/** @jsxImportSource preact */
import { Icon, type IconName } from "../../parts/icon.tsx";
import { LAYOUTS, type Layout, type StageLayout } from "./stage_layout.ts";

const LOOKS: Readonly<Record<Layout, { readonly name: string; readonly icon: IconName }>> = {
  strip: { name: "One large, the others beside the map", icon: "i-focus" },
  side: { name: "Side by side", icon: "i-side" },
  grid: { name: "Grid", icon: "i-grid" },
  pip: { name: "Picture in picture", icon: "i-pip" },
};

/** Buttons for the layout of the cameras. */
export function LayoutButtons({ layout }: { readonly layout: StageLayout }) {
  return (
    <div class="seg" role="group" aria-label="Layout">
      {LAYOUTS.map((kind) => (
        <button
          key={kind}
          type="button"
          aria-pressed={layout.kind.value === kind}
          title={`${LOOKS[kind].name} (V: next layout)`}
          aria-label={LOOKS[kind].name}
          onClick={() => layout.choose(kind)}
        >
          <Icon name={LOOKS[kind].icon} />
        </button>
      ))}
    </div>
  );
}
