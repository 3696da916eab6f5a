import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type OpenApp, openApp, type StartingApp } from "../../../server/app.ts";
import type { Clock } from "../../../server/clock.ts";
import type { GenerationName } from "../../../server/dashcam/generation.ts";
import {
  type SimulatedCard,
  simulatedCard,
  syntheticFootage,
} from "../../../server/dashcam/simulator/simulated_card.ts";
import { openSimulator, type Simulator } from "../../../server/dashcam/simulator/simulator.ts";
import type { SectionName, Settings } from "../../../server/domain/settings/settings.ts";
import { applyPatch } from "../../../server/domain/settings/settings_patch.ts";
import { type Listening, listen } from "../../../server/http/listen/server.ts";
import { errorPage, ROUTES } from "../../../server/routes.ts";
import { Client } from "./client.ts";
import { cheapHash } from "./http.ts";
import { NO_WAITING, SHORT_WAITING } from "./wait_limits.ts";

/**
 * A schedule like the usual one, every quarter of an hour, whose next run is seven or eight minutes away: runs start when
 * a test wants one, and none comes between by the machine's clock.
 */
function runsLater(): { readonly cron_expression: string } {
  return { cron_expression: `${(new Date().getMinutes() + 8) % 15}-59/15 * * * *` };
}

type Changes = { readonly [S in Exclude<keyof Settings, "version">]?: Partial<Settings[S]> };

export interface AppOptions {
  /** Settings that differ from the initial ones; the camera's address is set to the simulator's. */
  settings?: Changes;
  /** `none` unless said otherwise: most tests are not about signing in. */
  mode?: Settings["auth"]["mode"];
  password?: string;
  env?: Record<string, string>;
  clock?: Clock;
  /** Default: two moments, front and rear. */
  card?: SimulatedCard;
  rate?: number | null;
  /** Interface that the camera speaks; `legacy` when left out. */
  generation?: GenerationName;
  /** Folder for recordings; `recordings` in the app's folder when left out. */
  destination?: string;
  /** A folder to go on in, which is kept; default: one of its own, removed at the end. */
  folder?: string;
}

/** The real service on a free port, with a simulated camera that really listens, in a folder of its own. */
export interface RunningApp extends AsyncDisposable {
  app: OpenApp;
  /** The same as a listener is given it. */
  starting: StartingApp;
  listening: Listening;
  url: string;
  folder: string;
  destination: string;
  simulator: Simulator;
  client: Client;
  /** Resolves with the snapshot when the job has ended. */
  synced(): Promise<OpenApp["job"]["snapshot"]>;
  /** Ends the service, keeping the folder. */
  stop(): Promise<void>;
}

export async function startApp(options: AppOptions = {}): Promise<RunningApp> {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), "dashdock-test-"));
  const card =
    options.card ??
    simulatedCard({ recordings: 4, now: Date.UTC(2026, 5, 7, 10, 20), footage: syntheticFootage(200_000) });
  const simulator = await openSimulator({
    card,
    rate: options.rate ?? null,
    generation: options.generation ?? "legacy",
    ...(process.platform === "linux" && { host: loopbackOfItsOwn() }),
  });
  const destination = options.destination ?? join(folder, "recordings");
  const starting = await openApp(
    { configDir: join(folder, "config"), destination, env: options.env ?? {} },
    options.clock ? { clock: options.clock, waitLimits: NO_WAITING } : { waitLimits: SHORT_WAITING },
  );
  const app = await starting.openStores();
  await app.settings.update((latest) =>
    changed(latest, {
      ...options.settings,
      // A camera of a test is contacted when the test wants it.
      schedule: { on_arrival: false, ...(options.clock ? {} : runsLater()), ...options.settings?.schedule },
      connection: { address: simulator.address, ...options.settings?.connection },
      auth: { ...options.settings?.auth },
    }),
  );
  if (options.password !== undefined) {
    const hash = await cheapHash(options.password);
    await app.settings.update((latest) => ({ ...latest, auth: { ...latest.auth, password_hash: hash } }));
  }
  await app.settings.update((latest) => ({ ...latest, auth: { ...latest.auth, mode: options.mode ?? "none" } }));
  const listening = listen(starting, ROUTES, errorPage, { port: 0, host: "127.0.0.1" });
  let stopped = false;
  const stop = async () => {
    if (stopped) return;
    stopped = true;
    const closed = app.close();
    await listening.stop();
    await closed;
  };
  return {
    app,
    starting,
    listening,
    url: listening.url,
    folder,
    destination,
    simulator,
    client: new Client(listening.url),
    async synced() {
      await app.job.ended();
      return app.job.snapshot;
    },
    stop,
    async [Symbol.asyncDispose]() {
      await stop();
      await simulator.close();
      if (options.folder === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The settings with these changes, through the same checks as a request's. */
function changed(settings: Settings, changes: Changes): Settings {
  let result = settings;
  for (const [section, fields] of Object.entries(changes))
    if (fields && Object.keys(fields).length > 0) result = applyPatch(result, section as SectionName, fields);
  return result;
}

/**
 * An address of this machine that no other service of the tests listens at, so that the port of a camera that went away
 * is answered by nothing: at 127.0.0.1 another test may be given it.
 */
function loopbackOfItsOwn(): string {
  const [one = 0, two = 0, three = 0] = crypto.getRandomValues(new Uint8Array(3));
  return `127.${1 + (one % 254)}.${two}.${1 + (three % 254)}`;
}
