/** @jsxImportSource preact */
import { TYPES } from "../../server/domain/recordings/recording_name.ts";
import { Icon, type IconName } from "./icon.tsx";

/** How the kinds of recordings look: letters with a drawing of their own, the others by what they are like. */
const LOOKS: Readonly<Record<string, readonly [look: string, icon: IconName]>> = {
  N: ["ty-n", "t-normal"],
  P: ["ty-p", "t-parking"],
  M: ["ty-m", "t-manual"],
  D: ["ty-d", "t-driver"],
  L: ["ty-d", "t-driver"],
  Y: ["ty-d", "t-driver"],
  F: ["ty-d", "t-driver"],
  I: ["ty-p", "t-parking"],
};
const EVENT: readonly [string, IconName] = ["ty-e", "t-event"];

/** What kind of recording this is in a word, such as `Parking`. */
export function typeInWords(letter: string): string {
  return (
    Object.entries(TYPES).find(([known]) => known === letter)?.[1] ?? (letter === "" ? "Recording" : `Type ${letter}`)
  );
}

/** The class and the drawing of a kind. */
export function lookOfType(letter: string): readonly [look: string, icon: IconName] {
  return LOOKS[letter] ?? EVENT;
}

/** A kind of recording: drawing, colour and word. */
export function RecordingType({ letter }: { readonly letter: string }) {
  const [look, icon] = lookOfType(letter);
  return (
    <span class={`type ${look}`}>
      <Icon name={icon} />
      {typeInWords(letter)}
    </span>
  );
}
