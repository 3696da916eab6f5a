import { formatListing } from "../../domain/recordings/camera_listing.ts";
import { LIST_PATH } from "../legacy.ts";
import { fileOf } from "./simulated_video.ts";
import type { Places } from "./simulator_faults.ts";
import type { ServedCard } from "./simulator_served_card.ts";
import type { Answer } from "./simulator_transmission.ts";
import type { WireRequest } from "./simulator_wire.ts";

/** One wire generation of the camera: where things are, and how it answers a request. */
export interface Generation extends Places {
  answer(request: WireRequest, served: ServedCard, listsSizes: boolean): Answer;
}

const TYPES: Readonly<Record<string, string>> = { mp4: "video/mp4", thm: "image/jpeg" };

/** The generation of all models until 2026: a text listing, files below `/Record/`, settings below `/Config/`. */
export const LEGACY: Generation = {
  list: LIST_PATH,
  video: /^\/Record\/[^/]+\.mp4$/,
  answer(request, served, listsSizes) {
    if (request.method !== "GET" && request.method !== "HEAD") {
      return { ...notice(405, "method not allowed"), headers: [["Allow", "GET, HEAD"]] };
    }
    const path = request.path.split("?", 1)[0] ?? "";
    if (path === LEGACY.list) return text(listingOf(served, listsSizes));
    if (path === "/Config/config.ini") return plain(served.settings.config);
    if (path === "/Config/version.bin") return plain(served.settings.version);
    const name = /^\/Record\/([^/]+)$/.exec(path)?.[1];
    const file = name === undefined ? null : served.file(name);
    if (!file || name === undefined) return notice(404, "not found");
    const type = TYPES[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream";
    return { status: 200, type, content: file };
  },
};

/** A short answer in words. */
export function notice(status: number, words: string): Answer {
  return { ...text(`${words}\n`), status };
}

function text(content: string): Answer {
  return plain(new TextEncoder().encode(content));
}

function plain(content: Uint8Array): Answer {
  return { status: 200, type: "text/plain", content: fileOf(content) };
}

function listingOf(served: ServedCard, listsSizes: boolean): string {
  const names = served.listsCompanions ? served.card.names() : served.card.videos();
  return formatListing(names.map((name) => (listsSizes ? { name, size: served.file(name)?.size ?? 0 } : { name })));
}
