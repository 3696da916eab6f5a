import { gunzipSync } from "node:zlib";
import { AppError } from "../../domain/answers/errors.ts";
import { takesGzip } from "../listen/compress.ts";
import type { RequestContext } from "../request/request_context.ts";
// A macro: it runs while the program is built, and what it returns stands here instead of the call.
import { bundleAssets } from "./bundle.ts" with { type: "macro" };

const { files, islands } = await bundleAssets();

interface Asset {
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly gzipped: boolean;
}

const BY_PATH: ReadonlyMap<string, Asset> = new Map(
  files.map(({ hashed, type, base64, gzipped }) => [hashed, { type, bytes: Uint8Array.fromBase64(base64), gzipped }]),
);
const HASHED: ReadonlyMap<string, string> = new Map(files.map(({ name, hashed }) => [name, hashed]));

/** Names carry a hash of the content: what is under one name never changes. */
const FOREVER = "public, max-age=31536000, immutable";

/** The address of a file that ships with the program, by its plain name such as `app.css`. @throws when there is none */
export function assetPath(name: string): string {
  const hashed = HASHED.get(name);
  if (hashed === undefined) throw new Error(`There is no asset ${name}`);
  return `/assets/${hashed}`;
}

/** The addresses of all scripts an island needs. */
export function islandScripts(island: string): string[] {
  return (islands[island] ?? []).map((hashed) => `/assets/${hashed}`);
}

/** `GET /assets/:name` @throws AppError NOT_FOUND */
export function asset({ params, request }: RequestContext): Response {
  const found = BY_PATH.get(params["name"] ?? "");
  if (!found) throw new AppError("NOT_FOUND", "There is no such file.");
  const headers = { "content-type": found.type, "cache-control": FOREVER };
  if (!found.gzipped) return new Response(found.bytes, { headers });
  const vary = { ...headers, vary: "accept-encoding" };
  if (takesGzip(request)) return new Response(found.bytes, { headers: { ...vary, "content-encoding": "gzip" } });
  return new Response(gunzipSync(found.bytes), { headers: vary });
}
