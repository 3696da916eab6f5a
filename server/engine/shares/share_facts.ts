import { endOf, type Share } from "../../domain/shares/share.ts";
import type { ShareFacts, Shares } from "../../domain/shares/share_schema.ts";
import { wallText } from "../../domain/viewer/trip_text.ts";
import { clipsOfShare, type SharedParts } from "./shared_clips.ts";

/** Finds the parts of a camera; null for one that is not open. */
type PartsOf = (camera: string) => Pick<SharedParts, "segments"> | null;

/** All links as their owner sees them: those that hold, and those that have ended. */
export async function sharesNow(all: readonly Share[], now: number, partsOf: PartsOf): Promise<Shares> {
  const shares: ShareFacts[] = [];
  const ended: Shares["ended"] = [];
  for (const share of all) {
    const facts = await factsOf(share, partsOf);
    const end = endOf(share, now);
    if (end === null) shares.push(facts);
    else ended.push({ ...facts, ended_at: new Date(end).toISOString(), revoked: share.revoked !== null });
  }
  return { shares, ended };
}

async function factsOf(share: Share, partsOf: PartsOf): Promise<ShareFacts> {
  const parts = partsOf(share.camera);
  const there = parts === null ? 0 : (await clipsOfShare(share, parts)).length;
  const { id, span, camera, directions, place, sound, download, note, views } = share;
  return {
    id,
    span,
    camera,
    starts_at: wallText(share.starts),
    ends_at: wallText(share.ends),
    directions,
    place,
    sound,
    download,
    note,
    made_at: new Date(share.made).toISOString(),
    expires_at: new Date(share.expires).toISOString(),
    views,
    last_view: share.viewed === null ? null : new Date(share.viewed).toISOString(),
    has_password: share.password !== null,
    recordings: { there, missing: share.keys.length - there },
  };
}
