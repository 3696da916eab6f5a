import type { MqttState } from "./mqtt_schema.ts";

/** State while no broker is set. */
export const NOT_PUBLISHED: MqttState = {
  state: "off",
  since: null,
  problem: null,
  version: null,
  devices: [],
  entities: [],
};
