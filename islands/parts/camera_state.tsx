/** @jsxImportSource preact */
import type { CameraAnswer } from "../../server/domain/status/cameras_schema.ts";
import { STATE_WORDS } from "../../server/domain/status/fleet_text.ts";
import { State } from "./state.tsx";

/** The state of a camera in a word. */
export function CameraState({ state }: Pick<CameraAnswer, "state">) {
  const [level, word] = STATE_WORDS[state];
  return <State level={level} word={word} />;
}
