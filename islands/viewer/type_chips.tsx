/** @jsxImportSource preact */
import { formatCount } from "../../server/domain/format.ts";
import { typeRank } from "../../server/domain/recording.ts";
import { Icon } from "../parts/icon.tsx";
import { lookOfType, typeInWords } from "../parts/recording_type.tsx";
import type { ViewerParts } from "./parts.ts";

/** What most people look for comes first. */
const FIRST = "NEPM";

/** Shows only some types of the open days; each says how many there are. */
export function TypeChips({ browsing }: ViewerParts) {
  const chosen = browsing.types.value;
  const counts = new Map(chosen.map((letter) => [letter, 0]));
  for (const date of browsing.open.value)
    for (const { type } of browsing.stateOf(date).recordings ?? []) counts.set(type, (counts.get(type) ?? 0) + 1);
  const letters = [...counts.keys()].sort((one, other) => place(one) - place(other));
  if (letters.length === 0) return null;
  return (
    <div class="chips needs-script" role="group" aria-label="Show only these types">
      {letters.map((letter) => {
        const [look, icon] = lookOfType(letter);
        return (
          <button
            key={letter}
            class={`chip ${look}`}
            type="button"
            aria-pressed={chosen.includes(letter)}
            onClick={() => browsing.toggleType(letter)}
          >
            <Icon name={icon} />
            {typeInWords(letter)} <b>{formatCount(counts.get(letter) ?? 0)}</b>
          </button>
        );
      })}
    </div>
  );
}

function place(letter: string): number {
  return FIRST.includes(letter) ? FIRST.indexOf(letter) : FIRST.length + typeRank(letter);
}
