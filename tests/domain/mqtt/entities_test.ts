import { describe, expect, test } from "bun:test";
import { deviceConfig, ENTITIES, ENTITY_NAMES, entityWord } from "../../../server/domain/mqtt/entities.ts";
import { cameraTopics, retainedTopics, serviceTopic } from "../../../server/domain/mqtt/topics.ts";

const ROOT = { prefix: "dashdock", discovery: "homeassistant", installation: "3f9a" };
const FACTS = {
  topics: cameraTopics(ROOT, null),
  service: serviceTopic(ROOT),
  name: "Van",
  model: "DR900X",
  firmware: "1.012",
  page: "http://nas:8080/",
  version: "1.4.0",
};

describe("the device", () => {
  const config = JSON.parse(JSON.stringify(deviceConfig(FACTS)));

  test("says whose it is, by what it is there, and where its page is", () => {
    const { components: _, ...rest } = config;
    expect(rest).toEqual({
      device: {
        identifiers: ["dashdock_3f9a"],
        name: "Van",
        model: "DR900X",
        sw_version: "1.012",
        configuration_url: "http://nas:8080/",
      },
      origin: { name: "Dashdock", sw_version: "1.4.0" },
      availability_topic: "dashdock/3f9a/service",
      payload_available: "online",
      payload_not_available: "offline",
      qos: 1,
    });
  });

  test("leaves out what is not known", () => {
    const bare = deviceConfig({ ...FACTS, name: null, model: null, firmware: null, page: null });
    expect(bare["device"]).toEqual({ identifiers: ["dashdock_3f9a"], name: "Dashcam" });
  });

  test("has each entity with an id of its own, and what its platform must have", () => {
    const all = Object.entries<Record<string, unknown>>(config.components);
    expect(all.map(([key]) => key)).toEqual(ENTITIES.map(({ key }) => key));
    expect(new Set(all.map(([, { unique_id }]) => unique_id)).size).toBe(15);
    const needed: Record<string, readonly string[]> = {
      sensor: ["state_topic", "value_template"],
      binary_sensor: ["state_topic", "value_template"],
      event: ["state_topic", "event_types"],
      image: ["image_topic", "content_type"],
      button: ["command_topic", "payload_press"],
      switch: ["command_topic", "state_topic", "payload_on", "payload_off", "state_on", "state_off"],
    };
    for (const [key, entity] of all) {
      const platform = String(entity["platform"]);
      expect(entity).toMatchObject({ unique_id: `dashdock_3f9a_${key}`, default_entity_id: `${platform}.van_${key}` });
      expect([key, needed[platform]?.filter((name) => !(name in entity))]).toEqual([key, []]);
      // Home Assistant refuses other categories of these, and reads object_id no more.
      expect(["diagnostic", undefined]).toContain(entity["entity_category"] as string);
      expect(entity).not.toHaveProperty("object_id");
    }
    expect(ENTITY_NAMES).toHaveLength(15);
  });

  test("of a further camera has topics and ids of its own, and the same service", () => {
    const van = cameraTopics(ROOT, "van");
    expect([van.device, van.state, van.config]).toEqual([
      "dashdock_3f9a_van",
      "dashdock/3f9a/van/state",
      "homeassistant/device/dashdock_3f9a_van/config",
    ]);
    expect(retainedTopics(van)).toEqual([van.config, van.state, van.picture]);
  });
});

test("a name becomes a word that ids may have", () => {
  const rows = [
    ["Van", "van"],
    ["Für #1+2/3 🚐", "fur_1_2_3"],
    ["  A  b ", "a_b"],
    ["عربة", "dashcam"],
    ["🚗", "dashcam"],
    ["", "dashcam"],
    ["x".repeat(300), "x".repeat(64)],
  ] as const;
  for (const [name, word] of rows) expect([name, entityWord(name)]).toEqual([name, word]);
});
