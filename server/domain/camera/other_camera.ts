import { type ConfigEntry, configKey } from "./config_file.ts";

/** Facts by which a camera is known, as it tells them itself. */
export interface CameraIdentity {
  readonly model: string;
  /** The name of its own Wi-Fi. */
  readonly hotspot: string;
}

/** Another camera at the address of one that is known. */
export interface OtherCamera {
  readonly known: CameraIdentity;
  readonly found: CameraIdentity;
}

const HOTSPOT = "Wifi.ap_ssid";
/** Longer than any camera's name. */
const LONGEST = 100;

/** Returns null for a camera that does not tell both: it is believed. */
export function identityOf(model: string | null, config: readonly ConfigEntry[]): CameraIdentity | null {
  const name = config.find((entry) => configKey(entry) === HOTSPOT)?.value ?? "";
  const [own, hotspot] = [model ?? "", name].map((text) => text.trim().slice(0, LONGEST)) as [string, string];
  return own === "" || hotspot === "" ? null : { model: own, hotspot };
}

/** True when both differ: other firmware may name the model otherwise, and users rename a Wi-Fi. */
export function isOtherCamera(known: CameraIdentity | null, found: CameraIdentity | null): boolean {
  if (known === null || found === null) return false;
  return known.hotspot !== found.hotspot && known.model.toLowerCase() !== found.model.toLowerCase();
}

/** Says that another camera answers, and in a second text which one. */
export function otherCameraInWords(
  address: string,
  { known, found }: OtherCamera,
): { sentence: string; detail: string } {
  return {
    sentence: `Another camera answers at ${address}.`,
    detail: `It is ${one(found.model)} with the Wi-Fi name “${found.hotspot}”. Until now ${one(known.model)} was there.`,
  };
}

function one(model: string): string {
  return `${/^[AEIO]/i.test(model) ? "an" : "a"} ${model}`;
}
