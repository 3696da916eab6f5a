import { describe, expect, test } from "bun:test";
import { configIni } from "../../../server/dashcam/simulator/simulated_config.ts";
import { parseConfig } from "../../../server/domain/camera/config_file.ts";
import { cameraTabs } from "../../../server/domain/camera/config_tabs.ts";
import { shownValue } from "../../../server/domain/camera/config_value.ts";
import { MASK } from "../../../server/domain/camera/secret_settings.ts";

/** Every setting of a DR900X Plus with firmware 1.015, in the order of its file. */
const SETTINGS: readonly (readonly [key: string, label: string, raw: string | null, shown: string])[] = [
  ["Tab1.TimeSet", "Time source", "0", "Sync with GPS"],
  ["Tab1.SetTime", "Manual time", "", ""],
  ["Tab1.TimeZone", "Time zone", "1000", "UTC+10:00"],
  ["Tab1.Daylight", "Daylight saving time", "0", "Off"],
  ["Tab1.GpsSync", "Sync time with GPS", "1", "On"],
  ["Tab1.ImageSetting", "Image setting", "0", "0"],
  ["Tab1.VideoQuality", "Image quality", "0", "Highest (Extreme)"],
  ["Tab1.NormalRecord", "Normal recording", "1", "On"],
  ["Tab1.AutoParking", "Parking mode", "1", "1"],
  ["Tab1.RearParkingMode", "Rear camera recording in parking mode", "1", "On"],
  ["Tab1.VoiceRecord", "Voice recording", "1", "On"],
  ["Tab1.DateDisplay", "Date and time display", "1", "On"],
  ["Tab1.SpeedUnit", "Speed unit", "0", "km/h"],
  ["Tab1.RecordTime", "Video segment length", "1", "1 minute"],
  ["Tab1.LockEvent", "Lock event files", "0", "Off"],
  ["Tab1.OverwriteLock", "Overwrite locked event files when full", "0", "Off"],
  ["Tab1.FrontRotate", "Front camera rotation", "0", "Off"],
  ["Tab1.RearRotate", "Rear camera orientation", "0", "Default"],
  ["Tab1.UseGpsInfo", "GPS location recording", "1", "On"],
  ["Tab2.NORMALSENSOR1", "G-sensor, normal mode: up and down", "5", "5"],
  ["Tab2.NORMALSENSOR2", "G-sensor, normal mode: side to side", "5", "5"],
  ["Tab2.NORMALSENSOR3", "G-sensor, normal mode: front and back", "5", "5"],
  ["Tab2.PARKINGSENSOR1", "G-sensor, parking mode: up and down", "7", "7"],
  ["Tab2.PARKINGSENSOR2", "G-sensor, parking mode: side to side", "7", "7"],
  ["Tab2.PARKINGSENSOR3", "G-sensor, parking mode: front and back", "7", "7"],
  ["Tab2.MOTIONSENSOR", "Motion detection, parking mode", "3", "3"],
  ["Tab2.FrontMotionRegion", "Front motion detection regions", "65535", "65535"],
  ["Tab2.RearMotionRegion", "Rear motion detection regions", "65535", "65535"],
  ["Tab3.RECLED", "Recording status LED", "1", "On"],
  ["Tab3.NORMALLED", "Front security LED, normal mode", "1", "On"],
  ["Tab3.PARKINGLED", "Front security LED, parking mode", "1", "On"],
  ["Tab3.RearLED", "Rear security LED", "1", "On"],
  ["Tab3.LTELED", "LTE LED, parking mode", "1", "On"],
  ["Tab3.WifiLED", "Wi-Fi LED, parking mode", "1", "On"],
  ["Tab3.BTLED", "Bluetooth LED, parking mode", "1", "On"],
  ["Tab3.PSENSOR", "Proximity sensor", "2", "Off"],
  ["Tab3.STARTVOICE", "Voice guidance: power on", "1", "On"],
  ["Tab3.NORMALSTARTVOICE", "Voice guidance: starting normal recording", "1", "On"],
  ["Tab3.EVENTSTARTVOICE", "Voice guidance: starting event recording", "0", "Off"],
  ["Tab3.CHANGERECORDMODEVOICE", "Voice guidance: changing recording mode", "1", "On"],
  ["Tab3.ENDVOICE", "Voice guidance: power off", "1", "On"],
  ["Tab3.SPEEDALERTVOICE", "Voice guidance: speed alert", "0", "Off"],
  ["Tab3.ACCELERATIONVOICE", "Voice guidance: rapid acceleration", "0", "Off"],
  ["Tab3.HARSHBRAKINGVOICE", "Voice guidance: harsh braking", "0", "Off"],
  ["Tab3.SHARPTURNVOICE", "Voice guidance: sharp turn", "0", "Off"],
  ["Tab3.CHANGECONFIGVOICE", "Voice guidance: settings changed", "1", "On"],
  ["Tab3.CLOUDVOICE", "Voice guidance: cloud related", "1", "On"],
  ["Tab3.PARKINGEVENTVOICE", "Voice guidance: impact detected in parking mode", "1", "On"],
  ["Tab3.VOLUME", "Volume", "5", "5"],
  ["Tab3.ScheduledReboot", "Scheduled reboot", "1", "On"],
  ["Tab3.ScheduledRebootTime", "Scheduled reboot time", "3", "03:00"],
  ["Tab3.EventSpeedUnit", "Speed alert unit", "0", "0"],
  ["Tab3.AlertLimit", "Speed alert limit", "115", "115"],
  ["Tab3.Battery", "Battery protection", "1", "On"],
  ["Tab3.LowvoltageTime", "Low-voltage cut-off timer", "0", "Off"],
  ["Tab3.LowvoltageVolt", "Low-voltage cut-off, 12 V", "1190", "11.9 V"],
  ["Tab3.LowvoltageVoltHeavy", "Low-voltage cut-off, 24 V", "2320", "23.2 V"],
  ["Tab3.userString", "User text overlay", "DEMO01", "DEMO01"],
  ["Tab3.AccelLimit", "Rapid acceleration alert threshold", "40", "40"],
  ["Tab3.HarshLimit", "Harsh braking alert threshold", "25", "25"],
  ["Tab3.SharpLimit", "Sharp turn alert threshold", "45", "45"],
  ["Tab3.BTPair", "Bluetooth pairing", "1", "On"],
  ["Tab3.DsmDetectBox", "Driver monitoring: detection box", "0", "0"],
  ["Tab3.DsmDrowsy", "Driver monitoring: drowsiness", "1", "1"],
  ["Tab3.DsmDistracted", "Driver monitoring: distraction", "1", "1"],
  ["Tab3.DsmUndetected", "Driver monitoring: driver not detected", "1", "1"],
  ["Tab3.DsmCalling", "Driver monitoring: phone call", "0", "0"],
  ["Tab3.DsmMaskOff", "Driver monitoring: mask off", "0", "0"],
  ["Tab3.DsmSmoking", "Driver monitoring: smoking", "0", "0"],
  ["Tab3.DsmParkingMode", "Driver monitoring: parking mode", "1", "1"],
  ["Tab3.DsmLed", "Driver monitoring: LED", "1", "1"],
  ["Tab3.DsmSensitivity", "Driver monitoring: sensitivity", "1", "1"],
  ["Tab3.DsmVolume", "Driver monitoring: volume", "2", "2"],
  ["Wifi.ap_ssid", "Camera hotspot name", "DemoCam-000000", "DemoCam-000000"],
  ["Wifi.ap_pw", "Camera hotspot password", null, MASK],
  ["Wifi.WiFiBand", "Wi-Fi band", "0", "5 GHz"],
  ["Wifi.WifiSleepMode", "Wi-Fi auto turn off", "1", "On"],
  ["Cloud.CloudService", "Cloud service", "1", "On"],
  ["Cloud.sta_ssid", "Home network 1 name", "DemoHome", "DemoHome"],
  ["Cloud.sta_pw", "Home network 1 password", null, MASK],
  ["Cloud.sta2_ssid", "Home network 2 name", "DemoGarage", "DemoGarage"],
  ["Cloud.sta2_pw", "Home network 2 password", null, MASK],
  ["Cloud.sta3_ssid", "Home network 3 name", "DemoPhone", "DemoPhone"],
  ["Cloud.sta3_pw", "Home network 3 password", null, MASK],
  ["Cloud.CloudSettingVersion", "Cloud settings version", "2026-01-01 00:00:00", "2026-01-01 00:00:00"],
];

/** Keys whose change makes the camera format its card. */
const FORMATTING: readonly string[] = [
  "Tab1.TimeSet",
  "Tab1.SetTime",
  "Tab1.TimeZone",
  "Tab1.Daylight",
  "Tab1.GpsSync",
  "Tab1.ImageSetting",
  "Tab1.VideoQuality",
];

const OPTIONS: readonly (readonly [key: string, ...words: readonly string[]])[] = [
  ["Tab1.TimeSet", "Sync with GPS", "Manual"],
  ["Tab1.VideoQuality", "Highest (Extreme)", "Highest", "High", "Normal"],
  ["Tab1.SpeedUnit", "km/h", "MPH", "Off"],
  ["Tab1.RecordTime", "0", "1 minute"],
  ["Tab1.FrontRotate", "Off", "180°"],
  ["Tab1.RearRotate", "Default", "Rotate 180°", "Mirror"],
  ["Tab3.PSENSOR", "Voice recording on/off", "Manual recording", "Off"],
  ["Wifi.WiFiBand", "5 GHz", "2.4 GHz"],
];

const TOGGLES: readonly string[] = [
  "Tab1.Daylight",
  "Tab1.GpsSync",
  "Tab1.NormalRecord",
  "Tab1.RearParkingMode",
  "Tab1.VoiceRecord",
  "Tab1.DateDisplay",
  "Tab1.LockEvent",
  "Tab1.OverwriteLock",
  "Tab1.UseGpsInfo",
  "Tab3.RECLED",
  "Tab3.NORMALLED",
  "Tab3.PARKINGLED",
  "Tab3.RearLED",
  "Tab3.LTELED",
  "Tab3.WifiLED",
  "Tab3.BTLED",
  "Tab3.STARTVOICE",
  "Tab3.NORMALSTARTVOICE",
  "Tab3.EVENTSTARTVOICE",
  "Tab3.CHANGERECORDMODEVOICE",
  "Tab3.ENDVOICE",
  "Tab3.SPEEDALERTVOICE",
  "Tab3.ACCELERATIONVOICE",
  "Tab3.HARSHBRAKINGVOICE",
  "Tab3.SHARPTURNVOICE",
  "Tab3.CHANGECONFIGVOICE",
  "Tab3.CLOUDVOICE",
  "Tab3.PARKINGEVENTVOICE",
  "Tab3.ScheduledReboot",
  "Tab3.Battery",
  "Tab3.BTPair",
  "Wifi.WifiSleepMode",
  "Cloud.CloudService",
];

describe("the settings that are known", () => {
  const tabs = cameraTabs(parseConfig(new TextEncoder().encode(configIni())));
  const all = tabs.flatMap(({ fields, not_fitted }) => [...fields, ...not_fitted]);

  test("are 85, each with its name and its value as people read it, in the order of the file", () => {
    expect(SETTINGS).toHaveLength(85);
    expect(all.map(({ key, label, raw, value }) => [key, label, raw, value])).toEqual(SETTINGS.map((row) => [...row]));
  });

  test("say which of them erase the card, which are passwords, and which are of parts that are sold separately", () => {
    const keysOf = (fields: typeof all) => fields.map(({ key }) => key);
    expect(keysOf(all.filter(({ formats_card }) => formats_card))).toEqual([...FORMATTING]);
    expect(keysOf(all.filter(({ secret }) => secret))).toEqual([
      "Wifi.ap_pw",
      "Cloud.sta_pw",
      "Cloud.sta2_pw",
      "Cloud.sta3_pw",
    ]);
    const unfitted = tabs.flatMap(({ not_fitted }) => keysOf(not_fitted));
    expect(unfitted).toHaveLength(11);
    expect(unfitted.filter((key) => !key.startsWith("Tab3.Dsm"))).toEqual([]);
    expect(keysOf(all.filter(({ has_value }) => !has_value))).toEqual(["Tab1.SetTime"]);
  });

  test("have a word for each value that is known, and show others as they are", () => {
    const shown = (place: string, value: string) => {
      const [section = "", key = ""] = place.split(".");
      return shownValue({ section, key, value });
    };
    for (const [key, ...words] of OPTIONS) {
      expect([key, ...words.map((_, value) => shown(key, String(value)))]).toEqual([key, ...words]);
      expect(shown(key, String(words.length))).toBe(String(words.length));
    }
    for (const key of TOGGLES)
      expect([key, ...["0", "1", "2", "", "On"].map((value) => shown(key, value))]).toEqual([
        ...[key, "Off", "On", "2", "", "On"],
      ]);
  });
});
