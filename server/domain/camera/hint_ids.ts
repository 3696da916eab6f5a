/** Problems of the camera that can exist while everything seems to go well, the most pressing first. */
export const HINT_IDS = ["another-device", "empty-list", "clock", "overwrites", "wifi-sleeps"] as const;
export type HintId = (typeof HINT_IDS)[number];
