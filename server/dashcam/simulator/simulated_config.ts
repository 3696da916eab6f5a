import { createCipheriv } from "node:crypto";
import { MODELS, type ModelName } from "./simulated_models.ts";

/** The same for every camera of this make, as published in 2023: an obfuscation, not a secret. */
const KEY = "331248f9789959003729fa90cf16882f";
const VECTOR = "82931267f734a879b3c4c4b15fda4be7";
const PASSWORD_BYTES = 32;

/** A password as the camera stores it: AES-128-CBC of the text padded with NUL to 32 bytes, in upper-case hex. */
export function encodePassword(password: string): string {
  const bytes = new TextEncoder().encode(password);
  if (bytes.length > PASSWORD_BYTES) throw new RangeError(`A camera password has at most ${PASSWORD_BYTES} bytes`);
  const padded = new Uint8Array(PASSWORD_BYTES);
  padded.set(bytes);
  const cipher = createCipheriv("aes-128-cbc", Buffer.from(KEY, "hex"), Buffer.from(VECTOR, "hex")).setAutoPadding(
    false,
  );
  return Buffer.concat([cipher.update(padded), cipher.final()])
    .toString("hex")
    .toUpperCase();
}

/** Two files in which a camera tells its version and its settings. */
export interface ConfigFiles {
  readonly version: Uint8Array;
  readonly config: Uint8Array;
}

/** The files of a camera of this model; other values by section and key, such as `Tab3.VOLUME`. */
export function configFiles(
  changes: Readonly<Record<string, string>> = {},
  model: ModelName = "dr900x-plus",
): ConfigFiles {
  const encoder = new TextEncoder();
  return { version: encoder.encode(versionBin(model)), config: encoder.encode(configIni(changes, model)) };
}

/** The settings of a camera with this name: that of its hotspot, and the text that it writes into its pictures. */
export function named(name: string): Readonly<Record<string, string>> {
  return { "Wifi.ap_ssid": name, "Tab3.userString": name };
}

/** Returns the contents of `/Config/version.bin`. */
export function versionBin(model: ModelName = "dr900x-plus"): string {
  return MODELS[model].version;
}

/**
 * Returns the contents of `/Config/config.ini`: the model's settings with invented values, passwords as a camera
 * stores them.
 */
export function configIni(changes: Readonly<Record<string, string>> = {}, model: ModelName = "dr900x-plus"): string {
  const { lacks, has } = MODELS[model];
  const lines = SECTIONS.filter(([section]) => !lacks.includes(section)).flatMap(([section, settings]) => {
    const values = new Map<string, string>();
    for (const [key, value] of settings) if (!lacks.includes(`${section}.${key}`)) values.set(key, value);
    const own = Object.entries({ ...has, ...changes }).filter(([key]) => key.startsWith(`${section}.`));
    for (const [key, value] of own) values.set(key.slice(section.length + 1), value);
    return [`[${section}]`, ...[...values].map(([key, value]) => `${key}=${value}`)];
  });
  return `${lines.join("\r\n")}\r\n`;
}

const SECTIONS: readonly (readonly [section: string, settings: readonly (readonly [key: string, value: string])[]])[] =
  [
    [
      "Tab1",
      [
        ["TimeSet", "0"],
        ["SetTime", ""],
        ["TimeZone", "1000"],
        ["Daylight", "0"],
        ["GpsSync", "1"],
        ["ImageSetting", "0"],
        ["VideoQuality", "0"],
        ["NormalRecord", "1"],
        ["AutoParking", "1"],
        ["RearParkingMode", "1"],
        ["VoiceRecord", "1"],
        ["DateDisplay", "1"],
        ["SpeedUnit", "0"],
        ["RecordTime", "1"],
        ["LockEvent", "0"],
        ["OverwriteLock", "0"],
        ["FrontRotate", "0"],
        ["RearRotate", "0"],
        ["UseGpsInfo", "1"],
      ],
    ],
    [
      "Tab2",
      [
        ["NORMALSENSOR1", "5"],
        ["NORMALSENSOR2", "5"],
        ["NORMALSENSOR3", "5"],
        ["PARKINGSENSOR1", "7"],
        ["PARKINGSENSOR2", "7"],
        ["PARKINGSENSOR3", "7"],
        ["MOTIONSENSOR", "3"],
        ["FrontMotionRegion", "65535"],
        ["RearMotionRegion", "65535"],
      ],
    ],
    [
      "Tab3",
      [
        ["RECLED", "1"],
        ["NORMALLED", "1"],
        ["PARKINGLED", "1"],
        ["RearLED", "1"],
        ["LTELED", "1"],
        ["WifiLED", "1"],
        ["BTLED", "1"],
        ["PSENSOR", "2"],
        ["STARTVOICE", "1"],
        ["NORMALSTARTVOICE", "1"],
        ["EVENTSTARTVOICE", "0"],
        ["CHANGERECORDMODEVOICE", "1"],
        ["ENDVOICE", "1"],
        ["SPEEDALERTVOICE", "0"],
        ["ACCELERATIONVOICE", "0"],
        ["HARSHBRAKINGVOICE", "0"],
        ["SHARPTURNVOICE", "0"],
        ["CHANGECONFIGVOICE", "1"],
        ["CLOUDVOICE", "1"],
        ["PARKINGEVENTVOICE", "1"],
        ["VOLUME", "5"],
        ["ScheduledReboot", "1"],
        ["ScheduledRebootTime", "3"],
        ["EventSpeedUnit", "0"],
        ["AlertLimit", "115"],
        ["Battery", "1"],
        ["LowvoltageTime", "0"],
        ["LowvoltageVolt", "1190"],
        ["LowvoltageVoltHeavy", "2320"],
        ["userString", "DEMO01"],
        ["AccelLimit", "40"],
        ["HarshLimit", "25"],
        ["SharpLimit", "45"],
        ["BTPair", "1"],
        ["DsmDetectBox", "0"],
        ["DsmDrowsy", "1"],
        ["DsmDistracted", "1"],
        ["DsmUndetected", "1"],
        ["DsmCalling", "0"],
        ["DsmMaskOff", "0"],
        ["DsmSmoking", "0"],
        ["DsmParkingMode", "1"],
        ["DsmLed", "1"],
        ["DsmSensitivity", "1"],
        ["DsmVolume", "2"],
      ],
    ],
    [
      "Wifi",
      [
        ["ap_ssid", "DemoCam-000000"],
        ["ap_pw", encodePassword("demo-cam")],
        ["WiFiBand", "0"],
        ["WifiSleepMode", "1"],
      ],
    ],
    [
      "Cloud",
      [
        ["CloudService", "1"],
        ["sta_ssid", "DemoHome"],
        ["sta_pw", encodePassword("DemoHome-123")],
        ["sta2_ssid", "DemoGarage"],
        ["sta2_pw", encodePassword("DemoGarage-2")],
        ["sta3_ssid", "DemoPhone"],
        ["sta3_pw", encodePassword("DemoPhone-33")],
        ["CloudSettingVersion", "2026-01-01 00:00:00"],
      ],
    ],
  ];
