/** @jsxImportSource preact */
import { typeRank } from "../../../server/domain/recordings/recording_codes.ts";
import { formatCount } from "../../../server/domain/text/format.ts";
import { withLetter } from "../../../server/domain/viewer/list_filter.ts";
import { cameraName, camerasInOrder } from "../../../server/domain/viewer/viewer_address.ts";
import { Icon, type IconName } from "../../parts/icon.tsx";
import { lookOfType, typeInWords } from "../../parts/recording_type.tsx";
import { toList, useFocusHandover } from "../focus_handover.tsx";
import type { Parts } from "../viewer_parts.ts";

/** The kinds that most people look for come first. */
const FIRST = "NEPM";

/** Narrows the list to some types, cameras or what is kept; each with its count over all days. */
export function FilterChips({ actions, list: { recordings: list, totals } }: Parts<"list" | "actions">) {
  const filter = list.wanted.value ?? list.filter.value;
  const { types, cameras, kept } = totals.totals.value;
  const letters = [...new Set([...Object.keys(types), ...filter.types])];
  letters.sort((one, other) => place(one) - place(other));
  // A camera that every clip has would leave the list as it is.
  const all = Object.values(types).reduce((sum, count) => sum + count, 0);
  const views = camerasInOrder([...new Set([...Object.keys(cameras), ...filter.cameras])]).filter(
    (letter) => cameras[letter] !== all || filter.cameras.includes(letter),
  );
  const isOnlyKept = filter.only === "kept";
  const busy = list.wanted.value !== null;
  return (
    <div class="chips needs-script" role="group" aria-label="Show only">
      {letters.map((letter) => {
        const [look, icon] = lookOfType(letter);
        return (
          <Chip
            key={letter}
            look={look}
            icon={icon}
            words={typeInWords(letter)}
            count={types[letter] ?? 0}
            isChosen={filter.types.includes(letter)}
            toggle={() => void actions.showOnly(withLetter(filter, "types", letter))}
          />
        );
      })}
      {views.map((letter) => (
        <Chip
          key={`camera-${letter}`}
          look="chip-camera"
          icon="i-camera"
          words={cameraName(letter)}
          count={cameras[letter] ?? 0}
          isChosen={filter.cameras.includes(letter)}
          toggle={() => void actions.showOnly(withLetter(filter, "cameras", letter))}
        />
      ))}
      <button
        class="chip chip-kept"
        type="button"
        aria-pressed={isOnlyKept}
        aria-busy={busy ? "true" : undefined}
        onClick={() => void actions.showOnly({ ...filter, only: isOnlyKept ? null : "kept" })}
      >
        <Icon name="i-keep" />
        Kept <b>{formatCount(kept)}</b>
      </button>
    </div>
  );
}

interface ChipProps {
  readonly look: string;
  readonly icon: IconName;
  readonly words: string;
  readonly count: number;
  readonly isChosen: boolean;
  readonly toggle: () => void;
}

function Chip({ look, icon, words, count, isChosen, toggle }: ChipProps) {
  // A chosen type that there is nothing of goes when it is chosen no more.
  const place = useFocusHandover<HTMLButtonElement>(toList);
  return (
    <button class={`chip ${look}`} type="button" aria-pressed={isChosen} onClick={toggle} ref={place}>
      <Icon name={icon} />
      {words} <b>{formatCount(count)}</b>
    </button>
  );
}

function place(letter: string): number {
  return FIRST.includes(letter) ? FIRST.indexOf(letter) : FIRST.length + typeRank(letter);
}
