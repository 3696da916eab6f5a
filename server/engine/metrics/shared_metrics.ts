import type { Settings } from "../../domain/settings/settings.ts";
import type { Log } from "../../log.ts";
import { Turns } from "../../turns.ts";
import {
  emitMetrics,
  familiesOfCameras,
  type MetricsTargets,
  type RunMetrics,
  renderFamilies,
  renderMetrics,
  runFamilies,
  targetsOf,
} from "./metrics_text.ts";

/** A camera with the figures of its latest run. */
export interface MeasuredCamera {
  readonly id: string;
  /** Null before its first run. */
  readonly latest: RunMetrics | null;
}

/** Parts that all cameras of a service have in common, at the moment. */
export interface CommonTargets {
  readonly cameras: readonly MeasuredCamera[];
  /** Settings of the first camera, in whose name the figures of all are pushed. */
  readonly settings: Pick<Settings, "metrics" | "connection">;
  /** Tells why the metrics file may not be written, over the folders of all cameras. */
  readonly outside: NonNullable<MetricsTargets["outside"]>;
}

/**
 * The one metrics file and the one gateway of a service: where there are several cameras, each run writes the figures of
 * all of them.
 */
export class SharedMetrics {
  readonly #common: () => CommonTargets;
  /** Two runs that end at once must not leave the older figures behind. */
  readonly #turns = new Turns(1);

  constructor(common: () => CommonTargets) {
    this.#common = common;
  }

  /** Writes and pushes after a run whose figures these are; as `emitMetrics`. */
  async emit(own: RunMetrics, targets: MetricsTargets, log: Log, signal: AbortSignal): Promise<void> {
    const { cameras: all } = this.#common();
    // The last run of a camera that is being taken away is none of those that are there.
    if (all.length > 0 && !all.some(({ latest }) => latest === own)) return;
    if (all.length < 2) return await emitMetrics(renderMetrics(own), targets, log, signal);
    await this.#turns.run(async () => {
      const { cameras, settings, outside } = this.#common();
      const { instance } = targetsOf(settings);
      const measured = cameras.map(({ id, latest }) => ({ camera: id, families: latest ? runFamilies(latest) : [] }));
      const text = renderFamilies(familiesOfCameras(measured));
      await emitMetrics(text, { ...targets, instance, outside }, log, signal);
    });
  }
}
