import type { Cameras } from "./cameras.ts";
import type { Clock } from "./clock.ts";
import { OFFSITE_OFF } from "./domain/offsite/offsite_off.ts";
import type { OffsiteState } from "./domain/offsite/offsite_schema.ts";
import type { Settings } from "./domain/settings/settings.ts";
import type { ZoneTime } from "./domain/text/zone_time.ts";
import type { OffsiteCamera, OffsiteJob } from "./engine/offsite/offsite_job.ts";
import { type Log, messageOf } from "./log.ts";
import type { SettingsFile } from "./store/config/settings_file.ts";

export interface OffsiteParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: SettingsFile;
  readonly configDir: string;
  readonly cameras: Pick<Cameras<OffsiteCamera>, "all">;
  readonly zone: () => ZoneTime;
}

/** Sends copies of recordings off-site while an address is set. Until one is, nothing of it is loaded. */
export class Offsite {
  readonly #parts: OffsiteParts;
  #job: OffsiteJob | null = null;
  /** Beginnings and ends of jobs, one after the other. */
  #turn: Promise<void> = Promise.resolve();
  #isClosed = false;
  #off: () => void = () => {};

  constructor(parts: OffsiteParts) {
    this.#parts = parts;
  }

  /** Begins where an address is set, and anew whenever the settings change. */
  start(): void {
    const { settings } = this.#parts;
    this.#off = settings.onChange((now, before) => {
      if (now.offsite !== before.offsite) this.#later(now.offsite);
    });
    if (settings.current.offsite.endpoint !== null) this.#later(settings.current.offsite);
  }

  get state(): OffsiteState {
    if (this.#job !== null) return this.#job.state;
    return this.#parts.settings.current.offsite.endpoint === null ? OFFSITE_OFF : { ...OFFSITE_OFF, state: "waiting" };
  }

  /** Tries at once; resolves after that. */
  async check(): Promise<OffsiteState> {
    await this.#turn;
    await this.#job?.check();
    return this.state;
  }

  /** Compares at once; resolves after that. */
  async compare(): Promise<OffsiteState> {
    await this.#turn;
    await this.#job?.compare();
    return this.state;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#off();
    await this.#turn;
    await this.#job?.close();
  }

  #later(offsite: Settings["offsite"]): void {
    const { clock, log, configDir, cameras, zone } = this.#parts;
    this.#turn = this.#turn
      .then(async () => {
        await this.#job?.close();
        this.#job = null;
        if (offsite.endpoint === null || this.#isClosed) return;
        const { OffsiteJob } = await import("./engine/offsite/offsite_job.ts");
        this.#job = new OffsiteJob({ clock, log, settings: offsite, configDir, cameras: () => cameras.all, zone });
        this.#job.start();
      })
      .catch((error: unknown) => log.error("offsite", `Nothing can be sent: ${messageOf(error)}`));
  }
}
