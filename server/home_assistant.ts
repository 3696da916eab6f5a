import type { MqttState } from "./domain/mqtt/mqtt_schema.ts";
import { NOT_PUBLISHED } from "./domain/mqtt/not_published.ts";
import type { PublishedCameras, PublishedCamerasParts } from "./published_cameras.ts";
import { whenAsked } from "./when_asked.ts";

/** Publishes the cameras for Home Assistant while a broker is set. Until one is, nothing of it is loaded. */
export class HomeAssistant {
  readonly #settings: PublishedCamerasParts["settings"];
  readonly #published;
  /** A broker was set at the start, so that it may have the devices already. */
  #isKnown = false;
  #off: () => void = () => {};

  constructor(parts: PublishedCamerasParts) {
    this.#settings = parts.settings;
    this.#published = whenAsked(async (): Promise<PublishedCameras> => {
      const { PublishedCameras } = await import("./published_cameras.ts");
      const published = new PublishedCameras(parts);
      published.start(this.#isKnown);
      return published;
    });
  }

  /** Connects where a broker is set, and from then on whenever one is. */
  start(): void {
    const open = () => {
      if (this.#settings.current.mqtt.url === null) return;
      this.#off();
      this.#published().catch(() => {});
    };
    this.#off = this.#settings.onChange(open);
    this.#isKnown = this.#settings.current.mqtt.url !== null;
    open();
  }

  get state(): MqttState {
    const { opened } = this.#published;
    if (opened !== null) return opened.state;
    return this.#settings.current.mqtt.url === null ? NOT_PUBLISHED : { ...NOT_PUBLISHED, state: "connecting" };
  }

  /** Resolves when what has happened by now is with the broker. */
  async settled(): Promise<void> {
    await (await this.#published.ifAsked())?.settled();
  }

  async close(): Promise<void> {
    this.#off();
    await (await this.#published.ifAsked())?.close();
  }
}
