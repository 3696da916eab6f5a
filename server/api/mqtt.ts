import type { App } from "../app.ts";
import { MQTT_STATE } from "../domain/mqtt/mqtt_schema.ts";
import { endpoint } from "./endpoint.ts";

export const mqttState = endpoint({
  summary: "The connection to the MQTT broker, and what is published for Home Assistant",
  shape: MQTT_STATE,
  returns: "The state",
  answer: (_asked, { homeAssistant }: Pick<App, "homeAssistant">) => homeAssistant.state,
});
