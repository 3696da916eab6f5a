/** @jsxImportSource preact */
import type { StatusLevel } from "../../server/domain/answers/status_level.ts";
import type { CameraAnswer } from "../../server/domain/status/cameras_schema.ts";
import { State } from "./state.tsx";

/** Level and word of each state of a camera. */
export const CAMERA_STATES: Readonly<Record<CameraAnswer["state"], readonly [level: StatusLevel, word: string]>> = {
  other_camera: ["attention", "Another camera"],
  failed: ["failed", "Failed"],
  attention: ["attention", "Needs you"],
  syncing: ["busy", "Syncing"],
  waiting: ["waiting", "Waiting"],
  paused: ["waiting", "Paused"],
  no_address: ["waiting", "No address"],
  safe: ["fine", "Safe"],
};

/** The state of a camera in a word. */
export function CameraState({ state }: Pick<CameraAnswer, "state">) {
  const [level, word] = CAMERA_STATES[state];
  return <State level={level} word={word} />;
}
