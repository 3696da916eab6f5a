import type { StatusLevel } from "../answers/status_level.ts";
import type { MqttState } from "./mqtt_schema.ts";

/** The connection to the broker, as the settings page tells it. */
export interface LinkWords {
  readonly level: StatusLevel;
  readonly title: string;
  readonly text: string;
}

/** @param since the time of `state.since` in words. @returns null while it is switched off */
export function linkInWords(state: MqttState, since: string): LinkWords | null {
  switch (state.state) {
    case "off":
      return null;
    case "connecting":
      return { level: "busy", title: "Connecting…", text: "This takes at most ten seconds." };
    case "failed":
      return { level: "failed", title: `No connection since ${since}`, text: state.problem ?? "" };
    case "connected": {
      const names = state.devices.map(({ name }) => name);
      const has = names.length === 1 ? "is a device" : "are devices";
      const entities = `with ${state.entities.length} entities${names.length === 1 ? "" : " each"}`;
      const title = `Connected since ${since}`;
      if (state.problem !== null) return { level: "attention", title, text: state.problem };
      return { level: "fine", title, text: `${inRow(names)} ${has} ${entities}: ${state.entities.join(", ")}.` };
    }
  }
}

function inRow(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
