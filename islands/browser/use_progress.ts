import { type Signal, signal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { CARD_IDS, type CardId } from "../../server/domain/status/card_ids.ts";
import type { Overview } from "../../server/domain/status/overview.ts";
import type { ProgressUpdate } from "../../server/domain/status/status_schema.ts";
import type { Snapshot } from "../../server/domain/sync/job_progress.ts";
import { send } from "./client.ts";
import { oneAtATime } from "./one_at_a_time.ts";
import { type CardsAsked, CHANGED } from "./poll.ts";
import { refreshWhileVisible } from "./refresh_while_visible.ts";
import { listen } from "./stream.ts";

const STREAM = { url: "/api/sync/progress/stream", event: "progress" } as const;
/** Longest wait for an answer. */
const WAIT_MS = 10_000;
/** Time between two refreshes of texts such as “5 min ago”. */
const REFRESH_MS = 15_000;

/** State of the job and of the rest of the dashboard. */
export interface Progress {
  /** To be shown: the end of a job only together with the overview read after it. */
  readonly snapshot: Snapshot;
  /** The latest state of the job. */
  readonly state: Snapshot["state"];
  readonly overview: Overview;
  /** Asks for cards anew and shows them together. @returns what is known then */
  readonly refresh: (cards: readonly CardId[]) => Promise<Overview>;
  /** Asks for the state of the job, after a change that does not wait for the stream. */
  readonly ask: () => Promise<void>;
}

/**
 * Follows the stream of progress. The cards it names are asked for at once and shown together; without a stream the
 * job is asked for with the overview, again and again.
 */
export function useProgress(first: Snapshot, drawn: Overview): Progress {
  const follower = useMemo(() => new Follower(first, drawn), []);
  const last = useRef(first);
  const { refresh, ask, follow } = follower;
  useEffect(() => follow(), []);
  const received = follower.received.value;
  const known = follower.known.value;
  const { state } = received;
  if (state === "running" || state === known.state) last.current = received;
  return { snapshot: last.current, state, overview: known.overview, refresh, ask };
}

type Known = { readonly state: Snapshot["state"]; readonly overview: Overview };

class Follower {
  readonly received: Signal<Snapshot>;
  readonly known: Signal<Known>;
  #overview: Overview;
  #isLive = false;
  /** Reason why the overview did not come the last time; null when it did. */
  #failure: unknown = null;
  readonly #queue = oneAtATime((cards: readonly CardId[]) => this.#fetch(cards));

  constructor(first: Snapshot, drawn: Overview) {
    this.#overview = drawn;
    this.received = signal(first);
    this.known = signal({ state: first.state, overview: drawn });
  }

  readonly refresh = async (cards: readonly CardId[]): Promise<Overview> => {
    await this.#queue(cards);
    return this.#overview;
  };

  readonly ask = async (): Promise<void> => {
    this.#take(await send<Snapshot>("GET /api/sync/progress", undefined, AbortSignal.timeout(WAIT_MS)));
  };

  /** @returns what ends it */
  readonly follow = (): (() => void) => {
    const broken = () => {
      this.#isLive = false;
    };
    const stop = listen<ProgressUpdate>({ ...STREAM, broken }, (update, isFirst) => this.#receive(update, isFirst));
    const refresher = refreshWhileVisible({
      page: document,
      everyMs: REFRESH_MS,
      ask: async () => {
        await this.refresh(["status-card"]);
        if (this.#failure !== null) throw this.#failure;
      },
    });
    return () => {
      stop();
      refresher.stop();
    };
  };

  #receive(update: ProgressUpdate, isFirst: boolean): void {
    this.#isLive = true;
    // Changes that came while the page did not listen are not sent again.
    const isMissed = isFirst && this.#isOther(update);
    this.#take(update);
    const cards = isMissed ? CARD_IDS : update.changed;
    if (cards.length > 0) void this.refresh(cards);
  }

  #isOther({ boot_id, seq }: Snapshot): boolean {
    return boot_id !== this.received.peek().boot_id || seq > this.received.peek().seq;
  }

  #take(snapshot: Snapshot): void {
    if (!this.#isOther(snapshot)) return;
    this.received.value = snapshot;
  }

  async #fetch(cards: readonly CardId[]): Promise<void> {
    const coming: Promise<() => void>[] = cards.includes("status-card") ? [this.#fetchOverview()] : [];
    document.dispatchEvent(new CustomEvent<CardsAsked>(CHANGED, { detail: { cards, coming } }));
    for (const show of await Promise.all(coming)) show();
  }

  async #fetchOverview(): Promise<() => void> {
    const before = this.received.peek();
    const signal = AbortSignal.timeout(WAIT_MS);
    try {
      const [overview] = await Promise.all([
        send<Overview>("GET /api/overview", undefined, signal),
        this.#isLive ? null : this.ask(),
      ]);
      this.#overview = overview;
      this.#failure = null;
    } catch (error) {
      this.#failure = error;
    }
    // Without the stream nothing else announces the change.
    if (!this.#isLive && this.received.peek().state !== before.state) void this.refresh(CARD_IDS);
    // It belongs to the state it was asked in: another one is another question.
    return () => {
      this.known.value = { state: before.state, overview: this.#overview };
    };
  }
}
