/** @jsxImportSource preact */
import { TYPES } from "../../server/domain/recordings/recording_codes.ts";
import type { KeepClass } from "../../server/domain/retention/keep_times.ts";
import { Icon, type IconName } from "./icon.tsx";

type Look = readonly [look: string, icon: IconName];

/** The class and the drawing of each kind that has a keep time. */
export const KIND_LOOKS: Readonly<Record<KeepClass, Look>> = {
  normal: ["ty-n", "t-normal"],
  event: ["ty-e", "t-event"],
  parking: ["ty-p", "t-parking"],
  manual: ["ty-m", "t-manual"],
};
const DRIVER: Look = ["ty-d", "t-driver"];
/** Letters that do not look like an event. */
const LOOKS: Readonly<Record<string, Look>> = {
  N: KIND_LOOKS.normal,
  P: KIND_LOOKS.parking,
  M: KIND_LOOKS.manual,
  D: DRIVER,
  L: DRIVER,
  Y: DRIVER,
  F: DRIVER,
  I: ["ty-p", "t-impact"],
};

/** Name of a recording's type, such as `Parking`. */
export function typeInWords(letter: string): string {
  return (
    Object.entries(TYPES).find(([known]) => known === letter)?.[1] ?? (letter === "" ? "Recording" : `Type ${letter}`)
  );
}

/** The class and the drawing of a kind. */
export function lookOfType(letter: string): Look {
  return LOOKS[letter] ?? KIND_LOOKS.event;
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
