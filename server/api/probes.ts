import * as v from "valibot";
import type { App } from "../app.ts";
import type { DeepHealthParts } from "../engine/status/deep_health.ts";
import type { OpeningHttpApp } from "../http/request/http_app.ts";
import { json } from "../http/request/respond.ts";
import { responseEndpoint, SWITCH } from "./endpoint.ts";

const UP = v.object({ status: v.literal("ok") });
const FAILING = v.object({ status: v.literal("failing"), reasons: v.array(v.string()) });

export const healthz = responseEndpoint({
  summary: "Whether the process is up and, with `deep=1`, whether it can save settings and recordings",
  query: v.object({ deep: v.pipe(SWITCH, v.description("`1` looks at the folders, too")) }),
  answers: {
    200: { description: "It is, and it can", schema: UP },
    503: { description: "With `deep=1`: why nothing can be saved or brought home, in sentences", schema: FAILING },
  },
  async respond({ query }, app: Pick<OpeningHttpApp<DeepHealthParts>, "isReady" | "opened">) {
    if (query.deep === null) return json({ status: "ok" });
    const { opened } = app;
    const reasons = opened && app.isReady() ? await unhealthy(opened) : ["The service is starting or stopping."];
    return reasons.length === 0 ? json({ status: "ok" }) : json({ status: "failing", reasons }, { status: 503 });
  },
});

export const readyz = responseEndpoint({
  summary: "Whether settings and stores are open",
  answers: {
    200: {
      description: "They are",
      schema: v.object({ status: v.literal("ready"), settings_loaded: v.literal(true) }),
    },
    503: {
      description: "Not yet, or not any more",
      schema: v.object({ status: v.literal("starting"), settings_loaded: v.literal(false) }),
    },
  },
  respond: (_asked, app: Pick<App, "isReady">) =>
    app.isReady()
      ? json({ status: "ready", settings_loaded: true })
      : json({ status: "starting", settings_loaded: false }, { status: 503 }),
});

/** Loaded for who asks: the first probe after a start is answered before anything else is loaded. */
async function unhealthy(opened: DeepHealthParts): Promise<string[]> {
  return await (await import("../engine/status/deep_health.ts")).deepHealth(opened);
}
