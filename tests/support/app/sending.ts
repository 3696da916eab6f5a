import { expect } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { OffsiteState } from "../../../server/domain/offsite/offsite_schema.ts";
import { openedContent } from "../../../server/engine/offsite/age_content.ts";
import { type AppOptions, type RunningApp, startApp } from "./app.ts";
import type { FakeBucket } from "./fake_bucket.ts";
import type { House } from "./held.ts";
import { listTree } from "./sync.ts";

type Login = Pick<FakeBucket, "endpoint" | "bucket" | "region" | "accessKey" | "secretKey">;

/** Section of the settings that sends everything to a bucket. */
export function offsiteTo(login: Login, change: Record<string, unknown> = {}): Record<string, unknown> {
  const { endpoint, bucket, region, accessKey, secretKey } = login;
  return { endpoint, bucket, region, access_key: accessKey, secret_key: secretKey, what: "all", ...change };
}

/** A service that sends what lies in the house. */
export async function startSending(house: House, offsite: object, options: AppOptions = {}): Promise<RunningApp> {
  const settings = { ...options.settings, offsite };
  const app = await startApp({ folder: house.folder, ...options, settings });
  await app.client.open("/");
  await app.app.library.refresh();
  app.app.offsite.start();
  return app;
}

export async function offsiteState({ client }: Pick<RunningApp, "client">): Promise<OffsiteState> {
  return (await (await client.fetch("/api/offsite")).json()) as OffsiteState;
}

export async function askOffsite({ client }: RunningApp, what: "check" | "compare"): Promise<OffsiteState> {
  const answer = await client.send("POST", `/api/offsite/${what}`);
  expect(answer.status).toBe(200);
  return (await answer.json()) as OffsiteState;
}

/** Resolves with the first state that is so; fails when it does not come in good time. */
export async function offsiteUntil(
  app: Pick<RunningApp, "client">,
  isSo: (state: OffsiteState) => boolean,
): Promise<OffsiteState> {
  const end = performance.now() + 30_000;
  for (;;) {
    const state = await offsiteState(app);
    if (isSo(state)) return state;
    if (performance.now() > end) throw new Error(`it never came about: ${JSON.stringify(state)}`);
    await Bun.sleep(10);
  }
}

export const isAllSent = ({ state, waiting }: OffsiteState): boolean => state === "idle" && waiting.bytes === 0;

/** Tells what is otherwise in the bucket than at home; empty when all is there once, and nothing else. */
export async function differences(
  fake: FakeBucket,
  { destination }: Pick<House, "destination">,
  { prefix = "", passphrase = null as string | null } = {},
): Promise<string[]> {
  const wrong: string[] = [];
  const home = listTree(destination).filter((path) => !path.startsWith(".") && !path.endsWith("/"));
  const keyOf = (path: string) => `${prefix}${path}${passphrase === null ? "" : ".age"}`;
  for (const path of home) {
    const stored = fake.objects.get(keyOf(path));
    if (stored === undefined) wrong.push(`${path} is not there`);
    else if (!(await plainOf(stored.bytes, passphrase)).equals(readFileSync(join(destination, path))))
      wrong.push(`${path} has other bytes`);
    else if (stored.times !== 1) wrong.push(`${path} was stored ${stored.times} times`);
  }
  const keys = new Set(home.map(keyOf));
  for (const key of fake.objects.keys())
    if (key.startsWith(prefix) && !keys.has(key)) wrong.push(`${key} is not at home`);
  for (const { key } of fake.uploads.values())
    if (key.startsWith(prefix)) wrong.push(`an upload of ${key} is left over`);
  return wrong;
}

async function plainOf(bytes: Uint8Array, passphrase: string | null): Promise<Buffer> {
  if (passphrase === null) return Buffer.from(bytes);
  const pieces = async function* () {
    yield bytes;
  };
  return Buffer.concat(await Array.fromAsync(openedContent(pieces(), passphrase)));
}
