import { type Signal, signal } from "@preact/signals";
import type { CameraAnswer } from "../../server/domain/status/cameras_schema.ts";
import { type CamerasSummary, camerasSummary } from "../../server/domain/status/cameras_summary.ts";
import { CARD_IDS, type CardId } from "../../server/domain/status/card_ids.ts";
import type { FleetCamera, FleetFigures, OverviewOfAll } from "../../server/domain/status/fleet.ts";
import type { ProgressUpdate } from "../../server/domain/status/status_schema.ts";
import { send } from "../browser/client.ts";
import { oneAtATime } from "../browser/one_at_a_time.ts";
import { type CardsAsked, CHANGED } from "../browser/poll.ts";
import { refreshWhileVisible } from "../browser/refresh_while_visible.ts";
import { listen } from "../browser/stream.ts";

const STREAM = { url: "/api/sync/progress/stream?camera=all", event: "progress" } as const;
/** Longest wait for an answer. */
const WAIT_MS = 10_000;
/** Time between two refreshes of texts such as “5 min ago”. */
const REFRESH_MS = 15_000;

/** The cameras as the dashboard shows them, kept up to date by one stream for all. */
export class FleetState {
  readonly cameras: Signal<readonly FleetCamera[]>;
  readonly figures: Signal<FleetFigures>;
  readonly #queue = oneAtATime((cards: readonly CardId[]) => this.#fetch(cards));
  /** Reason why the overview did not come the last time; null when it did. */
  #failure: unknown = null;

  readonly #refused: readonly CameraAnswer[];

  /** @param drawn.refused those that cannot be opened */
  constructor(drawn: {
    readonly cameras: readonly FleetCamera[];
    readonly refused: readonly CameraAnswer[];
    readonly figures: FleetFigures;
  }) {
    this.cameras = signal(drawn.cameras);
    this.figures = signal(drawn.figures);
    this.#refused = drawn.refused;
  }

  /** Words about all cameras together. */
  get summary(): CamerasSummary {
    const open = this.cameras.value.map(({ name, state, overview, snapshot }) => ({
      name,
      state: snapshot.state === "running" ? ("syncing" as const) : state,
      sentence: overview.sentence,
      waiting: overview.waiting,
      plan: overview.plan,
    }));
    return camerasSummary([...open, ...this.#refused]);
  }

  /** Asks for the state of all cameras, and shows it. */
  async refresh(): Promise<void> {
    await this.#queue(["status-card"]);
  }

  /** @returns what ends it */
  follow(): () => void {
    // Cameras whose state came since the stream was opened.
    const heard = new Set<string>();
    const stop = listen<ProgressUpdate>(STREAM, (update, isFirst) => {
      const { camera: id = "main", changed, ...snapshot } = update;
      if (isFirst) heard.clear();
      const isFirstOfIt = !heard.has(id);
      heard.add(id);
      const before = this.cameras.peek().find((camera) => camera.id === id)?.snapshot;
      const isOther = before?.boot_id !== snapshot.boot_id || snapshot.seq > before.seq;
      if (isOther) this.#edit(id, (camera) => ({ ...camera, snapshot }));
      // Changes that came while the page did not listen are not sent again.
      const cards = isFirstOfIt && isOther ? CARD_IDS : changed;
      if (cards.length > 0) void this.#queue(cards);
    });
    const refresher = refreshWhileVisible({
      page: document,
      everyMs: REFRESH_MS,
      ask: async () => {
        await this.refresh();
        if (this.#failure !== null) throw this.#failure;
      },
    });
    return () => {
      stop();
      refresher.stop();
    };
  }

  /** Shows the cameras and the cards of all of them together. */
  async #fetch(cards: readonly CardId[]): Promise<void> {
    const coming: Promise<() => void>[] = [this.#fetchOverview()];
    document.dispatchEvent(new CustomEvent<CardsAsked>(CHANGED, { detail: { cards, coming } }));
    for (const show of await Promise.all(coming)) show();
  }

  async #fetchOverview(): Promise<() => void> {
    try {
      const path = "GET /api/overview?camera=all";
      const all = await send<OverviewOfAll>(path, undefined, AbortSignal.timeout(WAIT_MS));
      this.#failure = null;
      return () => this.#show(all);
    } catch (error) {
      this.#failure = error;
      return () => {};
    }
  }

  #show(all: OverviewOfAll): void {
    const known = new Map(this.cameras.peek().map((camera) => [camera.id, camera]));
    // Another camera needs a page drawn anew: its job is not known here.
    if (all.cameras.some(({ camera }) => !known.has(camera)) || all.cameras.length !== known.size) {
      location.reload();
      return;
    }
    this.figures.value = all.figures;
    this.cameras.value = all.cameras.flatMap(({ camera: id, name, letter, model, state, ...overview }) => {
      const camera = known.get(id);
      return camera ? [{ ...camera, name, letter, model, state, overview }] : [];
    });
  }

  #edit(id: string, edit: (camera: FleetCamera) => FleetCamera): void {
    this.cameras.value = this.cameras.peek().map((camera) => (camera.id === id ? edit(camera) : camera));
  }
}
