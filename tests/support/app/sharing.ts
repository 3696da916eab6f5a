import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type ClipPlan, clipFile } from "../camera/film_clip.ts";
import { type AppOptions, type RunningApp, startApp } from "./app.ts";

/** Recordings of one trip of five clips of two seconds, front and rear, and one of another day. */
export const TRIP = [0, 2, 4, 6, 8].map((second) => `20261120_08000${second}_N`);
export const OTHER_DAY = "20261119_180000_N";
export const OWNER_PASSWORD = "correct horse battery";
/** Metres of a degree of latitude. */
const METERS = 111_195;

export interface Sharing extends RunningApp {
  /** Asks as people outside do: without a session. */
  readonly outside: (path: string, init?: RequestInit) => Promise<Response>;
  /** Makes a link, and returns the path of its page and its id. */
  readonly share: (
    wanted: Readonly<Record<string, unknown>>,
  ) => Promise<{ readonly path: string; readonly id: string }>;
  readonly placeOf: (name: string) => string;
  readonly put: (name: string, content: Uint8Array | string) => void;
}

/** Pictures and sound of two seconds, by which each sample is found again. */
export function sharedClip(seed: number, more: Partial<ClipPlan> = {}): Uint8Array<ArrayBuffer> {
  const pictures = Array.from({ length: 60 }, (_, at) => ({ size: 40 + (at % 7), lasts: 1000, isKey: at % 15 === 0 }));
  const sounds = Array.from({ length: 31 }, (_, at) => ({ size: 20 + (at % 3), lasts: 1024 }));
  return clipFile({ seed, pictures, sounds, ...more });
}

/** A `.gps` file of fixes, each so many metres north of a place. */
export function gpsNorth(meters: readonly number[], { lat = 48, lon = 11, perSecond = 4 } = {}): string {
  return meters
    .map((north, at) => {
      const place = lat + north / METERS;
      const minutes = ((place % 1) * 60).toFixed(5).padStart(8, "0");
      const ms = 1_780_855_916_000 + (at * 1000) / perSecond;
      return `[${ms}]$GPRMC,101500.00,A,${Math.floor(place)}${minutes},N,0${lon}00.00000,E,21.6,0.0,070626,,,A*00\r\n`;
    })
    .join("");
}

/** A service with sign-in and links, and an owner who is signed in. */
export async function startSharing(options: AppOptions = {}): Promise<Sharing> {
  const app = await startApp({
    mode: "login",
    password: OWNER_PASSWORD,
    ...options,
    settings: { ...options.settings, share: { enabled: true } },
  });
  const placeOf = (name: string) =>
    join(app.destination, `${name.slice(0, 4)}-${name.slice(4, 6)}-${name.slice(6, 8)}`, name);
  const put = (name: string, content: Uint8Array | string) => {
    mkdirSync(dirname(placeOf(name)), { recursive: true });
    writeFileSync(placeOf(name), content);
    utimesSync(placeOf(name), 1_790_000_000, 1_790_000_000);
  };
  for (const [seed, key] of [...TRIP, OTHER_DAY].entries())
    for (const [at, direction] of ["F", "R"].entries()) put(`${key}${direction}.mp4`, sharedClip(10 * at + seed));
  if (options.mode === "none") await app.client.open("/");
  else await app.client.signIn("admin", OWNER_PASSWORD);
  return Object.assign(app, {
    placeOf,
    put,
    outside: (path: string, init: RequestInit = {}) => fetch(app.url + path, { redirect: "manual", ...init }),
    share: async (wanted: Readonly<Record<string, unknown>>) => {
      const answer = await app.client.send("POST", "/api/shares", { span: { trip: TRIP[0] }, ...wanted });
      if (answer.status !== 201) throw new Error(`no link: ${answer.status} ${await answer.text()}`);
      const { url, id } = (await answer.json()) as { url: string; id: string };
      return { path: new URL(url).pathname, id };
    },
  });
}
