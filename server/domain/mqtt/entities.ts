import { TYPES } from "../recordings/recording_codes.ts";
import { isEvent } from "../retention/keep_times.ts";
import type { CameraTopics } from "./topics.ts";

/** The device that Home Assistant makes of a camera. */

/** States of the first entity. */
export const DEVICE_STATES = ["syncing", "waiting", "paused", "problem"] as const;
export type DeviceState = (typeof DEVICE_STATES)[number];

/** Kinds of events that came home, by the letter of their recordings. */
export const EVENT_TYPES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(TYPES)
    .filter(([letter]) => isEvent(letter))
    .map(([letter, words]) => [letter, words.toLowerCase().replaceAll(" ", "_")]),
);

/** Order that a button or a switch of the device sends. */
export const COMMANDS = ["sync", "pause", "resume"] as const;
export type Command = (typeof COMMANDS)[number];

export const ONLINE = "online";
export const OFFLINE = "offline";

type Platform = "sensor" | "binary_sensor" | "event" | "image" | "button" | "switch";

interface Entity {
  readonly key: string;
  readonly platform: Platform;
  /** Null for the one that is named as the device is. */
  readonly name: string | null;
  readonly more: (topics: CameraTopics) => Readonly<Record<string, unknown>>;
}

const value = (key: string) => `{{ value_json.${key} }}`;
/** A state that is not known is the text `None`, which Home Assistant shows as unknown. */
const onOff = (key: string) =>
  `{% if value_json.${key} is none %}None{% else %}{{ 'ON' if value_json.${key} else 'OFF' }}{% endif %}`;

function sensor(key: string, name: string | null, about: Readonly<Record<string, unknown>>): Entity {
  const more = ({ state }: CameraTopics) => ({ state_topic: state, value_template: value(key), ...about });
  return { key, platform: "sensor", name, more };
}

function binarySensor(key: string, name: string, about: Readonly<Record<string, unknown>>): Entity {
  const more = ({ state }: CameraTopics) => ({ state_topic: state, value_template: onOff(key), ...about });
  return { key, platform: "binary_sensor", name, more };
}

const DIAGNOSTIC = { entity_category: "diagnostic" } as const;
const MEASURED = { state_class: "measurement" } as const;

/** The entities of a camera, in the order in which the page names them. */
export const ENTITIES: readonly Entity[] = [
  sensor("state", null, { device_class: "enum", options: DEVICE_STATES, icon: "mdi:car-connected" }),
  binarySensor("at_home", "Camera at home", { device_class: "connectivity" }),
  binarySensor("all_safe", "All safe", { icon: "mdi:shield-check" }),
  binarySensor("at_risk", "At risk", { device_class: "problem" }),
  sensor("waiting_recordings", "Waiting recordings", { unit_of_measurement: "recordings", ...MEASURED }),
  sensor("waiting_bytes", "Waiting data", { device_class: "data_size", unit_of_measurement: "B", ...MEASURED }),
  sensor("needs_wifi", "Needs Wi-Fi", { device_class: "duration", unit_of_measurement: "s", ...MEASURED }),
  sensor("last_sync", "Last sync", { device_class: "timestamp", ...DIAGNOSTIC }),
  sensor("last_contact", "Last contact", { device_class: "timestamp", ...DIAGNOSTIC }),
  sensor("disk_used", "Disk used", { unit_of_measurement: "%", icon: "mdi:harddisk", ...MEASURED, ...DIAGNOSTIC }),
  sensor("next_run", "Next run", { device_class: "timestamp", ...DIAGNOSTIC }),
  {
    key: "event",
    platform: "event",
    name: "Event",
    more: ({ event }) => ({ state_topic: event, event_types: Object.values(EVENT_TYPES), icon: "mdi:car-emergency" }),
  },
  {
    key: "picture",
    platform: "image",
    name: "Last picture",
    more: ({ picture }) => ({ image_topic: picture, content_type: "image/jpeg" }),
  },
  {
    key: "sync",
    platform: "button",
    name: "Sync now",
    more: ({ command }) => ({ command_topic: command, payload_press: "sync", icon: "mdi:sync" }),
  },
  {
    key: "pause",
    platform: "switch",
    name: "Pause",
    more: ({ command, state }) => ({
      command_topic: command,
      payload_on: "pause",
      payload_off: "resume",
      state_topic: state,
      value_template: "{{ 'ON' if value_json.paused else 'OFF' }}",
      state_on: "ON",
      state_off: "OFF",
      icon: "mdi:pause",
    }),
  },
];

/** Names of the entities, as the page lists them. */
export const ENTITY_NAMES: readonly string[] = ENTITIES.map(({ name }) => name ?? "State");

/** Facts about a device that its config tells. */
export interface DeviceFacts {
  readonly topics: CameraTopics;
  /** `serviceTopic` */
  readonly service: string;
  /** The name of the camera; null for one that was never named. */
  readonly name: string | null;
  /** Null where it is not known. */
  readonly model: string | null;
  readonly firmware: string | null;
  /** The address of the page, where it is known. */
  readonly page: string | null;
  /** The version of Dashdock. */
  readonly version: string;
}

/** The config that makes the device and its entities: Home Assistant's device discovery. */
export function deviceConfig(facts: DeviceFacts): Readonly<Record<string, unknown>> {
  const { topics, service, model, firmware, page, version } = facts;
  const name = facts.name ?? "Dashcam";
  const components = ENTITIES.map(({ key, platform, name: entity, more }) => [
    key,
    {
      platform,
      unique_id: `${topics.device}_${key}`,
      default_entity_id: `${platform}.${entityWord(name)}_${key}`,
      name: entity,
      ...more(topics),
    },
  ]);
  return {
    device: {
      identifiers: [topics.device],
      name,
      ...(model !== null && { model }),
      ...(firmware !== null && { sw_version: firmware }),
      ...(page !== null && { configuration_url: page }),
    },
    origin: { name: "Dashdock", sw_version: version },
    availability_topic: service,
    payload_available: ONLINE,
    payload_not_available: OFFLINE,
    qos: 1,
    components: Object.fromEntries(components),
  };
}

/** A name as ids of entities may have it: `a-z`, digits and `_`. A name without any of them is `dashcam`. */
export function entityWord(name: string): string {
  const plain = name.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  const word = plain.replaceAll(/[^a-z0-9]+/g, "_").replaceAll(/^_+|_+$/g, "");
  return word.slice(0, 64).replace(/_+$/, "") || "dashcam";
}
