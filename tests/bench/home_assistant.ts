import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { EXECUTABLE } from "../support/app/executable.ts";
import { openBroker } from "../support/app/mqtt_broker.ts";
import { median } from "./measure.ts";
import type { Part } from "./part.ts";
import { startService } from "./service.ts";
import { MEMORY } from "./stage.ts";

/** Memory after so many seconds of nothing, with Home Assistant and without, of executables that run at the same time. */
export async function benchHomeAssistantMemory(rounds: number, idleSeconds: number) {
  await using broker = await openBroker();
  const idle = async (url: string | null) => {
    const folder = mkdtempSync(join(MEMORY, "dashdock-bench-mqtt-"));
    try {
      mkdirSync(join(folder, "config"), { recursive: true });
      mkdirSync(join(folder, "recordings"));
      const settings = { version: 2, auth: { mode: "none" }, schedule: { paused: true }, mqtt: { url } };
      writeFileSync(join(folder, "config", "settings.json"), JSON.stringify(settings), { mode: 0o600 });
      await using service = await startService(folder, {}, [EXECUTABLE]);
      await Bun.sleep(idleSeconds * 1000);
      const { state } = (await (await fetch(`${service.url}/api/mqtt`)).json()) as { state: string };
      if (state !== (url === null ? "off" : "connected")) throw new Error(`the connection is ${state}`);
      return service.megabytes();
    } finally {
      rmSync(folder, { recursive: true });
    }
  };
  const turns: { without: number; more: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const [without, published] = await Promise.all([idle(null), idle(broker.url)]);
    turns.push({ without, more: published - without });
  }
  return { without: median(turns.map(({ without }) => without)), more: median(turns.map(({ more }) => more)) };
}

/** Publishing to a broker. It needs Debian's package `mosquitto`. */
export const HOME_ASSISTANT_PARTS: readonly Part[] = [
  {
    name: "home-assistant",
    async measure(add) {
      const { without, more } = await benchHomeAssistantMemory(3, 60);
      add(
        "memory after a minute of nothing, connected to a broker: more than without",
        `${more.toFixed(1)} MB (without ${without.toFixed(1)} MB)`,
        "≤ 22 MB",
      );
    },
  },
];
