import * as v from "valibot";
import { moment, orNull, text } from "../answers/answer_fields.ts";

export const LINK_STATES = ["off", "connecting", "connected", "failed"] as const;

export const MQTT_STATE = v.object({
  state: v.pipe(
    v.picklist(LINK_STATES),
    v.description("off: no `mqtt.url` is set; failed: the last try did not work, and there will be another one"),
  ),
  since: orNull(moment, "When it became so; null while switched off"),
  problem: orNull(v.string(), "Why there is no connection, or what the broker does not take, as a sentence"),
  version: orNull(v.picklist(["5", "3.1.1"]), "Version of MQTT that the broker speaks; null without a connection"),
  devices: v.pipe(
    v.array(v.object({ camera: text("Id of the camera"), name: text("As Home Assistant shows it") })),
    v.description("One device for each camera"),
  ),
  entities: v.pipe(v.array(v.string()), v.description("What each device has")),
});
export type MqttState = v.InferOutput<typeof MQTT_STATE>;
