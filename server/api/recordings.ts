import { join } from "node:path";
import type { App } from "../app.ts";
import type { Api } from "../domain/api.ts";
import { json } from "../http/respond.ts";
import type { Visit } from "../http/visit.ts";

const USUAL = 5;
const MOST = 50;

/** `GET /api/recordings/recent?limit=N`: 5 when it is no whole number, held within 1..50. */
export async function recent(visit: Visit, { segments }: Pick<App, "segments">): Promise<Response> {
  const text = visit.url.searchParams.get("limit") ?? "";
  const limit = /^[+-]?[0-9]+$/.test(text) ? Math.min(MOST, Math.max(1, Number(text))) : USUAL;
  const { recordings, total } = await segments.recent(limit);
  const placed = recordings.map((recording) => ({ ...recording, path: join(segments.root, recording.path) }));
  return json({ recordings: placed, total } satisfies Api["GET /api/recordings/recent"]);
}
