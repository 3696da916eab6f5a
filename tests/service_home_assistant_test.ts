import { expect, setDefaultTimeout, test } from "bun:test";
import type { MqttState } from "../server/domain/mqtt/mqtt_schema.ts";
import { MOSQUITTO, openBroker } from "./support/app/mqtt_broker.ts";
import { temporaryPlace } from "./support/app/process.ts";
import { openSettings, putSettings, serve } from "./support/app/service.ts";

setDefaultTimeout(30_000);

test.skipIf(MOSQUITTO === null)(
  "a service that is killed is offline, by its last will, and online after its next start",
  async () => {
    await using place = await temporaryPlace();
    await using broker = await openBroker();
    await using home = await broker.client();
    putSettings(place, openSettings("", { mqtt: { url: broker.url } }));
    const isService =
      (word: string) =>
      ({ topic, text }: { topic: string; text: string }) =>
        topic.startsWith("dashdock/") && topic.endsWith("/service") && text === word;
    {
      await using service = await serve(place);
      await home.until(isService("online"));
      const state = (await (await service.client.fetch("/api/mqtt")).json()) as MqttState;
      expect(["connecting", "connected"]).toContain(state.state);
      // Disposing of a process is kill -9.
    }
    await home.until(isService("offline"));
    const from = home.heard.length;
    await using _again = await serve(place);
    await home.until(isService("online"), from);
    const topics = new Set(home.heard.map(({ topic }) => topic).filter((topic) => topic.endsWith("/service")));
    expect(topics.size).toBe(1);
  },
);
