/** Ways to read a stored value. */
export type ValueReading =
  | { readonly kind: "options"; readonly words: Readonly<Record<string, string>> }
  | { readonly kind: "offset" }
  | { readonly kind: "hour" }
  | {
      readonly kind: "number";
      readonly unit: string;
      readonly scale?: number;
      readonly words?: Readonly<Record<string, string>>;
    };

/** Known facts about a camera's setting. */
export interface KnownSetting {
  readonly label: string;
  /** Reading of its value; left out, the value is shown as it is. */
  readonly reads?: ValueReading;
  /** A change of it makes the camera format its card. */
  readonly formatsCard?: boolean;
  readonly isSecret?: boolean;
  /** It belongs to a part that is sold separately. */
  readonly isNotFitted?: boolean;
  readonly help?: string;
}

const options = (words: Readonly<Record<string, string>>): ValueReading => ({ kind: "options", words });
const TOGGLE = options({ 0: "Off", 1: "On" });
const OFFSET: ValueReading = { kind: "offset" };
const HOUR: ValueReading = { kind: "hour" };

/** The groups in which settings are shown, by the sections of the camera's file. */
export const CAMERA_TABS = [
  { name: "basic", label: "Basic", section: "Tab1" },
  { name: "sensitivity", label: "Sensitivity", section: "Tab2" },
  { name: "system", label: "System", section: "Tab3" },
  { name: "wifi", label: "Wi-Fi", section: "Wifi" },
  { name: "cloud", label: "Cloud", section: "Cloud" },
] as const;
export type CameraTabName = (typeof CAMERA_TABS)[number]["name"];

/** Returns the known facts about a setting; nothing for one of another section or spelling. */
export function knownSetting(section: string, key: string): KnownSetting | null {
  const known = Object.hasOwn(KNOWN, section) ? KNOWN[section] : undefined;
  return known && Object.hasOwn(known, key) ? (known[key] ?? null) : null;
}

/** The settings of a DR900X Plus with firmware 1.015, and those of its sisters that are publicly documented. */
const KNOWN: Readonly<Record<string, Readonly<Record<string, KnownSetting>>>> = {
  Tab1: {
    TimeSet: { label: "Time source", reads: options({ 0: "Sync with GPS", 1: "Manual" }), formatsCard: true },
    SetTime: {
      label: "Manual time",
      formatsCard: true,
      help: "Hours and minutes as HHMM; counts only with the manual time source",
    },
    TimeZone: { label: "Time zone", reads: OFFSET, formatsCard: true },
    Daylight: { label: "Daylight saving time", reads: TOGGLE, formatsCard: true },
    GpsSync: { label: "Sync time with GPS", reads: TOGGLE, formatsCard: true },
    ImageSetting: { label: "Image setting", formatsCard: true, help: "0 is the best" },
    VideoQuality: {
      label: "Image quality",
      reads: options({ 0: "Highest (Extreme)", 1: "Highest", 2: "High", 3: "Normal" }),
      formatsCard: true,
    },
    NormalRecord: { label: "Normal recording", reads: TOGGLE },
    AutoParking: { label: "Parking mode", help: "The meaning of its values is not certain" },
    RearParkingMode: { label: "Rear camera recording in parking mode", reads: TOGGLE },
    VoiceRecord: { label: "Voice recording", reads: TOGGLE },
    DateDisplay: { label: "Date and time display", reads: TOGGLE },
    SpeedUnit: { label: "Speed unit", reads: options({ 0: "km/h", 1: "MPH", 2: "Off" }) },
    RecordTime: { label: "Video segment length", reads: options({ 1: "1 minute" }) },
    LockEvent: { label: "Lock event files", reads: TOGGLE },
    OverwriteLock: { label: "Overwrite locked event files when full", reads: TOGGLE },
    FrontRotate: { label: "Front camera rotation", reads: options({ 0: "Off", 1: "180°" }) },
    RearRotate: { label: "Rear camera orientation", reads: options({ 0: "Default", 1: "Rotate 180°", 2: "Mirror" }) },
    UseGpsInfo: { label: "GPS location recording", reads: TOGGLE },
    NightVision: { label: "Night vision", reads: options({ 0: "Off", 1: "Always", 2: "In parking mode" }) },
    HDR: { label: "HDR", reads: options({ 0: "Off", 1: "Always", 2: "In parking mode" }) },
    FrontBrightness: { label: "Front brightness" },
    RearBrightness: { label: "Rear brightness" },
    VCodecType: { label: "Video codec", reads: options({ 0: "H.265", 1: "H.264" }) },
  },
  Tab2: {
    NORMALSENSOR1: { label: "G-sensor, normal mode: up and down" },
    NORMALSENSOR2: { label: "G-sensor, normal mode: side to side" },
    NORMALSENSOR3: { label: "G-sensor, normal mode: front and back" },
    PARKINGSENSOR1: { label: "G-sensor, parking mode: up and down" },
    PARKINGSENSOR2: { label: "G-sensor, parking mode: side to side" },
    PARKINGSENSOR3: { label: "G-sensor, parking mode: front and back" },
    MOTIONSENSOR: { label: "Motion detection, parking mode" },
    FrontMotionRegion: {
      label: "Front motion detection regions",
      help: "A bit for each of 16 regions; 65535 is all of them",
    },
    RearMotionRegion: {
      label: "Rear motion detection regions",
      help: "A bit for each of 16 regions; 65535 is all of them",
    },
  },
  Tab3: {
    RECLED: { label: "Recording status LED", reads: TOGGLE },
    NORMALLED: { label: "Front security LED, normal mode", reads: TOGGLE },
    PARKINGLED: { label: "Front security LED, parking mode", reads: TOGGLE },
    RearLED: { label: "Rear security LED", reads: TOGGLE },
    LTELED: { label: "LTE LED, parking mode", reads: TOGGLE },
    WifiLED: { label: "Wi-Fi LED, parking mode", reads: TOGGLE },
    BTLED: { label: "Bluetooth LED, parking mode", reads: TOGGLE },
    PSENSOR: {
      label: "Proximity sensor",
      reads: options({ 0: "Voice recording on/off", 1: "Manual recording", 2: "Off" }),
    },
    STARTVOICE: { label: "Voice guidance: power on", reads: TOGGLE },
    NORMALSTARTVOICE: { label: "Voice guidance: starting normal recording", reads: TOGGLE },
    EVENTSTARTVOICE: { label: "Voice guidance: starting event recording", reads: TOGGLE },
    CHANGERECORDMODEVOICE: { label: "Voice guidance: changing recording mode", reads: TOGGLE },
    ENDVOICE: { label: "Voice guidance: power off", reads: TOGGLE },
    SPEEDALERTVOICE: { label: "Voice guidance: speed alert", reads: TOGGLE },
    ACCELERATIONVOICE: { label: "Voice guidance: rapid acceleration", reads: TOGGLE },
    HARSHBRAKINGVOICE: { label: "Voice guidance: harsh braking", reads: TOGGLE },
    SHARPTURNVOICE: { label: "Voice guidance: sharp turn", reads: TOGGLE },
    CHANGECONFIGVOICE: { label: "Voice guidance: settings changed", reads: TOGGLE },
    CLOUDVOICE: { label: "Voice guidance: cloud related", reads: TOGGLE },
    PARKINGEVENTVOICE: { label: "Voice guidance: impact detected in parking mode", reads: TOGGLE },
    VOLUME: { label: "Volume" },
    ScheduledReboot: { label: "Scheduled reboot", reads: TOGGLE },
    ScheduledRebootTime: { label: "Scheduled reboot time", reads: HOUR },
    EventSpeedUnit: { label: "Speed alert unit", help: "The meaning of its values is not certain" },
    AlertLimit: { label: "Speed alert limit" },
    Battery: { label: "Battery protection", reads: TOGGLE, help: "For cameras that are wired to the car’s battery" },
    LowvoltageTime: {
      label: "Low-voltage cut-off timer",
      reads: { kind: "number", unit: "h", words: { 0: "Off" } },
      help: "Hours until it turns itself off: at most 12 in a car, 48 in a truck",
    },
    LowvoltageVolt: { label: "Low-voltage cut-off, 12 V", reads: { kind: "number", scale: 0.01, unit: "V" } },
    LowvoltageVoltHeavy: { label: "Low-voltage cut-off, 24 V", reads: { kind: "number", scale: 0.01, unit: "V" } },
    userString: { label: "User text overlay", help: "At most 20 characters, written into the picture" },
    AccelLimit: { label: "Rapid acceleration alert threshold" },
    HarshLimit: { label: "Harsh braking alert threshold" },
    SharpLimit: { label: "Sharp turn alert threshold" },
    BTPair: { label: "Bluetooth pairing", reads: TOGGLE },
    DsmDetectBox: { label: "Driver monitoring: detection box", isNotFitted: true },
    DsmDrowsy: { label: "Driver monitoring: drowsiness", isNotFitted: true },
    DsmDistracted: { label: "Driver monitoring: distraction", isNotFitted: true },
    DsmUndetected: { label: "Driver monitoring: driver not detected", isNotFitted: true },
    DsmCalling: { label: "Driver monitoring: phone call", isNotFitted: true },
    DsmMaskOff: { label: "Driver monitoring: mask off", isNotFitted: true },
    DsmSmoking: { label: "Driver monitoring: smoking", isNotFitted: true },
    DsmParkingMode: { label: "Driver monitoring: parking mode", isNotFitted: true },
    DsmLed: { label: "Driver monitoring: LED", isNotFitted: true },
    DsmSensitivity: { label: "Driver monitoring: sensitivity", isNotFitted: true },
    DsmVolume: { label: "Driver monitoring: volume", isNotFitted: true },
    SpeedAlert: { label: "Speed alert", reads: options({ 0: "km/h", 1: "MPH", 2: "Off" }) },
    kmLimit: { label: "Speed alert limit in km/h" },
    mileLimit: { label: "Speed alert limit in MPH" },
  },
  Wifi: {
    ap_ssid: { label: "Camera hotspot name" },
    ap_pw: { label: "Camera hotspot password", isSecret: true },
    WiFiBand: { label: "Wi-Fi band", reads: options({ 0: "5 GHz", 1: "2.4 GHz" }) },
    WifiSleepMode: {
      label: "Wi-Fi auto turn off",
      reads: TOGGLE,
      help: "Wi-Fi turns itself off after ten minutes without use",
    },
    onstart: { label: "Wi-Fi on when the camera starts", reads: TOGGLE },
  },
  Cloud: {
    CloudService: { label: "Cloud service", reads: TOGGLE },
    sta_ssid: { label: "Home network 1 name" },
    sta_pw: { label: "Home network 1 password", isSecret: true },
    sta2_ssid: { label: "Home network 2 name" },
    sta2_pw: { label: "Home network 2 password", isSecret: true },
    sta3_ssid: { label: "Home network 3 name" },
    sta3_pw: { label: "Home network 3 password", isSecret: true },
    CloudSettingVersion: { label: "Cloud settings version" },
    sta_garage: { label: "Home network 1 is a garage" },
    sta2_garage: { label: "Home network 2 is a garage" },
    sta3_garage: { label: "Home network 3 is a garage" },
    AlarmManual: { label: "Message: manual recording", reads: TOGGLE },
    AlarmParking: { label: "Message: parking", reads: TOGGLE },
    AlarmParkEvent: { label: "Message: impact while parked", reads: TOGGLE },
    AlarmEvent: { label: "Message: event", reads: TOGGLE },
    AlarmSpeed: { label: "Message: speed", reads: TOGGLE },
    AlarmParkInOut: { label: "Message: parking mode begins or ends", reads: TOGGLE },
    AlarmHighTemperature: { label: "Message: high temperature", reads: TOGGLE },
  },
};
