import * as v from "valibot";
import type { App } from "../app.ts";
import type { Share } from "../domain/shares/share.ts";
import type { SHARED_TRACK } from "../domain/shares/share_schema.ts";
import { exportName } from "../domain/viewer/export_choice.ts";
import { filmOfShare, shownClips, trackOfShare } from "../engine/shares/shared_clips.ts";
import { noSuchLink, openedLink } from "../http/auth/link_access.ts";
import { readQuery } from "../http/request/read_request.ts";
import type { RequestContext } from "../http/request/request_context.ts";
import { json } from "../http/request/respond.ts";
import { SWITCH } from "./endpoint.ts";
import { filmAnswer } from "./film_answer.ts";

const FILM = /^([A-Z])\.mp4$/;
const TRACK = "track.json";

/** `1` saves the film, where the link allows that. */
const ASKED = v.object({ download: SWITCH });

/** `GET /s/:token/:part`: a film of one direction, or the track. @throws AppError SHARE_NOT_FOUND, SHARE_LOCKED */
export async function sharedPart(context: RequestContext, app: App): Promise<Response> {
  return await partOf(openedLink(context, context.params["token"] ?? "", app), context, app);
}

/** `GET /links/:id/:part`: the same for its owner. @throws AppError SHARE_NOT_FOUND */
export async function ownPart(context: RequestContext, app: App): Promise<Response> {
  const share = app.shares.get(context.params["id"] ?? "");
  if (share === null) throw noSuchLink();
  return await partOf(share, context, app);
}

async function partOf(share: Share, context: RequestContext, all: App): Promise<Response> {
  const { part = "" } = context.params;
  const app = all.cameras.of(share.camera);
  if (app === null) throw noSuchLink();
  if (part === TRACK && share.place) {
    const track: v.InferOutput<typeof SHARED_TRACK> = await trackOfShare(share, app);
    return json(track, { headers: { "cache-control": "no-store" } });
  }
  const [, direction] = FILM.exec(part) ?? [];
  const film = direction === undefined ? null : await filmOfShare(share, direction, await shownClips(share, app), app);
  if (direction === undefined || film === null) throw noSuchLink();
  const [first = ""] = share.keys;
  const name = exportName("range", first, share.from, share.ends, "mp4").replace(/\.mp4$/, `_${direction}.mp4`);
  return await filmAnswer(context, film, {
    app,
    etag: etagOf(share, film.etag),
    cache: "no-store",
    name,
    isDownload: share.download && readQuery(context, ASKED).download !== null,
    slots: all.sharedStreams,
    session: share.id,
  });
}

/** Another one than that of the film itself, which is made of the names of its files. */
function etagOf({ id }: Share, etag: string): string {
  return `"${new Bun.CryptoHasher("sha256", id).update(etag).digest("base64url").slice(0, 27)}"`;
}
