/** @jsxImportSource preact */
import type { ComponentType, VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { DashcamCard } from "../../islands/cards/dashcam.tsx";
import { LastRunCard } from "../../islands/cards/last_run.tsx";
import { NextScheduledCard } from "../../islands/cards/next_scheduled.tsx";
import { RecentActivityCard } from "../../islands/cards/recent_activity.tsx";
import { StatusCard } from "../../islands/cards/status.tsx";
import { StorageCard } from "../../islands/cards/storage.tsx";
import type { Polled } from "../../islands/parts/cell.tsx";
import type { App } from "../app.ts";
import { lastRun, momentOf, nextScheduled } from "../engine/activity.ts";
import { storageHealth } from "../engine/health.ts";
import { html } from "../http/respond.ts";
import type { Route } from "../http/route.ts";

/** Recordings the card names. */
const RECENT = 5;

/** A card that can be read anew by itself. */
export interface Fragment {
  readonly path: string;
  /** Seconds until it is asked for again. */
  readonly every: number;
  /** The card as it is now, for the fragment and for the page it is part of. */
  readonly show: (app: App) => Promise<VNode>;
}

interface Row<Props> {
  readonly path: string;
  readonly every: number;
  readonly read: (app: App) => Props | Promise<Props>;
  readonly card: ComponentType<Props & Polled>;
}

/** Ties a card to what it shows; from outside all fragments are alike. */
function fragment<Props extends object>({ path, every, read, card: Card }: Row<Props>): Fragment {
  const show = async (app: App) => <Card {...(await read(app))} poll={{ path, every }} />;
  return { path, every, show };
}

/** The cards in the spec's order: where each is read, how often, from what. */
export const FRAGMENTS: readonly Fragment[] = [
  fragment({ path: "/hx/sync/status-card", every: 5, read: ({ job }) => job.snapshot, card: StatusCard }),
  fragment({ path: "/hx/sync/last-run-card", every: 5, read: lastRun, card: LastRunCard }),
  fragment({ path: "/hx/storage-card", every: 5, read: storageHealth, card: StorageCard }),
  fragment({ path: "/hx/dashcam-card", every: 5, read: (app) => app.probe.health(app.dashcam), card: DashcamCard }),
  fragment({ path: "/hx/next-scheduled-card", every: 5, read: nextScheduled, card: NextScheduledCard }),
  fragment({
    path: "/hx/recent-activity-card",
    every: 5,
    read: async (app) => ({ ...(await app.segments.recent(RECENT)), ...momentOf(app) }),
    card: RecentActivityCard,
  }),
];

/** One route per card. */
export const FRAGMENT_ROUTES: readonly Route[] = FRAGMENTS.map(({ path, show }) => ({
  method: "GET",
  path,
  access: "signed-in",
  handle: async (_visit, app) => html(renderToString(await show(app))),
}));
