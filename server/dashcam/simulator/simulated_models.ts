/** Differences of a model's files from those of the DR900X Plus, which has every documented setting of its firmware. */
export interface SimulatedModel {
  /** Contents of `/Config/version.bin`. */
  readonly version: string;
  /** Settings that it does not have, by section and key, or whole sections. */
  readonly lacks: readonly string[];
  /** Settings that only it has, and its own values of others. */
  readonly has: Readonly<Record<string, string>>;
}

const DRIVER_MONITORING = [
  ...["DsmDetectBox", "DsmDrowsy", "DsmDistracted", "DsmUndetected", "DsmCalling", "DsmMaskOff", "DsmSmoking"],
  ...["DsmParkingMode", "DsmLed", "DsmSensitivity", "DsmVolume"],
].map((key) => `Tab3.${key}`);

export const MODEL_NAMES = ["dr900x-plus", "dr970x", "dr590x"] as const;
export type ModelName = (typeof MODEL_NAMES)[number];

/** The simulated models; values and firmware numbers are invented, as are all names and passwords. */
export const MODELS: Readonly<Record<ModelName, SimulatedModel>> = {
  "dr900x-plus": {
    version: versionFile({ model: "DR900X Plus", firmware: "1.015", config: "1.071", revision: "2230" }),
    lacks: [],
    has: {},
  },
  // Newer: with the settings of its documented sisters, and one that nothing is known of.
  dr970x: {
    version: versionFile({ model: "DR970X-2CH", firmware: "1.009", config: "1.104", revision: "3117" }),
    lacks: [...DRIVER_MONITORING, "Tab1.SpeedUnit", "Tab3.EventSpeedUnit", "Tab3.AlertLimit"],
    has: {
      "Tab1.TimeZone": "100",
      "Tab1.Daylight": "1",
      "Tab1.NightVision": "2",
      "Tab1.HDR": "0",
      "Tab1.FrontBrightness": "2",
      "Tab1.RearBrightness": "2",
      "Tab1.VCodecType": "1",
      "Tab1.RecordTime": "3",
      "Tab1.OverwriteLock": "1",
      "Tab3.SpeedAlert": "0",
      "Tab3.kmLimit": "130",
      "Tab3.mileLimit": "80",
      "Tab3.VOLUME": "3",
      "Tab3.LowvoltageTime": "12",
      "Tab3.LowvoltageVolt": "1230",
      "Tab3.TimelapseLED": "0",
      "Tab3.userString": "DEMO02",
      "Wifi.ap_ssid": "DemoCam-970X00",
      "Wifi.WifiSleepMode": "0",
      "Wifi.onstart": "1",
      "Cloud.sta_garage": "0",
      "Cloud.sta2_garage": "1",
      "Cloud.sta3_garage": "0",
      "Cloud.AlarmManual": "1",
      "Cloud.AlarmParking": "0",
      "Cloud.AlarmParkEvent": "1",
      "Cloud.AlarmEvent": "1",
      "Cloud.AlarmSpeed": "0",
      "Cloud.AlarmParkInOut": "0",
      "Cloud.AlarmHighTemperature": "1",
    },
  },
  // Plainer: no cloud, no GPS of its own, no driver monitoring; its version is a bare name.
  dr590x: {
    version: "DR590X-2CH 1.007\0\u0001",
    lacks: [
      ...[...DRIVER_MONITORING, "Cloud", "Tab1.GpsSync", "Tab1.UseGpsInfo", "Tab3.LTELED", "Tab3.BTLED"],
      ...["Tab3.BTPair", "Tab3.CLOUDVOICE", "Tab3.PSENSOR", "Tab3.ScheduledReboot", "Tab3.ScheduledRebootTime"],
      ...["Tab3.ACCELERATIONVOICE", "Tab3.HARSHBRAKINGVOICE", "Tab3.SHARPTURNVOICE"],
      ...["Tab3.AccelLimit", "Tab3.HarshLimit", "Tab3.SharpLimit"],
    ],
    has: {
      "Tab1.TimeSet": "1",
      "Tab1.SetTime": "1200",
      "Tab1.TimeZone": "-500",
      "Tab1.VideoQuality": "1",
      "Tab1.SpeedUnit": "1",
      "Tab1.ImageSetting": "3",
      "Tab3.Battery": "0",
      "Tab3.userString": "DEMO03",
      "Wifi.ap_ssid": "DemoCam-590X00",
      "Wifi.WiFiBand": "1",
      "Wifi.onstart": "1",
    },
  },
};

function versionFile(of: { model: string; firmware: string; config: string; revision: string }): string {
  const lines = ["[firmware]", `version = ${of.firmware}`, `model = ${of.model}`, "language = English", ""];
  return [...lines, "[config]", `version = ${of.config}`, "", "[revision]", `rev = ${of.revision}`, ""].join("\r\n");
}
