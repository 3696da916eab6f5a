import { expect, test } from "bun:test";
import { linkInWords } from "../../../server/domain/mqtt/link_text.ts";
import type { MqttState } from "../../../server/domain/mqtt/mqtt_schema.ts";

const STATE: MqttState = {
  state: "connected",
  since: "2026-06-07T10:00:00.000Z",
  problem: null,
  version: "5",
  devices: [{ camera: "main", name: "Car" }],
  entities: ["State", "Pause"],
};
const words = (state: Partial<MqttState>) => linkInWords({ ...STATE, ...state }, "12:00");

test("the page tells the connection, what is published, and why there is none", () => {
  expect(words({})).toEqual({
    level: "fine",
    title: "Connected since 12:00",
    text: "Car is a device with 2 entities: State, Pause.",
  });
  const both = [...STATE.devices, { camera: "van", name: "Van" }];
  expect(words({ devices: both })?.text).toBe("Car and Van are devices with 2 entities each: State, Pause.");
  expect(words({ state: "failed", problem: "It is gone." })).toEqual({
    level: "failed",
    title: "No connection since 12:00",
    text: "It is gone.",
  });
  expect(words({ problem: "It takes nothing." })).toEqual({
    level: "attention",
    title: "Connected since 12:00",
    text: "It takes nothing.",
  });
  expect(words({ state: "connecting" })?.level).toBe("busy");
  expect(words({ state: "off" })).toBeNull();
});
