/** @jsxImportSource preact */

import { typeRank } from "../../../server/domain/recordings/recording_name.ts";
import { formatCount } from "../../../server/domain/text/format.ts";
import { Icon } from "../../parts/icon.tsx";
import { lookOfType, typeInWords } from "../../parts/recording_type.tsx";
import { toList, useFocusHandover } from "../focus_handover.tsx";
import type { ViewerContext } from "../viewer_context.ts";

/** What most people look for comes first. */
const FIRST = "NEPM";

/** Shows only some types of the open days, or of all days only what is kept; each with its count. */
export function TypeChips({ browsing, actions, outlook }: ViewerContext) {
  const { list } = browsing;
  const chosen = list.types.value;
  const counts = new Map(chosen.map((letter) => [letter, 0]));
  for (const date of list.open.value)
    for (const { type } of list.stateOf(date).recordings ?? []) counts.set(type, (counts.get(type) ?? 0) + 1);
  const letters = [...counts.keys()].sort((one, other) => place(one) - place(other));
  const isOnlyKept = list.only.value === "kept";
  return (
    <div class="chips needs-script" role="group" aria-label="Show only">
      {letters.map((letter) => (
        <TypeChip
          key={letter}
          letter={letter}
          count={counts.get(letter) ?? 0}
          isChosen={chosen.includes(letter)}
          toggle={() => list.toggleType(letter)}
        />
      ))}
      <button
        class="chip chip-kept"
        type="button"
        aria-pressed={isOnlyKept}
        aria-busy={list.isChanging.value ? "true" : undefined}
        onClick={() => void actions.showOnly(isOnlyKept ? null : "kept")}
      >
        <Icon name="i-keep" />
        Kept <b>{formatCount(outlook.keptCount.value)}</b>
      </button>
    </div>
  );
}

interface TypeChipProps {
  readonly letter: string;
  readonly count: number;
  readonly isChosen: boolean;
  readonly toggle: () => void;
}

function TypeChip({ letter, count, isChosen, toggle }: TypeChipProps) {
  // A chosen type that no open day has goes when it is chosen no more.
  const place = useFocusHandover<HTMLButtonElement>(toList);
  const [look, icon] = lookOfType(letter);
  return (
    <button class={`chip ${look}`} type="button" aria-pressed={isChosen} onClick={toggle} ref={place}>
      <Icon name={icon} />
      {typeInWords(letter)} <b>{formatCount(count)}</b>
    </button>
  );
}

function place(letter: string): number {
  return FIRST.includes(letter) ? FIRST.indexOf(letter) : FIRST.length + typeRank(letter);
}
